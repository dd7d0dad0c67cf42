"""Read presentations: each slide is a section, with its texts in reading order, its tables, and the speaker's notes.

Slide numbers, dates and footers are left out, and so are hidden slides.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kgsynth.base.records.documents import SourcePlace
from kgsynth.base.vocabulary import ContainerKind
from kgsynth.documents.readers.block_drafts import ExtractedText, ParsedFile, Pieces, TextPiece
from kgsynth.documents.readers.flat_lists import FlatLists
from kgsynth.documents.readers.office_package import MONOSPACED, damage_errors, damaged, open_office_file
from kgsynth.documents.unsupported import UnsupportedFileError

_DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_SAME_LINE = 0.25  # inches between the tops of shapes that stand side by side
_EMU_PER_INCH = 914_400
_SLIDE_LEVEL = 2
_MAX_SHAPES = 50_000  # of a file: a hundred on each of 500 slides, and 20 seconds of reading


def read(data: bytes) -> ParsedFile:
    """Return the blocks of a presentation; ``ParsedFile.text`` is the text of its slides.

    Raises:
        UnsupportedFileError: it is encrypted, damaged, or of another kind.
    """
    import pptx

    presentation = open_office_file(data, pptx.Presentation, ".pptx")
    walk = _SlideWalk()
    hidden = 0
    try:
        slides = list(presentation.slides)
        for number, slide in enumerate(slides, 1):
            if slide._element.get("show") in ("0", "false"):
                hidden += 1
            else:
                walk.slide(slide, number)
        title = " ".join((presentation.core_properties.title or "").split())
    except damage_errors() as error:
        raise damaged(error) from error
    remarks = (f"{hidden} of {len(slides)} slides are hidden and not read",) if hidden else ()
    return walk.extracted.parsed("" if title.lower() == "powerpoint presentation" else title, remarks)


class _SlideWalk:
    """The walk over the slides of one file."""

    def __init__(self) -> None:
        self.extracted = ExtractedText()
        self.lists = FlatLists(self.extracted)
        self.place = SourcePlace()
        self.shapes_left = _MAX_SHAPES

    def slide(self, slide: Any, number: int) -> None:
        self.place = SourcePlace(slide=number)
        self.shapes_left -= int(slide.element.xpath("count(//p:cNvPr)"))
        if self.shapes_left < 0:
            raise UnsupportedFileError(f"too large: it has more than {_MAX_SHAPES:,} shapes; split it")
        title = slide.shapes.title
        heading = self._frame_pieces(title.text_frame) if title is not None else []
        if not any(piece.text.strip() for piece in heading):
            heading = [self._piece(f"Slide {number}")]
        self.extracted.add("heading", heading, level=_SLIDE_LEVEL)
        for shape in _in_reading_order(slide.shapes):
            if title is None or shape.shape_id != title.shape_id:
                self._shape(shape)
        if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
            self._frame(slide.notes_slide.notes_text_frame, False)

    def _shape(self, shape: Any) -> None:
        if shape.is_placeholder and _is_furniture(shape):
            return
        if hasattr(shape, "shapes"):
            for inner in _in_reading_order(shape.shapes):
                self._shape(inner)
        elif getattr(shape, "has_table", False):
            self._table(shape.table)
        elif getattr(shape, "has_chart", False):
            self._chart(shape.chart)
        elif shape.has_text_frame:
            self._frame(shape.text_frame, shape.is_placeholder and _has_bullets(shape))

    def _frame(self, frame: Any, bullets: bool) -> None:
        """Add the paragraphs of a shape; ``bullets`` is whether they are items where they do not say otherwise."""
        for paragraph in frame.paragraphs:
            pieces = self._pieces(paragraph)
            kind = _list_kind(paragraph, bullets)
            if not any(piece.text.strip() for piece in pieces):
                continue
            if kind is None:
                self.lists.close()
                self.extracted.add("paragraph", pieces)
            else:
                self.lists.item(paragraph.level, kind)
                self.extracted.add("item", pieces)
        self.lists.close()

    def _table(self, table: Any) -> None:
        joint = "\n\n"
        with self.extracted.within(ContainerKind.TABLE):
            for row, cells in enumerate(table.rows):
                for column, cell in enumerate(cells.cells):
                    if cell.is_spanned:
                        continue
                    head = (row == 0 and table.first_row) or (column == 0 and table.first_col)
                    reach = {"rows": cell.span_height, "columns": cell.span_width}
                    with self.extracted.within(ContainerKind.CELL, row=row, column=column, head=head, **reach):
                        self.extracted.add("cell", self._frame_pieces(cell.text_frame), joint=joint)
                    joint = "\t"
                joint = "\n"

    def _chart(self, chart: Any) -> None:
        """Add the title of a chart, and its values as a table of categories and series."""
        if chart.has_title and chart.chart_title.has_text_frame:
            self.extracted.add("paragraph", self._frame_pieces(chart.chart_title.text_frame))
        plot = next(iter(chart.plots), None)
        categories = [str(each) for each in plot.categories] if plot is not None else []
        series = (
            [(str(each.name), list(each.values)) for each in plot.series] if plot is not None and categories else []
        )
        rows = [["", *(name for name, _ in series)]]
        rows += [
            [category, *(_number(values, number) for _, values in series)] for number, category in enumerate(categories)
        ]
        with self.extracted.within(ContainerKind.TABLE):
            for row, texts in enumerate(rows if series else []):
                for column, text in enumerate(texts):
                    with self.extracted.within(ContainerKind.CELL, row=row, column=column, head=row == 0):
                        self.extracted.add("cell", [self._piece(text)], joint="\t" if column else "\n")

    def _frame_pieces(self, frame: Any) -> Pieces:
        pieces: Pieces = []
        for paragraph in frame.paragraphs:
            pieces += [*([self._piece("\n")] if pieces else []), *self._pieces(paragraph)]
        return pieces

    def _pieces(self, paragraph: Any) -> Pieces:
        pieces: Pieces = []
        runs = {run._r: run for run in paragraph.runs}
        for element in paragraph._p:
            if element in runs:
                run = runs[element]
                link = run.hyperlink.address or ""
                mono = bool(run.font.name and MONOSPACED.search(run.font.name))
                pieces.append(TextPiece(run.text, mono, link, bool(run.font.bold), self.place))
            elif element.tag == f"{_DRAWING}br":
                pieces.append(self._piece("\n"))
            elif element.tag == f"{_DRAWING}fld" and not str(element.get("type")).startswith(("slidenum", "datetime")):
                pieces.append(self._piece("".join(part.text or "" for part in element.iter(f"{_DRAWING}t"))))
        return pieces

    def _piece(self, text: str) -> TextPiece:
        return TextPiece(text, place=self.place)


def _in_reading_order(shapes: Any) -> Iterator[Any]:
    """Yield shapes from the top, those side by side from the left; one without a place stands where it was added."""
    placed = []
    for number, shape in enumerate(shapes):
        top, left = shape.top or 0, shape.left or 0
        placed.append((round(top / _EMU_PER_INCH / _SAME_LINE), left, number, shape))
    yield from (shape for *_, shape in sorted(placed, key=lambda each: each[:3]))


def _is_furniture(shape: Any) -> bool:
    """Check whether a placeholder holds the date, the footer or the number of the slide."""
    from pptx.enum.shapes import PP_PLACEHOLDER

    kinds = (PP_PLACEHOLDER.DATE, PP_PLACEHOLDER.FOOTER, PP_PLACEHOLDER.HEADER, PP_PLACEHOLDER.SLIDE_NUMBER)
    return shape.placeholder_format.type in kinds


def _has_bullets(shape: Any) -> bool:
    """Check whether the text of a placeholder has bullets, as it has by the design of slides."""
    from pptx.enum.shapes import PP_PLACEHOLDER

    return shape.placeholder_format.type in (PP_PLACEHOLDER.OBJECT, PP_PLACEHOLDER.BODY, PP_PLACEHOLDER.VERTICAL_BODY)


def _list_kind(paragraph: Any, bullets: bool) -> ContainerKind | None:
    """Return the list of a paragraph by its own bullet or number, otherwise by its place."""
    properties = paragraph._p.pPr
    names = {each.tag.rpartition("}")[2] for each in properties} if properties is not None else set()
    if "buNone" in names:
        return None
    if "buAutoNum" in names:
        return ContainerKind.STEPS
    return ContainerKind.LIST if bullets or names & {"buChar", "buBlip"} else None


def _number(values: list[Any], number: int) -> str:
    value = values[number] if number < len(values) else None
    return "" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
