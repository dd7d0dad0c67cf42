"""Illustrate evidence: the page of a PDF as a picture with the evidence marked, the cells of a table as a table."""

from __future__ import annotations

import base64
import io
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from kgsynth.base.errors import InputError, installed
from kgsynth.base.records import Document, Item, Span
from kgsynth.documents.run_documents import SourceFiles
from kgsynth.evidence.derivation_steps import Place
from kgsynth.golden.spans import in_place
from kgsynth.show.evidence_view import DocumentTables, Piece, ShownSpan

if TYPE_CHECKING:
    from PIL.Image import Image

_SCALES = (2.0, 1.5, 1.0)  # pixels a point: the first with which the picture is small enough
_MAX_PICTURE = 60_000  # bytes
_ABOVE_AND_BELOW = 90.0  # points of the page that are shown around the evidence
_PICTURE_MARK = (255, 214, 0)
_PICTURE_EDGE = (200, 120, 0)
_QUALITY = 70
_PICTURE_MAX_POINTS = 3_000.0  # width or height of a page that is drawn


def page_picture(source: str | Path | bytes, page: int, boxes: Sequence[tuple[float, ...]]) -> bytes:
    """Return a picture of the part of a page around ``boxes``, which are marked: a PNG, or a much smaller JPEG.

    ``page`` counts from 1; each box is left, top, right, bottom in points from the top left corner of the page as
    displayed. The whole width of the page is shown. At most 60 kB, unless the page is a photograph.

    Raises:
        InputError: the file cannot be opened, or has no such page.
    """
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(source)
    except (pypdfium2.PdfiumError, FileNotFoundError) as error:
        name = "the PDF" if isinstance(source, bytes) else str(source)
        raise InputError(f"{name} cannot be opened as a PDF; give the file the evidence was read from") from error
    try:
        if not 1 <= page <= len(document):
            raise InputError(f"page {page} is not in the PDF, which has {len(document)} pages")
        found = b""
        for scale in _SCALES:
            found = _encoded(_cropped(document[page - 1], scale, boxes))
            if len(found) <= _MAX_PICTURE:
                break
        return found
    finally:
        document.close()


def _cropped(page: object, scale: float, boxes: Sequence[tuple[float, ...]]) -> Image:
    """Return the strip of a page around ``boxes``, with them marked."""
    from PIL import Image, ImageChops, ImageDraw

    width, height = page.get_size()  # type: ignore[attr-defined]
    scale = min(scale, scale * _PICTURE_MAX_POINTS / max(width, height))
    top, bottom = min(box[1] for box in boxes), max(box[3] for box in boxes)
    first, last = max(0.0, top - _ABOVE_AND_BELOW), min(height, bottom + _ABOVE_AND_BELOW)
    drawn = page.render(scale=scale, crop=(0, height - last, 0, first)).to_pil().convert("RGB")  # type: ignore[attr-defined]
    mark = Image.new("RGB", drawn.size, "white")
    edge, fill = 2, []
    for left, upper, right, lower in boxes:
        fill.append((left * scale - 2, (upper - first) * scale - 1, right * scale + 2, (lower - first) * scale + 1))
    pen = ImageDraw.Draw(mark)
    for box in fill:  # edges first, so that they stay only around all lines together
        pen.rectangle((box[0] - edge, box[1] - edge, box[2] + edge, box[3] + edge), fill=_PICTURE_EDGE)
    for box in fill:
        pen.rectangle(box, fill=_PICTURE_MARK)
    made: Image.Image = ImageChops.multiply(drawn, mark)
    return made


def _encoded(picture: Image) -> bytes:
    """Return a PNG of 64 colors, which text needs no more of, or a JPEG if it is much smaller."""
    from PIL import Image

    png, jpeg = io.BytesIO(), io.BytesIO()
    picture.quantize(64, dither=Image.Dither.NONE).save(png, "PNG")
    if png.tell() <= _MAX_PICTURE:
        return png.getvalue()
    picture.save(jpeg, "JPEG", quality=_QUALITY)
    return jpeg.getvalue() if jpeg.tell() < png.tell() / 2 else png.getvalue()


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
        """Check whether a span is on a page that can be drawn: of a document whose file is there, with Pillow."""
        if not in_place(span, self.documents) or not installed("PIL"):
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
