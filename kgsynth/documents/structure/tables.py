"""Read tables: each cell with the head of its row and the heads of its column.

A table without heads says nothing by itself, unless the names in the first of its two columns are bold. A row whose
head is empty or stands twice cannot be asked for. Both give no facts, nor does a table that contains tables, which is
there for its layout. A row with only a head holds for the rows below it, and marks of footnotes are left out. The name
of a cell that holds a number is its unit, "" if there is none: in its column head ("Size (MB)"), in the head of its row
or above it, or stated for the whole table ("in millions of euros").
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from kgsynth.base.records import Block, Excerpt, StructureFact
from kgsynth.base.vocabulary import ContainerKind, StructureKind
from kgsynth.documents.structure.outline import COLONS, Outline
from kgsynth.language.figures import (
    has_measure,
    is_currency,
    is_figure,
    is_note,
    is_reference,
    is_unit_head,
    is_year,
    note_mark,
    stated_unit,
    unit_of,
)
from kgsynth.language.layout_words import are_opposites

_UNIT_IN_HEAD = re.compile(r"[(\[（](?P<unit>[^()\[\]（）\d'+&<>=,;:!?]{1,16})[)\]）]\s*$")
_PLAIN_NUMBER = re.compile(r"^[^\w\s]{0,2}\s?[^\w\s]?\d[\d.,\s]*[^\w\s%]?$")
_SIGNS = ("%", ")", ")%")
_PERCENT = re.compile(r"%|\bper ?cent(?:age)?\b", re.IGNORECASE)
_TABLE_MARKUP = re.compile(r"<(?:table|tr|td)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _TableCell:
    """The content of one place of a table; a cell that reaches over several places is in each of them."""

    content: Excerpt | None
    head: bool
    bold: bool
    indent: int = 0


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
        made = _TableCell(_without_mark(outline, blocks), cell.head, bold, cell.indent)
        for row in range(cell.row, cell.row + cell.rows):
            for column in range(cell.column, cell.column + cell.columns):
                found[row, column] = made
    return _with_signs(found)


def _with_signs(grid: dict[tuple[int, int], _TableCell]) -> dict[tuple[int, int], _TableCell]:
    """Return the cells with each currency sign and "%" in a cell of its own joined to the figure beside it."""
    for (row, column), cell in list(grid.items()):
        after = grid.get((row, column + 1))
        if not (cell.content and after and after.content):
            continue
        first, last = cell.content, after.content
        before = is_currency(first.text) and is_figure(last.text)
        if before or (is_figure(first.text) and last.text in _SIGNS):
            joined = Excerpt(f"{first.text} {last.text}", first.start, last.end)
            figure, sign = (column + 1, column) if before else (column, column + 1)
            grid[row, figure] = replace(grid[row, figure], content=joined)
            grid[row, sign] = replace(grid[row, sign], content=None)
    return grid


def _without_mark(outline: Outline, blocks: list[int]) -> Excerpt | None:
    """Return the text of a cell without the mark of a footnote that stands below in its section."""
    whole = outline.excerpt(blocks)
    mark = note_mark(whole.text) if whole and len(blocks) == 1 else ""
    if not whole or not mark:
        return whole
    cell = outline.blocks[blocks[0]]
    notes = (outline.blocks[number] for number in outline.of_section[cell.section] if number > blocks[0])
    if not any(is_note(mark, block.text) for block in notes if block.kind in ("paragraph", "item")):
        return whole
    return outline.part(cell, 0, len(cell.text) - len(mark))


def _cells(
    outline: Outline, grid: dict[tuple[int, int], _TableCell], number: int, section: int
) -> Iterator[StructureFact]:
    rows, columns = (max(place[axis] for place in grid) + 1 for axis in (0, 1))
    first = next((row for row in range(rows) if not _is_head(grid, row, columns)), rows)
    naming = _naming_column(grid, first, rows, columns)
    first = _below_years(grid, first, (rows, columns), naming)
    heads = [_column_heads(grid, first, column) for column in range(columns)]
    if columns == 2 and all(heads) and are_opposites(heads[0][-1].text, heads[1][-1].text):
        return  # two lists side by side
    naming, scopes = _row_heads(grid, range(first, rows), naming)
    corner = next(iter(_column_heads(grid, first, naming)[::-1]), None)
    subjects = {row: cell.content for row in scopes if (cell := grid.get((row, naming))) and cell.content}
    often = Counter((scopes[row], subject.text.casefold()) for row, subject in subjects.items())
    bold_names = first == 0 and _are_bold_names(grid)
    stated, units = _stated_unit(outline, number, corner), _unit_column(heads, columns)
    for row, subject in subjects.items():
        if often[scopes[row], subject.text.casefold()] > 1:
            continue
        for column in range(columns):
            cell = grid.get((row, column)) if column != naming else None
            named = heads[column] or (columns == 2 and (grid[row, naming].head or bold_names))
            value = cell.content if cell else None
            if value is None or value in (subject, *scopes[row]) or not named:
                continue
            names = [part.text for part in (*scopes[row], subject, *heads[column])]
            in_row = grid.get((row, units))
            own = (in_row.content.text, (in_row.content,)) if in_row and in_row.content else stated
            unit, source = _unit(heads[column], names[::-1], value.text, own)
            if not unit and corner and is_year(names[-1]) and _PLAIN_NUMBER.match(value.text):
                unit = next((match["unit"] for match in [_UNIT_IN_HEAD.search(corner.text)] if match), "")
            yield outline.fact(
                StructureKind.CELL,
                section,
                subject,
                [value],
                heads=heads[column],
                name=unit,
                group=number,
                row=row,
                column=column,
                corner=corner,
                scope=(*scopes[row], *source),
            )


def _below_years(grid: dict[tuple[int, int], _TableCell], first: int, size: tuple[int, int], naming: int) -> int:
    """Return the first row below the heads, after a row of years that stands below the marked ones or above all."""
    rows, columns = size
    others = [column for column in range(columns) if column != naming]
    texts = [
        [cell.content.text for column in others if (cell := grid.get((row, column))) and cell.content]
        for row in range(first, rows)
    ]
    corner, below = grid.get((first, naming)), next(filter(None, texts[1:]), [])
    named = corner and corner.content and not has_measure(corner.content.text)
    if not texts or len(texts[0]) < 2 or named or not all(map(is_year, texts[0])):
        return first
    return first + 1 if any(map(is_figure, below)) and not all(map(is_year, below)) else first


def _column(grid: dict[tuple[int, int], _TableCell], rows: range, column: int) -> dict[int, Excerpt]:
    """Return the cells of a column that have text, by row."""
    return {row: cell.content for row in rows if (cell := grid.get((row, column))) and cell.content is not None}


def _row_heads(
    grid: dict[tuple[int, int], _TableCell], rows: range, naming: int
) -> tuple[int, dict[int, tuple[Excerpt, ...]]]:
    """Return the column that names the rows, and the heads above each row that it belongs to.

    If the cells of the first column reach over rows, they are such heads, and the next column names the rows.
    """
    groups, names = (_column(grid, rows, column) for column in (naming, naming + 1))
    spread = len(set(groups.values())) < len(groups) and groups.keys() <= names.keys()
    if not spread or any(is_figure(name.text) for name in names.values()):
        return naming, _scopes(grid, rows, naming)
    scopes = _scopes(grid, rows, naming + 1)
    return naming + 1, {row: (groups[row], *scope) if row in groups else scope for row, scope in scopes.items()}


def _scopes(grid: dict[tuple[int, int], _TableCell], rows: range, naming: int) -> dict[int, tuple[Excerpt, ...]]:
    """Return the heads above each row that it belongs to: of rows with only a head, and of those it stands in from.

    Rows with only a head have none themselves. Such a row holds for the rows below it until one that stands in no more
    than it, if the first does; otherwise until the next such row of its kind.
    """
    columns = {column for _, column in grid}
    found: dict[int, tuple[Excerpt, ...]] = {}
    above: list[_Scope] = []
    cells = [(row, cell) for row in rows if (cell := grid.get((row, naming)))]
    sums_above = not any(cell.indent for _, cell in cells[:1])
    for at, (row, cell) in enumerate(cells):
        others = [
            other
            for column in columns
            if (other := grid.get((row, column))) and other.content not in (None, cell.content)
        ]
        if cell.content is None:
            found[row] = ()
            continue
        following = [each.indent for _, each in cells[at + 1 : at + 3] if each.content]
        deeper = bool(following) and following[0] > cell.indent
        is_section = not others and len(columns) > 1
        last = above[-1].row if above else -1
        above = [
            scope
            for scope in above
            if (
                scope.indent < cell.indent
                if scope.by_indent
                else not is_section or (scope.row == last == row - 1 and scope.kind != _kind(cell))
            )
        ]
        found[row] = tuple(scope.head for scope in above)
        if is_section or (sums_above and deeper and len(following) > 1 and following[1] > cell.indent):
            above.append(_Scope(cell.content, row, cell.indent, deeper, _kind(cell)))
        if is_section:
            del found[row]
    return found


class _Scope(NamedTuple):
    """The head of a row that holds for rows below it; ``by_indent`` if they stand in from it."""

    head: Excerpt
    row: int
    indent: int
    by_indent: bool
    kind: tuple[bool, bool, bool]


def _kind(cell: _TableCell) -> tuple[bool, bool, bool]:
    text = cell.content.text if cell.content else ""
    return text.isupper(), text.endswith(COLONS), cell.bold


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


def _stated_unit(outline: Outline, number: int, corner: Excerpt | None) -> tuple[str, tuple[Excerpt, ...]]:
    """Return the unit in the corner of a table or in one of the two blocks above it, and its place in the latter."""
    if corner and (unit := stated_unit(corner.text, whole=True)):
        return unit, ()
    first = outline.inside(number)[0]
    section = outline.blocks[first].section
    for block in outline.blocks[max(first - 2, 0) : first][::-1]:
        if block.section == section and block.kind in ("paragraph", "heading") and (unit := stated_unit(block.text)):
            return unit, (Excerpt(block.text, block.start, block.end),)
    return "", ()


def _unit_column(heads: list[tuple[Excerpt, ...]], columns: int) -> int:
    """Return the column that gives the unit of each row, -1 if there is none."""
    return next((column for column in range(columns) if heads[column] and is_unit_head(heads[column][-1].text)), -1)


def _unit(
    heads: tuple[Excerpt, ...],
    names: list[str],
    value: str,
    stated: tuple[str, tuple[Excerpt, ...]],
) -> tuple[str, tuple[Excerpt, ...]]:
    """Return the unit of a number and where it is stated if that is outside the heads; "" if there is none.

    It stands in a head of the column, otherwise in the head of the row or above it, otherwise it is that of the table.
    ``names`` are all heads, the nearest first.
    """
    if not _PLAIN_NUMBER.match(value):
        return "", ()
    matches = [match for head in heads if (match := _UNIT_IN_HEAD.search(head.text))]
    found = [match["unit"].strip() for match in matches if match.start() or has_measure(match["unit"])]
    if found:
        return found[-1], ()
    if any(map(_PERCENT.search, names)):
        return "%", ()
    own = next(filter(None, map(stated_unit, names)), "")
    if own:
        return own, ()
    unit = "" if heads and is_reference(heads[-1].text) else unit_of(stated[0], names)
    return (unit, stated[1]) if unit else ("", ())
