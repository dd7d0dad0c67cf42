"""Find the rules and shaded areas that are drawn on a page, and the cells of the tables that rules make."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator
from ctypes import byref, c_float, c_int, c_uint
from typing import Any, NamedTuple

from kgsynth.documents.readers.pdf.page_lines import GridCell
from kgsynth.documents.readers.pdf.page_words import Box, PageFrame, upright

_MAX_PATHS = 4_000  # on a page; a drawing has more
_RULE_MAX_POINTS = 200  # of a path; a curve has more
_RULE_MAX_DEPTH = 3  # of drawings in drawings
_THIN = 3.0  # points: a filled area no wider is a rule
_SLANT = 0.5  # points by which a rule may be off
_WHITE = 250  # of 255 in each color

Rule = tuple[float, float, float]
"""Where a rule lies, and its two ends."""
RULE_SNAP = 3.0
"""Points within which rules are one, and touch."""
_Matrix = tuple[float, float, float, float, float, float]
_IDENTITY: _Matrix = (1, 0, 0, 1, 0, 0)


class PageRules(NamedTuple):
    """Horizontal rules as (y, left, right), vertical ones as (x, top, bottom), and shaded areas, all upright."""

    across: list[tuple[float, float, float]]
    down: list[tuple[float, float, float]]
    shaded: list[Box]


def joined_rules(rules: list[Rule]) -> list[Rule]:
    """Return the rules with those that lie on one line and touch as one."""
    lines: list[list[Rule]] = []
    for rule in sorted(set(rules)):
        if lines and rule[0] - lines[-1][0][0] <= RULE_SNAP:
            lines[-1].append(rule)
        else:
            lines.append([rule])
    found: list[Rule] = []
    for line in lines:
        at = line[0][0]
        parts: list[list[float]] = []
        for _, low, high in sorted(line, key=lambda rule: rule[1:]):
            if parts and low <= parts[-1][1] + RULE_SNAP:
                parts[-1][1] = max(parts[-1][1], high)
            else:
                parts.append([low, high])
        found += [(at, low, high) for low, high in parts]
    return found


def read_rules(page: Any, frame: PageFrame, direction: int) -> PageRules:
    """Return the rules of a pypdfium2 page; none for one that is a drawing."""
    rules = PageRules([], [], [])
    for number, (path, matrix) in enumerate(_paths(page)):
        if number >= _MAX_PATHS:
            return PageRules([], [], [])
        _add_path(rules, path, matrix, (frame, direction))
    return rules


def _paths(page: Any) -> Iterator[tuple[Any, _Matrix]]:
    """Yield the paths of a page and of the drawings in it, with the matrix that places each."""
    import pypdfium2.raw as raw

    def objects(form: Any, depth: int, outer: _Matrix) -> Iterator[tuple[Any, _Matrix]]:
        count = raw.FPDFFormObj_CountObjects(form) if form else raw.FPDFPage_CountObjects(page)
        for index in range(count):
            found = raw.FPDFFormObj_GetObject(form, index) if form else raw.FPDFPage_GetObject(page, index)
            kind = raw.FPDFPageObj_GetType(found)
            if kind == raw.FPDF_PAGEOBJ_PATH:
                yield found, _times(_matrix(raw, found), outer)
            elif kind == raw.FPDF_PAGEOBJ_FORM and depth < _RULE_MAX_DEPTH:
                yield from objects(found, depth + 1, _times(_matrix(raw, found), outer))

    yield from objects(None, 0, _IDENTITY)


def _matrix(raw: Any, found: Any) -> _Matrix:
    matrix = raw.FS_MATRIX()
    if not raw.FPDFPageObj_GetMatrix(found, byref(matrix)):
        return _IDENTITY
    return matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f


def _times(one: _Matrix, other: _Matrix) -> _Matrix:
    a, b, c, d, e, f = one
    k, m, n, o, p, q = other
    return a * k + b * n, a * m + b * o, c * k + d * n, c * m + d * o, e * k + f * n + p, e * m + f * o + q


def _add_path(rules: PageRules, path: Any, matrix: _Matrix, turned: tuple[PageFrame, int]) -> None:
    import pypdfium2.raw as raw

    fill, stroke = c_int(), c_int()
    raw.FPDFPath_GetDrawMode(path, byref(fill), byref(stroke))
    if not (fill.value or stroke.value):
        return
    lines = _lines(raw, path, matrix, turned)
    if not lines:
        return
    left, top = (min(line[axis] for line in lines) for axis in (0, 1))
    right, bottom = (max(line[axis] for line in lines) for axis in (2, 3))
    if fill.value and not stroke.value:
        if min(right - left, bottom - top) > _THIN:
            if len(lines) <= 5 and not _is_white(raw, path):
                rules.shaded.append((left, top, right, bottom))
            return
        if right - left >= bottom - top:
            rules.across.append(((top + bottom) / 2, left, right))
        else:
            rules.down.append(((left + right) / 2, top, bottom))
        return
    for line in lines:
        if line[3] - line[1] <= _SLANT < line[2] - line[0]:
            rules.across.append(((line[1] + line[3]) / 2, line[0], line[2]))
        elif line[2] - line[0] <= _SLANT < line[3] - line[1]:
            rules.down.append(((line[0] + line[2]) / 2, line[1], line[3]))


def _lines(raw: Any, path: Any, matrix: _Matrix, turned: tuple[PageFrame, int]) -> list[Box]:
    """Return the straight lines of a path in the upright frame; none for one with curves."""
    count = raw.FPDFPath_CountSegments(path)
    if not 2 <= count <= _RULE_MAX_POINTS:
        return []
    frame, direction = turned
    found: list[Box] = []
    first = last = (0.0, 0.0)
    x, y = c_float(), c_float()
    a, b, c, d, e, f = matrix
    for index in range(count):
        part = raw.FPDFPath_GetPathSegment(path, index)
        kind = raw.FPDFPathSegment_GetType(part)
        if kind == raw.FPDF_SEGMENT_BEZIERTO:
            return []
        raw.FPDFPathSegment_GetPoint(part, byref(x), byref(y))
        at = (a * x.value + c * y.value + e, b * x.value + d * y.value + f)
        if kind == raw.FPDF_SEGMENT_MOVETO:
            first = at
        else:
            found.append(upright(frame.box(*last, *at), direction, frame.size))
        if raw.FPDFPathSegment_GetClose(part):
            found.append(upright(frame.box(*at, *first), direction, frame.size))
        last = at
    return found


def _is_white(raw: Any, path: Any) -> bool:
    red, green, blue, alpha = c_uint(), c_uint(), c_uint(), c_uint()
    if not raw.FPDFPageObj_GetFillColor(path, byref(red), byref(green), byref(blue), byref(alpha)):
        return True
    return alpha.value == 0 or min(red.value, green.value, blue.value) >= _WHITE


# Find the cells of ruled tables from the rules of a page: the grid they make, and cells that reach over several.

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
