"""Where a text stands in documents, as their files have it or as a person reads them, without the markup.

Whoever cut a page into contexts may have taken its markup off first: links, emphasis, the marks of headings.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from functools import cached_property

from kgsynth.base.records import Document
from kgsynth.documents.text_index import Place, TextIndex


class Finder:
    """Finds texts in ``documents``.

    Example:
        >>> from kgsynth.base.records import Block
        >>> block = Block("paragraph", 0, 17, "See leave.", ((0, 0), (4, 5), (9, 16)))
        >>> page = Document("a.md", "See [leave](b.md).", "A", "md", "", (block,), ())
        >>> Finder({"a.md": page}).find("see leave")
        ([Place(doc='a.md', start=0, end=10)], 1.0)
    """

    def __init__(self, documents: Mapping[str, Document]) -> None:
        self._documents = {doc: documents[doc] for doc in sorted(documents)}

    def find(self, text: str, doc: str | None = None) -> tuple[list[Place], float]:
        """Return where ``text`` stands (in ``doc`` alone when given), and how alike it is there: 1 when exactly."""
        places, alike = self._written.find(text, doc)
        if alike < 1:
            shown, as_shown = self._read.find(text, doc)
            if as_shown > alike:
                return [self._source(place) for place in shown], as_shown
        return places, alike

    @cached_property
    def _written(self) -> TextIndex:
        return TextIndex({doc: each.text for doc, each in self._documents.items()})

    @cached_property
    def _read(self) -> TextIndex:
        return TextIndex({doc: "\n".join(block.text for block in each.blocks) for doc, each in self._documents.items()})

    def _source(self, place: Place) -> Place:
        """Return a place among the texts of a document's blocks as one in its own text."""
        blocks = self._documents[place.doc].blocks
        starts = [0]
        for block in blocks:
            starts.append(starts[-1] + len(block.text) + 1)
        first, last = (bisect_right(starts, at) - 1 for at in (place.start, (place.end or starts[-1] - 1) - 1))
        low, high = place.start - starts[first], (place.end or starts[-1] - 1) - starts[last]
        return Place(place.doc, blocks[first].locate(low, low + 1)[0], blocks[last].locate(high - 1, high)[1])
