"""Write the blocks and tables of a PDF as a parsed file: containers around items and cells, a place for each line."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from typing import NamedTuple

from kgsynth.base.vocabulary import ContainerKind
from kgsynth.documents.readers.block_drafts import ExtractedText, Pieces, TextPiece
from kgsynth.documents.readers.pdf.headings import LEADERS
from kgsynth.documents.readers.pdf.list_marks import ListMark
from kgsynth.documents.readers.pdf.page_records import PageLine, PageTable
from kgsynth.documents.readers.pdf.table_heads import table_heads
from kgsynth.documents.readers.pdf.text_blocks import BodyStyle, TextBlock

_NESTED = 6.0  # points by which the mark of an item inside another stands in
_INDENT_STEP = 3.0  # points
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
    for left in sorted(lefts.values()):
        if not steps or left - steps[-1] > _INDENT_STEP:
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
