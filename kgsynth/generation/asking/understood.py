"""understood: after the earlier turns, people may go on so, and mean what the standalone question asks.

Several turns go into one request. A verdict that is missing or cannot be read is a rejection.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from kgsynth.base.records import Item, Rejection
from kgsynth.generation.asking.turns import conversation
from kgsynth.generation.asking.verdicts import in_order
from kgsynth.models.llm import Failure, Prompt
from kgsynth.models.llm.prompt_quoting import DATA, quoted

TURNS_AT_ONCE = 6
"""Turns in one request."""

_TOKENS_PER_TURN = 60
_PROBLEMS = {
    "understood": "after the earlier turns it does not ask what its standalone question asks",
    "open": "an earlier answer already answers it",
    "likely": "hardly anybody would go on so",
}


@dataclass(frozen=True, slots=True)
class TurnVerdict:
    """What an LLM says of a later turn that it sees after the earlier ones."""

    number: int
    understood: bool
    open: bool
    likely: bool


@dataclass(frozen=True, slots=True)
class UnderstoodReply:
    """The verdicts on several turns."""

    verdicts: tuple[TurnVerdict, ...]


def prompt(items: Sequence[Item]) -> Prompt:
    """Return the prompt that asks for verdicts on at most ``TURNS_AT_ONCE`` items, each with its earlier turns."""
    shown = "\n\n".join(
        f"Turn {number}, after:\n{conversation(item.history)}\n{quoted('turn', item.question)}\n"
        f"It is meant as:\n{quoted('standalone', item.standalone)}\n"
        f"{quoted('golden', ' '.join(item.golden_answers))}"
        for number, item in enumerate(items, 1)
    )
    asked = (
        "Judge each turn by its own earlier turns.\n"
        "- number: that of the turn\n"
        "- understood: true if somebody who has heard the earlier turns takes it to ask what it is meant as, so that "
        "the golden answer is the reply that this person expects; false if another reading is as likely, or if it is "
        "meant as something that neither it nor the earlier turns bring up\n"
        "- open: the earlier answers do not answer it yet\n"
        "- likely: somebody who got these answers may well go on so, in these words, because of their task or problem"
    )
    likely = [{"number": number, **dict.fromkeys(_PROBLEMS, True)} for number in range(1, len(items) + 1)]
    return Prompt(
        "judging turns",
        f"You judge conversations with which an assistant is tested. Be strict. {DATA}",
        f"{shown}\n\n{asked}",
        max_tokens=_TOKENS_PER_TURN * len(items) + 200,
        example_reply=json.dumps({"verdicts": likely}),
    )


def judge(items: Sequence[Item], reply: UnderstoodReply | Failure) -> list[Rejection | None]:
    """Return for each item why it is rejected, None if it passes."""
    return [_judged(verdict) for verdict in in_order(reply, len(items), "understood")]


def _judged(verdict: TurnVerdict | Rejection) -> Rejection | None:
    if isinstance(verdict, Rejection):
        return verdict
    problem = next((why for name, why in _PROBLEMS.items() if not getattr(verdict, name)), "")
    return Rejection("understood", problem) if problem else None
