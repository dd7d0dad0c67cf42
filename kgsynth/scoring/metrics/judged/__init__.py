"""The metrics that an LLM judges; one request judges everything that needs the same texts, to keep questions cheap.

This module has the requests, the metrics computed from the replies, and what the user asks for. ``prompts`` has the
wording, ``replies`` the reply shapes and formulas; ``judge_all`` asks the model and is imported only when needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from kgsynth.base.errors import ConfigError
from kgsynth.base.progress import Progress
from kgsynth.scoring.metrics.judged import prompts, replies
from kgsynth.scoring.metrics.scored_case import ScoredCase

if TYPE_CHECKING:
    from kgsynth.models.llm import LLM, LLMSettings, Spending
    from kgsynth.scoring.metrics.judged.judge_all import JudgeResult


class JudgedMetric(NamedTuple):
    """A metric computed from a reply: what it is, its variant, the component of a RAG system it measures, and how.

    ``compute`` gets the reply and the case.
    """

    what: str
    variant: str
    component: str
    compute: Callable[[Any, ScoredCase], float | None]


@dataclass(frozen=True, slots=True)
class JudgeRequest:
    """One request to the judge: instructions, texts, the shape of the reply, and the metrics computed from it.

    ``needs`` is a key of ``METRIC_NEEDS`` and selects the questions. Without its ``subject``, answer or passages, a
    question is not asked about and its metrics are 0; if no question has one, the metrics have no value.
    """

    system: str
    texts: Callable[[ScoredCase], prompts.Texts]
    shape: type[Any]
    max_tokens: int
    needs: str
    subject: Literal["answer", "passages"]
    metrics: Mapping[str, JudgedMetric]

    def has_subject(self, case: ScoredCase) -> bool:
        """Check whether the case has what the request judges."""
        return bool(case.answer_text.strip() if self.subject == "answer" else case.texts)


def _sentence_counts(case: ScoredCase) -> list[int]:
    return [sum(1 for _ in prompts.sentences(text)) for text in case.texts]


JUDGE_REQUESTS: Mapping[str, JudgeRequest] = {
    "claims": JudgeRequest(
        system=prompts.CLAIMS_PROMPT,
        texts=prompts.texts_for_claims,
        shape=replies.ClaimsReply,
        max_tokens=2000,
        needs="claims",
        subject="answer",
        metrics={
            "faithfulness": JudgedMetric(
                what="share of the answer's claims that the passages support",
                variant="claims|partly:0.5",
                component="generator",
                compute=lambda reply, case: replies.faithfulness(reply, case.answer_text),
            )
        },
    ),
    "grades": JudgeRequest(
        system=prompts.GRADES_PROMPT,
        texts=prompts.texts_for_grades,
        shape=replies.GradesReply,
        max_tokens=1000,
        needs="words",
        subject="answer",
        metrics={
            "answer_relevancy": JudgedMetric(
                what="whether the answer addresses the question, correct or not",
                variant="grade:1-5|(g-1)/4",
                component="generator",
                compute=lambda reply, _: replies.grade_to_score(reply.relevancy),
            ),
            "answer_correctness": JudgedMetric(
                what="whether the answer says what a golden answer says",
                variant="grade:1-5|(g-1)/4|golds:best",
                component="generator",
                compute=lambda reply, _: replies.grade_to_score(reply.correctness),
            ),
        },
    ),
    "context": JudgeRequest(
        system=prompts.CONTEXT_PROMPT,
        texts=prompts.texts_for_context,
        shape=replies.ContextReply,
        max_tokens=2000,
        needs="golden read",
        subject="passages",
        metrics={
            "context_precision_judged": JudgedMetric(
                what="mean precision at the ranks of the passages with a sentence that helps to answer",
                variant="sentences|order:rank",
                component="retriever",
                compute=lambda reply, case: replies.context_precision(reply.helpful_sentences, _sentence_counts(case)),
            ),
            "context_recall_judged": JudgedMetric(
                what="share of the golden answer's statements that the passages support",
                variant="statements|golds:best",
                component="retriever",
                compute=lambda reply, _: replies.context_recall(reply.statements),
            ),
            "contextual_relevancy": JudgedMetric(
                what="share of the passages' sentences that help to answer",
                variant="sentences",
                component="retriever",
                compute=lambda reply, case: replies.contextual_relevancy(
                    reply.helpful_sentences, sum(_sentence_counts(case))
                ),
            ),
        },
    ),
    "golden_claims": JudgeRequest(
        system=prompts.GOLDEN_CLAIMS_PROMPT,
        texts=prompts.texts_for_golden_claims,
        shape=replies.GoldenClaimsReply,
        max_tokens=2000,
        needs="golden claims",
        subject="answer",
        metrics={
            "claim_recall_judged": JudgedMetric(
                what="share of the golden answer's claims that the answer states",
                variant="claims",
                component="generator",
                compute=lambda reply, case: replies.stated_share(reply, len(case.item.claims)),
            ),
            "claim_precision_judged": JudgedMetric(
                what="share of the answer's sentences that a claim or the evidence supports",
                variant="sentences",
                component="generator",
                compute=lambda reply, case: replies.supported_share(
                    reply, sum(1 for _ in prompts.sentences(case.plain_answer))
                ),
            ),
        },
    ),
}
"""Every request by name, in the order in which they are made."""

JUDGED_METRICS: Mapping[str, JudgedMetric] = {
    name: metric for request in JUDGE_REQUESTS.values() for name, metric in request.metrics.items()
}
"""Every judged metric by name, in the order of the report."""


@dataclass(frozen=True, slots=True)
class Judge:
    """Which LLM judges, which metrics, and how often per question.

    ``model`` is a name, or a ``ServedLLM`` that the caller closes. With ``strict``, gates and thresholds on judged
    metrics can fail a run; otherwise they warn; with ``checked``, they fail
    without labels of people.
    ``spending`` is that of another model, with which a model given by name shares its budget.

    Raises:
        ConfigError: a metric is not a judged one, none is named, or ``repeats`` is below 1.

    Example:
        >>> Judge("qwen2.5:7b", metrics=("answer_correctness",)).requests
        ('grades',)
    """

    model: str | LLM
    metrics: tuple[str, ...] = tuple(JUDGED_METRICS)
    repeats: int = 1
    strict: bool = False
    checked: bool = False
    settings: LLMSettings | None = None
    spending: Spending | None = None

    def __post_init__(self) -> None:
        unknown = [name for name in self.metrics if name not in JUDGED_METRICS]
        if unknown or not self.metrics:
            named = ", ".join(map(repr, unknown)) or "(none)"
            raise ConfigError(f"--judge-metrics {named} cannot be judged: give some of {', '.join(JUDGED_METRICS)}")
        if self.repeats < 1:
            raise ConfigError(f"--judge-repeats {self.repeats} is not valid: give a whole number of 1 or more")

    @property
    def requests(self) -> tuple[str, ...]:
        """The names of the requests that the metrics need."""
        return tuple(
            name for name, request in JUDGE_REQUESTS.items() if not request.metrics.keys().isdisjoint(self.metrics)
        )


def judged_among(names: Iterable[str]) -> tuple[str, ...]:
    """Return the judged metrics among ``names``, or all judged metrics when there are none.

    Example:
        >>> judged_among(["mrr", "faithfulness"]), len(judged_among(["mrr"]))
        (('faithfulness',), 8)
    """
    return tuple(name for name in names if name in JUDGED_METRICS) or tuple(JUDGED_METRICS)


AskJudge = Callable[[Sequence[ScoredCase], Progress], "JudgeResult"]
"""Judges cases: takes the cases, and the progress to report to."""


@contextmanager
def open_judge(judge: Judge | None, folder: Path | None) -> Iterator[AskJudge | None]:
    """Open the judging model; its replies are cached in judge.sqlite of ``folder``. Yield None without a judge.

    Raises:
        ConfigError: there is neither a server nor a key for the model.
        InputError: the cache cannot be used.
    """
    if judge is None:
        yield None
        return
    from kgsynth.scoring.metrics.judged.judge_all import judge_all, open_model

    with open_model(judge, folder / "judge.sqlite" if folder else None) as model:
        yield partial(judge_all, judge, model)
