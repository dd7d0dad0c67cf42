"""Find the rows of tables, which chunking keeps whole, and the head rows that go with each part of a long table."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import groupby

from kgsynth.base.records import Block, Document, containers_around
from kgsynth.base.vocabulary import ContainerKind
from kgsynth.language.words import count_words

_Row = tuple[int, int]  # the index of a table among the containers, and a row of it


class TableRows:
    """The tables of one document.

    Example:
        >>> from kgsynth.documents.assembly import assemble
        >>> from kgsynth.documents.readers.markdown import read
        >>> page = assemble(read("| Plan | Price |\\n|---|---|\\n| Team | $5 |\\n"), id="a.md", format="md", sha256="")
        >>> rows = TableRows(page)
        >>> [[block.text for block in blocks] for blocks, is_row in rows.together(page.blocks, 4) if is_row]
        [['Plan', 'Price'], ['Team', '$5']]
        >>> rows.head(page.text.index("| Team"), 4)
        '| Plan | Price |'
    """

    def __init__(self, document: Document) -> None:
        self._document = document
        self._containers = document.containers
        self._tables = [number for number, each in enumerate(self._containers) if each.kind == ContainerKind.TABLE]
        self._tables.sort(key=lambda number: self._containers[number].start)
        self._starts = [self._containers[number].start for number in self._tables]
        self._around: dict[int, tuple[_Row, ...]] = {}

    def together(self, blocks: Sequence[Block], size: int) -> Iterator[tuple[Sequence[Block], bool]]:
        """Yield the blocks of each row of at most ``size`` words together, all others one by one; and if it is a row.

        Of a longer row, the rows of the tables inside it are yielded together, and the rest of it one by one.
        """
        yield from self._together(blocks, size, 0) if self._tables else (([block], False) for block in blocks)

    def head(self, start: int, size: int) -> str:
        """Return the head rows of the table that goes on at ``start``, "" if there are none or they are too long."""
        at = bisect_right(self._starts, start) - 1
        for number in containers_around(self._containers, self._tables[at] if at >= 0 else -1):
            container = self._containers[number]
            if container.kind == ContainerKind.TABLE and container.start < start < container.end:
                first, last = self._heads.get(number, (start, start))
                text = self._document.text[first:last]
                return text if last <= start and count_words(text) <= size else ""
        return ""

    def _together(self, blocks: Sequence[Block], size: int, depth: int) -> Iterator[tuple[Sequence[Block], bool]]:
        text = self._document.text
        parts: list[tuple[bool, list[Block]]] = []  # whether it is a row, and its blocks
        for row, found in groupby(blocks, key=lambda block: self._row(block, depth)):
            part = list(found)
            if row is not None and parts and parts[-1][0] and part[0].start < parts[-1][1][-1].end:
                parts[-1][1].extend(part)  # the lines of a cell over several rows are among those of the next row
            else:
                parts.append((row is not None, part))
        for is_row, part in parts:
            start, end = min(block.start for block in part), max(block.end for block in part)
            if not is_row:
                yield from (([block], False) for block in part)
            elif count_words(text[start:end]) <= size:
                yield part, True
            else:
                yield from self._together(part, size, depth + 1)

    def _row(self, block: Block, depth: int) -> _Row | None:
        """Return the row that a block is in, of the outermost table or of one ``depth`` tables further in."""
        rows = self._around.get(block.inside)
        if rows is None:
            rows = self._around[block.inside] = self._rows_around(block.inside)
        return rows[depth] if depth < len(rows) else None

    def _rows_around(self, number: int) -> tuple[_Row, ...]:
        """Return the rows around the contents of a container, the outermost first."""
        found, cell = [], -1
        for around in containers_around(self._containers, number):
            kind = self._containers[around].kind
            if kind == ContainerKind.CELL:
                cell = around
            elif kind == ContainerKind.TABLE and cell >= 0:
                found.append((around, self._containers[cell].row))
        return tuple(reversed(found))

    @cached_property
    def _heads(self) -> dict[int, tuple[int, int]]:
        """For each table, the text of its first rows as long as all their cells are heads, if there are any."""
        rows: dict[_Row, tuple[int, int, int]] = {}  # number of cells, start and end
        body: dict[int, int] = {}  # for each table, the first row with a cell that is not a head
        for cell in self._containers:
            if cell.kind == ContainerKind.CELL and cell.row < body.get(cell.parent, cell.row + 1):
                cells, start, end = rows.get((cell.parent, cell.row), (0, cell.start, cell.end))
                rows[cell.parent, cell.row] = (cells + 1, min(start, cell.start), max(end, cell.end))
                if not cell.head and cell.start < cell.end:
                    body[cell.parent] = cell.row
        found: dict[int, tuple[int, int]] = {}
        for number in self._tables:
            row = 0
            while row < body.get(number, row + 1) and rows.get((number, row), (0,))[0] > 1:
                _, start, end = rows[number, row]
                found[number] = (found.get(number, (start, end))[0], end)
                row += 1
        return found
