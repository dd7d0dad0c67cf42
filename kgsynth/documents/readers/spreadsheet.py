"""Read workbooks (.xlsx, .xlsm, .xlsb, .xls, .ods): a section for each sheet, with its tables.

Formulas are read as their last results. Dates are written as ISO 8601, numbers in the shortest way; in .xlsx and .xlsm,
percentages are written as they are shown. Hidden sheets are left out with a remark.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from kgsynth.base.records.documents import SourcePlace
from kgsynth.documents.readers.block_drafts import ExtractedText, ParsedFile, TextPiece
from kgsynth.documents.readers.office_package import has_encrypted_package
from kgsynth.documents.readers.sheet_cells import Sheet, shown
from kgsynth.documents.readers.sheet_limits import MAX_ROWS, RowLimit
from kgsynth.documents.readers.sheet_tables import add_sheet
from kgsynth.documents.readers.workbook_parts import WorkbookParts
from kgsynth.documents.unsupported import ENCRYPTED, UnsupportedFileError


def read(data: bytes) -> ParsedFile:
    """Return the sheets of a workbook.

    Raises:
        UnsupportedFileError: it is damaged or encrypted, or its sheets reach too far.
    """
    from python_calamine import CalamineError, CalamineWorkbook, PasswordError, SheetTypeEnum, SheetVisibleEnum

    parts = WorkbookParts.of(data)
    extracted, limit, hidden = ExtractedText(), RowLimit(), []
    try:
        book = CalamineWorkbook.from_object(io.BytesIO(data))
        for about in book.sheets_metadata:
            if about.typ != SheetTypeEnum.WorkSheet:
                continue
            if about.visible != SheetVisibleEnum.Visible:
                hidden.append(repr(about.name))
                continue
            parts.check_extent(about.name)
            made = _sheet(book.get_sheet_by_name(about.name), limit, parts.percentages(about.name))
            if made.rows:
                place = SourcePlace(sheet=about.name)
                extracted.add("heading", [TextPiece(about.name, place=place)], level=2)
                add_sheet(extracted, made)
    except PasswordError as error:
        raise UnsupportedFileError(ENCRYPTED) from error
    except (CalamineError, OSError, ValueError) as error:
        if has_encrypted_package(data):
            raise UnsupportedFileError(ENCRYPTED) from error
        why = "it cannot be opened as a workbook" if "detect file format" in str(error) else str(error)
        raise UnsupportedFileError(f"damaged: {why}; open it in a spreadsheet program and save it as .xlsx") from error
    left_out = (f"hidden sheets are left out: {', '.join(hidden)}",) if hidden else ()
    parsed = extracted.parsed(parts.title(), (*limit.remarks, *left_out))
    return replace(parsed, named_by_file=True)


def _sheet(found: Any, limit: RowLimit, percentages: dict[tuple[int, int], int]) -> Sheet:
    """Return the cells of a sheet as text."""
    merged = {
        (top, left): (bottom - top + 1, right - left + 1)
        for (top, left), (bottom, right) in found.merged_cell_ranges or ()
    }
    top, left = found.start or (0, 0)
    if top >= MAX_ROWS:  # the library would go through all rows above
        raise UnsupportedFileError(f"damaged: its sheet {found.name!r} begins in row {top + 1}, further than any does")
    rows = list(limit.limited(_texts(found, top, left, percentages), f"the sheet {found.name!r}"))
    while rows and not any(rows[-1]):
        rows.pop()
    here = {
        (row - top, column - left): reach
        for (row, column), reach in merged.items()
        if 0 <= row - top < len(rows) and 0 <= column - left < len(rows[row - top])
    }
    return Sheet(found.name, rows, here, top, left)


def _texts(found: Any, top: int, left: int, percentages: dict[tuple[int, int], int]) -> Iterator[list[str]]:
    """Yield the texts of each row from the first that is not empty; the library yields the empty ones above too."""
    for number, row in enumerate(found.iter_rows()):
        if number < top:
            continue
        if not percentages:
            yield [shown(value) if value != "" else "" for value in row]
        else:
            yield [shown(value, percentages.get((number, column))) for column, value in enumerate(row, left)]
