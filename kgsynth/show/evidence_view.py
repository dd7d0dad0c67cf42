"""Show evidence in its document: the text around a span, split into marked and unmarked pieces."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, pairwise

from kgsynth.base.records import Block, Container, Document, SourcePlace, Span
from kgsynth.base.vocabulary import ContainerKind
from kgsynth.evidence.derivation_steps import Place

# Find the inline markup in a document's text, so that a page can show it rendered and still have every character.
#
# What a reader of a format leaves out of a block (``Block.runs``) is markup. Nothing is parsed here a second time,
# and nothing is replaced: a page hides the markup, and shows it again when its reader wants the text as written.

Style = tuple[int, int, str]
"""``(start, end, style)``; the style is "b", "i", "s", "code", or "md" for markup."""

_FORMATS = frozenset({"md", "markdown", "rst"})
_VERBATIM_KINDS = frozenset({"meta", "navigation"})
_LIST_MARKS = re.compile(r"(?:[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+|>[ \t]?))*")
_LINK_TARGET = re.compile(r"\]\(.*|\]\[.*|<[^>]*>", re.DOTALL)
_SIGN = re.compile(r"\*\*|__|~~|\*|_")
_STYLE_OF_SIGN = {"**": "b", "__": "b", "~~": "s", "*": "i", "_": "i"}


def inline_styles(document: Document, start: int, end: int) -> list[Style]:
    """Return the styled places and the markup in ``document.text[start:end]``, in order; where two overlap, the later.

    Marks of lists and quotations are not inline markup. The lines around a code block are markup, its content is code.

    Example:
        >>> block = Block("paragraph", 0, 12, "Use GET.", ((0, 0), (4, 6), (7, 11)))  # of "Use **GET**."
        >>> inline_styles(Document("a.md", "Use **GET**.", "A", "md", "", (block,), ()), 0, 12)
        [(6, 9, 'b'), (4, 6, 'md'), (9, 11, 'md')]
    """
    if document.format.lstrip(".") not in _FORMATS:
        return []
    found: list[Style] = []
    for block in document.blocks:
        if block.start < end and start < block.end and block.kind not in _VERBATIM_KINDS:
            markup = list(_markup(block, document.text))
            found += [(block.start, block.end, "b")] if block.kind == "heading" else []
            if block.kind == "code":
                found += [(block.start, block.end, "code")]
            else:
                found += _emphasis(markup, document.text)
                found += [(*block.locate(low, high), "code") for low, high in block.code if low < high]
            found += [(low, high, "md") for low, high in markup]
    return found


def _markup(block: Block, text: str) -> Iterator[tuple[int, int]]:
    """Yield the places of a block that are not in the text that a person reads."""
    at = block.start
    if block.kind not in ("heading", "code") and (marks := _LIST_MARKS.match(text, at, block.end)):
        at = marks.end()
    for number, (shown, source) in enumerate(block.runs):
        stop = block.runs[number + 1][0] if number + 1 < len(block.runs) else len(block.text)
        if at < source:
            yield at, source
        at = max(at, source + stop - shown)
    if at < block.end:
        yield at, block.end


def _emphasis(markup: list[tuple[int, int]], text: str) -> Iterator[Style]:
    """Yield the places between two equal signs of emphasis."""
    opened: dict[str, int] = {}
    for low, high in markup:
        for sign in _SIGN.findall(_LINK_TARGET.sub("", text[low:high])):
            if sign in opened:
                yield opened.pop(sign), low, _STYLE_OF_SIGN[sign]
            else:
                opened[sign] = high


_MAX_WORD = 40  # characters
_MAX_CODE = 1000  # characters of a code block with evidence in it that are shown above and below the evidence
_KEPT_WHOLE = frozenset({"code", "item"})


def around_span(document: Document, start: int, end: int, around: int) -> tuple[int, int]:
    """Return the part of a document to show with ``text[start:end]``: at most ``around`` characters on each side.

    It ends before a table, whose text says nothing without its lines, and before a code block or list item that
    does not fit. Evidence inside a code block is shown with all of it if that is not very long, otherwise by lines.
    """
    text = document.text
    first, last = word_edge(text, start - around, start), word_edge(text, end + around, end)
    begin = max(0, bisect_right(document.blocks, min(first, start), key=_block_start) - 1)
    near = document.blocks[begin : bisect_left(document.blocks, max(last, end), key=_block_start)]
    own = [block for block in near if block.start < end and start < block.end]
    above = _kept((block for block in reversed(near) if first < block.end <= start), document, first, last)
    below = _kept((block for block in near if block.start >= end), document, first, last)
    first, last = max([first, *(block.end for block in above)]), min([last, *(block.start for block in below)])
    for block in own:
        if block.kind == "code":
            first, last = _with_code(block, text, (first, last), (start, end))
        elif _in_table(block, document):
            first, last = max(first, min(block.start, start)), min(last, max(block.end, end))
    while first < start and text[first].isspace():
        first += 1
    while last > end and text[last - 1].isspace():
        last -= 1
    return first, last


def word_edge(text: str, wanted: int, span: int) -> int:
    """Return the offset between ``wanted`` and the span that is nearest to ``wanted`` and not inside a word.

    Text without spaces, such as Chinese, is cut at ``wanted``.

    Example:
        >>> word_edge("Ada leads it", 6, 0), word_edge("Ada leads it", 6, 12)
        (3, 10)
    """
    wanted = min(max(wanted, 0), len(text))
    if wanted < span:
        places = range(wanted, min(span, wanted + _MAX_WORD) + 1)
        return next((at for at in places if at in (0, span) or text[at - 1].isspace()), wanted)
    places = range(wanted, max(span, wanted - _MAX_WORD) - 1, -1)
    return next((at for at in places if at in (span, len(text)) or text[at].isspace()), wanted)


def _kept(blocks: Iterable[Block], document: Document, first: int, last: int) -> list[Block]:
    """Return the first block, from the evidence outwards, before which the shown text ends; [] for none."""
    for block in blocks:
        cut = block.start < first or last < block.end
        if _in_table(block, document) or (cut and block.kind in _KEPT_WHOLE):
            return [block]
    return []


def _with_code(block: Block, text: str, shown: tuple[int, int], span: tuple[int, int]) -> tuple[int, int]:
    """Return what is shown with evidence inside a code block: the block, of a long one whole lines."""
    first, last = shown
    if span[0] - block.start <= _MAX_CODE:
        first = min(first, block.start)
    else:
        first = text.rfind("\n", block.start, max(first, block.start)) + 1 or block.start
    if block.end - span[1] <= _MAX_CODE:
        return first, max(last, block.end)
    line_end = text.find("\n", min(last, block.end), block.end)
    return first, line_end if line_end >= 0 else block.end


def _block_start(block: Block) -> int:
    return block.start


def _in_table(block: Block, document: Document) -> bool:
    number = block.inside
    while number >= 0:
        container = document.containers[number]
        if container.kind in (ContainerKind.TABLE, ContainerKind.CELL):
            return True
        number = container.parent
    return block.kind == "cell"


# Show evidence from a table as a small table: its head, the rows of the evidence, and their cells marked.

_MAX_HEAD_ROWS, _MAX_BODY_ROWS, _MAX_COLUMNS = 3, 8, 8
_MAX_CELL_LETTERS = 160


@dataclass(frozen=True, slots=True)
class ShownCell:
    """A cell of a shown table; ``mark`` is that of a ``Piece``."""

    text: str
    head: bool = False
    mark: str = ""
    rows: int = 1
    columns: int = 1


@dataclass(frozen=True, slots=True)
class ShownTable:
    """Rows of a table; ``left_out`` says how many rows and columns of it are not shown."""

    rows: tuple[tuple[ShownCell, ...], ...]
    left_out: str = ""


class DocumentTables:
    """The tables of a document; what is looked up in them is computed once."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self._grids: dict[int, _Grid] = {}

    def cells_at(self, start: int, end: int) -> tuple[int, frozenset[int]] | None:
        """Return the table that ``text[start:end]`` stands in and the indices of its cells; None if it is no table's.

        A table in a table is only layout, and is not shown as one.
        """
        blocks = self._blocks(start, end)
        places = {self._cell_and_table(number) for number in blocks}
        tables = {table for _, table in places}
        if len(tables) != 1 or -1 in tables:
            return None
        return tables.pop(), frozenset(cell for cell, _ in places)

    def shown(self, table: int, marks: Mapping[int, str]) -> ShownTable:
        """Return the head rows of a table and the rows of the cells in ``marks``, by index of the cell."""
        grid = self._grid(table)
        body = sorted({self.document.containers[cell].row for cell in marks} - set(grid.head_rows))
        rows = [*grid.head_rows, *body[:_MAX_BODY_ROWS]]
        columns = grid.columns_around(self.document.containers[cell].column for cell in marks)
        seen: set[int] = set()
        shown = tuple(tuple(self._row(grid, row, rows, columns, marks, seen)) for row in rows)
        missing = [
            f"{shown_of} of {total:,} {name}"
            for shown_of, total, name in ((len(rows), grid.height, "rows"), (len(columns), grid.width, "columns"))
            if shown_of < total
        ]
        return ShownTable(shown, ", ".join(missing))

    def _row(
        self,
        grid: _Grid,
        row: int,
        rows: Sequence[int],
        columns: Sequence[int],
        marks: Mapping[int, str],
        seen: set[int],
    ) -> Iterable[ShownCell]:
        for column in columns:
            number = grid.cell(row, column)
            if number is None:
                yield ShownCell("")
            elif number not in seen:
                seen.add(number)
                cell = self.document.containers[number]
                yield ShownCell(
                    self._text(cell),
                    cell.head,
                    marks.get(number, ""),
                    sum(cell.row <= each < cell.row + cell.rows for each in rows),
                    sum(cell.column <= each < cell.column + cell.columns for each in columns),
                )

    def _text(self, cell: Container) -> str:
        text = " ".join(self.document.blocks[number].text for number in self._blocks(cell.start, cell.end))
        return text if len(text) <= _MAX_CELL_LETTERS else f"{text[:_MAX_CELL_LETTERS]} …"

    def _grid(self, table: int) -> _Grid:
        if table not in self._grids:
            self._grids[table] = _Grid(self.document.containers, self._cells[table])
        return self._grids[table]

    @cached_property
    def _cells(self) -> dict[int, list[int]]:
        """The indices of the cells of each table."""
        found: dict[int, list[int]] = {}
        for number, container in enumerate(self.document.containers):
            if container.kind == ContainerKind.CELL:
                found.setdefault(container.parent, []).append(number)
        return found

    @cached_property
    def _starts(self) -> list[int]:
        return [block.start for block in self.document.blocks]

    def _blocks(self, start: int, end: int) -> range:
        """Return the numbers of the blocks that share a character with ``[start, end)``."""
        first = max(0, bisect_right(self._starts, start) - 1)
        if first < len(self._starts) and self.document.blocks[first].end <= start:
            first += 1
        return range(first, bisect_left(self._starts, end))

    def _cell_and_table(self, block: int) -> tuple[int, int]:
        """Return the cell and the table around a block, -1 and -1 if there are none or several."""
        found, number = [], self.document.blocks[block].inside
        while number >= 0:
            container = self.document.containers[number]
            if container.kind == ContainerKind.CELL:
                found.append((number, container.parent))
            number = container.parent
        return found[0] if len(found) == 1 else (-1, -1)


