"""Find the order in which the parts of a page are read: columns from left to right, what spans them above and below."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import median
from typing import Any, NamedTuple

from kgsynth.documents.readers.pdf.page_lines import Segment, rows
from kgsynth.language.figures import is_figure, is_year

_GUTTER = 0.8  # font sizes between two columns, at least
_MIN_LINES = 3  # of a column beside another
_MIN_WIDTH = 7.0  # font sizes of the usual line of a column: the cells of a table are narrower
_MIN_FILL = 0.5  # share of the width of a column that its usual line takes
_MIN_ALIKE = (
    0.5  # of the lines of a column the one beside it has: the names in a table have fewer lines than what is said
)
_MAX_HEAD_WORDS = 9  # of a line of heads beside another table
_MAX_INDENT = 14.0  # points by which the rows of a table stand in
_MAX_EDGES = 12  # left edges that are tried
_COLUMN_MAX_DEPTH = 5  # of columns in columns
_COLUMN_EDGE = 3.0  # points within which left edges are one


class _Cut(NamedTuple):
    """A gap between two columns: its right edge, and the first and last item it runs beside, sorted from the top."""

    x: float
    first: int
    last: int


def reading_order(items: Sequence[Any], depth: int = 0) -> list[list[Any]]:
    """Return the items of a page in the regions in which they are read, each from top to bottom.

    An item has left, top, right and bottom; items other than a ``Segment``, such as tables, are never beside a column
    of their own.
    """
    ordered = sorted(items, key=lambda item: ((item.top + item.bottom) / 2, item.left))
    cut = _widest_cut(ordered) if depth < _COLUMN_MAX_DEPTH else None
    if cut is None:
        return [ordered] if ordered else []
    beside = ordered[cut.first : cut.last + 1]
    left = [item for item in beside if item.right <= cut.x]
    right = [item for item in beside if item.right > cut.x]
    parts = (ordered[: cut.first], left, right, ordered[cut.last + 1 :])
    return [region for part in parts for region in reading_order(part, depth + 1)]


def _widest_cut(ordered: list[Any]) -> _Cut | None:
    """Return the gap with most lines on its emptier side, None if the items are in one column."""
    edges = Counter(round(item.left / _COLUMN_EDGE) for item in ordered if isinstance(item, Segment))
    often = sorted(edges, key=lambda edge: (-edges[edge], edge))[:_MAX_EDGES]
    areas = {round(item.left / _COLUMN_EDGE): item.left for item in ordered if not isinstance(item, Segment)}
    best: tuple[int, float, _Cut] | None = None
    for edge in [*areas, *often]:
        if edges[edge] < _MIN_LINES and edge not in areas:
            continue
        x = min(item.left for item in ordered if round(item.left / _COLUMN_EDGE) == edge)
        outer = min(item.left for item in ordered if x - _MAX_INDENT <= item.left <= x)
        for left in sorted({x - 0.1, outer - 0.1}):
            for first, last in _runs(ordered, left):
                lines = _beside(ordered[first : last + 1], left)
                if lines and (best is None or (lines, -left) > best[:2]):
                    best = (lines, -left, _Cut(left, first, last))
    return best[2] if best else None


def _runs(ordered: list[Any], x: float) -> list[tuple[int, int]]:
    """Return the runs of items that do not cross the gap that ends at ``x``."""
    found: list[tuple[int, int]] = []
    first = -1
    for number, item in enumerate(ordered):
        gutter = _GUTTER * item.size if isinstance(item, Segment) else 2.0
        crosses = item.left < x and item.right > x - gutter
        if crosses and first >= 0:
            found.append((first, number - 1))
            first = -1
        elif not crosses and first < 0:
            first = number
    return [*found, (first, len(ordered) - 1)] if first >= 0 else found


def _beside(items: list[Any], x: float) -> int:
    """Return the number of lines on the emptier side of ``x``; 0 if the sides are not columns of text."""
    sides = [[item for item in items if (item.left >= x) == right] for right in (False, True)]
    if not all(sides):
        return 0
    top = max(min(item.top for item in side) for side in sides)
    bottom = min(max(item.bottom for item in side) for side in sides)
    areas = [[item for item in side if not isinstance(item, Segment)] for side in sides]
    if any(one.top < other.bottom and other.top < one.bottom for one in areas[0] for other in areas[1]):
        return min(map(len, sides))
    counts = []
    for side in sides:
        lines = [item for item in side if isinstance(item, Segment) and item.bottom > top and item.top < bottom]
        if len(lines) < _MIN_LINES or not _is_column(lines):
            break
        counts.append(len(lines))
    if len(counts) < len(sides):
        return _beside_tables(sides)
    return min(counts) if min(counts) >= _MIN_ALIKE * max(counts) else 0


def _beside_tables(sides: list[list[Any]]) -> int:
    """Return the number of lines on the emptier side if both sides are tables of figures below years, otherwise 0."""
    counts = []
    for side in sides:
        lines = rows([item for item in side if isinstance(item, Segment)])
        words = [[word.text for part in line for word in part.words] for line in lines]
        years = [any(map(is_year, each)) and len(each) <= _MAX_HEAD_WORDS for each in words]
        below = range(years.index(True) + 1 if True in years else len(lines), len(lines))
        right = [lines[at][-1].left for at in below if is_figure(words[at][-1])]
        beyond = [at for at in below if lines[at][-1].left > max(right, default=0) and not is_figure(words[at][-1])]
        if beyond or any(len(lines[at]) > 1 and is_figure(words[at][0]) for at in below):
            return 0
        counts.append(sum(any(map(is_figure, words[at])) and not is_figure(words[at][0]) for at in below))
    return min(counts) if min(counts) >= _MIN_LINES - 1 else 0


def _is_column(lines: list[Segment]) -> bool:
    widths = [line.right - line.left for line in lines]
    width = max(line.right for line in lines) - min(line.left for line in lines)
    usual = median(widths)
    return usual >= _MIN_WIDTH * median(line.size for line in lines) and usual >= _MIN_FILL * width
