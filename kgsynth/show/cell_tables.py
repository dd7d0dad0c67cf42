"""Show evidence from a table as a small table: its head, the rows of the evidence, and their cells marked."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from kgsynth.base.records import Container, Document
from kgsynth.base.vocabulary import ContainerKind

_MAX_HEAD_ROWS, _MAX_BODY_ROWS, _MAX_COLUMNS = 3, 8, 8
_MAX_CELL_LETTERS = 160


@dataclass(frozen=True, slots=True)
class ShownCell:
    """A cell of a shown table; ``mark`` is that of a ``Piece``."""

    text: str
    head: bool = False
    mark: str = ""
    rows: int = 1
    columns: int = 1


@dataclass(frozen=True, slots=True)
class ShownTable:
    """Rows of a table; ``left_out`` says how many rows and columns of it are not shown."""

    rows: tuple[tuple[ShownCell, ...], ...]
    left_out: str = ""


class DocumentTables:
    """The tables of a document; what is looked up in them is computed once."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self._grids: dict[int, _Grid] = {}

    def cells_at(self, start: int, end: int) -> tuple[int, frozenset[int]] | None:
        """Return the table that ``text[start:end]`` stands in and the indices of its cells; None if it is no table's.

        A table in a table is only layout, and is not shown as one.
        """
        blocks = self._blocks(start, end)
        places = {self._cell_and_table(number) for number in blocks}
        tables = {table for _, table in places}
        if len(tables) != 1 or -1 in tables:
            return None
        return tables.pop(), frozenset(cell for cell, _ in places)

    def shown(self, table: int, marks: Mapping[int, str]) -> ShownTable:
        """Return the head rows of a table and the rows of the cells in ``marks``, by index of the cell."""
        grid = self._grid(table)
        body = sorted({self.document.containers[cell].row for cell in marks} - set(grid.head_rows))
        rows = [*grid.head_rows, *body[:_MAX_BODY_ROWS]]
        columns = grid.columns_around(self.document.containers[cell].column for cell in marks)
        seen: set[int] = set()
        shown = tuple(tuple(self._row(grid, row, rows, columns, marks, seen)) for row in rows)
        missing = [
            f"{shown_of} of {total:,} {name}"
            for shown_of, total, name in ((len(rows), grid.height, "rows"), (len(columns), grid.width, "columns"))
            if shown_of < total
        ]
        return ShownTable(shown, ", ".join(missing))

    def _row(
        self,
        grid: _Grid,
        row: int,
        rows: Sequence[int],
        columns: Sequence[int],
        marks: Mapping[int, str],
        seen: set[int],
    ) -> Iterable[ShownCell]:
        for column in columns:
            number = grid.cell(row, column)
            if number is None:
                yield ShownCell("")
            elif number not in seen:
                seen.add(number)
                cell = self.document.containers[number]
                yield ShownCell(
                    self._text(cell),
                    cell.head,
                    marks.get(number, ""),
                    sum(cell.row <= each < cell.row + cell.rows for each in rows),
                    sum(cell.column <= each < cell.column + cell.columns for each in columns),
                )

    def _text(self, cell: Container) -> str:
        text = " ".join(self.document.blocks[number].text for number in self._blocks(cell.start, cell.end))
        return text if len(text) <= _MAX_CELL_LETTERS else f"{text[:_MAX_CELL_LETTERS]} …"

    def _grid(self, table: int) -> _Grid:
        if table not in self._grids:
            self._grids[table] = _Grid(self.document.containers, self._cells[table])
        return self._grids[table]

    @cached_property
    def _cells(self) -> dict[int, list[int]]:
        """The indices of the cells of each table."""
        found: dict[int, list[int]] = {}
        for number, container in enumerate(self.document.containers):
            if container.kind == ContainerKind.CELL:
                found.setdefault(container.parent, []).append(number)
        return found

    @cached_property
    def _starts(self) -> list[int]:
        return [block.start for block in self.document.blocks]

    def _blocks(self, start: int, end: int) -> range:
        """Return the numbers of the blocks that share a character with ``[start, end)``."""
        first = max(0, bisect_right(self._starts, start) - 1)
        if first < len(self._starts) and self.document.blocks[first].end <= start:
            first += 1
        return range(first, bisect_left(self._starts, end))

    def _cell_and_table(self, block: int) -> tuple[int, int]:
        """Return the cell and the table around a block, -1 and -1 if there are none or several."""
        found, number = [], self.document.blocks[block].inside
        while number >= 0:
            container = self.document.containers[number]
            if container.kind == ContainerKind.CELL:
                found.append((number, container.parent))
            number = container.parent
        return found[0] if len(found) == 1 else (-1, -1)


class _Grid:
    """The cells of a table by row and column."""

    def __init__(self, containers: Sequence[Container], cells: Sequence[int]) -> None:
        self._containers = containers
        self._rows: dict[int, list[int]] = {}
        self._tall = [number for number in cells if containers[number].rows > 1]
        for number in cells:
            self._rows.setdefault(containers[number].row, []).append(number)
        self.height = max(containers[number].row + containers[number].rows for number in cells)
        self.width = max(containers[number].column + containers[number].columns for number in cells)
        self.head_rows = self._head_rows()

    def cell(self, row: int, column: int) -> int | None:
        """Return the index of the cell that covers a place, None if there is none."""
        for number in [*self._rows.get(row, []), *self._tall]:
            cell = self._containers[number]
            if cell.row <= row < cell.row + cell.rows and cell.column <= column < cell.column + cell.columns:
                return number
        return None

    def columns_around(self, marked: Iterable[int]) -> list[int]:
        """Return the columns to show: all, or of a wide table the first and those around the marked ones."""
        if self.width <= _MAX_COLUMNS:
            return list(range(self.width))
        marked = sorted(set(marked))
        near = [column + step for step in (0, 1, -1) for column in marked]
        wanted = dict.fromkeys((*marked, 0, *near, *range(self.width)))
        return sorted([column for column in wanted if 0 <= column < self.width][:_MAX_COLUMNS])

    def _head_rows(self) -> list[int]:
        found: list[int] = []
        for row in sorted(self._rows):
            cells = [self._containers[number] for number in self._rows[row]]
            empty = [cell for cell in cells if cell.start == cell.end]
            if row != len(found) or not any(c.head for c in cells) or not all(c.head or c in empty for c in cells):
                break
            found.append(row)
        return found[:_MAX_HEAD_ROWS]
