"""How a metric is declared: what it needs of a question, how it is computed, and which variant it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from kgsynth.base.errors import installed, lack
from kgsynth.base.records import ROUTES
from kgsynth.golden.answer_members import MEMBER_KINDS
from kgsynth.scoring.metrics.answer_markup import answer_forms
from kgsynth.scoring.metrics.answer_match import refuses
from kgsynth.scoring.metrics.retrieval import Relevance
from kgsynth.scoring.metrics.routing import has_route
from kgsynth.scoring.metrics.scored_case import ScoredCase
from kgsynth.scoring.metrics.summary import Value

Compute = Callable[[ScoredCase, int], float | None]

RANKING = "order:rank|repeats:first"
"""The variant of the metrics of a ranking."""


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric of a question: ``compute(case, k)``, and the questions on which it is defined.

    ``needs`` is a key of ``METRIC_NEEDS``; ``compute`` may still return None where there is nothing to measure.
    ``variant`` describes the exact computation, in the style of sacrebleu's signatures. A metric with ``at_k`` is named
    ``name@k``. A ``bounded`` metric lies between 0 and 1, higher is better.
    """

    kind: str
    needs: str
    what: str
    variant: str
    compute: Compute
    at_k: bool = False
    bounded: bool = True

    def is_defined(self, case: ScoredCase) -> bool:
        """Check whether the metric is defined for the question of ``case``, even if the system failed on it."""
        return METRIC_NEEDS[self.needs].holds(case)


@dataclass(frozen=True, slots=True)
class RunMetric:
    """One metric of a run as a whole: ``compute(cases)``; the other fields are those of ``Metric``."""

    kind: str
    what: str
    variant: str
    compute: Callable[[Sequence[ScoredCase]], Value]
    bounded: bool = False


GROUPS = {
    "retrieval": "Retrieval",
    "passages": "Passages",
    "citations": "Citations",
    "steps": "Steps",
    "reranking": "Gain of the reranker",
    "routing": "Routing",
    "answers": "Answers, by words",
    "semantic": "Answers by meaning",
    "judged": "Judged by a language model",
    "knowledge base": "The knowledge base",
    "resources": "Resources",
}
"""The kinds of metrics in the order of the report, with their headings."""


class Need(NamedTuple):
    """What a metric needs: the questions or answers that have it, the test for one case, and a special reason."""

    which: str
    holds: Callable[[ScoredCase], bool]
    reason: str = ""

    @property
    def why(self) -> str:
        """The reason to give when no question has what the metric needs."""
        return self.reason or f"no {self.which}"


def is_citable(case: ScoredCase) -> bool:
    """Check whether an answer has passages to cite, and something to cite them for."""
    listed = case.answer is not None and bool(case.answer.retrieved)
    return case.item.answerable and case.cited is not None and listed and case.answered and not declined(case)


def declined(case: ScoredCase) -> bool:
    """Check whether an answer declines, or is empty."""
    return case.is_empty or refuses(case.answer_text)


