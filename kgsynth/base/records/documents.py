"""What a reader makes of a file: text, blocks, sections, containers, and the places in files that are no text."""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache
from itertools import starmap
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from kgsynth.base.processes import no_collection
from kgsynth.base.vocabulary import ContainerKind


@dataclass(frozen=True, slots=True)
class Chunk:
    """A part of a document that is retrieved as a unit; ``text`` is ``Document.text[start:end]``.

    ``head`` has the head rows of the table in which the chunk begins, "" if it begins in none. They stand further up
    in the document.
    """

    id: str
    doc: str
    section: str
    start: int
    end: int
    text: str
    head: str = ""

    @property
    def searched(self) -> str:
        """The text that is searched and embedded: the head of the table, if there is one, and the text."""
        return f"{self.head}\n{self.text}" if self.head else self.text


# What holds the blocks of a document: tables, cells, lists, notes, one inside the other.


@dataclass(frozen=True, slots=True)
class Container:
    """Something that holds blocks: a table, a list, a note.

    ``parent`` is the index of the container around it, -1 for none. ``name`` is the kind of a note, or the language of
    code. A cell stands in ``row`` and ``column``, counted from 0, and reaches over ``rows`` and ``columns`` of them;
    ``head`` is whether it is marked as the head of a row or column. ``indent`` counts how far its text stands in from
    those above and below it.
    """

    kind: ContainerKind
    parent: int
    start: int
    end: int
    name: str = ""
    row: int = 0
    column: int = 0
    rows: int = 1
    columns: int = 1
    head: bool = False
    indent: int = 0


def containers_around(containers: Sequence[Container], number: int) -> Iterator[int]:
    """Yield the index of a container and of those around it, the innermost first; nothing for -1.

    Example:
        >>> table, cell = Container(ContainerKind.TABLE, -1, 0, 9), Container(ContainerKind.CELL, 0, 2, 5)
        >>> list(containers_around([table, cell], 1)), list(containers_around([table, cell], -1))
        ([1, 0], [])
    """
    while number >= 0:
        yield number
        number = containers[number].parent


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


# The cells of a long table, kept as the text of its rows, since a million objects cost more than all the rest.


class TableCell(NamedTuple):
    """Where a cell stands in the text and in its table, and over how many rows and columns it reaches."""

    start: int
    end: int
    row: int
    column: int
    rows: int
    columns: int
    head: bool
    place: SourcePlace | None


class CellTable(NamedTuple):
    """A table whose text has a line for each row, with tabs between the cells that are not empty.

    ``lines`` are the number of each row and its columns with text. The first ``heads`` rows are heads, and so is the
    column ``naming``, -1 for none. ``spans`` are the rows and
    columns over which wide cells reach.
    ``corner`` is the row and column of the sheet in which the table begins, None if it stands in no sheet.
    ``container``, ``section`` and ``before`` are its container, its section, and the number of other blocks before it.
    """

    heads: int = 0
    naming: int = -1
    sheet: str = ""
    corner: tuple[int, int] | None = None
    spans: Mapping[tuple[int, int], tuple[int, int]] | None = None
    lines: tuple[tuple[int, tuple[int, ...]], ...] = ()
    start: int = 0
    end: int = 0
    container: int = -1
    section: int = 0
    before: int = 0

    def cells(self, text: str) -> Iterator[TableCell]:
        r"""Yield the cells of the table in the order of ``text``, which is that of its document.

        Example:
            >>> table = CellTable(heads=1, corner=(2, 0), lines=((0, (0, 1)), (1, (1,))), end=14)
            >>> [(each.column, each.head, each.place.cell) for each in table.cells("Plan\tPrice\n$5")]
            [(0, True, 'A3'), (1, True, 'B3'), (1, False, 'B4')]
        """
        top, left = self.corner or (0, 0)
        start = self.start
        for (row, columns), line in zip(self.lines, text[self.start : self.end].split("\n"), strict=True):
            label = str(top + row + 1)
            for column, cell in zip(columns, line.split("\t"), strict=True):
                end = start + len(cell)
                rows, width = self.spans.get((row, column), (1, 1)) if self.spans else (1, 1)
                head = row < self.heads or column == self.naming
                place = SourcePlace(0, (), self.sheet, column_name(left + column) + label) if self.corner else None
                yield TableCell(start, end, row, column, rows, width, head, place)
                start = end + 1


