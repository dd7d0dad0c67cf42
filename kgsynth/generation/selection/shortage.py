"""How a selection met its quotas, type by type."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TypeCount:
    """One question type: its quota, its valid candidates, how many the set has, and how many are below ``min_keep``.

    ``kept`` of those that the set has were in it before.
    """

    question_type: str
    quota: int
    valid: int
    chosen: int
    below: int = 0
    kept: int = 0


@dataclass(frozen=True, slots=True)
class Shortage:
    """How a selection of ``n`` items met its quotas; no kind of the types that are ``turned_off`` was asked."""

    n: int
    types: tuple[TypeCount, ...]
    turned_off: tuple[str, ...] = ()
    min_keep: float = 0.0

    @property
    def missing(self) -> int:
        """The number of items that were wanted but not chosen."""
        return self.n - sum(count.chosen for count in self.types)

    @property
    def short(self) -> tuple[TypeCount, ...]:
        """The types that did not fill their quota."""
        return tuple(count for count in self.types if count.chosen < count.quota)

    def lines(self, funnel: Mapping[str, Mapping[str, int]] | None = None) -> list[str]:
        """Return a sentence for each short type; ``funnel`` is the number of rejected candidates by type and rule.

        Example:
            >>> Shortage(5, (TypeCount("simple", 5, 2, 2),)).lines({"simple": {"leaking": 7}})
            ['simple: 5 asked for, 2 chosen of 2 valid among 9 candidates (rejected: leaking 7)']
            >>> Shortage(5, (TypeCount("simple", 5, 2, 4, kept=3),)).lines()
            ['simple: 5 asked for, 3 kept, 1 chosen of 2 valid']
        """
        return [self._line(count, (funnel or {}).get(count.question_type, {})) for count in self.short]

    def _line(self, count: TypeCount, rejected: Mapping[str, int]) -> str:
        if count.question_type in self.turned_off:
            return f"{count.question_type}: {count.quota} asked for, but kinds names no kind of this type"
        kept = f"{count.kept} kept, " if count.kept else ""
        new = f"{count.chosen - count.kept} chosen of {count.valid} valid"
        line = f"{count.question_type}: {count.quota} asked for, {kept}{new}"
        if count.below:
            line += f", {count.below} of them below --min-keep {self.min_keep:g}"
        if not rejected:
            return line
        rules = ", ".join(f"{rule} {number}" for rule, number in sorted(rejected.items(), key=lambda r: (-r[1], r[0])))
        return f"{line} among {count.valid + sum(rejected.values())} candidates (rejected: {rules})"
