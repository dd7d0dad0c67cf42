"""Find what the heads of a table without rules around its cells stand above: one column, or several as a group."""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

from kgsynth.documents.readers.pdf.page_lines import Columns, Lines, Segment, covered
from kgsynth.documents.readers.pdf.page_rules import PageRules, joined_rules
from kgsynth.language.figures import is_row_number, is_unit, is_year

_OFF_CENTRE = 1.0  # font sizes by which the middle of a head may be beside the middle of its columns, at most
_SLANTED = 0.5  # font sizes that a head weighs more if it is in the middle of the columns with their gaps
_EXACT = 0.1  # font sizes
_UNCOVERED = 0.4  # font sizes off the middle that weigh as much as a column without a group
_LETTER = re.compile(r"[^\W\d_]")
_NUMBERS = 2.5  # font sizes that a column of the numbers of rows is wide, at most
_MAX_UNIT = 16  # characters
_RULE_ABOVE, _RULE_BELOW = 2.0, 6.0  # points around the foot of a head, in which the rule below it lies

_Group = tuple[Segment, int, int]  # a head with its first and last column
_Level = dict[tuple[int, int], list[Segment]]  # heads by their first and last column


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


def table_head(lines: Lines, columns: Columns, rules: PageRules, first: int = 1) -> TableHead:
    """Return the heads that the lines above the rows make; ``first`` is the first column of figures.

    Lines are read from the last one up. A head goes on with the one below it if both stand above the same columns,
    unless the lower one is a year, a number, a unit below others or repeats; otherwise it is a group.
    """
    levels: list[_Level] = []
    beside: dict[int, list[Segment]] = {}
    sure = True
    units = first_of_units(lines, columns)
    for line in lines[::-1]:
        over = []
        for part in line:
            span = covered(columns, part.left, part.right)
            named = span == [0, 1] and columns[0][1] - columns[0][0] < _NUMBERS * part.size  # "No. Item"
            if named or span == [0]:
                beside.setdefault(int(named), []).insert(0, part)
            else:
                over.append(part)
        if 1 < len(over) != len(columns) - 1 and first == 1 and over[0].right <= columns[1][0]:
            beside.setdefault(0, []).insert(0, over.pop(0))
        if not over:
            continue
        if units and not levels and len(over) == 1:
            groups: list[_Group] | None = [(over[0], units, len(columns) - 1)]
        else:
            begin = 1 if _reaches_texts(over, columns, first, levels) else first
            left = [part for part in over if part.right <= columns[begin - 1][1]]
            groups = _groups(over[len(left) :], columns, begin, levels, rules) if over[len(left) :] else []
            groups = None if groups is None else [*((part, *_ends(part, columns)) for part in left), *groups]
        sure = sure and groups is not None
        _add(levels, groups or [(part, *_ends(part, columns)) for part in over], units)
    rows = max(len(levels), int(bool(lines)))
    cells = [HeadCell(0, column, rows, 1, parts) for column, parts in beside.items()]
    for at, level in enumerate(levels[::-1]):
        cells += [HeadCell(at, low, 1, high - low + 1, parts) for (low, high), parts in level.items()]
    taken = {
        (cell.row + row, column)
        for cell in cells
        for row in range(cell.rows)
        for column in range(cell.column, cell.column + cell.columns)
    }
    sure = sure and len(taken) == sum(cell.rows * cell.columns for cell in cells if cell.parts)
    free = [
        place
        for row in reversed(range(rows))
        for place in ((row, at) for at in range(len(columns)))
        if place not in taken
    ]
    for row, column in free:
        below = next((cell for cell in cells if cell[:2] == (row + 1, column) and cell.columns == 1), None)
        alone = (row - 1, column) not in taken
        if below and alone:
            cells[cells.index(below)] = below._replace(row=row, rows=below.rows + 1)
        else:
            cells.append(HeadCell(row, column, 1, 1, []))
    return TableHead(sorted(cells, key=lambda cell: cell[:2]), rows, sure)


def first_of_units(lines: Lines, columns: Columns) -> int:
    """Return the first column with a unit in the last line of heads, 0 if they are not units.

    They are short, most of them are known units, and other heads are above them; before them may be names.
    """
    if len(lines) < 2:
        return 0
    first = max(min(covered(columns, part.left, part.right)[0] for part in lines[-2]), 1)
    texts = [part.text for part in lines[-1] if covered(columns, part.left, part.right)[-1] >= first]
    short = all((len(text) <= _MAX_UNIT or is_unit(text)) and not is_year(text) for text in texts)
    return first if short and 3 * sum(map(is_unit, texts)) >= 2 * len(texts) > 0 else 0


