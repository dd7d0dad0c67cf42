"""Read tables: each cell with the head of its row and the heads of its column.

A table without heads says nothing by itself, unless the names in the first of its two columns are bold. A row whose
head is empty or stands twice cannot be asked for. Both give no facts, nor does a table that contains tables, which is
there for its layout. The name of a cell that holds a number is the unit that stands in brackets in its column head
("Size (MB)"), "" if there is none.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from kgsynth.base.records import Block, Excerpt, StructureFact
from kgsynth.base.vocabulary import ContainerKind, StructureKind
from kgsynth.documents.structure.outline import Outline
from kgsynth.language.layout_words import are_opposites

_UNIT_IN_HEAD = re.compile(r"[(\[（](?P<unit>[^()\[\]（）\d'+&<>=,;:!?]{1,16})[)\]）]\s*$")
_PLAIN_NUMBER = re.compile(r"^[^\w\s]{0,2}\d[\d.,\s]*[^\w\s]?$")
_TABLE_MARKUP = re.compile(r"<(?:table|tr|td)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _TableCell:
    """The content of one place of a table; a cell that reaches over several places is in each of them."""

    content: Excerpt | None
    head: bool
    bold: bool


def tables(outline: Outline) -> Iterator[StructureFact]:
    """Yield a fact for each cell of the body of each table that has a value."""
    for number, _ in outline.containers(ContainerKind.TABLE):
        grid = _grid(outline, number)
        blocks = outline.inside(number)
        if not grid or not blocks or any(one.kind == ContainerKind.TABLE for one in outline.around(number)):
            continue
        section = outline.blocks[blocks[0]].section
        yield from _cells(outline, grid, number, section)


def _grid(outline: Outline, number: int) -> dict[tuple[int, int], _TableCell]:
    """Return the cells of a table by row and column; empty if it contains tables or navigation."""
    found: dict[tuple[int, int], _TableCell] = {}
    for part in outline.parts(number, ContainerKind.CELL):
        cell, blocks = outline.document.containers[part], outline.inside(part)
        if any(outline.blocks[block].kind == "navigation" for block in blocks) or outline.parts(
            part, ContainerKind.TABLE
        ):
            return {}
        if _TABLE_MARKUP.search(outline.document.text, cell.start, cell.end):
            continue  # the source of a table, written into a cell
        bold = bool(blocks) and all(_is_bold(outline.blocks[block]) for block in blocks)
        made = _TableCell(outline.excerpt(blocks), cell.head, bold)
        for row in range(cell.row, cell.row + cell.rows):
            for column in range(cell.column, cell.column + cell.columns):
                found[row, column] = made
    return found


def _cells(
    outline: Outline, grid: dict[tuple[int, int], _TableCell], number: int, section: int
) -> Iterator[StructureFact]:
    rows, columns = (max(place[axis] for place in grid) + 1 for axis in (0, 1))
    first = next((row for row in range(rows) if not _is_head(grid, row, columns)), rows)
    heads = [_column_heads(grid, first, column) for column in range(columns)]
    naming = _naming_column(grid, first, rows, columns)
    if columns == 2 and all(heads) and are_opposites(heads[0][-1].text, heads[1][-1].text):
        return  # two lists side by side
    corner = next(iter(_column_heads(grid, first, naming)[::-1]), None)
    subjects = {row: cell.content for row in range(first, rows) if (cell := grid.get((row, naming))) and cell.content}
    often = Counter(subject.text.casefold() for subject in subjects.values())
    bold_names = first == 0 and _are_bold_names(grid)
    for row, subject in subjects.items():
        if often[subject.text.casefold()] > 1:
            continue
        for column in range(columns):
            cell = grid.get((row, column)) if column != naming else None
            named = heads[column] or (columns == 2 and (grid[row, naming].head or bold_names))
            if cell is None or cell.content is None or cell.content == subject or not named:
                continue
            yield outline.fact(
                StructureKind.CELL,
                section,
                subject,
                [cell.content],
                heads=heads[column],
                name=_unit(heads[column], cell.content.text),
                group=number,
                row=row,
                column=column,
                corner=corner,
            )


def _is_bold(block: Block) -> bool:
    """Check whether all of a block is bold, apart from a colon at its end."""
    return len(block.strong) == 1 and block.strong[0][0] == 0 and block.text[block.strong[0][1] :].strip() in ("", ":")


def _are_bold_names(grid: dict[tuple[int, int], _TableCell]) -> bool:
    """Check whether the cells of the first column are bold and no others are: they name the rows."""
    return len(grid) > 2 and all(cell.bold == (column == 0) for (_, column), cell in grid.items() if cell.content)


def _naming_column(grid: dict[tuple[int, int], _TableCell], first: int, rows: int, columns: int) -> int:
    """Return the column that names the rows: the first whose cells are heads, otherwise the first of all."""
    for column in range(columns):
        cells = [cell for row in range(first, rows) if (cell := grid.get((row, column))) and cell.content]
        if cells and all(cell.head for cell in cells):
            return column
    return 0


def _is_head(grid: dict[tuple[int, int], _TableCell], row: int, columns: int) -> bool:
    """Check whether all cells of a row are heads, and not only the head of the row itself."""
    cells = [grid[row, column] for column in range(columns) if (row, column) in grid]
    return (
        len(cells) > 1 and all(cell.head or cell.content is None for cell in cells) and any(cell.head for cell in cells)
    )


def _column_heads(grid: dict[tuple[int, int], _TableCell], first: int, column: int) -> tuple[Excerpt, ...]:
    """Return the heads of a column from the top, each once."""
    found: dict[Excerpt, None] = {}
    for row in range(first):
        cell = grid.get((row, column))
        if cell and cell.content:
            found[cell.content] = None
    return tuple(found)


def _unit(heads: tuple[Excerpt, ...], value: str) -> str:
    """Return the unit that the heads of a column give to a number, "" if there is none."""
    found = [match["unit"].strip() for head in heads if (match := _UNIT_IN_HEAD.search(head.text))]
    return found[-1] if found and _PLAIN_NUMBER.match(value) else ""
