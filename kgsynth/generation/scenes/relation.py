"""A relation between two passages: why they may belong to one question."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PassageRelation:
    """Two passages, by number, in the order of the reason, and how strongly it joins them, from 0 to 1.

    ``reason`` ends the sentence "these passages belong together because …", in plain English. ``topic`` is the same for
    all relations that rest on one thing: the same heading, the same entity; "" for none.
    """

    one: int
    other: int
    strength: float
    reason: str
    topic: str = ""

    @property
    def pair(self) -> tuple[int, int]:
        """The two passages, the lower number first."""
        return min(self.one, self.other), max(self.one, self.other)
