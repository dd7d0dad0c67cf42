"""Find the cells of ruled tables from the rules of a page: the grid they make, and cells that reach over several."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable

from kgsynth.documents.readers.pdf.page_records import GridCell
from kgsynth.documents.readers.pdf.page_rules import RULE_SNAP, PageRules, Rule, joined_rules

_MAX_RULES = 1_500  # of a direction on a page
_MAX_PLACES = 20_000  # of a table


def ruled_tables(rules: PageRules) -> list[list[GridCell]]:
    """Return the cells of each table that rules make, in the order of rows; a table has two rows and columns at least.

    Example:
        >>> across = [(y, 0, 90) for y in (0, 20, 40)]
        >>> down = [(0, 0, 40), (90, 0, 40), (45, 20, 40)]
        >>> [tuple(cell[:4]) for cell in ruled_tables(PageRules(across, down, []))[0]]
        [(0, 0, 1, 2), (1, 0, 1, 1), (1, 1, 1, 1)]
    """
    across, down = joined_rules(rules.across), joined_rules(rules.down)
    if max(len(across), len(down)) > _MAX_RULES:
        return []
    found = []
    for group_across, group_down in _groups(across, down):
        cells = _cells(group_across, group_down)
        if len({cell.row for cell in cells}) >= 2 and len({cell.column for cell in cells}) >= 2:
            found.append(cells)
    return sorted(found, key=lambda cells: (cells[0].box[1], cells[0].box[0]))


def _groups(across: list[Rule], down: list[Rule]) -> Iterable[tuple[list[Rule], list[Rule]]]:
    """Yield the rules that touch each other, directly or through others."""
    parent = list(range(len(across) + len(down)))

    def root(number: int) -> int:
        while parent[number] != number:
            parent[number] = parent[parent[number]]
            number = parent[number]
        return number

    for one, (y, left, right) in enumerate(across):
        for two, (x, top, bottom) in enumerate(down, len(across)):
            if left - RULE_SNAP <= x <= right + RULE_SNAP and top - RULE_SNAP <= y <= bottom + RULE_SNAP:
                parent[root(one)] = root(two)
    groups: dict[int, tuple[list[Rule], list[Rule]]] = defaultdict(lambda: ([], []))
    for number, rule in enumerate((*across, *down)):
        groups[root(number)][number >= len(across)].append(rule)
    return [group for group in groups.values() if len(group[0]) >= 2 and group[1]]


def _cells(across: list[Rule], down: list[Rule]) -> list[GridCell]:
    """Return the cells of one table; none unless each is a rectangle."""
    ys = _stops(rule[0] for rule in across)
    xs = _stops([rule[0] for rule in down] + [min(rule[1] for rule in across), max(rule[2] for rule in across)])
    rows, columns = len(ys) - 1, len(xs) - 1
    if rows * columns > _MAX_PLACES:
        return []
    above = _borders(across, ys, xs)
    beside = _borders(down, xs, ys)
    taken: set[tuple[int, int]] = set()
    found: list[GridCell] = []
    for row in range(rows):
        for column in range(columns):
            if (row, column) in taken:
                continue
            wide, high = 1, 1
            while column + wide < columns and (column + wide, row) not in beside:
                wide += 1
            while row + high < rows and (row + high, column) not in above:
                high += 1
            places = {(row + down, column + right) for down in range(high) for right in range(wide)}
            if places & taken:
                return []
            taken |= places
            found.append(GridCell(row, column, high, wide, (xs[column], ys[row], xs[column + wide], ys[row + high])))
    return found


def _stops(values: Iterable[float]) -> list[float]:
    """Return the values in order, those that are nearly equal once."""
    found: list[float] = []
    for value in sorted(values):
        if not found or value - found[-1] > RULE_SNAP:
            found.append(value)
    return found


def _borders(rules: list[Rule], at: list[float], along: list[float]) -> set[tuple[int, int]]:
    """Return which stretches between two stops of ``along`` have a rule, by the stop of ``at`` it lies on."""
    found: set[tuple[int, int]] = set()
    for place, low, high in rules:
        number = min(bisect_left(at, place - RULE_SNAP), len(at) - 1)
        for stretch in range(len(along) - 1):
            if low - RULE_SNAP <= (along[stretch] + along[stretch + 1]) / 2 <= high + RULE_SNAP:
                found.add((number, stretch))
    return found
