"""needed: an LLM finds that each passage of a multi-context question has a part of the answer that no other has.

It sees the golden answer and all passages, and says for each passage what stays open without it: to one who has not
seen a passage, a part may look like the whole. Several questions, each with its own passages, go into one request.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kgsynth.base.records import Document, Item, Rejection, Span
from kgsynth.generation.asking.proposals import numbered_passages
from kgsynth.generation.asking.verdicts import in_order
from kgsynth.models.llm import Failure, Prompt
from kgsynth.models.llm.prompt_quoting import DATA, quoted

TRIALS_AT_ONCE = 4
"""Questions in one request."""

_TOKENS_PER_PASSAGE, _TOKENS_BESIDES = 80, 200


@dataclass(frozen=True, slots=True)
class Trial:
    """An item with the passages that it was written from, each of which it is to need."""

    item: Item
    passages: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class TrialVerdict:
    """What of a question stays open without each of its passages, in their order; "" if the others answer all of it."""

    number: int
    open_without: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TrialReply:
    """The verdicts on several questions."""

    verdicts: tuple[TrialVerdict, ...]


def trial(item: Item, passages: Sequence[Span]) -> Trial:
    """Return an item with those of its passages that its evidence is from."""
    evidence = [span for group in item.evidence for span in group]
    return Trial(item, tuple(passage for passage in passages if any(passage.meets(span) for span in evidence)))


def prompt(trials: Sequence[Trial], documents: Mapping[str, Document]) -> Prompt:
    """Return the prompt for at most ``TRIALS_AT_ONCE`` trials."""
    shown = "\n\n".join(
        f"Question {number}: {quoted('question', trial.item.question)}\n"
        f"{quoted('answer', ' '.join(trial.item.golden_answers))}\n{numbered_passages(trial.passages, documents)}"
        for number, trial in enumerate(trials, 1)
    )
    asked = (
        "Check for each question, by the passages below it alone, whether all of them are needed.\n"
        "- number: that of the question\n"
        "- open_without: for each of its passages in order, what the question asks that the others together leave "
        'open, in a few words. "" only if the others answer all that is asked, or if this passage adds nothing but '
        "reasons, examples or details that nobody asked for"
    )
    likely = [{"number": n, "open_without": ["A part."] * len(t.passages)} for n, t in enumerate(trials, 1)]
    return Prompt(
        "leaving passages out",
        f"You check which passages are needed to answer questions. {DATA}",
        f"{shown}\n\n{asked}",
        max_tokens=_TOKENS_PER_PASSAGE * sum(len(trial.passages) for trial in trials) + _TOKENS_BESIDES,
        example_reply=json.dumps({"verdicts": likely}, ensure_ascii=False),
    )


def judge(trials: Sequence[Trial], reply: TrialReply | Failure) -> list[Rejection | None]:
    """Return for each trial why its item is rejected, None if every passage is needed."""
    verdicts = in_order(reply, len(trials), "needed")
    return [_judged(trial, verdict) for trial, verdict in zip(trials, verdicts, strict=True)]


def _judged(trial: Trial, verdict: TrialVerdict | Rejection) -> Rejection | None:
    if isinstance(verdict, Rejection):
        return verdict
    if len(verdict.open_without) != len(trial.passages):
        judged = f"{len(verdict.open_without)} of {len(trial.passages)} passages"
        return Rejection("needed", f"the model judged {judged}")
    idle = next((number for number, said in enumerate(verdict.open_without, 1) if not said.strip()), None)
    return Rejection("needed", f"without passage {idle} it is answered completely") if idle else None
