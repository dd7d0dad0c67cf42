"""Open and close the lists that a sequence of items stands for; each item only says how deep it is nested.

Slides and mail write lists this way.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from kgsynth.base.vocabulary import ContainerKind
from kgsynth.documents.readers.block_drafts import ExtractedText


class _OpenList(NamedTuple):
    """A list with an open item."""

    level: int
    kind: ContainerKind


@dataclass(slots=True)
class FlatLists:
    """The lists that are open at one point of a file.

    Example:
        >>> extracted = ExtractedText()
        >>> lists = FlatLists(extracted)
        >>> for level in (0, 1, 0):
        ...     lists.item(level, ContainerKind.LIST)
        >>> lists.close()
        >>> [container.parent for container in extracted.parsed().containers]
        [-1, 0, 1, 2, 0]
    """

    extracted: ExtractedText
    _open: list[_OpenList] = field(default_factory=list)

    def item(self, level: int, kind: ContainerKind) -> None:
        """Open an item of a list of ``kind`` at ``level``; items and lists that it ends are closed."""
        self.close_below(level)
        wanted = _OpenList(level, kind)
        if self._open and self._open[-1].level == level:
            if self._open[-1] == wanted:
                self.extracted.nesting.leave()
            else:
                self._leave()
        if not self._open or self._open[-1] != wanted:
            self._open.append(wanted)
            self.extracted.nesting.enter(kind, self.extracted.length)
        self.extracted.nesting.enter(ContainerKind.ITEM, self.extracted.length)

    def close_below(self, level: int) -> None:
        """Close the lists that are deeper than ``level``."""
        while self._open and self._open[-1].level > level:
            self._leave()

    def close(self) -> None:
        """Close all lists."""
        self.close_below(-1)

    def _leave(self) -> None:
        self._open.pop()
        self.extracted.nesting.leave()  # the item
        self.extracted.nesting.leave()
