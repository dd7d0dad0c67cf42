"""Write the tables of a sheet as blocks and containers, with the place of each cell."""

from __future__ import annotations

from collections.abc import Iterator

from kgsynth.base.records.documents import SourcePlace
from kgsynth.base.vocabulary import ContainerKind
from kgsynth.documents.readers.block_drafts import ExtractedText, PlainCell, TextPiece
from kgsynth.documents.readers.sheet_cells import Sheet, column_name
from kgsynth.documents.readers.sheet_regions import TableLayout, layouts

_LONG_CELL = 80  # characters; a column of longer cells is text, not a table


def add_sheet(extracted: ExtractedText, sheet: Sheet) -> None:
    """Add everything in a sheet: tables, and single cells and columns of text as paragraphs."""
    for layout in layouts(sheet):
        if _is_text(sheet, layout):
            for row in range(layout.region.top, layout.region.bottom):
                _add_line(extracted, sheet, layout, row)
        else:
            _add_table(extracted, sheet, layout)


def _is_text(sheet: Sheet, layout: TableLayout) -> bool:
    """Check whether a region is one column, and either one cell or with a sentence in it."""
    region = layout.region
    if region.right - region.left > 1:
        return False
    cells = [sheet.rows[row][region.left] for row in range(region.top, region.bottom)]
    return len(cells) == 1 or any(len(cell) > _LONG_CELL or cell.endswith((".", "!", "?", "。")) for cell in cells)


def _add_line(extracted: ExtractedText, sheet: Sheet, layout: TableLayout, row: int) -> None:
    """Add the only cell of a row as a paragraph."""
    for column in range(layout.region.left, layout.region.right):
        text = sheet.rows[row][column]
        extracted.add("paragraph", [TextPiece(text, place=_place(sheet, row, column))])


def _add_table(extracted: ExtractedText, sheet: Sheet, layout: TableLayout) -> None:
    region = layout.region
    first, last = region.top + layout.titles, region.bottom - layout.notes
    with extracted.within(ContainerKind.TABLE):
        for row in range(region.top, first):
            _add_line(extracted, sheet, layout, row)
        joint = "\n\n"
        for row in range(first, last):
            if any(sheet.rows[row][region.left : region.right]):
                extracted.add_cells(_cells(sheet, layout, row), joint=joint)
                joint = "\n"
    for row in range(last, region.bottom):
        _add_line(extracted, sheet, layout, row)


def _cells(sheet: Sheet, layout: TableLayout, row: int) -> Iterator[PlainCell]:
    region, name = layout.region, sheet.name
    top, left, row_head = region.top + layout.titles, region.left, layout.row_head
    is_header, label = row < top + layout.headers, str(sheet.top + row + 1)
    groups = is_header and layout.headers == 2 and row == top
    for column, text in enumerate(sheet.rows[row][left : region.right]):
        if not text:
            continue
        rows = columns = 1
        if (row, left + column) in sheet.merged:
            rows, columns = sheet.merged[row, left + column]
            rows, columns = min(rows, region.bottom - row), min(columns, region.right - left - column)
        elif groups:
            columns = _group_width(sheet, layout, row, left + column)
        place = SourcePlace(0, (), name, column_name(sheet.left + left + column) + label)
        yield PlainCell(text, row - top, column, rows, columns, is_header or column == row_head, place)


def _group_width(sheet: Sheet, layout: TableLayout, row: int, column: int) -> int:
    """Return over how many columns a head reaches if it is above several heads and not merged."""
    upper, lower, stop = sheet.rows[row], sheet.rows[row + 1], column + 1
    while lower[column] and stop < layout.region.right and not upper[stop] and lower[stop]:
        stop += 1
    return stop - column


def _place(sheet: Sheet, row: int, column: int) -> SourcePlace:
    return SourcePlace(sheet=sheet.name, cell=f"{column_name(sheet.left + column)}{sheet.top + row + 1}")
