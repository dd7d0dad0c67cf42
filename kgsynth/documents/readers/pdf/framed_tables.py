"""Find tables between rules that run through all their columns: above and below the head, and below the last row."""

from __future__ import annotations

from itertools import pairwise

from kgsynth.documents.readers.pdf.built_table import AlignedTable, build_table
from kgsynth.documents.readers.pdf.page_frame import Box
from kgsynth.documents.readers.pdf.page_lines import Segment, rows
from kgsynth.documents.readers.pdf.page_rules import PageRules, joined_rules
from kgsynth.documents.readers.pdf.table_columns import Lines

_FRAME_ENDS = 3.0  # points by which the ends of the rules may differ
_FRAMED_HEAD_LINES = 8
_MAX_FRAMES = 200  # rules on a page that may be the first of a table


def framed_tables(segments: list[Segment], rules: PageRules) -> tuple[list[AlignedTable], list[Segment]]:
    """Return the tables with at least three rules of one width, and the segments outside them."""
    found: list[AlignedTable] = []
    across = joined_rules(rules.across)
    if not 3 <= len(across) <= _MAX_FRAMES:
        return found, segments
    reached = 0.0
    for y, left, right in across:
        ys = [each[0] for each in across if each[0] >= y and _alike(each, (y, left, right))]
        if len(ys) < 3 or y < reached:
            continue
        table, low, taken = _framed(segments, (left, right), ys, rules)
        if table:
            found.append(table)
            segments = [segment for segment in segments if id(segment) not in taken]
            reached = low
    return found, segments


def _alike(one: tuple[float, float, float], other: tuple[float, float, float]) -> bool:
    return abs(one[1] - other[1]) <= _FRAME_ENDS and abs(one[2] - other[2]) <= _FRAME_ENDS


def _framed(
    segments: list[Segment], ends: tuple[float, float], ys: list[float], rules: PageRules
) -> tuple[AlignedTable | None, float, set[int]]:
    """Return the table between the rules at ``ys``, where it ends, and its segments."""
    bands: list[Lines] = []
    for top, bottom in pairwise(ys):
        inside = _between(segments, (ends[0], top, ends[1], bottom))
        band = rows(inside) if inside is not None else []
        if not any(len(row) > 1 for row in band):
            break
        bands.append(band)
    if len(bands) < 2 or len(bands[0]) > _FRAMED_HEAD_LINES:
        return None, 0.0, set()
    body = [row for band in bands[1:] for row in band]
    table = build_table(bands[0], body, rules, ruled=True)
    taken = {id(segment) for row in (*bands[0], *body) for segment in row}
    return table, ys[len(bands)], taken


def _between(segments: list[Segment], box: Box) -> list[Segment] | None:
    """Return the segments in a box, None if one crosses its sides."""
    found = []
    for segment in segments:
        if box[1] < (segment.top + segment.bottom) / 2 < box[3] and segment.right > box[0] and segment.left < box[2]:
            if segment.left < box[0] - _FRAME_ENDS or segment.right > box[2] + _FRAME_ENDS:
                return None
            found.append(segment)
    return found