@cache
def column_name(column: int) -> str:
    """Return the letters of a column that counts from 0.

    Example:
        >>> column_name(0), column_name(25), column_name(26), column_name(16383)
        ('A', 'Z', 'AA', 'XFD')
    """
    name = ""
    column += 1
    while column:
        column, letter = divmod(column - 1, 26)
        name = chr(65 + letter) + name
    return name


PROSE = frozenset({"paragraph", "item", "quote"})
"""The kinds of block that contain sentences; facts are read only from these."""

READ = PROSE | {"cell"}
"""The kinds of block that one reads and asks about; the others are headings, code, navigation and the like."""


def content_id(prefix: str, *parts: object) -> str:
    """Return an id that depends on nothing but the content: ``prefix-`` and 12 hex digits.

    Example:
        >>> content_id("q", "Who?", "Ada")
        'q-18a00002ce67'
    """
    joined = "\x1f".join(str(part) for part in parts)
    return f"{prefix}-{hashlib.sha256(joined.encode()).hexdigest()[:12]}"


@dataclass(frozen=True, slots=True)
class PlacedText:
    """The part of ``Document.text`` that stands at one place in the file: a line on a page, a cell, a slide."""

    start: int
    end: int
    place: SourcePlace


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading over a span; ``text`` is exactly ``Document.text[start:end]``."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of one document; ``text`` is exactly ``Document.text[start:end]``.

    ``place`` is where it stands in a file that is not text, None if the file is text. ``heading`` is the heading over
    it without which nobody knows what it is about, None if it needs none.
    """

    doc: str
    start: int
    end: int
    text: str
    place: SourcePlace | None = field(default=None, compare=False)
    heading: Heading | None = None

    def meets(self, other: Span) -> bool:
        """Check whether two pieces share a character of one document."""
        return self.doc == other.doc and self.start < other.end and other.start < self.end


@dataclass(frozen=True, slots=True)
class Block:
    """A block of a document: a heading, a paragraph, a list item, a table cell, a piece of code.

    ``kind`` is one of heading, paragraph, item, quote, cell, code, navigation, meta. ``text`` is what a person
    reads: without markup, white space collapsed. ``runs`` map it to the source: ``(i, j)`` means that the characters
    from ``text[i]`` up to the next run are those from ``Document.text[j]`` on (all white space counts as equal).
    ``code`` and ``strong`` hold the ranges of ``text`` that are inline code and bold, ``links`` those of its links with
    their targets as written. ``inside`` is the index of its innermost container in ``Document.containers``, or -1.
    """

    kind: str
    start: int
    end: int
    text: str
    runs: tuple[tuple[int, int], ...]
    level: int = 0
    section: int = 0
    code: tuple[tuple[int, int], ...] = ()
    strong: tuple[tuple[int, int], ...] = ()
    links: tuple[tuple[int, int, str], ...] = ()
    inside: int = -1

    def locate(self, start: int, end: int) -> tuple[int, int]:
        """Return the offsets of ``text[start:end]`` in ``Document.text``.

        Example:
            >>> Block("paragraph", 10, 19, "set key", ((0, 11), (4, 16))).locate(4, 7)
            (16, 19)
        """
        starts = [run[0] for run in self.runs]
        first = self.runs[bisect_right(starts, start) - 1]
        last = self.runs[bisect_right(starts, end - 1) - 1]
        return first[1] + start - first[0], last[1] + end - last[0]


@dataclass(frozen=True, slots=True)
class Section:
    """The part of a document under one heading; ``path`` holds the titles from the document's down to this one."""

    id: str
    doc: str
    title: str
    level: int
    path: tuple[str, ...]
    start: int
    end: int


