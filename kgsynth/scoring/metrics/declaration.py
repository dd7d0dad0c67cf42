"""How a metric is declared: what it needs of a question, what it is called with, and which variant it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from kgsynth.base.records import ROUTES
from kgsynth.scoring.metrics.answer_match import refuses
from kgsynth.scoring.metrics.case import Case
from kgsynth.scoring.metrics.retrieval import Relevance
from kgsynth.scoring.metrics.routing import routed
from kgsynth.scoring.metrics.summary import Value

Compute = Callable[[Case, int], float | None]


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric of a question: ``compute(case, k)``, and on which questions it is defined.

    ``needs`` is one of ``NEEDS``; beyond that ``compute`` returns None where there is nothing to measure. ``variant``
    says, in the manner of sacrebleu, which of its variants it is. ``at_k`` metrics are named ``name@k``. ``bounded``
    ones lie between 0 and 1, and more is better.
    """

    kind: str
    needs: str
    what: str
    variant: str
    compute: Compute
    at_k: bool = False
    bounded: bool = True


@dataclass(frozen=True, slots=True)
class RunMetric:
    """One metric of a run as a whole: ``compute(cases)``."""

    kind: str
    what: str
    variant: str
    compute: Callable[[Sequence[Case]], Value]
    bounded: bool = False


GROUPS = {
    "retrieval": "Retrieval",
    "passages": "Passages",
    "reranking": "Gain of the reranker",
    "routing": "Routing",
    "answers": "Answers",
    "semantic": "Answers by meaning",
    "judged": "Judged by a language model",
    "heuristics": "Form of the answers, by heuristics",
    "knowledge base": "The knowledge base",
    "resources": "Resources",
}
"""The kinds of metrics, in the order of the report, with their headings."""


class Need(NamedTuple):
    """Which questions have what a metric needs, what to say where none has it, and the test."""

    which: str
    why: str
    holds: Callable[[Case], bool]


NEEDS: Mapping[str, Need] = {
    "evidence": Need(
        "answerable, with evidence",
        "no answerable question with evidence",
        lambda case: case.item.answerable and case.evidence is not None,
    ),
    "golden": Need(
        "answerable, with a golden answer",
        "no answerable question with a golden answer",
        lambda case: case.item.answerable and bool(case.item.golden_answers),
    ),
    "words": Need(
        "with a golden answer in words",
        "no answerable question with a golden answer in words",
        lambda case: case.item.answerable and bool(case.golden),
    ),
    "facts": Need(
        "whose golden answers all have a name or number",
        "no question whose golden answers all have a name or a number",
        lambda case: case.item.answerable and bool(case.golden),
    ),
    "keywords": Need(
        "answerable, with key words",
        "no answerable question with key words",
        lambda case: case.item.answerable and bool(case.keywords),
    ),
    "keywords read": Need(
        "with key words, texts of the passages known",
        "no answerable question with key words, or the texts of the passages are not known",
        lambda case: case.item.answerable and bool(case.keywords) and case.readable,
    ),
    "golden read": Need(
        "with a golden answer in words, texts of the passages known",
        "no answerable question with a golden answer in words, or the texts of the passages are not known",
        lambda case: case.item.answerable and bool(case.golden) and case.readable,
    ),
    "claims": Need(
        "answered, not declined, with passages",
        "no answer that claims something, with passages to hold it against",
        lambda case: case.answered and not refuses(case.said) and bool(case.texts),
    ),
    "answerable": Need("answerable", "no answerable question", lambda case: case.item.answerable),
    "refusal": Need("unanswerable", "no unanswerable question", lambda case: not case.item.answerable),
    "text": Need("answered", "the system gives no answers", lambda case: case.answered),
    "sentences": Need("answered, at enough length", "no answer long enough", lambda case: case.answered),
    "returned": Need("without an error", "the system returned nothing", lambda case: case.returned),
    "scores": Need("whose passages have scores", "the passages have no scores", lambda case: bool(case.scores)),
    "routed": Need("whose answer tells its route", f"no answer tells its route ({' or '.join(ROUTES)})", routed),
    "reranked": Need(
        "with both lists",
        "no answer holds its passages before reranking (before)",
        lambda case: case.item.answerable and case.evidence is not None and case.before is not None,
    ),
}
"""What a metric may need of a question."""


def given(function: Callable[[Case], float | None]) -> Compute:
    """Score 0 where the system gave no answer, so that failing is never worth more than answering."""
    return lambda case, _: function(case) if case.answered else 0.0


def at(what: str, function: Callable[[Relevance, int], float], variant: str = "order:rank|repeats:first") -> Metric:
    """Declare a metric of the first k passages, by the evidence they cover."""

    def compute(case: Case, k: int) -> float:
        return function(case.evidence, k) if case.evidence else 0.0

    return Metric("retrieval", "evidence", what, variant, compute, at_k=True)


def whole(what: str, function: Callable[[Relevance], float], variant: str = "order:rank|repeats:first") -> Metric:
    """Declare a metric of the whole ranking, by the evidence it covers."""

    def compute(case: Case, _: int) -> float:
        return function(case.evidence) if case.evidence else 0.0

    return Metric("retrieval", "evidence", what, variant, compute)


def gain(what: str, function: Callable[[Relevance, int], float], *, at_k: bool) -> Metric:
    """Declare what a reranker adds to a metric of the ranking."""

    def compute(case: Case, k: int) -> float | None:
        return function(case.evidence, k) - function(case.before, k) if case.evidence and case.before else None

    return Metric("reranking", "reranked", what, "after-before", compute, at_k, bounded=False)


def answer(what: str, variant: str, function: Callable[[Case], float | None], needs: str = "words") -> Metric:
    """Declare a metric of the answer against the golden ones, of which the best counts."""
    return Metric("answers", needs, what, f"{variant}|golds:best", given(function))


def by_judge(name: str, needs: str, what: str, variant: str) -> Metric:
    """Declare a metric that a language model has judged, under its name."""
    return Metric("judged", needs, what, variant, lambda case, _: (case.judged or {}).get(name))


def meaning(what: str, variant: str, field: str, needs: str) -> Metric:
    """Declare a metric of the answer that a model has measured: a field of ``Meaning``."""
    return Metric("semantic", needs, what, variant, lambda case, _: getattr(case.meaning, field, 0.0))
