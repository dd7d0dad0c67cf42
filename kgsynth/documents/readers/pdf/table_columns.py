"""Find the columns of lines that may be rows of a table, and cut segments that a narrow gap joined over two of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple

from kgsynth.documents.readers.pdf.page_lines import Segment
from kgsynth.documents.readers.pdf.page_words import PageWord

COLUMN_GAP = 0.8  # font sizes between two columns, at least
_NARROW_GAP = 0.4  # font sizes, where other lines have an edge
_EDGE = 1.5  # points within which left edges are one
_MIN_EDGES = 3  # lines in which a text begins at an edge, with another text left of it

Columns = list[tuple[float, float]]
Lines = list[list[Segment]]


class _Part(NamedTuple):
    left: float
    right: float
    size: float


def columns_of(parts: Iterable[Any]) -> Columns:
    """Return the stretches that the parts take, those with no gap between them as one."""
    found: list[list[float]] = []
    for part in sorted(parts, key=lambda each: each.left):
        if found and part.left - found[-1][1] < COLUMN_GAP * part.size:
            found[-1][1] = max(found[-1][1], part.right)
        else:
            found.append([part.left, part.right])
    return [(left, right) for left, right in found]


def with_columns(columns: Columns, row: list[Segment]) -> Columns:
    """Return the columns that the segments of a row make together with others."""
    size = row[0].size
    return columns_of([*row, *(_Part(*column, size) for column in columns)])


def covered(columns: Columns, left: float, right: float) -> list[int]:
    """Return the numbers of the columns that a stretch touches; the nearest one if it touches none.

    Example:
        >>> covered([(0, 10), (20, 30), (40, 50)], 25, 45), covered([(0, 10), (20, 30)], 12, 14)
        ([1, 2], [0])
    """
    found = [number for number, (low, high) in enumerate(columns) if low < right and high > left]
    middle = (left + right) / 2
    return found or [min(range(len(columns)), key=lambda at: abs(sum(columns[at]) / 2 - middle))]


def cut_at_edges(lines: Lines) -> Lines:
    """Return the lines with a segment in two where a word begins at the left edge of a column of the other lines."""
    edges = Counter(round(segment.left) for row in lines for segment in row[1:])
    often = sorted(edge for edge in edges if sum(edges[edge + near] for near in (-1, 0, 1)) >= _MIN_EDGES)
    if not often:
        return lines
    return [[part for segment in row for part in _cut(segment, often)] for row in lines]


def _cut(segment: Segment, edges: list[int]) -> list[Segment]:
    if not any(segment.left + segment.size < edge < segment.right for edge in edges):
        return [segment]
    groups: list[list[PageWord]] = [[segment.words[0]]]
    for before, word in zip(segment.words, segment.words[1:], strict=False):
        apart = not word.glued and word.left - before.right >= _NARROW_GAP * segment.size
        if apart and any(abs(word.left - edge) <= _EDGE for edge in edges):
            groups.append([word])
        else:
            groups[-1].append(word)
    return [Segment(group) for group in groups]
