"""What a reader makes of a source file: documents, sections, blocks and spans."""

from __future__ import annotations

import hashlib
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from itertools import starmap
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from kgsynth.base.garbage import no_collection
from kgsynth.base.records.cell_tables import CellTable
from kgsynth.base.records.containers import Container
from kgsynth.base.records.source_place import SourcePlace as SourcePlace
from kgsynth.base.records.source_place import joined_place
from kgsynth.base.vocabulary import ContainerKind

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
