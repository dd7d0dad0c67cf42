"""needed: without any one of its passages, an LLM does not give the answer to a multi-context question.

It does if it takes its answer to be complete and that has most words of the golden answer: to one who has not seen the
missing passage, a part may look like the whole.
Several questions, each with its other passages only, go into one request; no request has two passages of one question,
which together would give it away.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kgsynth.base.records import Document, Item, Rejection, Span
from kgsynth.base.thresholds import LIMITS
from kgsynth.generation.asking.proposals import numbered_passages
from kgsynth.generation.asking.verdicts import in_order
from kgsynth.language import nearest_language
from kgsynth.models.llm import Failure, Prompt
from kgsynth.models.llm.prompt_quoting import DATA, quoted

TRIALS_AT_ONCE = 4
"""Questions in one request."""

_TOKENS_PER_TRIAL = 250


@dataclass(frozen=True, slots=True)
class Trial:
    """An item with the passages that are left when that with the number ``without`` is taken away."""

    item: Item
    without: int
    passages: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class TrialVerdict:
    """What an LLM answers to a question from the passages that are left."""

    number: int
    answer: str
    complete: bool


@dataclass(frozen=True, slots=True)
class TrialReply:
    """The verdicts on several questions."""

    verdicts: tuple[TrialVerdict, ...]


def prompt(trials: Sequence[Trial], documents: Mapping[str, Document]) -> Prompt:
    """Return the prompt for at most ``TRIALS_AT_ONCE`` trials of different items."""
    shown = "\n\n".join(
        f"Question {number}: {quoted('question', trial.item.question)}\n{numbered_passages(trial.passages, documents)}"
        for number, trial in enumerate(trials, 1)
    )
    asked = (
        "Answer each question from the passages below it alone. They may not say all that the answer needs.\n"
        "- number: that of the question\n"
        "- answer: all that these passages say to it\n"
        "- complete: true only if they answer all that is asked, so that no further document is needed; true too if "
        "only the reasons for it are missing"
    )
    likely = [{"number": n, "answer": "They say a part.", "complete": False} for n in range(1, len(trials) + 1)]
    return Prompt(
        "leaving passages out",
        f"You answer questions from passages, and say when they do not suffice. {DATA}",
        f"{shown}\n\n{asked}",
        max_tokens=_TOKENS_PER_TRIAL * len(trials) + 200,
        example_reply=json.dumps({"verdicts": likely}, ensure_ascii=False),
    )


def judge(trials: Sequence[Trial], reply: TrialReply | Failure) -> list[Rejection | None]:
    """Return for each trial why its item is rejected, None if the passage that was left out is needed."""
    verdicts = in_order(reply, len(trials), "needed")
    return [_judged(trial, verdict) for trial, verdict in zip(trials, verdicts, strict=True)]


def _judged(trial: Trial, verdict: TrialVerdict | Rejection) -> Rejection | None:
    if isinstance(verdict, Rejection):
        return verdict
    share = _covered(trial.item, verdict.answer)
    if not verdict.complete or share < LIMITS.trial_answered:
        return None
    detail = f"without passage {trial.without + 1} it is answered: {verdict.answer[:80]!r}"
    return Rejection("needed", detail, round(share, 4), LIMITS.trial_answered)


def _covered(item: Item, answer: str) -> float:
    """Return the share of the content words of the golden answer that are in another one."""
    stems = nearest_language(item.language).content_stems
    golden = set(stems(" ".join(item.golden_answers)))
    return len(golden & set(stems(answer))) / len(golden) if golden else 0.0
