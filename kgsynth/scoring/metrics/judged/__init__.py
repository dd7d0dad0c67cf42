"""The metrics a language model judges: one request gives all that can be judged together, so that an item costs few.

Here stand the requests, the figures made of the replies, and what the user wants of them. ``prompts`` has the words,
``replies`` the shapes and the arithmetic, ``asking`` puts it all to a model and is imported only then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from kgsynth.base.errors import ConfigError
from kgsynth.base.progress import Progress
from kgsynth.scoring.metrics.case import Case
from kgsynth.scoring.metrics.judged import prompts, replies

if TYPE_CHECKING:
    from kgsynth.models.llm import LLM, LLMSettings, Spending
    from kgsynth.scoring.metrics.judged.judge_all import Judgement
    from kgsynth.scoring.metrics.semantic import TextEncoder


class Figure(NamedTuple):
    """A figure made of a reply: what it is, which variant, of which component of a system it speaks, and how.

    ``compute`` gets the reply, the case, and the embedding model where ``embeds`` says that it needs one.
    """

    what: str
    variant: str
    component: str
    compute: Callable[[Any, Case, Any], float | None]
    embeds: bool = False


@dataclass(frozen=True, slots=True)
class Call:
    """One request to the judge: instructions, texts, the shape of the reply, and the figures it gives.

    ``needs`` is one of ``NEEDS``, which says of what questions it is asked. Where a question lacks what ``about`` looks
    for, nothing is asked and its figures are 0; when all lack it there are none, for the reason ``absent``.
    """

    system: str
    texts: Callable[[Case], prompts.Texts]
    shape: type[Any]
    max_tokens: int
    needs: str
    about: Callable[[Case], bool]
    absent: str
    figures: Mapping[str, Figure]


def _answers(case: Case) -> bool:
    return bool(case.said.strip())


def _retrieves(case: Case) -> bool:
    return bool(case.texts)


def _reverse(reply: replies.Questions, case: Case, encoder: TextEncoder) -> float:
    return replies.reverse_relevancy(reply, case.item.question, encoder)


def _lengths(case: Case) -> list[int]:
    return [sum(1 for _ in prompts.sentences(text)) for text in case.texts]


_NO_ANSWERS, _NO_PASSAGES = "the system gives no answers", "the system returns no passages"

CALLS: Mapping[str, Call] = {
    "claims": Call(
        system=prompts.CLAIMS,
        texts=prompts.for_claims,
        shape=replies.Claims,
        max_tokens=2000,
        needs="claims",
        about=_answers,
        absent=_NO_ANSWERS,
        figures={
            "faithfulness": Figure(
                what="claims of the answer that the passages support, over all its claims",
                variant="claims|partly:0.5",
                component="generator",
                compute=lambda reply, case, _: replies.faithfulness(reply, case.said),
            )
        },
    ),
    "grades": Call(
        system=prompts.GRADES,
        texts=prompts.for_grades,
        shape=replies.Grades,
        max_tokens=1000,
        needs="words",
        about=_answers,
        absent=_NO_ANSWERS,
        figures={
            "answer_relevancy": Figure(
                what="whether the answer speaks to the question, be it right or wrong",
                variant="grade:1-5|(g-1)/4",
                component="generator",
                compute=lambda reply, *_: replies.graded(reply.relevancy),
            ),
            "answer_correctness": Figure(
                what="whether the answer says what a golden answer says",
                variant="grade:1-5|(g-1)/4|golds:best",
                component="generator",
                compute=lambda reply, *_: replies.graded(reply.correctness),
            ),
        },
    ),
    "context": Call(
        system=prompts.CONTEXT,
        texts=prompts.for_context,
        shape=replies.Context,
        max_tokens=2000,
        needs="golden read",
        about=_retrieves,
        absent=_NO_PASSAGES,
        figures={
            "context_precision_judged": Figure(
                what="mean precision at the passages with a sentence that helps to answer",
                variant="sentences|order:rank",
                component="retriever",
                compute=lambda reply, case, _: replies.context_precision(reply.helpful_sentences, _lengths(case)),
            ),
            "context_recall_judged": Figure(
                what="statements of the golden answer that the passages hold, over all",
                variant="statements|golds:best",
                component="retriever",
                compute=lambda reply, *_: replies.context_recall(reply.statements),
            ),
            "contextual_relevancy": Figure(
                what="sentences of the passages that help to answer, over all",
                variant="sentences",
                component="retriever",
                compute=lambda reply, case, _: replies.contextual_relevancy(
                    reply.helpful_sentences, sum(_lengths(case))
                ),
            ),
        },
    ),
    "reverse": Call(
        system=prompts.REVERSE,
        texts=prompts.for_reverse,
        shape=replies.Questions,
        max_tokens=600,
        needs="answerable",
        about=_answers,
        absent=_NO_ANSWERS,
        figures={
            "answer_relevancy_reverse": Figure(
                what="mean cosine of the question with those the answer is found to answer",
                variant=f"questions:{prompts.QUESTIONS}|cosine",
                component="generator",
                compute=_reverse,
                embeds=True,
            )
        },
    ),
}
"""Every request by name, in the order in which they are put."""

JUDGED: Mapping[str, Figure] = {name: figure for call in CALLS.values() for name, figure in call.figures.items()}
"""Every judged metric by name, in the order of the report."""


@dataclass(frozen=True, slots=True)
class Judge:
    """Which model judges, what of, and how often each question; by name, or a ``ServedLLM`` that the caller closes.

    ``strict`` lets gates and thresholds on judged metrics fail a run; else they warn. ``embedding_model`` is that of
    ``answer_relevancy_reverse``, and ``spending`` that of another model whose budget a named one is to share.

    Raises:
        ConfigError: a metric is no judged one, none is named, or ``repeats`` is below 1.

    Example:
        >>> Judge("qwen2.5:7b", metrics=("answer_correctness",)).calls
        ('grades',)
    """

    model: str | LLM
    metrics: tuple[str, ...] = tuple(JUDGED)
    repeats: int = 1
    strict: bool = False
    settings: LLMSettings | None = None
    embedding_model: str = "all-MiniLM-L6-v2"
    spending: Spending | None = None

    def __post_init__(self) -> None:
        unknown = [name for name in self.metrics if name not in JUDGED]
        if unknown or not self.metrics:
            named = ", ".join(map(repr, unknown)) or "(none)"
            raise ConfigError(f"--judge-metrics {named} cannot be judged: give some of {', '.join(JUDGED)}")
        if self.repeats < 1:
            raise ConfigError(f"--judge-repeats {self.repeats} cannot be: give a whole number of 1 or more")

    @property
    def calls(self) -> tuple[str, ...]:
        """The requests that give the metrics wanted, each once."""
        return tuple(name for name, call in CALLS.items() if not call.figures.keys().isdisjoint(self.metrics))

    @property
    def embeds(self) -> bool:
        """Whether a metric wanted needs the embedding model."""
        return any(JUDGED[name].embeds for name in self.metrics)


def judged_among(names: Iterable[str]) -> tuple[str, ...]:
    """Return those of some metrics that a judge is for, or all such metrics when none of them is.

    Example:
        >>> judged_among(["mrr", "faithfulness"]), len(judged_among(["mrr"]))
        (('faithfulness',), 7)
    """
    return tuple(name for name in names if name in JUDGED) or tuple(JUDGED)


Judging = Callable[[Sequence[Case], "TextEncoder | None", Progress], "Judgement"]
"""What puts cases to a judge: the cases, the embedding model if the judge embeds, and whom to tell of progress."""


@contextmanager
def opened(judge: Judge | None, out: Path | None) -> Iterator[Judging | None]:
    """Open the model that judges, its replies kept in judge.sqlite of the folder ``out``; None where nothing judges.

    Raises:
        ConfigError: there is neither a server nor a key for the model.
        InputError: the file of replies cannot be used.
    """
    if judge is None:
        yield None
        return
    from kgsynth.scoring.metrics.judged.judge_all import judge_all, open_model

    with open_model(judge, out / "judge.sqlite" if out else None) as model:
        yield partial(judge_all, judge, model)
