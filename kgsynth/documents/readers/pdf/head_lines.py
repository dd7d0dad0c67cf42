"""Find what the heads of a table without rules around its cells stand above: one column, or several as a group."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from typing import NamedTuple

from kgsynth.documents.readers.pdf.page_lines import Columns, Lines, Segment, covered
from kgsynth.documents.readers.pdf.page_rules import PageRules, joined_rules
from kgsynth.language.figures import is_row_number, is_unit, is_year

_OFF_CENTRE = 1.0  # font sizes by which the middle of a head may be beside the middle of its columns, at most
_MAX_CHOICES = 200
_CLEARER = 1.0  # font sizes by which the other choices must be worse
_LETTER = re.compile(r"[^\W\d_]")
_NUMBERS = 2.5  # font sizes that a column of the numbers of rows is wide, at most
_MAX_UNIT = 16  # characters
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
    """Return the heads that the lines above the rows of a table make.

    A last line of units is a row of its own, and so is one of years or of heads that repeat, below groups of them.
    """
    first = first_of_units(lines, columns)
    if first:
        rest = table_head(lines[:-1], columns, rules)
        units = _units(lines[-1], columns, first)
        cells = [HeadCell(rest.rows, low, 1, high - low + 1, [part]) for part, low, high in units]
        return TableHead([*rest.cells, *cells], rest.rows + 1, rest.sure)
    if len(lines) > 1 and _stand_alone(lines[-1]):
        return _in_levels(lines, columns, rules)
    return _in_rows(lines, columns, rules)


def first_of_units(lines: Lines, columns: Columns) -> int:
    """Return the first column with a unit in the last line of heads, 0 if they are not units.

    They are short, most of them are known units, and other heads are above them; before them may be names.
    """
    if len(lines) < 2:
        return 0
    first = max(min(_covered(part, columns)[0] for part in lines[-2]), 1)
    texts = [part.text for part in lines[-1] if _covered(part, columns)[-1] >= first]
    short = all((len(text) <= _MAX_UNIT or is_unit(text)) and not is_year(text) for text in texts)
    return first if short and 3 * sum(map(is_unit, texts)) >= 2 * len(texts) > 0 else 0


def _units(line: list[Segment], columns: Columns, first: int) -> list[_Group]:
    """Return the columns of each unit: all for the only one in the middle, otherwise those it stands above."""
    spans = [(part, span[0], span[-1]) for part in line for span in [_covered(part, columns)]]
    over, beside = [span[0] for span in spans if span[2] >= first], [span for span in spans if span[2] < first]
    middle = abs(over[0].left + over[0].right - columns[first][0] - columns[-1][1]) / 2
    inner = _covered(over[0], columns)[0] > first and _covered(over[0], columns)[-1] < len(columns) - 1
    if len(over) == 1 and (inner or middle <= 2 * over[0].size):
        return [*beside, (over[0], first, len(columns) - 1)]
    groups = _by_middle(over, columns, list(range(first, len(columns)))) if len(over) < len(columns) - first else None
    return [*beside, *(groups or [span for span in spans if span[2] >= first])]


def _in_levels(lines: Lines, columns: Columns, rules: PageRules) -> TableHead:
    """Return heads in a row for each level above the last line, each of whose heads is that of one column."""
    leaves = [(part, _covered(part, columns)) for part in lines[-1]]
    texts = {span[0]: part.text for part, span in leaves}
    repeated = Counter(texts.values())
    sure = all(len(span) == 1 for _, span in leaves) and len(texts) == len(leaves)
    first = min((column for column, text in texts.items() if _is_number(text) or repeated[text] > 1), default=1)
    values = sorted(column for column in texts if column >= first)
    beside: dict[int, list[Segment]] = {}
    levels: list[list[_Group]] = []
    for level in [*_levels(lines[:-1], columns, rules), lines[-1:]]:
        heads = [(part, span) for part in _stacked(level) for span in [_covered(part, columns)]]
        for part, span in heads:
            if span[-1] < first:
                beside.setdefault(span[0], []).append(part)
        over = [part for part, span in heads if span[-1] >= first]
        if level == lines[-1:]:
            groups: list[_Group] | None = [(part, span[0], span[0]) for part, span in leaves if span[0] >= first]
        else:
            groups = _groups(over, columns, [texts[column] for column in values], values, rules)
        sure = sure and groups is not None
        levels.append(groups or [(part, span[0], span[-1]) for part, span in heads if span[-1] >= first])
    levels = [level for level in levels if level]
    cells = [
        HeadCell(at, low, 1, high - low + 1, [part]) for at, level in enumerate(levels) for part, low, high in level
    ]
    cells += [HeadCell(0, column, len(levels), 1, parts) for column, parts in beside.items()]
    return TableHead(sorted(cells, key=lambda cell: cell[:2]), len(levels), sure)


def _levels(lines: Lines, columns: Columns, rules: PageRules) -> list[Lines]:
    """Return the lines above the last one in levels; a line goes on with the one above that has as many heads."""
    found: list[Lines] = []
    for line in lines:
        above = found[-1][-1] if found else []
        ruled = any(_ruled(part, columns, rules) for part in above)
        over = [sum(part.left >= columns[0][1] for part in row) for row in (above, line)]
        joins = above and not ruled and not _stand_alone(line) and (over[0] == over[1] or not all(over))
        if joins:
            found[-1].append(line)
        else:
            found.append([line])
    return found


def _groups(
    heads: list[Segment], columns: Columns, texts: list[str], values: list[int], rules: PageRules
) -> list[_Group] | None:
    """Return the columns of each head above ``values``, whose own heads are ``texts``; None if they are not clear.

    A rule below a head tells its columns, or the repetition of the heads below, otherwise where its middle is.
    """
    known = [(head, span[0], span[-1]) for head in heads if (span := _ruled(head, columns, rules))]
    if any(one[2] >= other[1] for one, other in pairwise(known)):
        return None
    taken = {column for _, low, high in known for column in range(low, high + 1)}
    free = [(column, text) for column, text in zip(values, texts, strict=True) if column not in taken]
    rest = [head for head in heads if all(head is not ruled for ruled, _, _ in known)]
    if not rest or len(rest) > len(free):
        return None if rest else known
    each, below = len(free) // len(rest), [text for _, text in free]
    if len(rest) == len(free) or (below == below[:each] * len(rest) and (len(rest) > 1 or known)):
        ends = [(free[at * each][0], free[at * each + each - 1][0]) for at in range(len(rest))]
        middles = [(head.left + head.right) / 2 for head in rest]
        if all(
            columns[low][0] - head.size <= middle <= columns[high][1] + head.size
            for head, middle, (low, high) in zip(rest, middles, ends, strict=True)
        ):
            return sorted([*known, *((head, *span) for head, span in zip(rest, ends, strict=True))], key=_first_column)
    left = [column for column, _ in free]
    more = _by_middle(rest, columns, left) or _by_middle(rest, columns, left, loose=True)
    return None if more is None else sorted([*known, *more], key=_first_column)


def _first_column(group: _Group) -> int:
    return group[1]


def _in_rows(lines: Lines, columns: Columns, rules: PageRules) -> TableHead:
    """Return the heads of lines that do not stand alone, in one row or, with groups, in two."""
    if not lines:
        return TableHead([], 0)
    if len(lines) == 1:
        return _in_one_row(lines, columns)
    last = 0
    for number, row in enumerate(lines[:-1]):
        spans = [(segment, _ruled(segment, columns, rules)) for segment in row]
        known = [(segment, span[0], span[-1]) for segment, span in spans if len(span) > 1]
        if known and all(one[2] < other[1] for one, other in pairwise(known)):
            return _in_two_rows(lines, number, columns, known)
        if known:  # one rule below all groups
            last = number
            break
    first = _stacked(lines[: last + 1])
    above = [_covered(part, columns) for part in first]
    below = [_covered(part, columns) for row in lines[last + 1 :] for part in row]
    with_text = {column for span in below for column in span}
    own = {span[0] for span in above if len(span) == 1}
    if all(len(span) == 1 for span in (*above, *below)) and (own <= with_text or with_text <= own):
        small = {
            not part.text[0].isupper()
            for row in lines[last + 1 :]
            for part in row
            if set(_covered(part, columns)) <= own
        }
        goes_on = small == {True} and not all(not part.text[0].isupper() for row in lines[last + 1 :] for part in row)
        if with_text <= own or goes_on or not _may_be_groups(first, columns, with_text):
            return _in_one_row(lines, columns)
        return TableHead(_in_one_row(lines, columns).cells, 1, sure=False)
    singles = {span[0] for span in above if len(span) == 1 and (span[0] not in with_text or span[0] == 0)}
    heads = [segment for segment, span in zip(first, above, strict=True) if not (set(span) <= singles)]
    known_groups = _by_middle(heads, columns, sorted(with_text))
    if known_groups is None:
        return TableHead(_in_one_row(lines, columns).cells, 1, sure=False)
    return _in_two_rows(lines, last, columns, known_groups)


def _stand_alone(line: list[Segment]) -> bool:
    """Check whether the heads of a line are years or numbers, or repeat: what is above is not their first line."""
    texts = [part.text for part in line]
    return any(map(is_year, texts)) or sum(map(_is_number, texts)) > 1 or len(set(texts)) < len(texts)


def _is_number(text: str) -> bool:
    return is_year(text) or is_row_number(text) or not _LETTER.search(text)


def _stacked(lines: Lines) -> list[Segment]:
    """Return the heads of some lines, those that stand above each other as one."""
    found: list[Segment] = []
    for part in (part for row in lines for part in row):
        above = next((at for at, each in enumerate(found) if part.left < each.right and each.left < part.right), None)
        if above is None:
            found.append(part)
        else:
            found[above] = Segment([*found[above].words, *part.words])
    return sorted(found, key=lambda part: part.left)


def _covered(segment: Segment, columns: Columns) -> list[int]:
    return covered(columns, segment.left, segment.right)


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


def _may_be_groups(first: list[Segment], columns: Columns, with_text: set[int]) -> bool:
    """Check whether a head of the first line is between two columns when other columns have no head there."""
    own = {column: segment for segment in first for column in _covered(segment, columns)}
    for column, segment in own.items():
        left, right = columns[column]
        near = 0.3 * segment.size
        at_edge = abs(segment.left - left) < near or abs(segment.right - right) < near
        centred = abs(segment.left + segment.right - left - right) < 2 * near
        exact = abs(segment.right - right) < 0.1 * segment.size < abs(segment.left + segment.right - left - right)
        between = (
            not exact
            and {column - 1, column + 1} - {0} <= with_text - own.keys()
            and len({column - 1, column + 1} - {0}) == 2
        )
        if not (at_edge or centred) or (between and centred):
            return True
    return False


def _by_middle(heads: list[Segment], columns: Columns, below: list[int], *, loose: bool = False) -> list[_Group] | None:
    """Return the columns of each group by where its middle is, as many columns as can be; None if that is not clear.

    Unless ``loose``, each column that has a head ``below`` is in a group, and heads stand above the middle of texts,
    not of wider cells; if ``loose``, groups have several columns. The first column is in none if no head is there.
    """
    if below[:1] == [0] and all(head.left + head.right > 2 * columns[0][1] for head in heads):
        below = below[1:]
    choices: list[tuple[list[_Group], float]] = [([], 0.0)]
    for head in heads:
        spans = [(head, low, high) for at, low in enumerate(below) for high in below[at + loose :]]
        near = [(span, off) for span in spans if (off := _off_centre(span, columns, loose)) <= _OFF_CENTRE * head.size]
        choices = [
            ([*groups, span], max(worst, off))
            for groups, worst in choices
            for span, off in near
            if not groups or groups[-1][2] < span[1]
        ][:_MAX_CHOICES]
    taken = [sum(below.index(high) - below.index(low) + 1 for _, low, high in groups) for groups, _ in choices]
    most = max(taken, default=0)
    best = sorted((off, at) for at, (_, off) in enumerate(choices) if taken[at] == most)
    if not best or (not loose and most < len(below)):
        return None
    found = choices[best[0][1]][0]
    clear = len(best) == 1 or best[1][0] >= best[0][0] + _CLEARER * heads[0].size
    pairs = [pair for groups, _ in choices for pair in zip(found, groups, strict=True)]
    moved = loose and any((one[1] == other[1]) != (one[2] == other[2]) for one, other in pairs)
    return found if clear and not moved else None


def _off_centre(group: _Group, columns: Columns, loose: bool) -> float:
    head, first, last = group
    middle, right = (head.left + head.right) / 2, columns[last][1]
    high = (columns[first][0] + right) / 2
    low = (columns[first - 1][1] + right) / 2 if loose and first else high
    return max(low - middle, middle - high, 0.0)


def _in_one_row(lines: Lines, columns: Columns) -> TableHead:
    """Return a row of heads, each of all lines above its column."""
    parts: list[list[Segment]] = [[] for _ in columns]
    sure = True
    for segment in (segment for row in lines for segment in row):
        span = _covered(segment, columns)
        named = span == [0, 1] and columns[0][1] - columns[0][0] < _NUMBERS * segment.size  # "No. Item"
        parts[span[named]].append(segment)
        sure = sure and (len(span) == 1 or named)
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