class _Grid:
    """The cells of a table by row and column."""

    def __init__(self, containers: Sequence[Container], cells: Sequence[int]) -> None:
        self._containers = containers
        self._rows: dict[int, list[int]] = {}
        self._tall = [number for number in cells if containers[number].rows > 1]
        for number in cells:
            self._rows.setdefault(containers[number].row, []).append(number)
        self.height = max(containers[number].row + containers[number].rows for number in cells)
        self.width = max(containers[number].column + containers[number].columns for number in cells)
        self.head_rows = self._head_rows()

    def cell(self, row: int, column: int) -> int | None:
        """Return the index of the cell that covers a place, None if there is none."""
        for number in [*self._rows.get(row, []), *self._tall]:
            cell = self._containers[number]
            if cell.row <= row < cell.row + cell.rows and cell.column <= column < cell.column + cell.columns:
                return number
        return None

    def columns_around(self, marked: Iterable[int]) -> list[int]:
        """Return the columns to show: all, or of a wide table the first and those around the marked ones."""
        if self.width <= _MAX_COLUMNS:
            return list(range(self.width))
        marked = sorted(set(marked))
        near = [column + step for step in (0, 1, -1) for column in marked]
        wanted = dict.fromkeys((*marked, 0, *near, *range(self.width)))
        return sorted([column for column in wanted if 0 <= column < self.width][:_MAX_COLUMNS])

    def _head_rows(self) -> list[int]:
        found: list[int] = []
        for row in sorted(self._rows):
            cells = [self._containers[number] for number in self._rows[row]]
            empty = [cell for cell in cells if cell.start == cell.end]
            if row != len(found) or not any(c.head for c in cells) or not all(c.head or c in empty for c in cells):
                break
            found.append(row)
        return found[:_MAX_HEAD_ROWS]


