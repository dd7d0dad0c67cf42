"""What every reader builds: block drafts (blocks without a section), their containers, and text without markup.

The characters of a block's text equal those of the source, except where the source has markup instead (an entity, a
line-break tag): those characters point to the markup. Sections, titles and navigation are added by ``assembly``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from kgsynth.base.records.documents import CellTable, Container, PlacedText, SourcePlace
from kgsynth.base.vocabulary import ContainerKind
from kgsynth.documents.readers.nesting import Nesting
from kgsynth.language.words import CJK, CJK_SYMBOLS

Runs = tuple[tuple[int, int], ...]
Links = tuple[tuple[int, int, str], ...]


class TextPiece(NamedTuple):
    """A piece of a block's text, whether it is code or bold, and the target of the link it belongs to ("" for none).

    ``place`` is where it is in a file that is not text.
    """

    text: str
    code: bool = False
    link: str = ""
    strong: bool = False
    place: SourcePlace | None = None


Pieces = list[TextPiece]


NO_TARGET = "#"
"""The target of a link without one."""

_WORD_OR_SPACE = re.compile(r"\s+|\S+")
_CJK_EDGE = re.compile(rf"[{CJK}{CJK_SYMBOLS}\uff00-\uffef]")


@dataclass(slots=True)
class BlockDraft:
    """A block without its section; ``linked`` counts letters of link text.

    ``inside`` is the index of its innermost container in ``ParsedFile.containers``, -1 for none.
    """

    kind: str
    start: int
    end: int
    text: str
    runs: Runs
    level: int = 0
    code: Runs = ()
    linked: int = 0
    strong: Runs = ()
    links: Links = ()
    inside: int = -1


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """What a reader returns for one file; ``title`` is "" unless the file has a title outside its headings.

    ``places`` and ``remarks`` are those of ``Document``. If ``named_by_file``, a heading that opens the text is not the
    title, as that of the first sheet of a workbook. The cells of ``tables`` are not among the drafts and containers.
    """

    text: str
    drafts: list[BlockDraft]
    title: str = ""
    containers: tuple[Container, ...] = ()
    places: tuple[PlacedText, ...] = ()
    remarks: tuple[str, ...] = ()
    named_by_file: bool = False
    tables: tuple[CellTable, ...] = ()


class _TextPart(NamedTuple):
    """A word or a blank at ``place`` in the source; ``breaks`` for the end of a line, ``encoded`` for markup there."""

    text: str
    place: int
    code: bool = False
    breaks: bool = False
    encoded: bool = False
    link: str = ""
    strong: bool = False
    source: SourcePlace | None = None


class BlockText(NamedTuple):
    """The text of a block with its runs, and the ranges of it that are code, bold, links, and at one place."""

    text: str
    runs: Runs
    code: Runs
    strong: Runs
    links: Links
    linked: int
    places: tuple[tuple[int, int, SourcePlace], ...] = ()


@dataclass(slots=True)
class CleanText:
    """Builds a block's text from pieces of ``source``: white space is folded, and every character keeps its place.

    Example:
        >>> clean = CleanText("a **bold**\\nword")
        >>> for piece, at in (("a ", 0), ("bold", 4), ("\\n", 10), ("word", 11)):
        ...     clean.add(TextPiece(piece), at)
        >>> clean.build()[:2]
        ('a bold word', ((0, 0), (2, 4), (6, 10)))
    """

    source: str
    linked: int = 0
    _parts: list[_TextPart] = field(default_factory=list)

    def add(self, piece: TextPiece, at: int, *, encoded: bool = False) -> None:
        """Add the text at ``at``, in source order; ``encoded`` if the source has markup there that means ``piece``."""
        text, code, link, strong, source = piece
        for match in _WORD_OR_SPACE.finditer(text):
            part, place = match.group(), at + match.start()
            if part[0].isspace():
                self._add_blank(part, place, encoded, piece)
            elif encoded or self.source.startswith(part, place):
                self._parts.append(_TextPart(part, place, code, False, encoded, link, strong, source))
                self.linked += len(part) if link else 0

    def _add_blank(self, part: str, place: int, encoded: bool, piece: TextPiece) -> None:
        """Fold white space to one blank; add none where the source has no white space, since text was hidden there."""
        _, code, link, strong, source = piece
        if not encoded:
            there = self.source[place : place + len(part)]
            place += next((number for number, char in enumerate(there) if char.isspace()), 0)
        if not self._parts or (not encoded and not self.source[place : place + 1].isspace()):
            return
        if self._parts[-1].text != " ":
            breaks = not encoded and ("\n" in part or "\r" in part)
            self._parts.append(_TextPart(" ", place, code, breaks, encoded, link, strong, source))
        elif not encoded and not self.source[self._parts[-1].place].isspace():
            self._parts[-1] = _TextPart(" ", place, code, link=link, strong=strong, source=source)

    def build(self) -> BlockText:
        """Return the text, its runs, and its ranges of code, bold and links."""
        parts = self._parts
        while parts and parts[-1].text == " ":
            parts.pop()
        texts: list[str] = []
        runs: list[tuple[int, int]] = []
        marked: dict[str, list[tuple[int, int, Any]]] = {"code": [], "strong": [], "links": [], "places": []}
        length, expected = 0, -1
        for number, part in enumerate(parts):
            if part.breaks and _CJK_EDGE.match(parts[number - 1].text[-1]) and _CJK_EDGE.match(parts[number + 1].text):
                continue  # lines of Chinese are joined without a blank
            if part.encoded or part.place != expected:
                runs.append((length, part.place))
            stop = length + len(part.text)
            marks = (("code", part.code), ("strong", part.strong), ("links", part.link), ("places", part.source))
            for name, mark in marks:
                if mark:
                    _extend(marked[name], length, stop, mark)
            texts.append(part.text)
            length = stop
            expected = -1 if part.encoded else part.place + len(part.text)
        text = "".join(texts)
        code, strong, links, places = (
            tuple((low, high - text[low:high].endswith(" "), mark) for low, high, mark in ranges)
            for ranges in marked.values()
        )
        return BlockText(text, tuple(runs), _ranges(code), _ranges(strong), links, self.linked, places)


def _extend(ranges: list[tuple[int, int, Any]], start: int, stop: int, mark: Any) -> None:
    """Add the range to ``ranges``, or lengthen the last one if it ends there with the same mark."""
    if ranges and ranges[-1][1:] == (start, mark):
        start = ranges.pop()[0]
    ranges.append((start, stop, mark))


def _ranges(marked: tuple[tuple[int, int, Any], ...]) -> Runs:
    return tuple((start, stop) for start, stop, _ in marked)


@dataclass(slots=True)
class ExtractedText:
    """Builds the text of a document in another format (HTML, PDF, a sheet): its blocks, joined by blank lines.

    Example:
        >>> extracted = ExtractedText()
        >>> extracted.add("heading", [TextPiece("Key  facts")], level=1)
        >>> extracted.add("paragraph", [TextPiece("Use "), TextPiece("GET", code=True)])
        >>> extracted.parsed().text
        'Key facts\\n\\nUse GET'
    """

    nesting: Nesting = field(default_factory=Nesting)
    length: int = 0
    _texts: list[str] = field(default_factory=list)
    _drafts: list[BlockDraft] = field(default_factory=list)
    _places: list[PlacedText] = field(default_factory=list)
    _tables: list[CellTable] = field(default_factory=list)

    def add(self, kind: str, pieces: Pieces, *, level: int = 0, joint: str = "\n\n") -> None:
        """Add a block, unless it is empty; ``joint`` is put between it and the block before."""
        joined = "".join(piece.text for piece in pieces)
        clean, at = CleanText(joined), 0
        made = BlockText(joined.expandtabs(8).strip("\n").rstrip(), (), (), (), (), 0)
        if kind == "code":
            made = made._replace(places=tuple(_places_of_code(pieces, joined, len(made.text))))
        if kind != "code":
            for piece in pieces:
                clean.add(piece, at)
                at += len(piece.text)
            made = clean.build()
        text, _, code, strong, links, linked, places = made
        if not text.strip():
            return
        if self._texts:
            self._texts.append(joint)
            self.length += len(joint)
        start, end = self.length, self.length + len(text)
        self._texts.append(text)
        self.length = end
        self._places.extend(PlacedText(start + low, start + high, place) for low, high, place in places)
        runs, inside = ((0, start),), self.nesting.inside
        self._drafts.append(BlockDraft(kind, start, end, text, runs, level, code, linked, strong, links, inside))

    def add_table(self, table: CellTable, rows: Iterable[list[str]]) -> None:
        """Add the rows of a table, in the open container; white space in cells is folded, and empty rows are left out.

        They stay text until the blocks of the document are asked for.
        """
        shapes: dict[tuple[int, ...], tuple[int, ...]] = {}
        numbers, columns, lines = [], [], []
        for number, row in enumerate(rows):
            filled = tuple([column for column, text in enumerate(row) if text])
            if filled:
                numbers.append(number)
                columns.append(shapes.setdefault(filled, filled))
                lines.append("\t".join(row if len(filled) == len(row) else filter(None, row)))
        if not lines:
            return
        joint = "\n\n" if self._texts else ""
        text = "\n".join(lines)
        start = self.length + len(joint)
        self.length = start + len(text)
        self._texts += (joint, text)
        self._tables.append(
            table._replace(
                lines=tuple(zip(numbers, columns, strict=True)),
                start=start,
                end=self.length,
                container=self.nesting.inside,
                before=len(self._drafts),
            )
        )

    def add_code(self, pieces: Pieces, language: str = "") -> None:
        """Add a block of code in a container of its own, unless it is empty."""
        with self.within(ContainerKind.CODE, name=language):
            self.add("code", pieces)

    def within(self, kind: ContainerKind, **traits: Any) -> AbstractContextManager[None]:
        """Open a container for the time of a ``with`` statement."""
        return self.nesting.within(kind, self.length, **traits)

    def at_top(self) -> bool:
        """Check whether nothing but the title and what precedes it has been added."""
        return all(draft.kind == "meta" or (draft.kind == "heading" and draft.level == 1) for draft in self._drafts)

    def parsed(self, title: str = "", remarks: tuple[str, ...] = ()) -> ParsedFile:
        """Return everything that was added."""
        containers, places = tuple(self.nesting.found), tuple(self._places)
        tables = tuple(self._tables)
        return ParsedFile("".join(self._texts), self._drafts, title, containers, places, remarks, tables=tables)


def _places_of_code(pieces: Pieces, joined: str, length: int) -> Iterator[tuple[int, int, SourcePlace]]:
    """Yield where the pieces of a block of code are; it keeps its white space, except blank lines around it."""
    at = len(joined.lstrip("\n")) - len(joined)
    for piece in pieces:
        start, at = at, at + len(piece.text.expandtabs(8))
        if piece.place and max(start, 0) < min(at, length):
            yield max(start, 0), min(at, length), piece.place


def meta_drafts(text: str, drafts: list[BlockDraft]) -> list[BlockDraft]:
    """Return meta drafts, without text, for everything but white space outside ``drafts``: markup and templates."""
    found: list[BlockDraft] = []
    reached = 0
    for low, high in [*((draft.start, draft.end) for draft in drafts), (len(text), len(text))]:
        piece = text[reached:low]
        if piece.strip():
            start = reached + len(piece) - len(piece.lstrip())
            found.append(BlockDraft("meta", start, reached + len(piece.rstrip()), "", ((0, start),)))
        reached = max(reached, high)
    return found
