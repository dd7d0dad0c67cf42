"""Write a table as an Excel workbook, in which every cell is text and none is a formula."""

from __future__ import annotations

import io
from datetime import UTC, datetime

from kgsynth.golden.export.columns import JSON_COLUMNS, text_row
from kgsynth.golden.export.export_input import ExportInput, Rendered

_CELL_LIMIT = 32_767  # characters, of Excel
_CREATED = datetime(2000, 1, 1, tzinfo=UTC)  # the same bytes at any time
_WIDTHS = {"question": 50, "answer": 40, "evidence": 70, "other_answers": 25, "documents": 25, "standalone": 30}


def render(source: ExportInput) -> Rendered:
    """Return the workbook; a text that is too long for a cell is cut, and the spans in such a cell are left out."""
    import xlsxwriter

    rows = list(map(text_row, source.items))
    file = io.BytesIO()
    with xlsxwriter.Workbook(file, {"in_memory": True}) as book:
        book.set_properties({"created": _CREATED})
        bold, wrapped = book.add_format({"bold": True}), book.add_format({"text_wrap": True, "valign": "top"})
        sheet = book.add_worksheet("questions")
        for column, name in enumerate(rows[0]):
            sheet.set_column(column, column, _WIDTHS.get(name, 14), wrapped)
            sheet.write_string(0, column, name, bold)
            for row, values in enumerate(rows, 1):
                sheet.write_string(row, column, _fitting(name, values[name]), wrapped)
        sheet.freeze_panes(1, 0)
        sheet.autofilter(0, 0, len(rows), len(rows[0]) - 1)
    cut = sum(_is_too_long(value) for row in rows for value in row.values())
    note = f"a cell of Excel holds {_CELL_LIMIT:,} characters: {cut} cells cut (spans are left out instead)"
    return Rendered({"": file.getvalue()}, (note,) if cut else ())


def _is_too_long(text: str) -> bool:
    return len(text) > _CELL_LIMIT


def _fitting(column: str, text: str) -> str:
    """Return the text of a cell; JSON is no use if it is cut."""
    if not _is_too_long(text):
        return text
    return "" if column in JSON_COLUMNS else text[:_CELL_LIMIT]
