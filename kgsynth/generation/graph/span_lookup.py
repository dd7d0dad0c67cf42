"""What stands where: spans of a document looked up by place, in the logarithm of their number."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from kgsynth.base.records import Chunk, Entity


class ChunkPlaces:
    """The chunks of a corpus by place; chunks of a document may overlap, but none lies inside another.

    Numbers are indices into the ``chunks`` it was made of.
    """

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        self._chunks = chunks
        self._order: dict[str, list[int]] = defaultdict(list)
        for number in sorted(range(len(chunks)), key=lambda number: (chunks[number].start, chunks[number].end)):
            self._order[chunks[number].doc].append(number)
        self._starts = {doc: [chunks[number].start for number in order] for doc, order in self._order.items()}

    def of_document(self, doc: str) -> list[int]:
        """Return the chunks of a document in the order of the text."""
        return self._order.get(doc, [])

    def holding(self, doc: str, start: int, end: int) -> list[int]:
        """Return the chunks that hold ``[start, end)``, or the one in which it begins when none holds all of it."""
        order, found = self._order.get(doc, []), []
        last = bisect_right(self._starts.get(doc, []), start) - 1
        for position in range(last, -1, -1):
            if self._chunks[order[position]].end < end:
                break
            found.append(order[position])
        if not found and last >= 0 and start < self._chunks[order[last]].end:
            return [order[last]]
        return found[::-1]

    def touching(self, doc: str, start: int, end: int) -> list[int]:
        """Return the chunks that share a character with ``[start, end)``."""
        order = self._order.get(doc, [])
        stop = bisect_left(self._starts.get(doc, []), end)
        found = []
        for position in range(stop - 1, -1, -1):
            if self._chunks[order[position]].end <= start:
                break
            found.append(order[position])
        return found[::-1]


class MentionPlaces:
    """The mentions of a corpus by place, each with the id of its entity."""

    def __init__(self, entities: Iterable[Entity]) -> None:
        self.ids: set[str] = set()
        self._rows: dict[str, list[tuple[int, int, str, str]]] = defaultdict(list)
        for entity in entities:
            self.ids.add(entity.id)
            for mention in entity.mentions:
                self._rows[mention.doc].append((mention.start, mention.end, entity.id, mention.text))
        for rows in self._rows.values():
            rows.sort()

    def inside(self, doc: str, start: int, end: int) -> Iterator[tuple[int, int, str, str]]:
        """Yield (start, end, entity id, text) of the mentions in ``[start, end)``, in the order of the text."""
        rows = self._rows.get(doc, [])
        for position in range(bisect_left(rows, (start,)), len(rows)):
            if rows[position][0] >= end:
                return
            if rows[position][1] <= end:
                yield rows[position]