CHARS_AROUND = 240
"""Characters of the document shown before and after a span."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of text; ``mark`` is "", "evidence", or "operand" for evidence from which the answer is computed.

    ``style`` is how it is rendered: "", "b", "i", "s" (struck out), "code", or "md" for markup, which a page hides.
    """

    text: str
    mark: str = ""
    style: str = ""


def marked(text: str, marks: Sequence[tuple[int, int, str]], start: int = 0, end: int | None = None) -> list[Piece]:
    """Split ``text[start:end]`` by ``marks``, each ``(start, end, mark)``; where they overlap the last one counts.

    Example:
        >>> [(piece.mark, piece.text) for piece in marked("Ada leads it", [(0, 9, "evidence"), (0, 3, "operand")])]
        [('operand', 'Ada'), ('evidence', ' leads'), ('', ' it')]
    """
    end = len(text) if end is None else end
    cuts = sorted({start, end, *(cut for low, high, _ in marks for cut in (low, high) if start < cut < end)})
    found = [
        (text[a:b], next((name for low, high, name in reversed(marks) if low <= a < high), ""))
        for a, b in pairwise(cuts)
    ]
    return [Piece("".join(part for part, _ in same), mark) for mark, same in groupby(found, key=lambda part: part[1])]


def styled(pieces: Iterable[Piece], document: Document, start: int) -> list[Piece]:
    """Split ``pieces``, the text of ``document`` from ``start`` on, by its inline markup; the text stays the same.

    Example:
        >>> block = Block("paragraph", 0, 12, "Use GET.", ((0, 0), (4, 6), (7, 11)))
        >>> page = Document("a.md", "Use **GET**.", "A", "md", "", (block,), ())
        >>> [(piece.style, piece.text) for piece in styled([Piece(page.text)], page, 0)]
        [('', 'Use '), ('md', '**'), ('b', 'GET'), ('md', '**'), ('', '.')]
    """
    pieces = list(pieces)
    styles, at = inline_styles(document, start, start + sum(len(piece.text) for piece in pieces)), start
    found = []
    for piece in pieces:
        within = [(low - at, high - at, style) for low, high, style in styles]
        found += [Piece(part.text, piece.mark, part.mark) for part in marked(piece.text, within)]
        at += len(piece.text)
    return found


