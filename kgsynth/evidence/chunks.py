"""An index of chunks by document and offsets."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from kgsynth.base.records import Chunk, Fact, Span


class ChunkIndex:
    """The chunks of a corpus in order; a chunk is identified by its number.

    Example:
        >>> index = ChunkIndex([Chunk("c-1", "a.md", "", 0, 9, "Ada leads"), Chunk("c-2", "a.md", "", 9, 13, " it.")])
        >>> index.overlapping("a.md", 4, 10), index[1].id
        ([0, 1], 'c-2')
    """

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        self._chunks = chunks
        # for each document: the starts of its chunks, the furthest end up to each, and their numbers
        self._table: dict[str, tuple[list[int], list[int], list[int]]] = defaultdict(lambda: ([], [], []))
        for number in sorted(range(len(chunks)), key=lambda n: chunks[n].start):
            starts, reach, numbers = self._table[chunks[number].doc]
            starts.append(chunks[number].start)
            reach.append(max(chunks[number].end, reach[-1] if reach else 0))
            numbers.append(number)
        self._table.default_factory = None

    def __len__(self) -> int:
        return len(self._chunks)

    def __getitem__(self, number: int) -> Chunk:
        return self._chunks[number]

    def __iter__(self) -> Iterator[Chunk]:
        return iter(self._chunks)

    def overlapping(self, doc: str, start: int, end: int) -> list[int]:
        """Return the numbers of all chunks of ``doc`` that share a character with ``[start, end)``."""
        starts, reach, numbers = self._table.get(doc, ([], [], []))
        within = slice(bisect_right(reach, start), bisect_left(starts, end))
        return [n for n in numbers[within] if start < self._chunks[n].end]

    def holding(self, places: Iterable[Span | Fact]) -> set[int]:
        """Return the numbers of all chunks that share a character with one of the spans or facts."""
        return {n for place in places for n in self.overlapping(place.doc, place.start, place.end)}

    def separate(self, one: Fact, other: Fact) -> bool:
        """Check whether both facts are in chunks, and no chunk holds a character of both."""
        first, second = self.holding([one]), self.holding([other])
        return bool(first and second) and not first & second
