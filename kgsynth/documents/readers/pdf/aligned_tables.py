"""Find tables without rules around their cells: rows of short texts that stand in the same columns.

In doubt there is none: a table has three rows, each with a text in the first column, and gaps that run through all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain, pairwise
from statistics import mean
from typing import Any, NamedTuple

from kgsynth.documents.readers.pdf.list_marks import is_mark, list_mark
from kgsynth.documents.readers.pdf.page_frame import Box, around
from kgsynth.documents.readers.pdf.page_lines import Segment
from kgsynth.documents.readers.pdf.page_records import GridCell
from kgsynth.documents.readers.pdf.page_rules import PageRules

_MIN_ROWS = 3
_MIN_ROWS_RULED = 2  # if a rule sets the head apart
_MIN_COLUMNS = 2
_MAX_HEAD_LINES = 6  # above the rule below the head
_ALIGNED_GAP = 0.8  # font sizes between two columns, at least
_MIN_FULL = 0.6  # share of rows that have a text in more than half of the columns
_ALIGNED_MAX_WORDS = 9  # of a line of a cell, on average
_MAX_WORDS_RULED = 20  # if a rule sets the head apart
_MAX_APART = 2.6  # font sizes between two rows
_JUMP = 0.15  # font sizes by which the gap between rows exceeds that between the lines of a cell
_ALIGNED_NEAR = 0.45  # font sizes between the lines of a cell, at most
_LEADERS = re.compile(r"\.{4,}|(?:\. ){4,}")


class AlignedTable(NamedTuple):
    """The cells of a table with their segments, and the rows above its first inner rule."""

    cells: list[tuple[GridCell, list[Segment]]]
    head_rows: int


def find_aligned(items: Iterable[Any], rules: PageRules) -> Iterator[Any]:
    """Yield the rows of a region, each a list of segments, with tables in place of the rows that make one.

    Other items are yielded as they are.
    """
    waiting: list[list[Segment]] = []
    for item in items:
        if isinstance(item, list):
            waiting.append(item)
        else:
            yield from _with_tables(waiting, rules)
            waiting = []
            yield item
    yield from _with_tables(waiting, rules)


def _with_tables(rows: list[list[Segment]], rules: PageRules) -> Iterator[list[Segment] | AlignedTable]:
    at = 0
    while at < len(rows):
        first = at + _lines_above(rows, at)
        reach = _reach(rows, first)
        cut = at > 0 and len(rows[at - 1]) > 1 and _distance(rows[at - 1], rows[at]) <= _ALIGNED_NEAR * rows[at][0].size
        table = _table(rows[at:reach], rules) if reach - at >= _MIN_ROWS_RULED and not cut else None
        if first > at and table and not table.head_rows:
            table = None
        if table:
            yield table
            at = reach
        else:
            yield rows[at]
            at += 1


def _lines_above(rows: list[list[Segment]], at: int) -> int:
    """Return how many lines from ``at`` on may be the first ones of a head that is longer in its other columns."""
    for count in range(_MAX_HEAD_LINES):
        if at + count >= len(rows) or (
            count and _distance(*rows[at + count - 1 : at + count + 1]) > _line_gap(rows[at])
        ):
            return 0
        if len(rows[at + count]) > 1:
            return count if rows[at][0].left > rows[at + count][0].right else 0
    return 0


def _line_gap(row: list[Segment]) -> float:
    return _ALIGNED_NEAR * row[0].size


def _reach(rows: list[list[Segment]], at: int) -> int:
    """Return the end of the rows from ``at`` on that share at least two columns."""
    if len(rows[at]) < _MIN_COLUMNS or not _may_be_cells(rows[at]):
        return at
    columns = _columns(rows[at])
    reach = at + 1
    while reach < len(rows):
        row, size = rows[reach], rows[reach][0].size
        if _distance(rows[reach - 1], row) > _MAX_APART * size:
            break
        merged = _columns([*row, *(_Part(*column, size) for column in columns)])
        alone = len(row) == 1 and row[0].left <= columns[0][1] and not _wraps(rows, reach, columns[0][0])
        if len(merged) < len(columns) or len(merged) > len(columns) + 1 or alone or not _may_be_cells(row):
            break
        columns = merged
        reach += 1
    return reach


def _wraps(rows: list[list[Segment]], at: int, left: float) -> bool:
    """Check whether a text alone in the first column goes on with the cell above it, inside the table."""
    size = rows[at][0].size
    near = _distance(rows[at - 1], rows[at]) <= _ALIGNED_NEAR * size and abs(rows[at][0].left - left) < size
    return near and at + 1 < len(rows) and len(rows[at + 1]) > 1


class _Part(NamedTuple):
    left: float
    right: float
    size: float


def _columns(parts: Iterable[Any]) -> list[tuple[float, float]]:
    """Return the stretches that the parts take, those with no gap between them as one."""
    found: list[list[float]] = []
    for part in sorted(parts, key=lambda each: each.left):
        if found and part.left - found[-1][1] < _ALIGNED_GAP * part.size:
            found[-1][1] = max(found[-1][1], part.right)
        else:
            found.append([part.left, part.right])
    return [(left, right) for left, right in found]


def _may_be_cells(row: list[Segment]) -> bool:
    """Check whether a row is no line of a table of contents."""
    return not any(_LEADERS.search(each.text) for each in row)


def _table(rows: list[list[Segment]], rules: PageRules) -> AlignedTable | None:
    """Return the table that the rows make, None if they are not alike enough."""
    columns = _columns(segment for row in rows for segment in row)
    if len(columns) < _MIN_COLUMNS or all(segment.style.mono for row in rows for segment in row):
        return None
    apart = _row_distance(rows)
    lines: list[list[list[Segment]]] = []  # of each row of the table, the segments of each column
    for above, row in zip([None, *rows], rows, strict=False):
        placed: list[list[Segment]] = [[] for _ in columns]
        for segment in row:
            number = next(at for at, (left, right) in enumerate(columns) if left <= segment.left <= right)
            placed[number].append(segment)
        near = above is not None and _distance(above, row) < (
            apart or (0.0 if placed[0] else _ALIGNED_NEAR * row[0].size)
        )
        if near:
            for cell, more in zip(lines[-1], placed, strict=True):
                cell += more
        else:
            lines.append(placed)
    head_rows = _rows_above_rule(lines, columns, rules)
    if head_rows:
        lines[:head_rows] = [[list(chain.from_iterable(parts)) for parts in zip(*lines[:head_rows], strict=True)]]
    full = [row for row in lines if sum(map(bool, row)) > max(1, len(columns) // 2)]
    words = [len(segment.text.split()) for row in lines for cell in row for segment in cell]
    most_words = _MAX_WORDS_RULED if head_rows else _ALIGNED_MAX_WORDS
    if (
        len(lines) < (_MIN_ROWS_RULED if head_rows else _MIN_ROWS)
        or len(full) < _MIN_FULL * len(lines)
        or mean(words) > most_words
    ):
        return None
    if any(not row[0] for row in lines[2:]) or _is_list([row[0][0].text for row in lines if row[0]]):
        return None
    cells = []
    for number, placed in enumerate(lines):
        top, bottom = _edges(placed)
        for column, (left, right) in enumerate(columns):
            box: Box = around([each.box for each in placed[column]]) if placed[column] else (left, top, right, bottom)
            cells.append((GridCell(number, column, 1, 1, box), placed[column]))
    return AlignedTable(cells, min(head_rows, 1))


def _is_list(firsts: list[str]) -> bool:
    """Check whether the texts of the first column are the marks of a list."""
    marks = [list_mark(text) for text in firsts if is_mark(text)]
    return len(marks) > 1 and len(marks) == len(firsts) and len({mark.style for mark in marks if mark}) == 1


def _edges(placed: list[list[Segment]]) -> tuple[float, float]:
    parts = [segment for cell in placed for segment in cell]
    return min(each.top for each in parts), max(each.bottom for each in parts)


def _distance(above: list[Segment], row: list[Segment]) -> float:
    """Return the gap between two lines, in points; it may be less than nothing."""
    return min(each.top for each in row) - max(each.bottom for each in above)


def _row_distance(rows: list[list[Segment]]) -> float:
    """Return the least gap between rows if lines within cells are clearly nearer to each other, 0 if none are."""
    gaps = sorted(_distance(*pair) for pair in pairwise(rows))
    jumps = [(high - low, (low + high) / 2) for low, high in pairwise(gaps)]
    jump, between = max(jumps, default=(0.0, 0.0))
    alone = sum(len(row) < len(rows[0]) for row in rows)
    return between if jump >= _JUMP * rows[0][0].size and alone else 0.0


def _rows_above_rule(lines: list[list[list[Segment]]], columns: list[tuple[float, float]], rules: PageRules) -> int:
    """Return how many rows stand above a rule that no rule follows but that below the last row, 0 for none."""
    left, right = columns[0][0], columns[-1][1]
    edges = [_edges(placed) for placed in lines]
    ruled = [
        number
        for number in range(1, len(lines))
        if any(
            edges[number - 1][1] - 3 <= y <= edges[number][0] + 3 and low <= left + 10 and high >= right - 10
            for y, low, high in rules.across
        )
    ]
    return ruled[0] if len(ruled) == 1 and ruled[0] <= _MAX_HEAD_LINES else int(len(ruled) > 1 and ruled[0] == 1)
