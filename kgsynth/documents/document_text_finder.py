"""Find a text in documents, as it is in their files or without its markup.

A tool that cut a page into contexts or passages may have removed its links, emphasis and heading marks first.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from functools import cached_property
from itertools import accumulate

from kgsynth.base.records import Document
from kgsynth.documents.text_index import Place, TextIndex


class DocumentTextFinder:
    """Finds texts in ``documents``, with or without markup.

    Example:
        >>> from kgsynth.base.records import Block
        >>> block = Block("paragraph", 0, 17, "See leave.", ((0, 0), (4, 5), (9, 16)))
        >>> page = Document("a.md", "See [leave](b.md).", "A", "md", "", (block,), ())
        >>> DocumentTextFinder({"a.md": page}).find("see leave")
        ([Place(doc='a.md', start=0, end=10)], 1.0)
    """

    def __init__(self, documents: Mapping[str, Document]) -> None:
        self._documents = {doc: documents[doc] for doc in sorted(documents)}
        self._starts: dict[str, list[int]] = {}

    def find(self, text: str, doc: str | None = None) -> tuple[list[Place], float]:
        """Return the places of ``text`` (only those in ``doc`` if given), and the similarity there: 1 if exact.

        If there are none, the places of its pieces without markup are returned.
        """
        places, similarity = self._sources.find(text, doc)
        if similarity < 1:
            rendered, rendered_similarity = self._rendered.find(text, doc)
            if rendered_similarity > similarity:
                return [self._source_place(place) for place in rendered], rendered_similarity
        if not places:
            places, similarity = self._rendered.find_pieces(text, doc)
            places = [self._source_place(place) for place in places]
        return places, similarity

    @cached_property
    def _sources(self) -> TextIndex:
        return TextIndex({doc: each.text for doc, each in self._documents.items()})

    @cached_property
    def _rendered(self) -> TextIndex:
        return TextIndex({doc: "\n".join(block.text for block in each.blocks) for doc, each in self._documents.items()})

    def _source_place(self, place: Place) -> Place:
        """Convert a place in the joined texts of a document's blocks to one in its own text."""
        blocks = self._documents[place.doc].blocks
        starts = self._starts.get(place.doc)
        if starts is None:
            starts = list(accumulate((len(block.text) + 1 for block in blocks), initial=0))
            self._starts[place.doc] = starts
        first, last = (bisect_right(starts, at) - 1 for at in (place.start, (place.end or starts[-1] - 1) - 1))
        low, high = place.start - starts[first], (place.end or starts[-1] - 1) - starts[last]
        return Place(place.doc, blocks[first].locate(low, low + 1)[0], blocks[last].locate(high - 1, high)[1])
