"""Find tables without rules around their cells: rows of short texts in the same columns.

In doubt there is none: a table has three rows, each with a text in the first column, and gaps that run through all. If
it is not clear where its rows begin or what its heads stand above, it has no heads, so that no fact is made of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any

from kgsynth.documents.readers.pdf.built_table import AlignedTable, build_table
from kgsynth.documents.readers.pdf.page_lines import Segment
from kgsynth.documents.readers.pdf.page_rules import PageRules, joined_rules
from kgsynth.documents.readers.pdf.table_columns import Lines, columns_of, covered, cut_at_columns, with_columns
from kgsynth.documents.readers.pdf.table_rows import NEAR, distance

_MIN_ALIGNED_LINES = 3
_MIN_COLUMNS = 2
_MAX_HEAD_LINES = 6  # above the rows
_MAX_APART = 2.6  # font sizes between two rows
_HEAD_APART = 1.6  # font sizes between two lines of a head
_RULE_ENDS = 10.0  # points by which a rule below a head may be shorter
_NEARER = 0.15  # font sizes by which a line of a cell is nearer than the next row
_LEADERS = re.compile(r"\.{4,}|(?:\. ){4,}")


def find_aligned(items: Iterable[Any], rules: PageRules) -> Iterator[Any]:
    """Yield the rows of a region, each a list of segments, with tables in place of the rows that make one.

    Other items are yielded as they are.
    """
    across = joined_rules(rules.across)
    waiting: Lines = []
    for item in items:
        if isinstance(item, list):
            waiting.append(item)
        else:
            yield from _with_tables(waiting, rules._replace(across=across), rules)
            waiting = []
            yield item
    yield from _with_tables(waiting, rules._replace(across=across), rules)


def _with_tables(lines: Lines, joined: PageRules, rules: PageRules) -> Iterator[list[Segment] | AlignedTable]:
    at = 0
    while at < len(lines):
        table, reach = _found(lines, at, joined, rules)
        if table:
            yield table
            at = reach
        else:
            yield lines[at]
            at += 1


def _found(lines: Lines, at: int, joined: PageRules, rules: PageRules) -> tuple[AlignedTable | None, int]:
    """Return the table that begins with a line, and the end of its lines."""
    if at and len(lines[at - 1]) > 1 and distance(lines[at - 1], lines[at]) <= NEAR * lines[at][0].size:
        return None, at
    above_rule = _lines_above_rule(lines, at, joined)
    for heads in dict.fromkeys((above_rule, _bold_lines(lines, at))):
        body = at + heads
        over = _left_over(lines, at, body) if heads and heads == above_rule else 0
        reach = _reach(lines, body + over) if heads and body + over < len(lines) else body
        least = 1 if heads == above_rule else _MIN_ALIGNED_LINES - 1
        if reach - body >= least and _stands_above(lines[at:body], lines[body:reach]):
            table = build_table(lines[at:body], lines[body:reach], rules, ruled=heads == above_rule)
            if table:
                return table, reach
    reach = _reach(lines, at)
    return (build_table([], lines[at:reach], rules, ruled=False) if reach - at >= _MIN_ALIGNED_LINES else None), reach


def _left_over(lines: Lines, at: int, body: int) -> int:
    """Return how many lines below a head are the end of a cell that the page before cut."""
    columns = columns_of(lines[at])
    count = 0
    while body + count < len(lines) - 1 and count < _MAX_HEAD_LINES and len(lines[body + count]) == 1:
        [segment] = lines[body + count]
        if len(covered(columns, segment.left, segment.right)) > 1:
            return 0
        count += 1
    return count


def _lines_above_rule(lines: Lines, at: int, rules: PageRules) -> int:
    """Return how many lines from ``at`` on are above a rule that runs below all of them, 0 for none."""
    if not rules.across:
        return 0
    for count in range(1, min(_MAX_HEAD_LINES, len(lines) - at - 1) + 1):
        above, below = lines[at + count - 1], lines[at + count]
        head = lines[at : at + count]
        low, high = max(part.bottom for part in above) - 3, min(part.top for part in below) + 3
        between = [rule for rule in rules.across if low <= rule[0] <= high]
        left = min(row[0].left for row in (*head, below)) + _RULE_ENDS
        right = max(row[-1].right for row in (*head, below)) - _RULE_ENDS
        if any(start <= left and end >= right for _, start, end in between):
            wide = [row for row in head if len(row) > 1]
            return count if wide and (len(head[0]) > 1 or head[0][0].left > wide[0][0].left) else 0
        if distance(above, below) > (_HEAD_APART if len(above) > 1 else NEAR) * above[0].size:
            return 0
    return 0


def _bold_lines(lines: Lines, at: int) -> int:
    """Return how many lines from ``at`` on are bold and near each other, above one that is not; 0 for none."""
    count = 0
    while at + count < len(lines) and _is_bold(lines[at + count]):
        if count and distance(*lines[at + count - 1 : at + count + 1]) > _HEAD_APART * lines[at][0].size:
            return 0
        count += 1
    head = lines[at : at + count]
    return count if 0 < count <= _MAX_HEAD_LINES and all(len(row) > 1 for row in head[:1] + head[-1:]) else 0


def _is_bold(row: list[Segment]) -> bool:
    return all(word.style.bold for segment in row for word in segment.words)


def _stands_above(head: Lines, body: Lines) -> bool:
    """Check whether the lines of a head are above the rows, and narrower than a line of text."""
    size = body[0][0].size
    left, right = min(row[0].left for row in body), max(row[-1].right for row in body)
    inside = all(row[0].left >= left - 4 * size and row[-1].right <= right + 12 * size for row in head)
    near = distance(head[-1], body[0]) <= _MAX_APART * size
    return inside and near and max(map(len, head)) > 1


def _reach(rows: Lines, at: int) -> int:
    """Return the end of the rows from ``at`` on that share at least two columns."""
    if len(rows[at]) < _MIN_COLUMNS or not _may_be_cells(rows[at]):
        return at
    columns = columns_of(rows[at])
    reach = at + 1
    while reach < len(rows):
        row, size = rows[reach], rows[reach][0].size
        if distance(rows[reach - 1], row) > _MAX_APART * size:
            break
        merged = with_columns(columns, row)
        if len(merged) < len(columns):
            row = rows[reach] = cut_at_columns(row, columns)
            merged = with_columns(columns, row)
        alone = len(row) == 1 and row[0].left <= columns[0][1] and not _wraps(rows, at, reach, columns[0][0])
        if len(merged) < len(columns) or len(merged) > len(columns) + 1 or alone or not _may_be_cells(row):
            break
        columns = merged
        reach += 1
    return reach


def _wraps(rows: Lines, first: int, at: int, left: float) -> bool:
    """Check whether a text alone in the first column goes on with the cell above it: nearer than rows, or inside."""
    size = rows[at][0].size
    gap = distance(rows[at - 1], rows[at])
    if gap > NEAR * size or abs(rows[at][0].left - left) >= size:
        return False
    full = [distance(above, row) for above, row in pairwise(rows[first:at]) if row[0].left <= left + size]
    nearer = len(full) > 1 and gap + _NEARER * size <= min(full)
    return nearer or (at + 1 < len(rows) and len(rows[at + 1]) > 1)


def _may_be_cells(row: list[Segment]) -> bool:
    """Check whether a row is not a line of a table of contents."""
    return not any(_LEADERS.search(each.text) for each in row)
