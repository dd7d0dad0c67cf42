"""Lay a PDF page out: its lines in reading order with the column of each, and its tables. The words are let go."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from kgsynth.base.records.documents import SourcePlace
from kgsynth.documents.readers.pdf.aligned_tables import AlignedTable, find_aligned, framed_tables
from kgsynth.documents.readers.pdf.figure_tables import figure_tables
from kgsynth.documents.readers.pdf.page_lines import (
    GridCell,
    PageLayout,
    PageLine,
    PageTable,
    Segment,
    StyledText,
    most_used,
    note_marks,
    reading_order,
    rows,
    segments,
)
from kgsynth.documents.readers.pdf.page_rules import PageRules, read_rules, ruled_tables
from kgsynth.documents.readers.pdf.page_words import (
    Box,
    PageWord,
    around,
    displayed,
    page_frame,
    read_links,
    read_words,
)
from kgsynth.language.figures import is_figure

_MIN_FIGURES = 3  # lines of a cell that are figures: then they are rows
_MIN_FILLED = 0.4  # share of the cells of a ruled table that hold text; a plot has less


class _TableArea(NamedTuple):
    """A ruled table as an item of a page."""

    left: float
    top: float
    right: float
    bottom: float
    table: PageTable


@dataclass(slots=True)
class _LineMaker:
    """Makes the lines of one page."""

    number: int
    direction: int
    size: tuple[float, float]

    def line(self, words: Sequence[PageWord], column: tuple[float, float], region: int) -> PageLine:
        """Return a line of words that follow each other."""
        box = around([word.box for word in words])
        shown = tuple(round(value, 1) for value in displayed(box, self.direction, self.size))
        first = next((number for number, word in enumerate(words) if number and not word.glued), len(words))
        style, hyphen = most_used(words), words[-1].hyphen or words[-1].text.endswith(("-", "‐"))
        place, width = SourcePlace(page=self.number, bbox=shown), words[first - 1].right - words[0].left
        second = words[first].left if first < len(words) else words[-1].right
        return PageLine(box, _parts(words), style, place, column, region, width, hyphen, second)

    def lines(self, parts: Sequence[Segment], box: Box) -> list[PageLine]:
        """Return the lines of a cell."""
        return [
            self.line([word for each in row for word in each.words], (box[0], box[2]), 0) for row in rows(list(parts))
        ]

    def table(self, found: AlignedTable, region: int = 0) -> PageTable:
        """Return a table without rules around its cells."""
        cells = [(cell, self.lines(parts, cell.box)) for cell, parts in found.cells]
        box = around([cell.box for cell, _ in cells])
        return PageTable(box, cells, self.number, frozenset(), found.head_rows, region, ruled=False, sure=found.sure)


def lay_out(document: Any, page: Any, number: int) -> PageLayout:
    """Return the layout of a pypdfium2 page; ``number`` counts from 1."""
    frame = page_frame(page)
    words, direction, others, outside = read_words(page, frame, read_links(document, page, frame))
    height = frame.size[0] if direction % 2 else frame.size[1]
    layout = PageLayout(number, height, turned_words=others, outside_words=outside)
    if not words:
        return layout
    maker = _LineMaker(number, direction, frame.size)
    rules = read_rules(page, frame, direction)
    tables, words = _take_tables(words, rules, maker)
    figures, parts = figure_tables(segments(words), rules)
    framed, parts = framed_tables(parts, rules)
    tables += [_TableArea(*table.box, table) for table in map(maker.table, (*figures, *framed))]
    for region, part in enumerate(reading_order([*parts, *tables])):
        column = min(item.left for item in part), max(item.right for item in part)
        for item in find_aligned(_by_row(part), rules):
            if isinstance(item, AlignedTable):
                layout.items.append(maker.table(item, region))
            elif isinstance(item, _TableArea):
                item.table.region = region
                layout.items.append(item.table)
            else:
                layout.items.append(maker.line([word for each in item for word in each.words], column, region))
    return layout


def _by_row(part: Sequence[Any]) -> Iterator[Any]:
    """Yield the tables of a region, and between them its segments by row."""
    waiting: list[Segment] = []
    for item in part:
        if isinstance(item, Segment):
            waiting.append(item)
        else:
            yield from rows(waiting)
            waiting = []
            yield item
    yield from rows(waiting)


def _parts(words: Sequence[PageWord]) -> tuple[StyledText, ...]:
    """Return the text of words in parts of one style and link; code keeps the width of its blanks."""
    found: list[StyledText] = []
    for number, word in enumerate(words):
        blank = "" if number == 0 or word.glued else " "
        if blank and word.style.mono and words[number - 1].style.mono:
            width = (word.right - word.left) / max(len(word.text), 1)
            blank = " " * max(1, round((word.left - words[number - 1].right) / max(width, 1.0)))
        if found and found[-1][1:] == (word.style, word.link):
            found[-1] = found[-1]._replace(text=found[-1].text + blank + word.text)
            continue
        if found and blank:
            found[-1] = found[-1]._replace(text=found[-1].text + blank)
        found.append(StyledText(word.text, word.style, word.link))
    return tuple(found)


def _take_tables(words: list[PageWord], rules: PageRules, maker: _LineMaker) -> tuple[list[_TableArea], list[PageWord]]:
    """Return the ruled tables that hold text, and the words outside them."""
    found: list[_TableArea] = []
    notes = note_marks(words)
    for cells in ruled_tables(rules):
        box = around([cell.box for cell in cells])
        inside = [word for word in words if _holds(box, word)]
        by_cell: dict[GridCell, list[PageWord]] = defaultdict(list)
        for word in inside:
            cell = next((cell for cell in cells if _holds(cell.box, word)), None)
            if cell is not None:
                by_cell[cell].append(word)
        if len(by_cell) < max(2, _MIN_FILLED * len(cells)) or _holds_rows(by_cell):
            continue
        cells = [part for cell in cells for part in _split(cell, by_cell, cells)]
        shaded = frozenset(cell[:2] for cell in cells if any(_covers(area, cell.box) for area in rules.shaded))
        filled = [
            (cell, maker.lines(segments(by_cell[cell], notes), cell.box) if cell in by_cell else []) for cell in cells
        ]
        found.append(_TableArea(*box, PageTable(box, filled, maker.number, shaded)))
        taken = {id(word) for word in inside}
        words = [word for word in words if id(word) not in taken]
    return found, words


def _split(cell: GridCell, by_cell: dict[GridCell, list[PageWord]], cells: list[GridCell]) -> list[GridCell]:
    """Return a cell over several columns in parts if its texts stand in the middle of equal shares of them."""
    edges = {each.column: each.box for each in cells if each.columns == 1}
    texts = segments(by_cell[cell]) if cell.columns > 1 and cell in by_cell else []
    share = cell.columns // max(len(texts), 1)
    ends = [(at, at + share - 1) for at in range(cell.column, cell.column + cell.columns, max(share, 1))]
    if len(texts) < 2 or len(ends) != len(texts) or not edges.keys() >= {at for pair in ends for at in pair}:
        return [cell]
    parts = []
    for text, (first, last) in zip(texts, ends, strict=True):
        left, right = edges[first][0], edges[last][2]
        off = abs(text.left + text.right - left - right) / 2
        if text.left < left or text.right > right or (share > 1 and off > text.size):
            return [cell]
        parts.append(GridCell(cell.row, first, cell.rows, share, (left, cell.box[1], right, cell.box[3])))
        by_cell[parts[-1]] = text.words
    return parts


def _holds_rows(by_cell: dict[GridCell, list[PageWord]]) -> bool:
    """Check whether cells beside each other hold columns of figures: only some rows have rules between them."""
    counts: dict[int, int] = defaultdict(int)
    for cell, words in by_cell.items():
        lines = rows(segments(words))
        counts[cell.row] += len(lines) >= _MIN_FIGURES and all(is_figure(each.text) for row in lines for each in row)
    return max(counts.values(), default=0) > 1


def _holds(box: Box, word: PageWord) -> bool:
    x, y = (word.left + word.right) / 2, (word.top + word.bottom) / 2
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


def _covers(area: Box, cell: Box) -> bool:
    """Check whether a shaded area covers the middle of a cell and is not much larger than a row of it."""
    x, y = (cell[0] + cell[2]) / 2, (cell[1] + cell[3]) / 2
    inside = area[0] <= x <= area[2] and area[1] <= y <= area[3]
    return inside and area[3] - area[1] <= 1.5 * (cell[3] - cell[1])
