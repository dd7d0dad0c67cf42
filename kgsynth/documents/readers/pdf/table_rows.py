"""Group the lines of a table without rules around its cells to rows: by rules, by gaps, or by the first column."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple

from kgsynth.documents.readers.pdf.page_lines import Segment
from kgsynth.documents.readers.pdf.table_columns import Columns, Lines

NEAR = 0.45
"""Font sizes between the lines of a cell, at most."""
_JUMP = 0.15  # font sizes by which the gap between rows exceeds that between the lines of a cell
_LINE_VALUE = re.compile(r"^[^A-Za-z\u0370-\uffff]*\d[^A-Za-z\u0370-\uffff]*\w{0,3}$")
Placed = list[list[Segment]]  # for each column, its segments


class PdfTableRows(NamedTuple):
    """The rows of a table, each with the segments of its columns; ``sure`` is whether it is clear where rows begin."""

    rows: list[Placed]
    sure: bool = True


def distance(above: list[Segment], row: list[Segment]) -> float:
    """Return the gap between two lines, in points; it may be less than nothing."""
    return min(each.top for each in row) - max(each.bottom for each in above)


def _middle(row: list[Segment]) -> float:
    return (min(each.top for each in row) + max(each.bottom for each in row)) / 2


def table_rows(lines: Lines, columns: Columns, rules: list[float]) -> PdfTableRows:
    """Return the rows that the lines below the head make; ``rules`` are the heights of rules through the table."""
    placed = [placed_in(row, columns) for row in lines]
    parted = [any(_middle(upper) < y < _middle(lower) for y in rules) for upper, lower in pairwise(lines)]
    if sum(parted) >= 2 or (parted and all(parted)):
        made = _grouped(placed, [False, *(not rule for rule in parted)])
        if not any(_has_two_rows(row) for row in made):
            return PdfTableRows(made)
    apart = _row_distance(lines)
    gaps = [distance(*pair) for pair in pairwise(lines)]
    if apart:
        made = _grouped(placed, [False, *(gap < apart and not rule for gap, rule in zip(gaps, parted, strict=True))])
        if not any(_has_two_rows(row) for row in made):
            return PdfTableRows(made, not any(_may_be_rows(row) for row in made))
    near = [False]
    sure = True
    for number, gap in enumerate(gaps):
        row, close = placed[number + 1], gap < NEAR * lines[number][0].size and not parted[number]
        joins = close and not row[0]
        if close and row[0] and not any(row[1:]):
            joins = row[0][0].text[:1].islower()
            sure = sure and joins
        values = [segment for cell in row[1:] for segment in cell if _LINE_VALUE.match(segment.text)]
        if joins and values and all(row[1:]):
            sure = False
        near.append(joins)
    return PdfTableRows(_grouped(placed, near), sure)


def placed_in(row: list[Segment], columns: Columns) -> Placed:
    """Return the segments of a line by column; one that reaches over several is in the first of them."""
    found: Placed = [[] for _ in columns]
    for segment in row:
        within = (number for number, (left, right) in enumerate(columns) if segment.left < right)
        found[next(within, len(columns) - 1)].append(segment)
    return found


def _grouped(placed: list[Placed], near: list[bool]) -> list[Placed]:
    """Return the lines with each that is near joined to the one before."""
    found: list[Placed] = []
    for row, joins in zip(placed, near, strict=True):
        if joins and found:
            found[-1] = [cell + more for cell, more in zip(found[-1], row, strict=True)]
        else:
            found.append(row)
    return found


def _has_two_rows(row: Placed) -> bool:
    """Check whether a row has two texts in its first column, and a column of several numbers."""
    return len(row[0]) > 1 and any(
        len(cell) > 1 and all(_LINE_VALUE.match(each.text) for each in cell) for cell in row[1:]
    )


def _may_be_rows(row: Placed) -> bool:
    """Check whether all columns of a row have the same lines, as several rows have."""
    counts = {len(cell) for cell in row if cell}
    return len(row[0]) > 1 and len(counts) == 1 and sum(map(bool, row)) > 1 and len(row) > 2


def _row_distance(lines: Lines) -> float:
    """Return the least gap between rows if lines within cells are clearly nearer to each other, otherwise 0."""
    gaps = sorted(distance(*pair) for pair in pairwise(lines))
    jumps = [(high - low, (low + high) / 2) for low, high in pairwise(gaps)]
    jump, between = max(jumps, default=(0.0, 0.0))
    most = max(map(len, lines))
    alone = sum(len(row) < most for row in lines)
    return between if jump >= _JUMP * lines[0][0].size and alone else 0.0
