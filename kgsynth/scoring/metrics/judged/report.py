"""What judging came to beside the figures: every reply, what it cost, how far the judge agrees with itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Reply:
    """One reply of the judge, a line of judged.jsonl: to which request on which question, or why it cannot be used.

    ``repeat`` counts from 0; ``figures`` are what it comes to.
    """

    id: str
    call: str
    repeat: int
    reply: Any
    failed: str | None
    figures: Mapping[str, float | None]

    def to_json(self) -> dict[str, object]:
        """Return the line as judged.jsonl holds it."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class JudgeReport:
    """How the judging went; ``to_json`` is ``judge`` of scores.json, all but the replies.

    ``asked`` counts the replies that were wanted, ``unusable`` those that failed or made no sense, ``missing`` those
    the budget did not allow; ``stopped`` is what it said then. ``verdicts`` counts the claims by verdict. ``spread`` is
    the standard deviation of a metric over the repeats, of the questions that have a value in each. ``usage`` is what
    this run has spent, by request.
    """

    model: str
    metrics: tuple[str, ...]
    repeats: int
    asked: int
    unusable: int
    missing: int
    stopped: str | None
    verdicts: Mapping[str, int]
    spread: Mapping[str, float]
    usage: Mapping[str, Any]
    replies: tuple[Reply, ...] = ()

    def to_json(self) -> dict[str, object]:
        """Return it as scores.json holds it."""
        return {name: getattr(self, name) for name in self.__slots__ if name != "replies"}

    @property
    def lines(self) -> tuple[str, ...]:
        """What a reader of the figures should know, a sentence each."""
        spent = [usage for name, usage in self.usage.items() if name != "cost"]
        calls, cached, tokens_in, tokens_out = (
            sum(usage[key] for usage in spent) for key in ("calls", "cached", "tokens_in", "tokens_out")
        )
        told = [
            f"judged by {self.model}: {calls} calls, {cached} replies from the cache, {tokens_in:,} tokens in, "
            f"{tokens_out:,} out, cost {self.usage['cost']:g}"
        ]
        if self.verdicts:
            told.append(f"claims: {', '.join(f'{count} {verdict}' for verdict, count in self.verdicts.items())}")
        if self.spread:
            spreads = ", ".join(f"{name} {spread:.3f}" for name, spread in self.spread.items())
            told.append(f"standard deviation over {self.repeats} repeats of the judging: {spreads}")
        return tuple(told)
