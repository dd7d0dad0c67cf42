"""Find the columns of lines that may be rows of a table, and cut segments that a narrow gap joined over two of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any, NamedTuple

from kgsynth.documents.readers.pdf.page_lines import Segment
from kgsynth.documents.readers.pdf.page_words import PageWord

COLUMN_GAP = 0.8  # font sizes between two columns, at least
_NARROW_GAP = 0.4  # font sizes between two columns where all lines have a gap
_HEAD_GAP = 0.55  # font sizes between two heads, at least
_MONO_GAP = 1.0  # in a font of one width, whose blanks are wide
_EDGE = 1.5  # points within which left edges are one

GUTTER_WIDTH = 0.25
"""Font sizes that a gap of all lines is wide, at least."""
Columns = list[tuple[float, float]]
Lines = list[list[Segment]]


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
