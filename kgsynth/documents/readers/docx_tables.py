"""The cells of a table in a Word file, with their places and whether they are heads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from kgsynth.documents.readers.docx_styles import Styles, attribute, child, is_on

_MAX_WORD_SPAN = 1000
_AROUND_CELLS = frozenset(("sdt", "sdtContent", "ins", "moveTo", "customXml"))


class _WordCell(NamedTuple):
    """A cell with its first column; ``merged`` is "" or how it is merged with the cell above: restart, continue."""

    element: Any
    column: int
    columns: int
    merged: str


class WordTable:
    """One table. It ``lays_out`` a page if it has one cell or contains a table: it is then no table of values."""

    def __init__(self, element: Any, styles: Styles) -> None:
        self._rows = [row for row in _parts(element, "tr") if child(row, "w:trPr", "w:del") is None]
        self._grid = [list(_cells(row)) for row in self._rows]
        self._heads = self._head_rows(element, styles)
        count = sum(len(row) for row in self._grid)
        self.lays_out = count < 2 or any(_has_table(cell.element) for row in self._grid for cell in row)

    def elements(self) -> Iterator[Any]:
        """Yield all cells as they are in the file."""
        for row in self._grid:
            for cell in row:
                yield cell.element

    def cells(self) -> Iterator[list[tuple[Any, dict[str, Any]]]]:
        """Yield for each row its cells, each with the fields of its container."""
        for number, row in enumerate(self._grid):
            yield [
                (cell.element, self._place(number, cell)) for cell in row if cell.merged != "continue" or number == 0
            ]

    def _place(self, number: int, cell: _WordCell) -> dict[str, Any]:
        rows = 1
        if cell.merged:
            while number + rows < len(self._grid) and any(
                below.column == cell.column and below.merged == "continue" for below in self._grid[number + rows]
            ):
                rows += 1
        bold_first = cell.column == 0 and self._bold_first_column
        return {
            "row": number,
            "column": cell.column,
            "rows": rows,
            "columns": cell.columns,
            "head": number in self._heads or bold_first,
        }

    def _head_rows(self, element: Any, styles: Styles) -> range:
        """Return the rows that are heads: those repeated on each page, or a first row that is set apart."""
        firsts = [row[0].element for row in self._grid if row]
        self._bold_first_column = len(firsts) > 1 and all(_is_bold(cell) for cell in firsts[1:])
        repeated = 0
        while repeated < len(self._rows) and is_on(child(self._rows[repeated], "w:trPr", "w:tblHeader")):
            repeated += 1
        if repeated or len(self._grid) < 2:
            return range(repeated)
        look = child(element, "w:tblPr", "w:tblLook")
        wanted = attribute(look, "w:firstRow") in ("1", "true") or _bit(attribute(look, "w:val"), 0x20)
        styled = wanted and styles.first_row_is_head(attribute(child(element, "w:tblPr", "w:tblStyle"), "w:val"))
        first, second = ([cell.element for cell in row] for row in self._grid[:2])
        bold = any(map(_has_text, first)) and all(_is_bold(cell) or not _has_text(cell) for cell in first)
        shaded = all(map(_is_shaded, first)) and not any(map(_is_shaded, second))
        return range(int(bool(first) and (styled or shaded or (bold and not all(map(_is_bold, second))))))


def _parts(parent: Any, name: str) -> Iterator[Any]:
    for element in parent:
        local = element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""
        if local == name:
            yield element
        elif local in _AROUND_CELLS:
            yield from _parts(element, name)


def _cells(row: Any) -> Iterator[_WordCell]:
    column = _number(child(row, "w:trPr", "w:gridBefore"), 0)
    for element in _parts(row, "tc"):
        columns = max(1, _number(child(element, "w:tcPr", "w:gridSpan"), 1))
        merge = child(element, "w:tcPr", "w:vMerge")
        merged = "" if merge is None else attribute(merge, "w:val") or "continue"
        yield _WordCell(element, column, columns, merged)
        column += columns


def _number(element: Any, otherwise: int) -> int:
    value = attribute(element, "w:val")
    return min(int(value), _MAX_WORD_SPAN) if value.isascii() and value.isdigit() and len(value) < 7 else otherwise


def _bit(value: str, bit: int) -> bool:
    try:
        return bool(int(value, 16) & bit)
    except ValueError:
        return False


def _runs(cell: Any) -> list[Any]:
    from docx.oxml.ns import qn

    return [run for run in cell.iter(qn("w:r")) if any((text.text or "").strip() for text in run.iter(qn("w:t")))]


def _has_text(cell: Any) -> bool:
    return bool(_runs(cell))


def _is_bold(cell: Any) -> bool:
    runs = _runs(cell)
    return bool(runs) and all(is_on(child(run, "w:rPr", "w:b")) for run in runs)


def _is_shaded(cell: Any) -> bool:
    return attribute(child(cell, "w:tcPr", "w:shd"), "w:fill").lower() not in ("", "auto", "ffffff")


def _has_table(cell: Any) -> bool:
    from docx.oxml.ns import qn

    return next(cell.iter(qn("w:tbl")), None) is not None
