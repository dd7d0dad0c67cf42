"""The containers of a file, as a reader opens and closes them, and the places of cells in a table."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from kgsynth.base.records.documents import Container
from kgsynth.base.vocabulary import ContainerKind
from kgsynth.documents.unsupported import UnsupportedFileError

MAX_CELL_SPAN = 1000
"""The most rows or columns over which a cell of HTML reaches, as in browsers."""

_MAX_PLACES = 2_000_000  # of all tables of a file, also those that a cell only reaches over: they are all looked at

NOTE_NAMES = frozenset(
    "note tip hint info important warning caution attention danger error deprecated seealso example abstract success "
    "question failure bug details".split()
)
"""The names that markup gives to notes, which are set apart from the text."""


@dataclass(slots=True)
class Nesting:
    """The containers of a file in the order in which they open, and those that are open now.

    Example:
        >>> nesting = Nesting()
        >>> with nesting.within(ContainerKind.LIST, 0), nesting.within(ContainerKind.ITEM, 2):
        ...     nesting.inside
        1
        >>> [container.parent for container in nesting.found]
        [-1, 0]
    """

    found: list[Container] = field(default_factory=list)
    _open: list[int] = field(default_factory=lambda: [-1])
    _sizes: dict[int, tuple[int, int]] = field(default_factory=dict)  # rows and columns of each table
    _places: int = 0

    @property
    def inside(self) -> int:
        """Return the index of the innermost open container, -1 for none."""
        return self._open[-1]

    def add(self, kind: ContainerKind, parent: int, at: int, **traits: Any) -> int:
        """Add a container at the offset ``at``, return its index; ``traits`` are further fields of ``Container``.

        Raises:
            UnsupportedFileError: it is a cell, and with it the tables of the file have too many places.
        """
        made = Container(kind, parent, at, at, **traits)
        self.found.append(made)
        if kind == ContainerKind.CELL:
            rows, columns = self._sizes.get(parent, (0, 0))
            size = max(rows, made.row + made.rows), max(columns, made.column + made.columns)
            self._sizes[parent] = size
            self._places += size[0] * size[1] - rows * columns
            if self._places > _MAX_PLACES:
                raise UnsupportedFileError(f"too large: its tables have more than {_MAX_PLACES:,} places; split it")
        return len(self.found) - 1

    def enter(self, kind: ContainerKind, at: int, **traits: Any) -> None:
        """Open a container inside the innermost one."""
        self._open.append(self.add(kind, self._open[-1], at, **traits))

    def leave(self) -> None:
        """Close the innermost container."""
        self._open.pop()

    @contextmanager
    def within(self, kind: ContainerKind, at: int, **traits: Any) -> Iterator[None]:
        """Open a container for the time of a ``with`` statement."""
        self.enter(kind, at, **traits)
        yield
        self.leave()


@dataclass(slots=True)
class TableGrid:
    """Finds the place of each cell of a table whose cells may reach over several rows and columns.

    Example:
        >>> grid = TableGrid()
        >>> grid.place(2, 1)["column"], grid.place(1, 2)["column"]
        (0, 1)
        >>> grid.next_row()
        >>> grid.place(1, 1)
        {'row': 1, 'column': 1, 'rows': 1, 'columns': 1}
    """

    row: int = 0
    _column: int = 0
    _taken: dict[int, int] = field(default_factory=dict)  # from a column to the row from which it is free

    def place(self, rows: int, columns: int) -> dict[str, int]:
        """Return row, column and reach of the next cell of the row."""
        while self._taken.get(self._column, 0) > self.row:
            self._column += 1
        found = {"row": self.row, "column": self._column, "rows": rows, "columns": columns}
        for column in range(self._column, self._column + columns):
            self._taken[column] = self.row + rows
        self._column += columns
        return found

    def next_row(self) -> None:
        """Go to the start of the next row."""
        self.row, self._column = self.row + 1, 0
