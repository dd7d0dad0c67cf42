"""Decide which cells of a table on a page are heads: by weight, background, rules, and what stands below."""

from __future__ import annotations

import re

from kgsynth.documents.readers.pdf.page_records import PageTable
from kgsynth.language.figures import is_figure, is_unit, is_year

_HEAD_VALUE = re.compile(r"^[^A-Za-z\u0370-\uffff]*\d[^A-Za-z\u0370-\uffff]*\w{0,3}$")
_MAX_HEAD_ROWS = 4


def table_heads(table: PageTable) -> set[tuple[int, int]]:
    """Return the places of the cells that are heads of a column or a row.

    The first rows are heads if they are bold or shaded and the others are not, or if a rule sets them apart. Otherwise
    the first row of a ruled table is one if no cell of it is empty or a number, and there is a column of numbers or a
    third column.
    """
    if not table.sure:
        return set()
    texts = {cell[:2]: " ".join(line.text for line in lines) for cell, lines in table.cells}
    bold = {cell[:2] for cell, lines in table.cells if lines and all(line.bold for line in lines)}
    rows = max(row for row, _ in texts) + 1
    first = min(table.head_rows, rows - 1) or _marked_rows(table, bold, rows)
    first = first or int(table.ruled and _looks_like_head(texts, rows))
    first = first or (_rows_above_figures(texts, rows) if table.ruled else 0)
    first = max((cell.row + cell.rows for cell, _ in table.cells if cell.row < first), default=0) if first else 0
    first = first if first < rows else 0
    heads = {place for place in texts if place[0] < first}
    side = {place for place in texts if place[1] == 0 and place[0] >= first and texts[place]}
    others = {place for place in texts if place[1] > 0 and place[0] >= first and texts[place]}
    marked = (side <= bold and not others <= bold) or (side <= table.shaded and not others & table.shaded)
    return heads | side if side and marked else heads


def _marked_rows(table: PageTable, bold: set[tuple[int, int]], rows: int) -> int:
    """Return how many rows at the top are bold or shaded throughout while the row below them is not."""
    by_row: dict[int, list[tuple[int, int]]] = {}
    filled = {cell[:2] for cell, lines in table.cells if lines}
    for place in (cell[:2] for cell, _ in table.cells):
        by_row.setdefault(place[0], []).append(place)
    for marked, places in ((bold, filled), (table.shaded, {cell[:2] for cell, _ in table.cells})):
        count = 0
        while count < min(rows, _MAX_HEAD_ROWS + 1):
            row = [place for place in by_row.get(count, []) if place in places]
            if by_row.get(count) and (not row or not marked.issuperset(row)):
                break
            count += 1
        while count > 1 and {place for place in filled if place[0] == count - 1} == {(count - 1, 0)}:
            count -= 1  # the head of a section
        if 0 < count <= min(_MAX_HEAD_ROWS, rows - 1):
            return count
    return 0


def _rows_above_figures(texts: dict[tuple[int, int], str], rows: int) -> int:
    """Return how many rows, years among them, are above the first row of figures; 0 if others are there."""
    values = [[text for (at, column), text in texts.items() if at == row and column and text] for row in range(rows)]
    first = next((row for row, each in enumerate(values) if any(is_figure(t) and not is_year(t) for t in each)), 0)
    heads = [row for row in range(first) if values[row]]
    count = heads[-1] + 1 if heads else 0
    numbers = [text.strip("()") for text in values[0]] == [str(at) for at in range(1, len(values[0]) + 1)]
    named = any(is_year(text) for row in heads for text in values[row]) or all(map(is_unit, values[count - 1]))
    if numbers and not any(is_year(text) for text in values[0]) and len(values[0]) > 1:
        return 1
    return count if named and count <= _MAX_HEAD_ROWS and len(heads) == count else 0


def _looks_like_head(texts: dict[tuple[int, int], str], rows: int) -> bool:
    """Check whether the first row, though set like the others, names columns."""
    first = [texts[place] for place in sorted(texts) if place[0] == 0]
    columns = max(column for _, column in texts) + 1
    if rows < 2 or any(not text or _HEAD_VALUE.match(text) for text in first[1:]) or _HEAD_VALUE.match(first[0]):
        return False
    below = [[texts.get((row, column), "") for row in range(1, rows)] for column in range(1, columns)]
    of_numbers = any(all(_HEAD_VALUE.match(text) for text in column if text) and any(column) for column in below)
    return of_numbers or (columns >= 3 and len(set(first)) == len(first) and bool(first[0]))
