"""The report of an LLM judge: every reply, what it cost, and how much repeated judgements differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class JudgeReply:
    """One reply of the judge, a line of judged.jsonl.

    ``id`` is the question, ``call`` the request, and ``repeat`` counts from 0. ``failed`` says why the reply cannot be
    used, ``figures`` are the metrics computed from it.
    """

    id: str
    call: str
    repeat: int
    reply: Any
    failed: str | None
    figures: Mapping[str, float | None]

    def to_json(self) -> dict[str, object]:
        """Return the reply as it is written to judged.jsonl."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class JudgeReport:
    """How the judging went; ``to_json`` is ``judge`` of scores.json, without the replies.

    ``asked`` counts the replies needed, ``unusable`` those that failed or made no sense, ``missing`` those that the
    budget did not allow, for the reason ``stopped``. ``verdicts`` counts the claims by verdict. ``spread`` is the
    standard deviation of a metric over the repeats, on the questions with a value in each. ``usage`` is what this run
    has spent, by request.
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
    replies: tuple[JudgeReply, ...] = ()

    def to_json(self) -> dict[str, object]:
        """Return the report as it is written to scores.json."""
        return {name: getattr(self, name) for name in self.__slots__ if name != "replies"}

    @property
    def lines(self) -> tuple[str, ...]:
        """What a reader of the results should know, one sentence each."""
        usages = [usage for name, usage in self.usage.items() if name != "cost"]
        calls, cached, tokens_in, tokens_out = (
            sum(usage[key] for usage in usages) for key in ("calls", "cached", "tokens_in", "tokens_out")
        )
        lines = [
            f"judged by {self.model}: {calls} calls, {cached} replies from the cache, {tokens_in:,} tokens in, "
            f"{tokens_out:,} out, cost {self.usage['cost']:g}"
        ]
        if self.verdicts:
            lines.append(f"claims: {', '.join(f'{count} {verdict}' for verdict, count in self.verdicts.items())}")
        if self.spread:
            spreads = ", ".join(f"{name} {spread:.3f}" for name, spread in self.spread.items())
            lines.append(f"standard deviation over {self.repeats} repeats of the judging: {spreads}")
        return tuple(lines)
