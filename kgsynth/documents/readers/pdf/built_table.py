"""Build a table without rules around its cells from the lines of its head and of its rows, or refuse."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import mean
from typing import NamedTuple

from kgsynth.documents.readers.pdf.head_rows import TableHead, table_head
from kgsynth.documents.readers.pdf.list_marks import is_mark, list_mark
from kgsynth.documents.readers.pdf.page_frame import Box, around
from kgsynth.documents.readers.pdf.page_lines import Segment
from kgsynth.documents.readers.pdf.page_records import GridCell
from kgsynth.documents.readers.pdf.page_rules import PageRules, joined_rules
from kgsynth.documents.readers.pdf.table_columns import (
    GUTTER_WIDTH,
    Columns,
    Lines,
    Stretch,
    columns_of,
    covered,
    cut_at_gutters,
)
from kgsynth.documents.readers.pdf.table_rows import Placed, table_rows

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
