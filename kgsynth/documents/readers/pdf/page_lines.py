"""Join the words of a page to lines, and find the order in which lines and tables are read: by columns of the page.

Also here: what a page holds when it is laid out, and the columns of lines that may be rows of a table.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median
from typing import Any, NamedTuple

from kgsynth.base.records.documents import SourcePlace
from kgsynth.documents.readers.pdf.page_words import Box, PageWord, TextStyle, around
from kgsynth.language.figures import is_figure, is_year

_LINE_GAP = 1.0  # font sizes between two words of a segment, at most
_GAP_IN_RUN = 2.5  # if both were drawn as one piece, as the words of a justified line are
_GAP_IN_CODE = 12.0  # if both are in a font of one width
_OVERLAP = 0.5  # of the lower of two boxes in one line
_RAISED = 0.85  # of the font size beside it: a footnote mark or an exponent is smaller
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_NOTE_MARK = re.compile(r"^(?:\(?(?:\d{1,3}|[a-z])\)|\d{1,3}|[a-z]|[*†‡§]{1,3})$")


@dataclass(slots=True)
class Segment:
    """Words in one line without a wide gap, in the upright frame."""

    words: list[PageWord]

    left: float = 0.0
    top: float = 0.0
    right: float = 0.0
    bottom: float = 0.0
    _style: TextStyle | None = None

    def __post_init__(self) -> None:
        self.left, self.top, self.right, self.bottom = around([word.box for word in self.words])

    @property
    def box(self) -> Box:
        """Return its place."""
        return self.left, self.top, self.right, self.bottom

    @property
    def text(self) -> str:
        """Return its words with blanks between them."""
        return join_words(self.words)

    @property
    def style(self) -> TextStyle:
        """Return the style of most of its letters."""
        if self._style is None:
            self._style = most_used(self.words)
        return self._style

    @property
    def size(self) -> float:
        """Return the font size of most of its letters, at least one point."""
        return max(self.style.size, 1.0)


def join_words(words: Sequence[PageWord]) -> str:
    """Return the text of words that follow each other."""
    return "".join(("" if word.glued or not number else " ") + word.text for number, word in enumerate(words))


def most_used(words: Sequence[PageWord]) -> TextStyle:
    """Return the style of most letters of the words."""
    counts: dict[TextStyle, int] = {}
    for word in words:
        counts[word.style] = counts.get(word.style, 0) + len(word.text)
    return max(counts, key=lambda style: (counts[style], style))


def segments(words: Sequence[PageWord], notes: Collection[str] = ()) -> list[Segment]:
    """Return the segments of a page or cell from top to bottom, and within a line from left to right.

    ``notes`` are the marks of the footnotes elsewhere on the page.
    """
    found: list[list[PageWord]] = []
    for word in words:
        if found and _follows(found[-1][-1], word):
            found[-1].append(word)
        else:
            found.append([word])
    made = [Segment(group) for row in rows([Segment(group) for group in found]) for group in _joined(row)]
    known = {*notes, *note_marks(each.words[0] for each in made)}
    for each in made:
        each.words = _without_marks(each.words, known) or each.words
    return made


def note_marks(words: Iterable[PageWord]) -> set[str]:
    """Return the marks of footnotes that some words are."""
    return {mark for word in words if (mark := word.text.strip("().,")) and _NOTE_MARK.match(mark)}


def rows(items: list[Segment]) -> list[list[Segment]]:
    """Return the segments grouped by line, from top to bottom, each line from left to right."""
    found: list[list[Segment]] = []
    reach: list[float] = []  # of each row, from the middle of which on another begins
    for item in sorted(items, key=lambda each: ((each.top + each.bottom) / 2, each.left)):
        if found and any(_in_line(other.box, item.box) for other in found[-1][-6:]):
            found[-1].append(item)
        else:
            found.append([item])
            reach.append(item.bottom)
    return [sorted(row, key=lambda each: each.left) for row in found]


def _in_line(one: Box, other: Box) -> bool:
    shared = min(one[3], other[3]) - max(one[1], other[1])
    lower = min(one[3] - one[1], other[3] - other[1])
    return shared > _OVERLAP * max(lower, 0.1)


def _follows(before: PageWord, word: PageWord) -> bool:
    """Check whether a word goes on with the segment of the word before it."""
    if not _in_line(before.box, word.box):
        return False
    size = max(before.style.size, word.style.size, 1.0)
    gap = word.left - before.right
    if gap < -0.5 * size and not word.glued:
        return False
    if before.style.mono and word.style.mono:
        return gap < _GAP_IN_CODE * size
    return gap < (_GAP_IN_RUN if before.run == word.run else _LINE_GAP) * size


def _joined(row: list[Segment]) -> list[list[PageWord]]:
    """Return the words of a line in groups that wide gaps separate, though drawn in any order."""
    groups = [list(row[0].words)]
    for item in row[1:]:
        if _follows(groups[-1][-1], item.words[0]):
            groups[-1] += item.words
        else:
            groups.append(list(item.words))
    return groups


def _without_marks(words: list[PageWord], notes: set[str]) -> list[PageWord]:
    """Return the words without the marks of footnotes; other small raised numbers become exponents."""
    size = max(word.style.size for word in words)
    if size <= 0 or all(word.style.size >= _RAISED * size for word in words):  # sizes of mirrored text are negative
        return words
    line = median(word.bottom for word in words if word.style.size >= _RAISED * size)
    found: list[PageWord] = []
    for number, word in enumerate(words):
        raised = word.style.size < _RAISED * size and word.bottom < line - 0.12 * size and _NOTE_MARK.match(word.text)
        if not raised or number == 0:
            found.append(word)
        elif word.text.strip("()") not in notes:
            found.append(word._replace(text=word.text.translate(_SUPERSCRIPTS)))
    return found


class GridCell(NamedTuple):
    """The place of a cell in its table and on the page."""

    row: int
    column: int
    rows: int
    columns: int
    box: Box


class StyledText(NamedTuple):
    """The part of a line that is in one style and belongs to one link."""

    text: str
    style: TextStyle
    link: str = ""


@dataclass(slots=True)
class PageLine:
    """A line of text in the upright frame; ``column`` holds the left and right edge of the column it stands in.

    ``first_width`` is that of its first word, and ``second_left`` where the next one begins; ``hyphen`` is whether it
    ends in a hyphen that may be one of the line end. ``region`` counts the columns of a page, and ``place`` is where it
    stands as displayed.
    """

    box: Box
    parts: tuple[StyledText, ...]
    style: TextStyle
    place: SourcePlace
    column: tuple[float, float] = (0.0, 0.0)
    region: int = 0
    first_width: float = 0.0
    hyphen: bool = False
    second_left: float = 0.0

    @property
    def text(self) -> str:
        """Return its text."""
        return "".join(part.text for part in self.parts)

    @property
    def page(self) -> int:
        """Return the number of its page."""
        return self.place.page

    @property
    def size(self) -> float:
        """Return its font size, at least one point."""
        return max(self.style.size, 1.0)

    @property
    def mono(self) -> bool:
        """Return whether all of it is in a font of one width."""
        return all(part.style.mono for part in self.parts)

    @property
    def bold(self) -> bool:
        """Return whether all of its letters are bold."""
        return all(part.style.bold or not part.text.strip(" .,:;") for part in self.parts)


@dataclass(slots=True)
class PageTable:
    """A table on a page: the lines of each cell with its place; ``shaded`` holds the places with a background.

    ``head_rows`` is the number of rows that a rule sets apart, and ``ruled`` is whether rules make the cells;
    ``sure`` is whether it is clear which texts are in one row and what the heads stand above.
    """

    box: Box
    cells: list[tuple[GridCell, list[PageLine]]]
    page: int
    shaded: frozenset[tuple[int, int]] = frozenset()
    head_rows: int = 0
    region: int = 0
    ruled: bool = True
    sure: bool = True


@dataclass(slots=True)
class PageLayout:
    """The lines and tables of a page in reading order, its height in the upright frame, and the words left out."""

    number: int
    height: float
    items: list[PageLine | PageTable] = field(default_factory=list)
    turned_words: int = 0
    outside_words: int = 0


# Find the order in which the parts of a page are read: columns from left to right, what spans them above and below.

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
    if 2 * sum(all(is_figure(word.text) for word in line.words) for line in lines) > len(lines):
        return False  # the figures of a table
    return usual >= _MIN_WIDTH * median(line.size for line in lines) and usual >= _MIN_FILL * width


# Find the columns of lines that may be rows of a table, and cut segments that a narrow gap joined over two of them.

COLUMN_GAP = 0.8  # font sizes between two columns, at least
_NARROW_GAP = 0.4  # font sizes between two columns where all lines have a gap
_HEAD_GAP = 0.55  # font sizes between two heads, at least
_MONO_GAP = 1.0  # in a font of one width, whose blanks are wide
_EDGE = 1.5  # points within which left edges are one

GUTTER_WIDTH = 0.25
"""Font sizes that a gap of all lines is wide, at least."""
Columns = list[tuple[float, float]]
Lines = list[list[Segment]]
LINE_VALUE = re.compile(r"^[^A-Za-z\u0370-\uffff]*\d[^A-Za-z\u0370-\uffff]*\w{0,3}$")
"""A text with a figure and few letters, as a cell of values has it."""


class Stretch(NamedTuple):
    """A part of a line without its text."""

    left: float
    right: float
    size: float = 1.0


def columns_of(parts: Iterable[Any], gap: float = COLUMN_GAP) -> Columns:
    """Return the stretches that the parts take, those with no gap of so many font sizes between them as one."""
    found: list[list[float]] = []
    for part in sorted(parts, key=lambda each: each.left):
        if found and part.left - found[-1][1] < gap * part.size:
            found[-1][1] = max(found[-1][1], part.right)
        else:
            found.append([part.left, part.right])
    return [(left, right) for left, right in found]


def with_columns(columns: Columns, row: list[Segment]) -> Columns:
    """Return the columns that the segments of a row make together with others."""
    size = row[0].size
    return columns_of([*row, *(Stretch(*column, size) for column in columns)])


def covered(columns: Columns, left: float, right: float) -> list[int]:
    """Return the numbers of the columns that a stretch touches; the nearest one if it touches none.

    Example:
        >>> covered([(0, 10), (20, 30), (40, 50)], 25, 45), covered([(0, 10), (20, 30)], 12, 14)
        ([1, 2], [0])
    """
    found = [number for number, (low, high) in enumerate(columns) if low < right and high > left]
    middle = (left + right) / 2
    return found or [min(range(len(columns)), key=lambda at: abs(sum(columns[at]) / 2 - middle))]


def cut_at_gutters(lines: Lines) -> Lines:
    """Return the lines with each segment cut where a gap between its words is one of all lines."""
    words = sorted((word.left, word.right) for row in lines for segment in row for word in segment.words)
    gutters: list[tuple[float, float]] = []
    reached = words[0][1]
    for left, right in words:
        if left - reached >= GUTTER_WIDTH * lines[0][0].size:
            gutters.append((reached, left))
        reached = max(reached, right)
    if not gutters:
        return lines

    def in_gutter(before: PageWord, word: PageWord) -> bool:
        return any(before.right <= left and right <= word.left for left, right in gutters)

    return [[part for segment in row for part in _cut(segment, in_gutter)] for row in lines]


def cut_at_gaps(segment: Segment) -> list[Segment]:
    """Return a head cut where a gap is wider than a blank."""
    return _cut(segment, lambda before, word: word.left - before.right >= _HEAD_GAP * segment.size)


def cut_at_columns(row: list[Segment], columns: Columns) -> list[Segment]:
    """Return a line with each segment cut where a word after a narrow gap begins at the left edge of a column."""

    def at_edge(_: PageWord, word: PageWord) -> bool:
        return any(abs(word.left - left) <= _EDGE for left, _ in columns[1:])

    return [part for segment in row for part in _cut(segment, at_edge)]


def _cut(segment: Segment, parts: Callable[[PageWord, PageWord], bool]) -> list[Segment]:
    """Return the segment cut between two words with a narrow gap for which ``parts`` is true."""
    groups: list[list[PageWord]] = [[segment.words[0]]]
    for before, word in pairwise(segment.words):
        least = _MONO_GAP if before.style.mono and word.style.mono else _NARROW_GAP
        apart = not word.glued and word.left - before.right >= least * segment.size
        if apart and parts(before, word):
            groups.append([word])
        else:
            groups[-1].append(word)
    return [Segment(group) for group in groups] if len(groups) > 1 else [segment]
