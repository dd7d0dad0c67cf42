"""Illustrate evidence: the page of a PDF as a picture with the evidence marked, the cells of a table as a table."""

from __future__ import annotations

import base64
from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from threading import Lock

from kgsynth.base.errors import InputError
from kgsynth.base.records import Document, Item, Span
from kgsynth.documents.source_files import SourceFiles
from kgsynth.evidence.derivation_steps import Place
from kgsynth.golden.spans import in_place
from kgsynth.show.cell_tables import DocumentTables
from kgsynth.show.evidence_view import Piece, ShownSpan

_MAX_PICTURES, _MAX_BYTES = 60, 4_000_000
"""The pictures in one page, and their size; later evidence is shown as text only."""
_PNG_START = b"\x89PNG"
_PDFIUM = Lock()  # the library does one thing at a time

ShownGroups = tuple[tuple[ShownSpan, ...], ...]


class Illustrations:
    """Tables and pictures for the evidence of one page, which holds the pictures itself.

    ``folder`` is that of the documents; without it, or if a file there has changed, its pages are not drawn.
    """

    def __init__(self, documents: Mapping[str, Document], folder: Path | None = None) -> None:
        self.documents = documents
        self.files = SourceFiles(folder)
        self._tables: dict[str, DocumentTables] = {}
        self._pictures: dict[Span, str] = {}
        self._left, self._bytes_left = _MAX_PICTURES, _MAX_BYTES

    def add_to(self, groups: ShownGroups, item: Item, operands: Collection[Place]) -> ShownGroups:
        """Return the shown evidence of an item with its pictures and tables.

        Several spans in one table are marked in one table, which stands with the first; the others are shown as text.
        """
        spans = [span for group in item.evidence for span in group if in_place(span, self.documents)]
        marks: dict[tuple[str, int], dict[int, str]] = {}
        tables = {span: found for span in spans if (found := self._table(span.doc).cells_at(span.start, span.end))}
        for span, (table, cells) in tables.items():
            held = any(doc == span.doc and span.start <= low and high <= span.end for doc, low, high in operands)
            marks.setdefault((span.doc, table), {}).update(dict.fromkeys(cells, "operand" if held else "evidence"))
        shown: set[tuple[str, int]] = set()

        def illustrated(span: Span, plain: ShownSpan) -> ShownSpan:
            if span in tables:
                key = span.doc, tables[span][0]
                if key not in shown:
                    shown.add(key)
                    plain = replace(plain, table=self._table(span.doc).shown(key[1], marks[key]))
                else:
                    text = self.documents[span.doc].plain(span.start, span.end)
                    plain = replace(plain, pieces=(Piece(text, "evidence"),))
            return replace(plain, picture=self.picture(span))

        return tuple(
            tuple(illustrated(span, plain) for span, plain in zip(group, views, strict=True))
            for group, views in zip(item.evidence, groups, strict=True)
        )

    def picture(self, span: Span) -> str:
        """Return the address of a picture of the page of a span, here the picture itself as a data URI; "" for none."""
        if not self._left or not self.has_page(span):
            return ""
        if span not in self._pictures:
            drawn = self.drawn(span)
            kind = picture_type(drawn)
            self._pictures[span] = f"data:{kind};base64,{base64.b64encode(drawn).decode()}" if drawn else ""
        found = self._pictures[span]
        if not found or len(found) > self._bytes_left:
            return ""
        self._left, self._bytes_left = self._left - 1, self._bytes_left - len(found)
        return found

    def drawn(self, span: Span) -> bytes:
        """Return a picture of the page of a span with all its lines there marked; b"" if it cannot be drawn."""
        from kgsynth.show.pdf_page import page_picture

        document = self.documents[span.doc]
        parts = [part.place for part in document.places_in(span.start, span.end) if part.place.bbox]
        file = self.files.find(document) if parts else None
        if file is None:
            return b""
        boxes = [place.bbox for place in parts if place.page == parts[0].page]
        try:
            with _PDFIUM:
                return page_picture(file, parts[0].page, boxes)
        except InputError:  # the file has changed since it was found
            return b""

    def has_page(self, span: Span) -> bool:
        """Check whether a span is on a page of a document whose file is there."""
        if not in_place(span, self.documents):
            return False
        document = self.documents[span.doc]
        place = document.place(span.start, span.end)
        return bool(place and place.page and place.bbox and self.files.find(document))

    def _table(self, doc: str) -> DocumentTables:
        if doc not in self._tables:
            self._tables[doc] = DocumentTables(self.documents[doc])
        return self._tables[doc]


def picture_type(picture: bytes) -> str:
    r"""Return the media type of a picture that ``page_picture`` made.

    Example:
        >>> picture_type(b"\x89PNG...")
        'image/png'
    """
    return "image/png" if picture.startswith(_PNG_START) else "image/jpeg"
