"""The cells of a long table, kept as the text of its rows, since a million objects cost more than all the rest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from kgsynth.base.records.source_place import SourcePlace


class TableCell(NamedTuple):
    """Where a cell stands in the text and in its table, and over how many rows and columns it reaches."""

    start: int
    end: int
    row: int
    column: int
    rows: int
    columns: int
    head: bool
    place: SourcePlace | None


class CellTable(NamedTuple):
    """A table whose text has a line for each row, with tabs between the cells that are not empty.

    ``lines`` are the number of each row and its columns with text. The first ``heads`` rows are heads, and so is the
    column ``naming``, -1 for none. ``spans`` are the rows and
    columns over which wide cells reach.
    ``corner`` is the row and column of the sheet in which the table begins, None if it stands in no sheet.
    ``container``, ``section`` and ``before`` are its container, its section, and the number of other blocks before it.
    """

    heads: int = 0
    naming: int = -1
    sheet: str = ""
    corner: tuple[int, int] | None = None
    spans: Mapping[tuple[int, int], tuple[int, int]] | None = None
    lines: tuple[tuple[int, tuple[int, ...]], ...] = ()
    start: int = 0
    end: int = 0
    container: int = -1
    section: int = 0
    before: int = 0

    def cells(self, text: str) -> Iterator[TableCell]:
        r"""Yield the cells of the table in the order of ``text``, which is that of its document.

        Example:
            >>> table = CellTable(heads=1, corner=(2, 0), lines=((0, (0, 1)), (1, (1,))), end=14)
            >>> [(each.column, each.head, each.place.cell) for each in table.cells("Plan\tPrice\n$5")]
            [(0, True, 'A3'), (1, True, 'B3'), (1, False, 'B4')]
        """
        top, left = self.corner or (0, 0)
        start = self.start
        for (row, columns), line in zip(self.lines, text[self.start : self.end].split("\n"), strict=True):
            label = str(top + row + 1)
            for column, cell in zip(columns, line.split("\t"), strict=True):
                end = start + len(cell)
                rows, width = self.spans.get((row, column), (1, 1)) if self.spans else (1, 1)
                head = row < self.heads or column == self.naming
                place = SourcePlace(0, (), self.sheet, column_name(left + column) + label) if self.corner else None
                yield TableCell(start, end, row, column, rows, width, head, place)
                start = end + 1


@cache
def column_name(column: int) -> str:
    """Return the letters of a column that counts from 0.

    Example:
        >>> column_name(0), column_name(25), column_name(26), column_name(16383)
        ('A', 'Z', 'AA', 'XFD')
    """
    name = ""
    column += 1
    while column:
        column, letter = divmod(column - 1, 26)
        name = chr(65 + letter) + name
    return name
