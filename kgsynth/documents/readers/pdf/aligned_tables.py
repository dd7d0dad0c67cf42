"""Find tables without rules around their cells: rows of short texts in the same columns, or between three rules.

In doubt there is none: a table has three rows, each with a text in the first column, and gaps that run through all. If
it is not clear where its rows begin or what its heads stand above, it has no heads, so that no fact is made of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from statistics import mean
from typing import Any, NamedTuple

from kgsynth.documents.readers.pdf.head_lines import TableHead, table_head
from kgsynth.documents.readers.pdf.page_lines import (
    GUTTER_WIDTH,
    LINE_VALUE,
    Columns,
    GridCell,
    Lines,
    Segment,
    Stretch,
    columns_of,
    covered,
    cut_at_columns,
    cut_at_gutters,
    rows,
    with_columns,
)
from kgsynth.documents.readers.pdf.page_rules import PageRules, joined_rules
from kgsynth.documents.readers.pdf.page_words import Box, around
from kgsynth.documents.readers.pdf.text_blocks import is_mark, list_mark

NEAR = 0.45
"""Font sizes between the lines of a cell, at most."""
_JUMP = 0.15  # font sizes by which the gap between rows exceeds that between the lines of a cell
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
        values = [segment for cell in row[1:] for segment in cell if LINE_VALUE.match(segment.text)]
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
        len(cell) > 1 and all(LINE_VALUE.match(each.text) for each in cell) for cell in row[1:]
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


# Build a table without rules around its cells from the lines of its head and of its rows, or refuse.

_MIN_ROWS = 3
_MIN_ROWS_RULED = 2  # if rules set the head apart
_MIN_FULL = 0.6  # share of rows that have a text in more than half of the columns
_ALIGNED_MAX_WORDS = 9  # of a line of a cell, on average
_MAX_WORDS_RULED = 20  # if a rule sets the head apart
_WIDE_GAP, _WIDER_GAP = 0.4, 1.6  # font sizes, and times the least gap
_THROUGH_ENDS = 10.0  # points by which a rule through a table may be shorter

_Cells = list[tuple[GridCell, list[Segment]]]


class AlignedTable(NamedTuple):
    """The cells of a table with their segments, its rows of heads, and whether it is clear what belongs together."""

    cells: _Cells
    head_rows: int
    sure: bool = True


def build_table(head: Lines, body: Lines, rules: PageRules, *, ruled: bool) -> AlignedTable | None:
    """Return the table of the lines, None if they are not alike enough; ``ruled`` is whether rules part the head."""
    lines = cut_at_gutters([*head, *body])
    head, body = lines[: len(head)], lines[len(head) :]
    columns = columns_of_lines(head, body)
    if len(columns) < 2 or all(segment.style.mono for row in lines for segment in row):
        return None
    through = [
        y
        for y, left, right in joined_rules(rules.across)
        if left <= columns[0][0] + _THROUGH_ENDS and right >= columns[-1][1] - _THROUGH_ENDS
    ]
    rows, sure = table_rows(body, columns, through)
    sure = sure and not any(_has_gap(segment) for row in (*head, *body[:1]) for segment in row)
    whole = rows[1:] if ruled and len(rows) > 1 and sum(map(bool, rows[0])) == 1 else rows  # a page may cut the first
    full = [row for row in whole if sum(map(bool, row)) > max(1, len(columns) // 2)]
    words = [len(segment.text.split()) for row in body for segment in row]
    if len(full) < _MIN_FULL * len(whole) or mean(words) > (_MAX_WORDS_RULED if ruled else _ALIGNED_MAX_WORDS):
        return None
    late = rows[1 if head else 2 :]
    if any(not row[0] for row in late) or is_list([row[0][0].text for row in rows if row[0]]):
        return None
    made = table_head(head, columns, rules)
    if len(rows) + made.rows < (_MIN_ROWS_RULED if ruled else _MIN_ROWS):
        return None
    return placed_table(made, rows, columns, sure=sure)


def placed_table(made: TableHead, rows: Sequence[Placed], columns: Columns, *, sure: bool) -> AlignedTable:
    """Return the table of a head and of rows, each with the segments of its columns."""
    cells: _Cells = []
    for row, column, high, wide, parts in made.cells:
        box = (
            around([part.box for part in parts])
            if parts
            else _empty(columns, column, [head.parts for head in made.cells])
        )
        cells.append((GridCell(row, column, high, wide, box), sorted(parts, key=_place)))
    for number, placed in enumerate(rows, made.rows):
        for column, parts in enumerate(placed):
            box = around([part.box for part in parts]) if parts else _empty(columns, column, placed)
            wide = max((len(covered(columns, part.left, part.right)) for part in parts), default=1)
            free = not any(placed[column + 1 : column + wide])
            sure = sure and (wide == 1 or free)
            cells.append((GridCell(number, column, 1, 1, box), sorted(parts, key=_place)))
    return AlignedTable(cells, made.rows, sure and made.sure)


def _has_gap(segment: Segment) -> bool:
    """Check whether a gap in a head is so much wider than another that it may part two columns."""
    gaps = [word.left - before.right for before, word in pairwise(segment.words) if not word.glued]
    return len(gaps) > 1 and max(gaps) > _WIDE_GAP * segment.size and max(gaps) > _WIDER_GAP * max(min(gaps), 0.1)


def columns_of_lines(head: Lines, body: Lines) -> Columns:
    """Return the columns of the rows, and those with only a head; a text over several columns does not make one."""
    most = max(map(len, body))
    columns = columns_of((segment for row in body if len(row) == most for segment in row), GUTTER_WIDTH)
    for row in (*body, *head[::-1]):
        for segment in row:
            made = columns_of([segment, *(Stretch(left, right) for left, right in columns)], GUTTER_WIDTH)
            columns = made if len(made) >= len(columns) else columns
    return columns


def _place(part: Segment) -> tuple[float, float]:
    return part.top, part.left


def _empty(columns: Columns, column: int, near: list[list[Segment]]) -> Box:
    """Return the place of a cell without text, beside the others."""
    parts = [part for found in near for part in found]
    return columns[column][0], min(part.top for part in parts), columns[column][1], max(part.bottom for part in parts)


def is_list(firsts: list[str]) -> bool:
    """Check whether the texts of the first column are the marks of a list."""
    marks = [list_mark(text) for text in firsts if is_mark(text)]
    return len(marks) > 1 and len(marks) == len(firsts) and len({mark.style for mark in marks if mark}) == 1


_FRAME_ENDS = 3.0  # points by which the ends of the rules may differ
_FRAMED_HEAD_LINES = 8
_MAX_FRAMES = 200  # rules on a page that may be the first of a table


def framed_tables(segments: list[Segment], rules: PageRules) -> tuple[list[AlignedTable], list[Segment]]:
    """Return the tables with at least three rules of one width, and the segments outside them."""
    found: list[AlignedTable] = []
    across = joined_rules(rules.across)
    if not 3 <= len(across) <= _MAX_FRAMES:
        return found, segments
    reached = 0.0
    for y, left, right in across:
        ys = [each[0] for each in across if each[0] >= y and _alike(each, (y, left, right))]
        if len(ys) < 3 or y < reached:
            continue
        table, low, taken = _framed(segments, (left, right), ys, rules)
        if table:
            found.append(table)
            segments = [segment for segment in segments if id(segment) not in taken]
            reached = low
    return found, segments


def _alike(one: tuple[float, float, float], other: tuple[float, float, float]) -> bool:
    return abs(one[1] - other[1]) <= _FRAME_ENDS and abs(one[2] - other[2]) <= _FRAME_ENDS


def _framed(
    segments: list[Segment], ends: tuple[float, float], ys: list[float], rules: PageRules
) -> tuple[AlignedTable | None, float, set[int]]:
    """Return the table between the rules at ``ys``, where it ends, and its segments."""
    bands: list[Lines] = []
    for top, bottom in pairwise(ys):
        inside = _between(segments, (ends[0], top, ends[1], bottom))
        band = rows(inside) if inside is not None else []
        if not any(len(row) > 1 for row in band):
            break
        bands.append(band)
    if len(bands) < 2 or len(bands[0]) > _FRAMED_HEAD_LINES:
        return None, 0.0, set()
    body = [row for band in bands[1:] for row in band]
    table = build_table(bands[0], body, rules, ruled=True)
    taken = {id(segment) for row in (*bands[0], *body) for segment in row}
    return table, ys[len(bands)], taken


def _between(segments: list[Segment], box: Box) -> list[Segment] | None:
    """Return the segments in a box, None if one crosses its sides."""
    found = []
    for segment in segments:
        if box[1] < (segment.top + segment.bottom) / 2 < box[3] and segment.right > box[0] and segment.left < box[2]:
            if segment.left < box[0] - _FRAME_ENDS or segment.right > box[2] + _FRAME_ENDS:
                return None
            found.append(segment)
    return found


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
