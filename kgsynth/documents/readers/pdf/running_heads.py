"""Leave out running heads, feet and page numbers: lines at the edge of many pages that differ in digits only."""

from __future__ import annotations

import re
from collections import Counter, defaultdict

from kgsynth.documents.readers.pdf.page_records import PageLayout, PageLine

_EDGE_LINES = 3  # at the top and at the foot of a page
_MIN_PAGES = 3
_RUNNING_MOST_LINES = 0.6  # share of all lines that heads may be
_MOST_PAGES = 0.4  # share of the pages that have a head in one place: then each line there is one
_RUNNING_NEAR = 8.0  # points by which their height on the page may differ
_RUNNING_NUMBER = re.compile(r"\d+|\b[ivxlc]{1,6}\b")


def drop_running_heads(layouts: list[PageLayout]) -> int:
    """Remove running heads, feet and page numbers from the pages, return how many lines they were.

    Heads of left and right pages, and of chapters, may differ: a head is on three pages, or on both of two.
    """
    texts: dict[tuple[str, bool], list[tuple[float, int, PageLine]]] = defaultdict(list)
    for number, layout in enumerate(layouts):
        for line, above in _edge_lines(layout):
            at = line.box[1] if above else layout.height - line.box[3]
            texts[_RUNNING_NUMBER.sub("#", line.text.casefold()), above].append((at, number, line))
    dropped: set[int] = set()
    needed = min(_MIN_PAGES, max(len(layouts), 2))
    for found in texts.values():
        for at, _, line in found:
            alike = {number: other for height, number, other in found if abs(height - at) <= _RUNNING_NEAR}
            both = len(layouts) > 2 or len({other.text for other in alike.values()}) > 1 or line.size < 10
            if len(alike) >= needed and both:
                dropped.add(id(line))
    dropped |= _in_the_same_place(layouts, dropped)
    if len(dropped) > _RUNNING_MOST_LINES * sum(len(layout.items) for layout in layouts):
        return 0  # what is on every page is the text
    for layout in layouts:
        layout.items = [item for item in layout.items if id(item) not in dropped]
    return len(dropped)


def _in_the_same_place(layouts: list[PageLayout], dropped: set[int]) -> set[int]:
    """Return the lines, such as the names of short chapters, at the place where most pages have a running head."""
    edges = [(layout, line, above) for layout in layouts for line, above in _edge_lines(layout)]
    places = [_place(*edge) for edge in edges]
    taken = Counter(place for place, (_, line, _) in zip(places, edges, strict=True) if id(line) in dropped)
    usual = {place for place, count in taken.items() if count >= max(_MIN_PAGES, _MOST_PAGES * len(layouts))}
    return {id(line) for place, (_, line, _) in zip(places, edges, strict=True) if place in usual}


def _place(layout: PageLayout, line: PageLine, above: bool) -> tuple[int, float, bool]:
    return round((line.box[3] if above else layout.height - line.box[3]) / 2), line.size, above


def _edge_lines(layout: PageLayout) -> list[tuple[PageLine, bool]]:
    """Return the first and last lines of a page by height, and whether each is one of the first."""
    lines = sorted((item for item in layout.items if isinstance(item, PageLine)), key=lambda line: line.box[1])
    tops = sorted({round(line.box[1]) for line in lines})
    above = set(tops[:_EDGE_LINES])
    below = set(tops[-_EDGE_LINES:])
    half = layout.height / 2
    found = [(line, True) for line in lines if round(line.box[1]) in above and line.box[3] < half]
    return found + [(line, False) for line in lines if round(line.box[1]) in below and line.box[1] > half]