def _add(levels: list[_Level], groups: list[_Group], units: int) -> None:
    """Add the heads of a line: each to the head below it with the same columns, or to a level of its own.

    If there are ``units``, they are the lowest level, and no heads go on in it.
    """
    fresh: _Level = {}
    repeated = Counter(parts[0].text for level in levels[-1:] for parts in level.values())
    for part, low, high in groups:
        below = next((level for level in levels[::-1] if any(_overlap(span, (low, high)) for span in level)), None)
        same = below.get((low, high)) if below else None
        if below is None and len(levels) > bool(units):
            levels[-1][low, high] = [part]  # beside heads of several lines
        elif (
            same
            and not (below is levels[0] and units)
            and not (_stands_alone(same[0].text) or (low < high and repeated[same[0].text] > 1))
        ):
            same.insert(0, part)
        else:
            fresh[low, high] = [part]
    if fresh:
        levels.append(fresh)


def _overlap(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] <= other[1] and other[0] <= one[1]


def _stands_alone(text: str) -> bool:
    """Check whether a head is a year or a number: what is above is not its first line."""
    return is_year(text) or is_row_number(text) or not _LETTER.search(text)


def _ends(part: Segment, columns: Columns) -> tuple[int, int]:
    found = covered(columns, part.left, part.right)
    return found[0], found[-1]


def _groups(
    heads: list[Segment], columns: Columns, first: int, levels: list[_Level], rules: PageRules
) -> list[_Group] | None:
    """Return the columns of each head of a line, None if they are not clear.

    As many heads as columns are one for each. A rule below a head tells its columns, or the repetition of the heads
    below; otherwise a head stands above the columns it touches, or in the middle of more of them.
    """
    values = range(first, len(columns))
    if len(heads) == len(values) and all(_near(head, columns[at]) for head, at in zip(heads, values, strict=True)):
        return [(head, at, at) for head, at in zip(heads, values, strict=True)]
    repeated = _by_repetition(heads, columns, first, levels)
    if repeated:
        return repeated
    touched = [_touched(head, columns, heads) for head in heads]
    choices: list[tuple[float, list[_Group]]] = [(0.0, [])]
    for at, head in enumerate(heads):
        ruled = _ruled(head, columns, rules)
        low = touched[at - 1][-1] + 1 if at else first
        high = touched[at + 1][0] - 1 if at + 1 < len(heads) else len(columns) - 1
        spans = [(ruled[0], ruled[-1])] if ruled else _spans(head, touched[at], (low, high), columns, levels)
        weighed = [(0.0 if ruled else _off_centre(head, span, columns, levels, first), span) for span in spans]
        choices = sorted(
            (
                (cost + off - _UNCOVERED * (span[1] - span[0]), [*groups, (head, *span)])
                for cost, groups in choices
                for off, span in weighed
                if not groups or groups[-1][2] < span[0]
            ),
            key=lambda choice: (choice[0], [group[1:] for group in choice[1]]),
        )[:50]
    return choices[0][1] if choices else None


def _reaches_texts(heads: list[Segment], columns: Columns, first: int, levels: list[_Level]) -> bool:
    """Check whether a head is exactly in the middle of columns of texts and figures that all have heads below."""
    named = {at for low, high in levels[-1] for at in range(low, high + 1)} if levels else set()
    return any(
        _off_centre(head, (low, high), columns, levels, first) <= _EXACT
        for low in range(1, first)
        for high in range(first, len(columns))
        if named.issuperset(range(low, high + 1))
        for head in heads
    )


def _near(head: Segment, column: tuple[float, float]) -> bool:
    return head.left < column[1] + head.size and column[0] - head.size < head.right


def _by_repetition(heads: list[Segment], columns: Columns, first: int, levels: list[_Level]) -> list[_Group] | None:
    """Return equal shares of the columns if the heads below repeat in each of them."""
    below = sorted(group for level in levels[-1:] for group in level.items() if group[0][0] >= first)
    each = len(below) // len(heads)
    texts = [" ".join(part.text for part in parts) for _, parts in below]
    if each < 2 or len(heads) < 2 or texts != texts[:each] * len(heads):
        return None
    found = [(head, below[at * each][0][0], below[at * each + each - 1][0][1]) for at, head in enumerate(heads)]
    inside = all(
        columns[low][0] - head.size <= (head.left + head.right) / 2 <= columns[high][1] + head.size
        for head, low, high in found
    )
    return found if inside else None


