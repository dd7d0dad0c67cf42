"""Where a text stands in a file that is not text, and how the places of its parts become one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

_LINE_OVERLAP = 0.5
"""The share of its height by which a box must overlap another to stand on the same line."""
_CELL_NAME = re.compile(r"([A-Z]+)(\d+)")

_Box = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class SourcePlace:
    """Where a text stands in a file that is not text: a page and a box on it, a sheet and its cells, or a slide.

    Pages and slides count from 1. ``bbox`` is left, top, right, bottom in points from the top left corner of the page.
    ``cell`` is one cell ("C7") or the first and last of several ("A1:C7").
    """

    page: int = 0
    bbox: tuple[float, ...] = ()
    sheet: str = ""
    cell: str = ""
    slide: int = 0


def place_name(place: SourcePlace | None) -> str:
    """Return a place as people say it, without its box; "" for none.

    Example:
        >>> place_name(SourcePlace(3, (9, 9, 40, 20))), place_name(SourcePlace(sheet="Plans", cell="C7"))
        ('page 3', 'sheet Plans, cell C7')
    """
    if place is None:
        return ""
    cells = "cells" if ":" in place.cell else "cell"
    parts = {"page": place.page, "sheet": place.sheet, cells: place.cell, "slide": place.slide}
    return ", ".join(f"{name} {value}" for name, value in parts.items() if value)


def joined_place(places: Sequence[SourcePlace]) -> SourcePlace | None:
    """Return one place for the parts of a text, given in its order; None if there are none.

    It is on the page, sheet or slide of the first part. Its box is drawn around the lines that follow one another
    downwards from the first, so it ends where the text continues in another column, and always contains the beginning.
    Its cells are the smallest range with the cells of all parts.

    Example:
        >>> lines = [(60, 100, 250, 110), (60, 112, 240, 122), (310, 100, 500, 110)]
        >>> joined_place([SourcePlace(2, line) for line in lines]).bbox
        (60, 100, 250, 122)
    """
    if not places:
        return None
    first = places[0]
    together = [
        each for each in places if (each.page, each.sheet, each.slide) == (first.page, first.sheet, first.slide)
    ]
    return replace(
        first,
        bbox=_first_column([each.bbox for each in together if each.bbox]),
        cell=_cell_range(dict.fromkeys(each.cell for each in together if each.cell)),
    )


def _first_column(boxes: Sequence[_Box]) -> _Box:
    """Return the box of the lines, from the first on, that are beside the one before or below the lines so far."""
    if not boxes:
        return ()
    part = last = boxes[0]
    for box in boxes[1:]:
        overlap = min(box[3], last[3]) - max(box[1], last[1])
        beside = overlap >= _LINE_OVERLAP * min(box[3] - box[1], last[3] - last[1])
        below = box[1] >= last[1] and box[0] < part[2] and part[0] < box[2]
        if not (below or (beside and box[0] >= last[0])):
            break
        part = (*map(min, part[:2], box[:2]), *map(max, part[2:], box[2:]))
        last = box
    return part


def _cell_range(names: Iterable[str]) -> str:
    names = list(names)
    corners = [corner for name in names for corner in _corners(name)]
    if len(names) < 2 or not corners:
        return "".join(names[:1])
    columns, rows = zip(*corners, strict=True)
    ends = [f"{end(columns, key=_column_number)}{end(rows)}" for end in (min, max)]
    return ":".join(dict.fromkeys(ends))


def _corners(name: str) -> Iterator[tuple[str, int]]:
    return ((column, int(row)) for column, row in _CELL_NAME.findall(name))


def _column_number(letters: str) -> tuple[int, str]:
    """Return what sorts columns: A to Z come before AA."""
    return len(letters), letters