class _LateCells:
    """Makes the blocks, containers and places of a document with long tables when one of them is first asked for.

    A sheet of 100,000 rows has a million cells. To read it, none of them is needed as an object.
    """

    __slots__ = ("_unmade",)

    if not TYPE_CHECKING:  # a type checker would allow any name

        def __getattr__(self, name: str) -> Any:
            """Make the parts that ``with_tables`` left out."""
            if name not in _FIELDS_OF:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            for part, records in zip(_FIELDS_OF, _with_cells(*self._unmade), strict=True):
                object.__setattr__(self, part, records)
            return getattr(self, name)


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Document(_LateCells):
    """One source file; ``id`` is its path below the folder, with forward slashes.

    ``blocks`` are in the order of the text, without overlap. ``sections[0]`` is the document itself (level 0); a
    block's ``section`` is an index into ``sections``. ``places``
    say where the text stands in a file that is not text, in the order of the text, without overlap. ``remarks`` are
    what the reader noticed and the user should know.
    """

    id: str
    text: str
    title: str
    format: str
    sha256: str
    blocks: tuple[Block, ...]
    sections: tuple[Section, ...]
    language: str = "en"
    containers: tuple[Container, ...] = ()
    places: tuple[PlacedText, ...] = ()
    remarks: tuple[str, ...] = ()

    def __hash__(self) -> int:
        """Return the hash of the id and the checksum: that of all blocks would take as long as reading them."""
        return hash((self.id, self.sha256))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the many small records in it by their fields, or tables as text: either is much quicker."""
        unmade = getattr(self, "_unmade", None)
        if unmade:
            return with_tables, unmade
        packed = {name: list(map(_FIELDS_OF[name], getattr(self, name))) for name in _FIELDS_OF}
        first = (self.id, self.text, self.title, self.format, self.sha256)
        return _unpacked, (first, (self.sections, self.language, self.remarks), packed)

    def span(self, start: int, end: int) -> Span:
        """Return the span ``[start, end)`` with its text and where it stands in the file."""
        return Span(self.id, start, end, self.text[start:end], self.place(start, end))

    def place(self, start: int, end: int) -> SourcePlace | None:
        """Return where ``text[start:end]`` stands in the file: its first page, sheet or slide, and its part of that.

        On a page its box ends where the text goes on in another column, see ``joined_place``.

        Example:
            >>> one, two = SourcePlace(2, (9, 9, 40, 20)), SourcePlace(2, (9, 21, 30, 32))
            >>> lines = (PlacedText(0, 5, one), PlacedText(6, 9, two))
            >>> Document("a.pdf", "First two", "", "pdf", "", (), (), places=lines).place(0, 9)
            SourcePlace(page=2, bbox=(9, 9, 40, 32), sheet='', cell='', slide=0)
        """
        return joined_place([part.place for part in self.places_in(start, end)])

    def places_in(self, start: int, end: int) -> tuple[PlacedText, ...]:
        """Return the parts of the file that ``text[start:end]`` stands in: lines on pages, cells, slides."""
        first = bisect_right(self.places, start, key=lambda part: part.end)
        return self.places[first : bisect_left(self.places, end, lo=first, key=lambda part: part.start)]

    def blocks_in(self, start: int, end: int) -> tuple[Block, ...]:
        """Return the blocks that stand in ``text[start:end]``, wholly or in part.

        Example:
            >>> blocks = (Block("heading", 0, 4, "Keys", ((0, 0),)), Block("paragraph", 6, 9, "Two", ((0, 6),)))
            >>> [block.text for block in Document("a.md", "Keys\\n\\nTwo", "", "md", "", blocks, ()).blocks_in(4, 7)]
            ['Two']
        """
        first = bisect_right(self.blocks, start, key=lambda block: block.end)
        return self.blocks[first : bisect_left(self.blocks, end, lo=first, key=lambda block: block.start)]

    def blocks_from(self, start: int, end: int) -> tuple[Block, ...]:
        """Return the blocks that begin in ``text[start:end]``."""
        first = bisect_left(self.blocks, start, key=lambda block: block.start)
        return self.blocks[first : bisect_left(self.blocks, end, lo=first, key=lambda block: block.start)]

    def section_at(self, place: int) -> Section | None:
        """Return the innermost section at an offset of the text, None if the document has no sections there.

        Example:
            >>> outer = Section("s-1", "a.md", "A", 0, ("A",), 0, 9)
            >>> inner = Section("s-2", "a.md", "B", 1, ("A", "B"), 4, 9)
            >>> page = Document("a.md", "Text # B!", "A", "md", "", (), (outer, inner))
            >>> [page.section_at(place).title for place in (3, 4)]
            ['A', 'B']
        """
        over = (each for each in self.sections if each.start <= place < each.end)
        return max(over, key=lambda each: (each.level, each.start), default=None)

    def headings_over(self, place: int) -> tuple[Block, ...]:
        """Return the headings whose sections an offset is in, from the outermost to the innermost."""
        starts = {each.start for each in self.sections if each.start < place < each.end}
        return tuple(block for block in self.blocks_from(0, place) if block.kind == "heading" and block.start in starts)

    def heading(self, block: Block) -> Heading:
        """Return a block that is a heading with its place, without the marks around it."""
        start, end = block.locate(0, len(block.text))
        return Heading(start, end, self.text[start:end])

    def titles_over(self, start: int, end: int) -> tuple[str, ...]:
        """Return the titles on the paths of all sections that share a character with ``text[start:end]``, each once."""
        over = (each for each in self.sections if each.start < end and start < each.end)
        return tuple(dict.fromkeys(title for section in over for title in section.path))

    def plain(self, start: int, end: int) -> str:
        """Return the source between two offsets without its markup, as a person reads it.

        Blocks are joined by a space. Without a block, the text itself is returned with its white space collapsed.
        """
        parts = ["".join(_shown_pieces(block, start, end)).strip() for block in self.blocks_in(start, end)]
        found = " ".join(part for part in parts if part)
        return found or " ".join(self.text[start:end].split())


_FIELDS_OF: dict[str, Callable[[Any], tuple[Any, ...]]] = {
    "blocks": attrgetter(*(each.name for each in fields(Block))),
    "containers": attrgetter(*(each.name for each in fields(Container))),
    "places": attrgetter("start", "end", *(f"place.{each.name}" for each in fields(SourcePlace))),
}


def with_tables(document: Document, tables: tuple[CellTable, ...]) -> Document:
    """Return a document with the cells of ``tables``, which it has only as text so far."""
    made = object.__new__(Document)
    for each in fields(Document):
        if each.name not in _FIELDS_OF:
            object.__setattr__(made, each.name, getattr(document, each.name))
    object.__setattr__(made, "_unmade", (document, tables))
    return made


def _with_cells(
    document: Document, tables: tuple[CellTable, ...]
) -> tuple[tuple[Block, ...], tuple[Container, ...], tuple[PlacedText, ...]]:
    """Return the blocks, containers and places of a document with those of the cells of ``tables``."""
    text, done = document.text, 0
    blocks: list[Block] = []
    containers, places = list(document.containers), list(document.places)
    with no_collection():
        for table in tables:
            blocks += document.blocks[done : table.before]
            done = table.before
            for start, end, row, column, rows, columns, head, place in table.cells(text):
                inside, runs = len(containers), ((0, start),)
                blocks.append(Block("cell", start, end, text[start:end], runs, 0, table.section, (), (), (), inside))
                cell = (ContainerKind.CELL, table.container, start, end, "", row, column, rows, columns, head)
                containers.append(Container(*cell))
                if place:
                    places.append(PlacedText(start, end, place))
    places.sort(key=attrgetter("start"))
    return (*blocks, *document.blocks[done:]), tuple(containers), tuple(places)


def _unpacked(
    first: tuple[str, str, str, str, str],
    others: tuple[tuple[Section, ...], str, tuple[str, ...]],
    packed: dict[str, list[tuple[Any, ...]]],
) -> Document:
    """Return the document that was pickled."""
    sections, language, remarks = others
    with no_collection():
        blocks, containers = (*starmap(Block, packed["blocks"]),), (*starmap(Container, packed["containers"]),)
        places = (*(PlacedText(start, end, SourcePlace(*place)) for start, end, *place in packed["places"]),)
    return Document(*first, blocks, sections, language, containers, places, remarks)


def _shown_pieces(block: Block, start: int, end: int) -> list[str]:
    """Return the pieces of the block's own text that come from ``[start, end)`` of the source."""
    pieces = []
    for number, (shown, source) in enumerate(block.runs):
        stop = block.runs[number + 1][0] if number + 1 < len(block.runs) else len(block.text)
        low, high = max(source, start), min(source + stop - shown, end)
        if low < high:
            pieces.append(block.text[shown + low - source : shown + high - source])
    return pieces


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file that was not read, and why."""

    path: str
    reason: str
