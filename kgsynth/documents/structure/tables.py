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
from itertools import takewhile
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
    is_row_number,
    is_unit,
    is_unit_head,
    is_value,
    is_year,
    note_mark,
    stated_unit,
    unit_of,
    unit_of_document,
)
from kgsynth.language.text_words import are_opposites

_UNIT_IN_HEAD = re.compile(r"[(\[（](?P<unit>[^()\[\]（）\d'+&<>=,;:!?]{1,16})[)\]）]\s*$")
_LETTER = re.compile(r"[^\W\d_]")
_MAX_UNIT_HEAD = 16  # characters
_NUMBER = re.compile(r"^[^%°]*\d[.,\d]*\)?\s?")
_ROUNDED = 0.01  # of a sum, by which its parts may be off
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
    naming, numbers = _naming_column(grid, first, rows, columns)
    first = _below_years(grid, first, (rows, columns), naming)
    heads = [_column_heads(grid, first, column) for column in range(columns)]
    units_of = _unit_heads(grid, heads, first, naming)
    if columns == 2 and all(heads) and are_opposites(heads[0][-1].text, heads[1][-1].text):
        return  # two lists side by side
    naming, scopes = _row_heads(grid, range(first, rows), naming)
    corners = heads[naming][::-1]
    corner = next((head for head in corners if stated_unit(head.text, whole=True)), next(iter(corners), None))
    subjects = {row: cell.content for row in scopes if (cell := grid.get((row, naming))) and cell.content}
    often = Counter((scopes[row], subject.text.casefold()) for row, subject in subjects.items())
    bold_names = first == 0 and _are_bold_names(grid)
    own_units = any(stated_unit(subject.text) for subject in subjects.values())
    top = min((cell.content.start for cell in grid.values() if cell.content), default=0)
    stated, units = _stated_unit(outline, number, top, corner, own_units), _unit_column(heads, naming)
    for row, subject in subjects.items():
        texts = [cell.content.text for column in range(columns) if (cell := grid.get((row, column))) and cell.content]
        behind = {_NUMBER.sub("", text) for text in texts if is_value(text) and any(map(str.isdigit, text))}
        if often[scopes[row], subject.text.casefold()] > 1:
            continue
        for column in range(columns):
            cell = grid.get((row, column)) if column not in (naming, numbers) else None
            named = heads[column] or (columns == 2 and (grid[row, naming].head or bold_names))
            value = cell.content if cell else None
            if value is None or value in (subject, *scopes[row]) or not named:
                continue
            own = grid.get((row, units)) if column != units else None
            unit, source = _unit(
                value.text,
                heads[column],
                units_of[column],
                own.content if own else None,
                (*scopes[row], subject),
                stated,
            )
            if not unit and len(behind) == 1 and is_figure(value.text) and not any(map(str.isdigit, value.text)):
                unit = next(iter(behind))  # the sign for no figure among figures with their unit
            yield outline.fact(
                StructureKind.CELL,
                section,
                subject,
                [value],
                heads=tuple(head for head in heads[column] if head not in units_of[column]),
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
    than it, if the first does; otherwise until the next such row of its kind, or a bold one below others that are not.
    A row that repeats its words, as "Total income" below "Income", belongs to it.
    """
    columns = {column for _, column in grid}
    found: dict[int, tuple[Excerpt, ...]] = {}
    above: list[_Scope] = []
    cells = [(row, cell) for row in rows if (cell := grid.get((row, naming)))]
    for at, (row, cell) in enumerate(cells):
        others = [
            other
            for column in columns
            if (other := grid.get((row, column))) and other.content not in (None, cell.content)
        ]
        if cell.content is None:
            found[row] = ()
            continue
        following = next((each for _, each in cells[at + 1 : at + 2] if each.content), None)
        is_section = not others and len(columns) > 1
        last = above[-1].row if above else -1
        above = [
            scope
            for scope in above
            if (not is_section and _words(scope.head) <= _words(cell.content))
            or (
                scope.indent < cell.indent
                if scope.by_indent
                else (not cell.bold or scope.all_bold)
                and (not is_section or (scope.row == last == row - 1 and scope.kind != _kind(cell)))
            )
        ]
        if is_section:
            deeper, bold = following is not None and following.indent > cell.indent, bool(following and following.bold)
            above.append(_Scope(cell.content, row, cell.indent, deeper, _kind(cell), bold))
        else:
            found[row] = tuple(scope.head for scope in above)
            if (
                following
                and following.indent > cell.indent
                and (not cell.bold or _sums_up(grid, cells[at:], others[0]))
            ):
                above.append(_Scope(cell.content, row, cell.indent, True, _kind(cell), False))
    return found


def _sums_up(grid: dict[tuple[int, int], _TableCell], cells: list[tuple[int, _TableCell]], figure: _TableCell) -> bool:
    """Check whether a figure of the first row is the sum of those of the rows below that stand in."""
    (row, first), *others = cells
    column = next(place[1] for place, cell in grid.items() if place[0] == row and cell is figure)
    inside = list(takewhile(lambda each: each[1].indent > first.indent, others))
    below = [cell.content for at, _ in inside if (cell := grid.get((at, column)))]
    whole, *parts = (int(re.sub(r"\D", "", text.text) or 0) if text else 0 for text in (figure.content, *below))
    return abs(whole - sum(parts)) <= _ROUNDED * whole


def _words(text: Excerpt) -> set[str]:
    return set(re.findall(r"[^\W\d_]+", re.sub(r"\([^()]*\)", "", text.text).casefold()))


class _Scope(NamedTuple):
    """The head of a row that holds for rows below it; ``by_indent`` if they stand in, ``all_bold`` if they are bold."""

    head: Excerpt
    row: int
    indent: int
    by_indent: bool
    kind: tuple[bool, bool, bool]
    all_bold: bool


def _kind(cell: _TableCell) -> tuple[bool, bool, bool]:
    text = cell.content.text if cell.content else ""
    return text.isupper(), text.endswith(COLONS), cell.bold


def _is_bold(block: Block) -> bool:
    """Check whether all of a block is bold, apart from a colon at its end."""
    return len(block.strong) == 1 and block.strong[0][0] == 0 and block.text[block.strong[0][1] :].strip() in ("", ":")


def _are_bold_names(grid: dict[tuple[int, int], _TableCell]) -> bool:
    """Check whether the cells of the first column are bold and no others are: they name the rows."""
    return len(grid) > 2 and all(cell.bold == (column == 0) for (_, column), cell in grid.items() if cell.content)


def _naming_column(grid: dict[tuple[int, int], _TableCell], first: int, rows: int, columns: int) -> tuple[int, int]:
    """Return the column that names the rows and that of the numbers of rows before it, -1 if there is none.

    It is the first whose cells are heads, otherwise the first of all but for numbers in order with a text beside each.
    """
    for column in range(columns):
        cells = [cell for row in range(first, rows) if (cell := grid.get((row, column))) and cell.content]
        if cells and all(cell.head for cell in cells):
            return column, -1
    numbers, names = (_column(grid, range(first, rows), column) for column in (0, 1))
    marks = [number.text for number in numbers.values()]
    begins = marks[:1] and marks[0].strip("().").lower() in ("1", "01", "a", "i", "1.1")
    rising = all(mark.isdigit() for mark in marks) and marks == sorted(marks, key=int)
    counted = (begins or rising) and len(set(marks)) == len(marks)
    named = numbers.keys() <= names.keys() and not any(is_figure(name.text) for name in names.values())
    return (
        (1, 0) if columns > 2 and len(marks) > 1 and counted and named and all(map(is_row_number, marks)) else (0, -1)
    )


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


def _stated_unit(
    outline: Outline, number: int, top: int, corner: Excerpt | None, own_units: bool
) -> tuple[str, tuple[Excerpt, ...]]:
    """Return the unit in the corner of a table, in a block above its ``top``, or for the whole document, and its place.

    That of the document is not the unit of rows beside some with ``own_units``: a headcount below "Net debt (€m)".
    """
    if corner and (unit := stated_unit(corner.text, whole=True)):
        return unit, (corner,)
    inside = outline.inside(number)
    first = next((block for block in inside if outline.blocks[block].start >= top), inside[0])  # below its caption
    section = outline.blocks[first].section
    for block in outline.blocks[max(first - 2, 0) : first][::-1]:
        if block.section == section and block.kind in ("paragraph", "heading") and (unit := stated_unit(block.text)):
            return unit, (Excerpt(block.text, block.start, block.end),)
    for block in () if own_units else outline.blocks[:first]:
        if block.kind == "paragraph" and (unit := unit_of_document(block.text)):
            return unit, (Excerpt(block.text, block.start, block.end),)
    return "", ()


def _unit_column(heads: list[tuple[Excerpt, ...]], naming: int) -> int:
    """Return the column that gives the unit of each row, -1 if there is none."""
    found = (column for column, head in enumerate(heads) if head and is_unit_head(head[-1].text) and column != naming)
    return next(found, -1)


def _unit_heads(
    grid: dict[tuple[int, int], _TableCell], heads: list[tuple[Excerpt, ...]], first: int, naming: int
) -> list[tuple[Excerpt, ...]]:
    """Return for each column the heads that are only its unit: units as such, and what stands in a row of units."""
    rows = []
    for row in range(first):
        cells = [cell.content for column in range(len(heads)) if (cell := grid.get((row, column))) and cell.content]
        others = [cell for cell in cells if cell not in heads[naming]]
        if 3 * sum(is_unit(cell.text) for cell in others) >= 2 * len(others) > 0 and all(
            len(cell.text) <= _MAX_UNIT_HEAD and not is_year(cell.text) for cell in others
        ):
            rows.append(set(others))
    return [
        tuple(
            head
            for head in found
            if len(found) > 1 and (is_unit(head.text) or any(head in row for row in rows if head != found[0]))
        )
        for found in heads
    ]


def _unit(
    value: str,
    heads: tuple[Excerpt, ...],
    unit_heads: tuple[Excerpt, ...],
    in_row: Excerpt | None,
    names: tuple[Excerpt, ...],
    stated: tuple[str, tuple[Excerpt, ...]],
) -> tuple[str, tuple[Excerpt, ...]]:
    """Return the unit of a figure and where it is stated if that is outside the heads; "" if there is none.

    It stands in a head of the column or in one of its own, in the column of units, in the head of the row or above it
    (``names``, the nearest last); otherwise it is that ``stated`` for the table.
    """
    if not is_figure(value) and not value.endswith("%"):
        return "", ()
    for head in unit_heads[::-1]:
        return _bare(head.text), (head,)
    for head in heads[::-1]:
        match = _UNIT_IN_HEAD.search(head.text)
        known = match and (is_unit(match["unit"]) or has_measure(match["unit"]))
        if match and (known or (match.start() and not is_year(head.text[: match.start()].strip()))):
            return _bare(match["unit"]), ()
        if _PERCENT.search(head.text) or (len(heads) == 1 and has_measure(head.text) and is_unit(head.text)):
            return ("%" if _PERCENT.search(head.text) else head.text), ()
        numbered = head is not heads[-1] and not is_year(heads[-1].text) and not _LETTER.search(heads[-1].text)
        if not numbered and (unit := stated_unit(head.text)):  # "Age in years" above "15–64"
            return unit, ()
    if in_row:
        return ("", ()) if is_figure(in_row.text) else (in_row.text, (in_row,))
    if _PERCENT.search(value):
        return "%", ()
    for name in names[::-1]:
        unit = stated_unit(name.text) or ("%" if _PERCENT.search(name.text) else "")
        if unit and (is_unit(unit) or not any(map(str.isdigit, unit))):
            return unit, ()
    unit = (
        "" if heads and is_reference(heads[-1].text) else unit_of(stated[0], [each.text for each in (*names, *heads)])
    )
    return (unit, stated[1]) if unit else ("", ())


def _bare(unit: str) -> str:
    return stated_unit(f"({unit.strip(' ()[]（）')})") or unit.strip()