METRIC_NEEDS: Mapping[str, Need] = {
    "evidence": Need(
        "answerable questions with evidence",
        lambda case: case.item.answerable and case.evidence is not None,
        "the passages name only documents",
    ),
    "files": Need(
        "answerable questions with evidence",
        lambda case: case.item.answerable and case.files is not None,
        "no passage names a document of the evidence",
    ),
    "golden": Need(
        "answerable questions with a golden answer",
        lambda case: case.item.answerable and bool(case.item.golden_answers),
    ),
    "words": Need(
        "questions with a golden answer that is not a regular expression",
        lambda case: case.item.answerable and bool(case.golden_texts),
    ),
    "bleu": Need(
        "questions with a golden answer that is not a regular expression",
        lambda case: installed("sacrebleu") and case.item.answerable and bool(case.golden_texts),
        "" if installed("sacrebleu") else lack("BLEU", "sacrebleu"),
    ),
    "members": Need(
        "questions with a golden answer that is a list or steps (answer_kind)",
        lambda case: case.item.answer_kind in MEMBER_KINDS and bool(case.golden_texts),
    ),
    "golden claims": Need(
        "questions whose golden answer has claims", lambda case: case.item.answerable and bool(case.item.claims)
    ),
    "facts": Need(
        "questions whose golden answers all have a name or number",
        lambda case: case.item.answerable and bool(case.golden_texts),
    ),
    "keywords read": Need(
        "questions with key words and known passage texts",
        lambda case: case.item.answerable and bool(case.keywords) and case.texts_known,
    ),
    "golden read": Need(
        "questions with a golden answer that is not a regular expression and known passage texts",
        lambda case: case.item.answerable and bool(case.golden_texts) and case.texts_known,
    ),
    "claims": Need(
        "answers that do not decline and have passages",
        lambda case: case.answered and not refuses(case.answer_text) and bool(case.texts),
    ),
    "answerable": Need("answerable questions", lambda case: case.item.answerable),
    "refusal": Need("unanswerable questions", lambda case: not case.item.answerable),
    "text": Need("answered questions", lambda case: case.answered, "the system gives no answers"),
    "returned": Need(
        "questions without an error",
        lambda case: case.answer is not None and case.answer.error is None,
        "the system returned nothing",
    ),
    "scores": Need("answers whose passages have scores", lambda case: bool(case.passage_scores)),
    "routed": Need(f"answers with a route ({' or '.join(ROUTES)})", has_route),
    "cited": Need(
        "answerable questions whose answer cites a passage",
        lambda case: case.item.answerable and case.cites,
    ),
    "citable": Need("answerable questions answered from passages, if any answer of the run cites one", is_citable),
    "citable claims": Need(
        "of these, questions with claims of which the answer states one",
        lambda case: is_citable(case) and bool(case.item.claims),
        "no answer states a claim of a golden answer",
    ),
    "stepped": Need(
        "questions with steps",
        lambda case: case.steps is not None,
        "the system returns no steps",
    ),
    "stepped evidence": Need(
        "answerable questions with evidence and steps",
        lambda case: case.item.answerable and case.steps is not None and case.evidence is not None,
    ),
    "reranked": Need(
        "answerable questions with passages before reranking (before)",
        lambda case: case.item.answerable and case.evidence is not None and case.before is not None,
    ),
}
"""What a metric may need of a question or its answer."""


def zero_if_unanswered(function: Callable[[ScoredCase], float | None]) -> Compute:
    """Make a metric 0 where the system gave no answer, so that failing never scores higher than answering."""
    return lambda case, _: function(case) if case.answered else 0.0


def first_k_metric(what: str, function: Callable[[Relevance, int], float], variant: str = RANKING) -> Metric:
    """Declare a metric of the first k passages, by the evidence they cover."""

    def compute(case: ScoredCase, k: int) -> float:
        return function(case.evidence, k) if case.evidence else 0.0

    return Metric("retrieval", "evidence", what, variant, compute, at_k=True)


def ranking_metric(what: str, function: Callable[[Relevance], float]) -> Metric:
    """Declare a metric of all retrieved passages, by the evidence they cover."""

    def compute(case: ScoredCase, _: int) -> float:
        return function(case.evidence) if case.evidence else 0.0

    return Metric("retrieval", "evidence", what, RANKING, compute)


def reranking_gain(what: str, function: Callable[[Relevance, int], float], *, at_k: bool) -> Metric:
    """Declare the difference that a reranker makes to a metric of the ranking."""

    def compute(case: ScoredCase, k: int) -> float | None:
        return function(case.evidence, k) - function(case.before, k) if case.evidence and case.before else None

    return Metric("reranking", "reranked", what, "after-before", compute, at_k, bounded=False)


def answer_metric(
    what: str, variant: str, function: Callable[[str, Sequence[str], str], float], *, patterns: bool = False
) -> Metric:
    """Declare a metric of the answer, the golden answers (which may be ``patterns``) and the item's language.

    The best golden answer counts, and the better of the answer as given and without Markdown and citations.
    """

    def compute(case: ScoredCase) -> float:
        golden = case.item.golden_answers if patterns else case.golden_texts
        return max(function(form, golden, case.item.language) for form in answer_forms(case.answer_text))

    variant = f"{variant}|golds:best|markup:best"
    return Metric("answers", "golden" if patterns else "words", what, variant, zero_if_unanswered(compute))


def judged_metric(name: str, needs: str, what: str, variant: str) -> Metric:
    """Declare a metric that an LLM judge has computed, under its name."""
    return Metric("judged", needs, what, variant, lambda case, _: (case.judged or {}).get(name))


def semantic_metric(what: str, variant: str, field: str, needs: str) -> Metric:
    """Declare a metric that the embedding model has computed: a field of ``SemanticScores``."""
    return Metric("semantic", needs, what, variant, lambda case, _: getattr(case.semantic, field, 0.0))
