"""needed: every passage of a multi-context question proves a claim that the question asks for and no other states.

An LLM sees the golden answer and all passages: to one who has not seen a passage, a part may look like the whole. It
says what stays open without each passage, which claims the question asks for, and which passages state each claim.
Code compares that with the quotes. Several questions, each with its own passages, go into one request.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kgsynth.base.records import Claim, Document, Item, Rejection, Span
from kgsynth.generation.asking.proposals import numbered_passages
from kgsynth.generation.asking.verdicts import in_order
from kgsynth.models.llm import Failure, Prompt
from kgsynth.models.llm.prompt_quoting import DATA, quoted

TRIALS_AT_ONCE = 4
"""Questions in one request."""

_TOKENS_PER_PASSAGE, _TOKENS_PER_CLAIM, _TOKENS_BESIDES = 80, 40, 200


@dataclass(frozen=True, slots=True)
class Trial:
    """An item with the passages that it was written from, each of which it is to need."""

    item: Item
    passages: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class ClaimVerdict:
    """Whether a question asks for a claim of its answer, and the numbers of the passages that each state all of it."""

    asked: bool
    stated_in: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TrialVerdict:
    """What of a question stays open without each of its passages, "" if nothing, and a verdict on each claim."""

    number: int
    open_without: tuple[str, ...]
    claims: tuple[ClaimVerdict, ...]


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
        f"{quoted('answer', _answer(trial.item))}\n{numbered_passages(trial.passages, documents)}"
        for number, trial in enumerate(trials, 1)
    )
    asked = (
        "Check for each question, by the passages below it alone, whether all of them are needed.\n"
        "- number: that of the question\n"
        "- open_without: for each of its passages in order, what the question asks that the others together leave "
        'open, in a few words. "" only if the others answer all that is asked, or if this passage adds nothing but '
        "reasons, examples or details that nobody asked for\n"
        "- claims: for each claim of the answer in order\n"
        "  - asked: true if the question asks for it, so that whoever is told the rest acts wrongly or has a part of "
        "the answer only; false if it adds a reason, example, default, alternative or advice\n"
        "  - stated_in: the numbers of the passages that state it, each by itself, also in other words; empty if it "
        "follows only from several together"
    )
    likely = [_likely(number, trial) for number, trial in enumerate(trials, 1)]
    return Prompt(
        "leaving passages out",
        f"You check which passages are needed to answer questions. {DATA}",
        f"{shown}\n\n{asked}",
        max_tokens=_TOKENS_BESIDES
        + sum(
            _TOKENS_PER_PASSAGE * len(trial.passages) + _TOKENS_PER_CLAIM * len(trial.item.claims) for trial in trials
        ),
        example_reply=json.dumps({"verdicts": likely}, ensure_ascii=False),
    )


def _answer(item: Item) -> str:
    listed = [f"{number}. {claim.text}" for number, claim in enumerate(item.claims, 1)]
    return "\n".join([" ".join(item.golden_answers), "Claims:", *listed])


def _likely(number: int, trial: Trial) -> dict[str, object]:
    """Return the verdict of an example reply: every passage states what it is quoted for."""
    claims = [{"asked": True, "stated_in": sorted(_quoted_in(trial, claim))} for claim in trial.item.claims]
    return {"number": number, "open_without": ["A part."] * len(trial.passages), "claims": claims}


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
    if len(verdict.claims) != len(trial.item.claims):
        return Rejection("needed", f"the model judged {len(verdict.claims)} of {len(trial.item.claims)} claims")
    proving = {
        number for pair in zip(trial.item.claims, verdict.claims, strict=True) for number in _alone(trial, *pair)
    }
    idle = [n for n, said in enumerate(verdict.open_without, 1) if not said.strip() or n not in proving]
    if not idle:
        return None
    if verdict.open_without[idle[0] - 1].strip():
        return Rejection("needed", f"no claim that is asked for is proved by passage {idle[0]} alone")
    return Rejection("needed", f"without passage {idle[0]} it is answered completely")


def _alone(trial: Trial, claim: Claim, verdict: ClaimVerdict) -> set[int]:
    """Return the passages without which a claim that is asked for is not proved: one, or several only together."""
    quoted_in, stated_in = _quoted_in(trial, claim), set(verdict.stated_in)
    if not verdict.asked or len(stated_in) > 1:
        return set()
    return quoted_in & stated_in if stated_in else quoted_in


def _quoted_in(trial: Trial, claim: Claim) -> set[int]:
    """Return the numbers, from 1, of the passages that a claim has evidence in."""
    spans = [span for group in claim.groups for span in trial.item.evidence[group]]
    return {n for n, passage in enumerate(trial.passages, 1) if any(passage.meets(span) for span in spans)}