def _touched(head: Segment, columns: Columns, heads: list[Segment]) -> list[int]:
    """Return the columns that a head touches, without those that belong to another head of its line."""
    found = covered(columns, head.left, head.right)
    for at in (found[0], found[-1]):
        left, right = columns[at]
        shared = min(head.right, right) - max(head.left, left)
        others = [each for each in heads if each is not head and each.left < right and left < each.right]
        if len(found) > 1 and any(min(each.right, right) - max(each.left, left) > shared for each in others):
            found = [column for column in found if column != at]
    return found


def _spans(
    head: Segment, touched: list[int], ends: tuple[int, int], columns: Columns, levels: list[_Level]
) -> list[tuple[int, int]]:
    """Return the runs of columns that a head may stand above: those it touches, and more around its middle."""
    low, high = touched[0], touched[-1]
    found = [(low, high)]
    alone = low == high and (_goes_on(head, low, columns, levels) if levels else _aligned(head, columns[low]))
    if alone and not levels:
        return found
    limit = _EXACT if alone else _OFF_CENTRE
    for first in range(ends[0], low + 1):
        for last in range(high, ends[1] + 1):
            whole = all(
                not _overlap(span, (first, last)) or (first <= span[0] and span[1] <= last)
                for level in levels
                for span in level
            )
            near = _off_centre(head, (first, last), columns, levels, ends[0]) <= limit
            if whole and near and (first, last) != (low, high):
                found.append((first, last))
    return found


def _aligned(head: Segment, column: tuple[float, float]) -> bool:
    """Check whether a head begins or ends where its column does."""
    return min(abs(head.left - column[0]), abs(head.right - column[1])) <= _EXACT * head.size


def _goes_on(head: Segment, column: int, columns: Columns, levels: list[_Level]) -> bool:
    """Check whether a head of one column is the first line of the one below it, a text unlike its neighbours."""
    below = next((level.get((column, column)) for level in levels[::-1] if (column, column) in level), None)
    if not levels or not below:
        return bool(levels) and not any(low <= column <= high for level in levels for low, high in level)
    text, right = below[0].text, columns[column][1]
    edges = [abs(part.right - right) for part in (head, below[0])]
    if max(edges) < _EXACT * head.size and abs(head.left - below[0].left) > head.size / 2:
        return True  # both end where the figures do
    if _stands_alone(text) and not is_unit(text):
        return False
    beside = [parts[0].text for level in levels for span, parts in level.items() if span[0] in (column - 1, column + 1)]
    return not text[0].isupper() or (bool(beside) and any(map(_stands_alone, beside)))


def _off_centre(head: Segment, span: tuple[int, int], columns: Columns, levels: list[_Level], first: int) -> float:
    """Return by how many font sizes the middle of a head is beside that of its columns, or of the heads below."""
    inside = [
        part
        for level in levels
        for (low, high), parts in level.items()
        for part in parts
        if span[0] <= low <= high <= span[1]
    ]
    ends = [(columns[span[0]][0], columns[span[1]][1])]
    if inside:
        ends.append((min(part.left for part in inside), max(part.right for part in inside)))
    if span[0] == span[1]:
        edges = [min(abs(head.left - left), abs(head.right - right)) for left, right in ends]
        middles = [abs(head.left + head.right - left - right) / 2 for left, right in ends]
        return min(*edges, *middles, head.size) / head.size
    middle = head.left + head.right
    off = min(abs(middle - left - right) / 2 for left, right in ends) / head.size
    pitch = (columns[-1][1] - columns[first][1]) / max(len(columns) - 1 - first, 1)  # figures stand at the right
    left, right = columns[span[0] - 1][1] if span[0] > first else columns[span[0]][1] - pitch, columns[span[1]][1]
    apart = _SLANTED + abs(middle - left - right) / 2 / head.size
    return min(off, apart)


def _ruled(segment: Segment, columns: Columns, rules: PageRules) -> list[int]:
    """Return the columns above which a rule runs that lies below a head; none for a rule through all of them."""
    middle = (segment.left + segment.right) / 2
    for y, left, right in (*rules.across, *joined_rules(rules.across)):
        low = segment.bottom - _RULE_ABOVE <= y <= segment.bottom + _RULE_BELOW
        if low and left <= middle <= right:
            found = [at for at, column in enumerate(columns) if left - 2 <= sum(column) / 2 <= right + 2]
            if 1 < len(found) < len(columns):
                return found
    return []
