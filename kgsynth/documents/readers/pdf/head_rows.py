"""Find what the heads of a table without rules around its cells stand above: one column, or several as a group."""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

from kgsynth.documents.readers.pdf.page_lines import Segment
from kgsynth.documents.readers.pdf.page_rules import PageRules
from kgsynth.documents.readers.pdf.table_columns import Columns, Lines, covered

_OFF_CENTRE = 1.0  # font sizes by which the middle of a head may be beside the middle of its columns, at most
_CLEARER = 1.0  # font sizes by which the other choices must be worse
_RULE_ABOVE, _RULE_BELOW = 2.0, 6.0  # points around the foot of a head, in which the rule below it lies

_Group = tuple[Segment, int, int]  # a head with its first and last column


class HeadCell(NamedTuple):
    """A head with the rows and columns that it takes."""

    row: int
    column: int
    rows: int
    columns: int
    parts: list[Segment]


class TableHead(NamedTuple):
    """The heads of a table and how many rows they take; ``sure`` is whether it is clear what each stands above."""

    cells: list[HeadCell]
    rows: int
    sure: bool = True


def table_head(lines: Lines, columns: Columns, rules: PageRules) -> TableHead:
    """Return the heads that the lines above the rows of a table make, in one row or, with groups, in two."""
    if not lines:
        return TableHead([], 0)
    if len(lines) == 1:
        return _in_one_row(lines, columns)
    for number, row in enumerate(lines[:-1]):
        groups = [(segment, _ruled(segment, columns, rules)) for segment in row]
        known = [(segment, span[0], span[-1]) for segment, span in groups if len(span) > 1]
        if known:
            return _in_two_rows(lines, number, columns, known)
    first, below = lines[0], [_covered(segment, columns) for row in lines[1:] for segment in row]
    above = [_covered(segment, columns) for segment in first]
    with_text = {column for span in below for column in span}
    own = {span[0] for span in above if len(span) == 1}
    if all(len(span) == 1 for span in (*above, *below)) and (own <= with_text or with_text <= own):
        if with_text <= own or not _may_be_groups(first, columns, with_text):
            return _in_one_row(lines, columns)
        return TableHead(_in_one_row(lines, columns).cells, 1, sure=False)
    singles = {span[0] for span in above if len(span) == 1 and span[0] not in with_text}
    heads = [segment for segment, span in zip(first, above, strict=True) if not (set(span) <= singles)]
    known_groups = _by_middle(heads, columns, sorted(with_text))
    if known_groups is None:
        return TableHead(_in_one_row(lines, columns).cells, 1, sure=False)
    return _in_two_rows(lines, 0, columns, known_groups)


def _covered(segment: Segment, columns: Columns) -> list[int]:
    return covered(columns, segment.left, segment.right)


def _ruled(segment: Segment, columns: Columns, rules: PageRules) -> list[int]:
    """Return the columns above which a rule runs that lies below a head; none for a rule through all of them."""
    middle = (segment.left + segment.right) / 2
    for y, left, right in rules.across:
        low = segment.bottom - _RULE_ABOVE <= y <= segment.bottom + _RULE_BELOW
        if low and left <= middle <= right:
            found = [at for at, column in enumerate(columns) if left - 2 <= sum(column) / 2 <= right + 2]
            if len(found) < len(columns):
                return found
    return []


def _may_be_groups(first: list[Segment], columns: Columns, with_text: set[int]) -> bool:
    """Check whether a head of the first line is between two columns when other columns have no head there."""
    own = {column: segment for segment in first for column in _covered(segment, columns)}
    for column, segment in own.items():
        left, right = columns[column]
        size = segment.size
        aligned = (
            abs(segment.left - left) < 0.3 * size
            or abs(segment.right - right) < 0.3 * size
            or abs(segment.left + segment.right - left - right) < 0.6 * size
        )
        if not aligned or (0 not in own and column + 1 in with_text - set(own) and 0 not in with_text):
            return True
    return False


def _by_middle(heads: list[Segment], columns: Columns, below: list[int]) -> list[_Group] | None:
    """Return the columns of each group by where its middle is, None if that is not clear."""
    runs: list[list[int]] = []
    for column in below:
        if runs and column == runs[-1][-1] + 1:
            runs[-1].append(column)
        else:
            runs.append([column])
    found: list[_Group] = []
    for run in runs:
        left, right = columns[run[0]][0], columns[run[-1]][1]
        inside = [head for head in heads if left <= (head.left + head.right) / 2 <= right]
        if not inside or len(inside) > len(run):
            return None
        size = inside[0].size
        choices = []
        for cuts in combinations(range(1, len(run)), len(inside) - 1):
            stops = [0, *cuts, len(run)]
            groups = [
                (head, run[low], run[high - 1]) for head, low, high in zip(inside, stops, stops[1:], strict=False)
            ]
            choices.append((max(_off_centre(group, columns) for group in groups), groups))
        choices.sort(key=lambda choice: choice[0])
        clear = len(choices) == 1 or choices[1][0] >= choices[0][0] + _CLEARER * size
        if choices[0][0] > _OFF_CENTRE * size or not clear:
            return None
        found += choices[0][1]
    return found if len(found) == len(heads) else None


def _off_centre(group: _Group, columns: Columns) -> float:
    head, first, last = group
    return abs(head.left + head.right - columns[first][0] - columns[last][1]) / 2


def _in_one_row(lines: Lines, columns: Columns) -> TableHead:
    """Return a row of heads, each of all lines above its column."""
    parts: list[list[Segment]] = [[] for _ in columns]
    sure = True
    for segment in (segment for row in lines for segment in row):
        span = _covered(segment, columns)
        parts[span[0]].append(segment)
        sure = sure and len(span) == 1
    return TableHead([HeadCell(0, column, 1, 1, found) for column, found in enumerate(parts)], 1, sure)


def _in_two_rows(lines: Lines, number: int, columns: Columns, groups: list[_Group]) -> TableHead:
    """Return heads when some of them are groups; ``number`` is the line in which the groups end."""
    in_group = {column for _, first, last in groups for column in range(first, last + 1)}
    sure = len(in_group) == sum(last - first + 1 for _, first, last in groups)
    above: dict[int, list[Segment]] = {first: [] for _, first, _ in groups}
    below: dict[int, list[Segment]] = {column: [] for column in range(len(columns))}
    for at, row in enumerate(lines):
        for segment in row:
            span = _covered(segment, columns)
            middle = (segment.left + segment.right) / 2
            owner = next(
                (
                    first
                    for head, first, last in groups
                    if head is segment or columns[first][0] <= middle <= columns[last][1]
                ),
                None,
            )
            if at <= number and owner is not None:
                above[owner].append(segment)
            else:
                below[span[0]].append(segment)
                sure = sure and len(span) == 1
    sure = sure and all(below[column] for column in in_group)
    cells = [HeadCell(0, first, 1, last - first + 1, above[first]) for _, first, last in groups]
    cells += [HeadCell(0, column, 2, 1, below[column]) for column in below if column not in in_group]
    cells += [HeadCell(1, column, 1, 1, below[column]) for column in sorted(in_group)]
    return TableHead(sorted(cells, key=lambda cell: cell[:2]), 2, sure)
