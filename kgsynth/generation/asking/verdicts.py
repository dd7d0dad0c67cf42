"""The verdicts of a reply on several questions, each beside its question; one that is missing is a rejection."""

from __future__ import annotations

from typing import Protocol, TypeVar

from kgsynth.base.records import Rejection
from kgsynth.models.llm import Failure


class NumberedVerdict(Protocol):
    """A verdict with the number of its question in the prompt, from 1."""

    @property
    def number(self) -> int:
        """The number."""


V = TypeVar("V", bound=NumberedVerdict)
V_co = TypeVar("V_co", bound=NumberedVerdict, covariant=True)


class VerdictsReply(Protocol[V_co]):
    """A reply with a verdict on each of several questions, in any order."""

    @property
    def verdicts(self) -> tuple[V_co, ...]:
        """The verdicts."""


def in_order(reply: VerdictsReply[V] | Failure, count: int, rule: str) -> list[V | Rejection]:
    """Return the verdict on each of ``count`` questions in their order, a rejection by ``rule`` where it is missing."""
    if isinstance(reply, Failure):
        return [Rejection(rule, f"the model's verdict is missing: {reply.why}")] * count
    verdicts = {verdict.number: verdict for verdict in reply.verdicts}
    missing = Rejection(rule, "the model's verdict is missing")
    return [verdicts.get(number, missing) for number in range(1, count + 1)]
