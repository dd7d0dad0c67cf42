"""Write the blocks and tables of a PDF as a parsed file: containers around items and cells, a place for each line.

Tables that go on over the page are joined before, and the heads of tables are marked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import ExitStack
from typing import NamedTuple

from kgsynth.base.vocabulary import ContainerKind
from kgsynth.documents.readers.block_drafts import ExtractedText, Pieces, TextPiece
from kgsynth.documents.readers.pdf.page_lines import LINE_VALUE, GridCell, PageLine, PageTable
from kgsynth.documents.readers.pdf.text_blocks import LEADERS, BodyStyle, ListMark, TextBlock
from kgsynth.language.figures import is_figure, is_row_number, is_unit, is_year

_SHARED = 0.6  # of the narrower of two columns: then they are one
_MAX_BETWEEN = 3  # lines between the parts of a table
_MIN_ALIKE, _MOST_ALIKE = 8, 0.6  # letters of a caption, and share of it, that another repeats
_GOES_ON = (",", ";", "(", "-")  # at the end of a text that a page cut

_Cells = list[tuple[GridCell, list[PageLine]]]


def join_tables(blocks: list[TextBlock | PageTable]) -> list[TextBlock | PageTable]:
    """Return the blocks with each table that follows its first part on the page before joined to it."""
    found: list[TextBlock | PageTable] = []
    last_page = last = 0
    for block in blocks:
        before = found[last] if found else None
        if not isinstance(block, PageTable):
            found.append(block)
            continue
        goes_on = isinstance(before, PageTable) and _goes_on(before, block, last_page)
        if isinstance(before, PageTable) and goes_on and _may_follow(found, last, before, block):
            _append(before, block)
        else:
            block.sure = block.sure and (block.ruled or _has_first(block))
            last = len(found)
            found.append(block)
        last_page = block.page
    return found


def _may_follow(blocks: list[TextBlock | PageTable], last: int, before: PageTable, table: PageTable) -> bool:
    """Check whether the blocks after the last table do not end it: short lines, its caption again if it has heads."""
    between = [block for block in blocks[last + 1 :] if isinstance(block, TextBlock)]
    if not between or len(between) > _MAX_BETWEEN or any(len(block.lines) > 1 for block in between):
        return not between
    captions = [block for block in blocks[max(last - _MAX_BETWEEN, 0) : last] if isinstance(block, TextBlock)]
    headless = not table.head_rows and (not table.ruled or _begins_with_figures(table))
    repeated = bool(_repeated(before.cells, table.cells))
    return headless or (repeated and any(_alike(one.text, other.text) for one in captions for other in between))


def _begins_with_figures(table: PageTable) -> bool:
    """Check whether the first row has a figure: the rows of heads of a ruled table are not known yet."""
    texts = [" ".join(line.text for line in lines) for cell, lines in table.cells if cell.row == 0]
    return any(is_figure(text) and not is_year(text) for text in texts)


def _alike(one: str, other: str) -> bool:
    """Check whether a text begins as another does."""
    first, second = (re.sub(r"\W", "", text).casefold() for text in (one, other))
    count = max(_MIN_ALIKE, round(_MOST_ALIKE * min(len(first), len(second))))
    return len(first) >= count and second.startswith(first[:count])


def _goes_on(before: PageTable, table: PageTable, last_page: int) -> bool:
    one, other = _ends(before), _ends(table)
    repeated = _repeated(before.cells, table.cells)
    if table.page != last_page + 1 or (table.head_rows and not repeated):
        return False
    if table.head_rows and repeated >= table.head_rows:
        return len(one) == len(other)
    return len(one) == len(other) and all(
        min(high, end) - max(low, start) > _SHARED * min(high - low, end - start)
        for (low, high), (start, end) in zip(one, other, strict=True)
    )


def _has_first(table: PageTable) -> bool:
    """Check whether each row below the heads has a text in its first column, or in the one after row numbers."""
    rows = [(cell, lines) for cell, lines in table.cells if cell.row >= table.head_rows and lines]
    numbers = [lines[0].text for cell, lines in rows if cell.column == 0]
    named = {cell.row for cell, _ in rows if cell.column <= bool(numbers) * all(map(is_row_number, numbers))}
    return named == {cell.row for cell, _ in table.cells if cell.row >= table.head_rows}


def _ends(table: PageTable) -> list[tuple[float, float]]:
    """Return where each column begins and ends, without the heads over several."""
    ends: dict[int, tuple[float, float]] = {}
    for cell, _ in table.cells:
        if cell.columns == 1:
            left, right = ends.get(cell.column, (cell.box[0], cell.box[2]))
            ends[cell.column] = min(left, cell.box[0]), max(right, cell.box[2])
    return [ends[column] for column in sorted(ends)]


def _append(before: PageTable, table: PageTable) -> None:
    """Add the rows of the second part, without the rows of a head that it repeats."""
    repeated = _repeated(before.cells, table.cells)
    rest = [(cell, lines) for cell, lines in table.cells if cell.row >= repeated]
    rows = max(cell.row + cell.rows for cell, _ in before.cells)
    last = {cell.column: lines for cell, lines in before.cells if cell.row + cell.rows == rows}
    if rest and _is_cut(list(last.values()), rest, repeated):
        for cell, lines in rest:
            if cell.row == repeated and cell.column in last:
                last[cell.column] += lines
        rest = [(cell, lines) for cell, lines in rest if cell.row > repeated]
        rows -= 1
    before.cells += [(cell._replace(row=cell.row - repeated + rows), lines) for cell, lines in rest]
    shaded = {(row - repeated + rows, column) for row, column in table.shaded if row >= repeated}
    before.shaded = before.shaded | shaded


def _repeated(one: _Cells, other: _Cells) -> int:
    """Return the number of rows at the top that are the same in both."""
    count = 0
    while count < 4 and _row(one, count) and _row(one, count) == _row(other, count):
        count += 1
    return count


def _row(cells: _Cells, row: int) -> list[str]:
    return [" ".join(line.text for line in lines) for cell, lines in cells if cell.row == row]


def _is_cut(last: list[list[PageLine]], cells: _Cells, row: int) -> bool:
    """Check whether the first row goes on with the last one of the page before.

    It is one text in small letters, it has no text in the first column nor where the last row has no text, or a text
    of the last row has no end.
    """
    texts = _row(cells, row)
    if not any(texts):
        return False
    if any(lines and lines[-1].text.endswith(_GOES_ON) for lines in last):
        return True
    if sum(map(bool, texts)) == 1 and max(texts)[0].islower():
        return True
    filled = all(lines or not text for lines, text in zip(last, texts, strict=False))
    begins = [text for text in texts if text and not text[0].islower()]
    return not texts[0] and filled and len(begins) < max(2, len(texts) - 1)


# Decide which cells of a table on a page are heads: by weight, background, rules, and what stands below.

_MAX_HEAD_ROWS = 4


def table_heads(table: PageTable) -> set[tuple[int, int]]:
    """Return the places of the cells that are heads of a column or a row.

    The first rows are heads if they are bold or shaded and the others are not, or if a rule sets them apart. Otherwise
    the first row of a ruled table is one if no cell of it is empty or a number, and there is a column of numbers or a
    third column.
    """
    if not table.sure:
        return set()
    texts = {cell[:2]: " ".join(line.text for line in lines) for cell, lines in table.cells}
    bold = {cell[:2] for cell, lines in table.cells if lines and all(line.bold for line in lines)}
    rows = max(row for row, _ in texts) + 1
    first = min(table.head_rows, rows - 1) or _marked_rows(table, bold, rows)
    first = first or int(table.ruled and _looks_like_head(texts, rows))
    first = first or (_rows_above_figures(texts, rows) if table.ruled else 0)
    first = max((cell.row + cell.rows for cell, _ in table.cells if cell.row < first), default=0) if first else 0
    first = first if first < rows else 0
    heads = {place for place in texts if place[0] < first}
    side = {place for place in texts if place[1] == 0 and place[0] >= first and texts[place]}
    others = {place for place in texts if place[1] > 0 and place[0] >= first and texts[place]}
    marked = (side <= bold and not others <= bold) or (side <= table.shaded and not others & table.shaded)
    return heads | side if side and marked else heads


def _marked_rows(table: PageTable, bold: set[tuple[int, int]], rows: int) -> int:
    """Return how many rows at the top are bold or shaded throughout while the row below them is not."""
    by_row: dict[int, list[tuple[int, int]]] = {}
    filled = {cell[:2] for cell, lines in table.cells if lines}
    for place in (cell[:2] for cell, _ in table.cells):
        by_row.setdefault(place[0], []).append(place)
    for marked, places in ((bold, filled), (table.shaded, {cell[:2] for cell, _ in table.cells})):
        count = 0
        while count < min(rows, _MAX_HEAD_ROWS + 1):
            row = [place for place in by_row.get(count, []) if place in places]
            if by_row.get(count) and (not row or not marked.issuperset(row)):
                break
            count += 1
        while count > 1 and {place for place in filled if place[0] == count - 1} == {(count - 1, 0)}:
            count -= 1  # the head of a section
        if 0 < count <= min(_MAX_HEAD_ROWS, rows - 1):
            return count
    return 0


def _rows_above_figures(texts: dict[tuple[int, int], str], rows: int) -> int:
    """Return how many rows, years among them, are above the first row of figures; 0 if others are there."""
    values = [[text for (at, column), text in texts.items() if at == row and column and text] for row in range(rows)]
    first = next((row for row, each in enumerate(values) if any(is_figure(t) and not is_year(t) for t in each)), 0)
    heads = [row for row in range(first) if values[row]]
    count = heads[-1] + 1 if heads else 0
    numbers = [text.strip("()") for text in values[0]] == [str(at) for at in range(1, len(values[0]) + 1)]
    named = any(is_year(text) for row in heads for text in values[row]) or all(map(is_unit, values[count - 1]))
    if numbers and not any(is_year(text) for text in values[0]) and len(values[0]) > 1:
        return 1
    return count if named and count <= _MAX_HEAD_ROWS and len(heads) == count else 0


def _looks_like_head(texts: dict[tuple[int, int], str], rows: int) -> bool:
    """Check whether the first row, though set like the others, names columns."""
    first = [texts[place] for place in sorted(texts) if place[0] == 0]
    columns = max(column for _, column in texts) + 1
    if rows < 2 or any(not text or LINE_VALUE.match(text) for text in first[1:]) or LINE_VALUE.match(first[0]):
        return False
    below = [[texts.get((row, column), "") for row in range(1, rows)] for column in range(1, columns)]
    of_numbers = any(all(LINE_VALUE.match(text) for text in column if text) and any(column) for column in below)
    return of_numbers or (columns >= 3 and len(set(first)) == len(first) and bool(first[0]))


_NESTED = 6.0  # points by which the mark of an item inside another stands in
_INDENT_STEP = 0.35  # font sizes
_MAX_INDENTS = 4  # steps of the texts of a column: more are texts in the middle
_CODE_WIDTH = 0.6  # of the font size: the width of a character


class _ListOnPage(NamedTuple):
    left: float
    column: float
    text_left: float
    mark: ListMark
    scopes: ExitStack
    item: ExitStack


class BlockWriter:
    """Adds blocks one after the other, and keeps the lists that are open."""

    def __init__(self, body: BodyStyle) -> None:
        self.extracted = ExtractedText()
        self.body = body
        self._lists: list[_ListOnPage] = []

    def add(self, block: TextBlock | PageTable) -> None:
        """Add a block or table."""
        if isinstance(block, PageTable):
            self._close(0)
            self._table(block)
        elif block.level:
            self._close(0)
            self.extracted.add("heading", self._pieces(block.lines, plain=True), level=block.level)
        elif block.code:
            self._code(block)
        elif block.mark:
            self._item(block, block.mark)
        else:
            self._text(block)

    def end(self) -> None:
        """Close what is open."""
        self._close(0)

    def _text(self, block: TextBlock) -> None:
        while self._lists and not self._is_inside(block):
            self._close(len(self._lists) - 1)
        kind = "item" if self._lists else "navigation" if LEADERS.search(block.text) else "paragraph"
        self.extracted.add(kind, self._pieces(block.lines))

    def _is_inside(self, block: TextBlock) -> bool:
        """Check whether a block belongs to the innermost open item: it begins where the text of the item does."""
        last = self._lists[-1]
        return block.left - block.lines[0].column[0] >= last.text_left - last.column - 3 and block.left > last.left + 3

    def _item(self, block: TextBlock, mark: ListMark) -> None:
        at = block.left
        while self._lists and at < self._lists[-1].left - _NESTED:
            self._close(len(self._lists) - 1)
        last = self._lists[-1] if self._lists else None
        if last and at <= last.left + _NESTED and last.mark.style != mark.style:
            self._close(len(self._lists) - 1)
            last = None
        if last and at <= last.left + _NESTED:
            last.item.close()
            scopes = last.scopes
            self._lists.pop()
        else:
            scopes = ExitStack()
            scopes.enter_context(self.extracted.within(ContainerKind.LIST if mark.bullet else ContainerKind.STEPS))
        item = ExitStack()
        item.enter_context(self.extracted.within(ContainerKind.ITEM))
        text_left = block.lines[1].box[0] if len(block.lines) > 1 else block.lines[0].second_left
        self._lists.append(_ListOnPage(at, block.lines[0].column[0], text_left, mark, scopes, item))
        self.extracted.add("item", _without_start(self._pieces(block.lines), mark.length))

    def _close(self, depth: int) -> None:
        while len(self._lists) > depth:
            last = self._lists.pop()
            last.item.close()
            last.scopes.close()

    def _code(self, block: TextBlock) -> None:
        while self._lists and not self._is_inside(block):
            self._close(len(self._lists) - 1)
        size = block.lines[0].size
        left = min(line.box[0] for line in block.lines)
        pieces: Pieces = []
        for number, line in enumerate(block.lines):
            before = block.lines[number - 1] if number else None
            if before is not None:
                apart = line.page == before.page and line.box[3] - before.box[3] > 1.7 * size
                pieces.append(TextPiece("\n\n" if apart else "\n"))
            indent = round((line.box[0] - left) / (_CODE_WIDTH * size))
            pieces.append(TextPiece(" " * indent + line.text, place=line.place))
        self.extracted.add_code(pieces)

    def _table(self, table: PageTable) -> None:
        heads, indents = table_heads(table), _indents(table)
        joint, row = "\n\n", 0
        with self.extracted.within(ContainerKind.TABLE):
            for cell, lines in table.cells:
                joint = "\n" if cell.row != row and joint != "\n\n" else joint
                row = cell.row
                traits = {"row": cell.row, "column": cell.column, "rows": cell.rows, "columns": cell.columns}
                traits["indent"] = indents.get(cell[:2], 0)
                with self.extracted.within(ContainerKind.CELL, head=cell[:2] in heads, **traits):
                    pieces = self._pieces(lines, plain=cell[:2] in heads, cell=True)
                    self.extracted.add("cell", pieces, joint=joint)
                joint = "\t" if lines else joint

    def _pieces(self, lines: Sequence[PageLine], *, plain: bool = False, cell: bool = False) -> Pieces:
        """Return the text of lines, joined by line breaks, but without the hyphens that only break a word."""
        found: Pieces = []
        for number, line in enumerate(lines):
            parts = list(line.parts)
            following = lines[number + 1] if number + 1 < len(lines) else None
            whole = following is not None and line.hyphen and _is_one_word(line, following, self.body)
            if whole and following is not None and self.body.words.is_break(line.text, following.text):
                parts[-1] = parts[-1]._replace(text=parts[-1].text[:-1])
            for text, style, link in parts:
                strong = style.bold and not plain and not self.body.style.bold
                found.append(TextPiece(text, style.mono and not self.body.mono and not plain, link, strong, line.place))
            whole = whole or (cell and following is not None and self.body.words.is_one_word(line.text, following.text))
            if following is not None and not whole:
                found.append(
                    TextPiece("\n", *found[-1][1:4]) if found[-1].link == following.parts[0].link else TextPiece("\n")
                )
        return found


def _indents(table: PageTable) -> dict[tuple[int, int], int]:
    """Return how many steps the texts of the first column stand in; nothing if they are not set to the left."""
    lefts = {cell[:2]: lines[0].box[0] for cell, lines in table.cells if cell.column == 0 and lines}
    steps: list[float] = []
    size = min((lines[0].size for cell, lines in table.cells if cell.column == 0 and lines), default=1.0)
    for left in sorted(lefts.values()):
        if not steps or left - steps[-1] > _INDENT_STEP * size:
            steps.append(left)
    if len(steps) > _MAX_INDENTS:
        return {}
    return {place: sum(step <= left for step in steps) - 1 for place, left in lefts.items()}


def _is_one_word(line: PageLine, following: PageLine, body: BodyStyle) -> bool:
    """Check whether a line that ends in a hyphen goes on in the next one without a blank."""
    return not line.text.endswith((" -", "--")) and following.text[:1].isalnum()


def _without_start(pieces: Pieces, length: int) -> Pieces:
    """Return the pieces without the first ``length`` characters: the mark of an item."""
    found: Pieces = []
    for piece in pieces:
        cut = min(length, len(piece.text))
        length -= cut
        if piece.text[cut:]:
            found.append(piece._replace(text=piece.text[cut:]))
    return found