@dataclass(frozen=True, slots=True)
class ShownSpan:
    """A span as a page shows it: its document, the headings above it, and the text around it in pieces.

    ``place`` is where it stands in a file that is not text. ``picture`` is the address of a picture of its page, "" for
    none; ``table`` shows the evidence of a table, whose text in pieces is then shown only if the reader wants it.
    """

    doc: str
    start: int
    end: int
    headings: tuple[str, ...]
    pieces: tuple[Piece, ...]
    place: SourcePlace | None = None
    picture: str = ""
    table: ShownTable | None = None


def show_span(
    span: Span, documents: Mapping[str, Document], operands: Iterable[Place] = (), around: int = CHARS_AROUND
) -> ShownSpan:
    """Return ``span`` with the text around it, or the span alone if its document is missing or has another text there.

    Example:
        >>> page = Document("a.md", "Ada leads it. Bo helps.", "A", "md", "", (), ())
        >>> [(piece.mark, piece.text) for piece in show_span(page.span(0, 13), {"a.md": page}, [("a.md", 0, 3)]).pieces]
        [('operand', 'Ada'), ('evidence', ' leads it.'), ('', ' Bo helps.')]
    """
    document = documents.get(span.doc)
    if document is None or document.text[span.start : span.end] != span.text:
        over = (span.heading.text,) if span.heading else ()
        return ShownSpan(span.doc, span.start, span.end, over, (Piece(span.text, "evidence"),), span.place)
    first, last = around_span(document, span.start, span.end, around)
    within = ((a, b) for doc, a, b in operands if doc == span.doc and span.start <= a and b <= span.end)
    marks = [(span.start, span.end, "evidence"), *((a, b, "operand") for a, b in within)]
    pieces = styled(marked(document.text, marks, first, last), document, first)
    if document.text[:first].strip():
        pieces.insert(0, Piece("… "))
    if document.text[last:].strip():
        pieces.append(Piece(" …"))
    section = document.section_at(span.start)
    headings = section.path if section else ()
    return ShownSpan(span.doc, span.start, span.end, headings, tuple(pieces), document.place(span.start, span.end))
