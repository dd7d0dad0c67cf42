"""Union-find over hashable things: which belong together, when all that is known are pairs."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Generic, TypeVar

Thing = TypeVar("Thing", bound=Hashable)


class Groups(Generic[Thing]):
    """Disjoint groups that pairs join; the order in which pairs come does not change the groups.

    Example:
        >>> groups = Groups("abc")
        >>> groups.join("a", "c")
        >>> groups.members()
        [['a', 'c'], ['b']]
    """

    def __init__(self, things: Iterable[Thing] = ()) -> None:
        self._parent: dict[Thing, Thing] = {thing: thing for thing in things}

    def root(self, thing: Thing) -> Thing:
        """Return the thing that stands for the group of ``thing``, which joins the groups when new."""
        top = self._parent.setdefault(thing, thing)
        while self._parent[top] != top:
            top = self._parent[top]
        while self._parent[thing] != top:  # so that the next walk is short
            self._parent[thing], thing = top, self._parent[thing]
        return top

    def join(self, one: Thing, other: Thing) -> None:
        """Make one group of the groups of ``one`` and ``other``."""
        self._parent[self.root(other)] = self.root(one)

    def members(self) -> list[list[Thing]]:
        """Return the groups, each with its members, all in the order in which they came."""
        found: dict[Thing, list[Thing]] = {}
        for thing in self._parent:
            found.setdefault(self.root(thing), []).append(thing)
        return list(found.values())
