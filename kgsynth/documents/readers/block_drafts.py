"""What every reader builds: block drafts (blocks without a section), and text without markup tied to its source.

The characters of a block's text equal those of the source, except where the source has markup instead (an entity, a
line-break tag): those characters point to the markup. Sections, titles and navigation are added by ``assembly``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from kgsynth.language.words import CJK, CJK_SYMBOLS

Runs = tuple[tuple[int, int], ...]
Pieces = list[tuple[str, bool, bool]]
"""Pieces of text in order, each with whether it is code and whether it is a link."""

_WORD_OR_SPACE = re.compile(r"\s+|\S+")
_CJK_EDGE = re.compile(rf"[{CJK}{CJK_SYMBOLS}\uff00-\uffef]")


@dataclass(frozen=True, slots=True)
class BlockDraft:
    """A block without its section; ``linked`` counts letters of link text, ``listing`` numbers its list (0: none)."""

    kind: str
    start: int
    end: int
    text: str
    runs: Runs
    level: int = 0
    code: Runs = ()
    linked: int = 0
    listing: int = 0


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """What a reader returns for one file; ``title`` is "" unless the file has a title outside its headings."""

    text: str
    drafts: list[BlockDraft]
    title: str = ""


class _TextPart(NamedTuple):
    """A word or a blank at ``place`` in the source; ``breaks`` for the end of a line, ``encoded`` for markup there."""

    text: str
    place: int
    code: bool = False
    breaks: bool = False
    encoded: bool = False


@dataclass(slots=True)
class CleanText:
    """Builds a block's text from pieces of ``source``: white space is folded, and every character keeps its place.

    Example:
        >>> clean = CleanText("a **bold**\\nword")
        >>> for piece, at in (("a ", 0), ("bold", 4), ("\\n", 10), ("word", 11)):
        ...     clean.add(piece, at)
        >>> clean.build()
        ('a bold word', ((0, 0), (2, 4), (6, 10)), ())
    """

    source: str
    linked: int = 0
    _parts: list[_TextPart] = field(default_factory=list)

    def add(self, piece: str, at: int, *, code: bool = False, link: bool = False, encoded: bool = False) -> None:
        """Add the text at ``at``, in source order; ``encoded`` if the source has markup there that means ``piece``."""
        for match in _WORD_OR_SPACE.finditer(piece):
            part, place = match.group(), at + match.start()
            if part[0].isspace():
                self._add_blank(part, place, encoded, code)
            elif encoded or self.source.startswith(part, place):
                self._parts.append(_TextPart(part, place, code, encoded=encoded))
                self.linked += len(part) if link else 0

    def _add_blank(self, part: str, place: int, encoded: bool, code: bool) -> None:
        """Fold white space to one blank; add none where the source has no white space, since text was hidden there."""
        if not encoded:
            there = self.source[place : place + len(part)]
            place += next((number for number, char in enumerate(there) if char.isspace()), 0)
        if not self._parts or (not encoded and not self.source[place : place + 1].isspace()):
            return
        if self._parts[-1].text != " ":
            breaks = not encoded and ("\n" in part or "\r" in part)
            self._parts.append(_TextPart(" ", place, code, breaks, encoded))
        elif not encoded and not self.source[self._parts[-1].place].isspace():
            self._parts[-1] = _TextPart(" ", place, code)

    def build(self) -> tuple[str, Runs, Runs]:
        """Return the text, its runs, and its stretches of inline code."""
        parts = self._parts
        while parts and parts[-1].text == " ":
            parts.pop()
        texts: list[str] = []
        runs: list[tuple[int, int]] = []
        code: list[tuple[int, int]] = []
        length, expected = 0, -1
        for number, part in enumerate(parts):
            if part.breaks and _CJK_EDGE.match(parts[number - 1].text[-1]) and _CJK_EDGE.match(parts[number + 1].text):
                continue  # lines of Chinese are joined without a blank
            if part.encoded or part.place != expected:
                runs.append((length, part.place))
            if part.code:
                start = code.pop()[0] if code and code[-1][1] == length else length
                code.append((start, length + len(part.text)))
            texts.append(part.text)
            length += len(part.text)
            expected = -1 if part.encoded else part.place + len(part.text)
        text = "".join(texts)
        return text, tuple(runs), tuple((a, b - text[a:b].endswith(" ")) for a, b in code)


@dataclass(slots=True)
class ExtractedText:
    """Builds the text of a document in another format (HTML, reStructuredText): its blocks, joined by blank lines.

    Example:
        >>> extracted = ExtractedText()
        >>> extracted.add("heading", [("Key  facts", False, False)], level=1)
        >>> extracted.add("paragraph", [("Use ", False, False), ("GET", True, False)])
        >>> extracted.parsed().text
        'Key facts\\n\\nUse GET'
    """

    _texts: list[str] = field(default_factory=list)
    _drafts: list[BlockDraft] = field(default_factory=list)
    _length: int = 0

    def add(self, kind: str, pieces: Pieces, *, level: int = 0, listing: int = 0, joint: str = "\n\n") -> None:
        """Add a block, unless it is empty; ``joint`` is put between it and the block before."""
        joined = "".join(piece for piece, _, _ in pieces)
        clean, at = CleanText(joined), 0
        code: Runs = ()
        if kind == "code":
            text = joined.expandtabs(8).strip("\n").rstrip()
        else:
            for piece, is_code, is_link in pieces:
                clean.add(piece, at, code=is_code, link=is_link)
                at += len(piece)
            text, _, code = clean.build()
        if not text.strip():
            return
        if self._texts:
            self._texts.append(joint)
            self._length += len(joint)
        start, end = self._length, self._length + len(text)
        self._texts.append(text)
        self._length = end
        self._drafts.append(BlockDraft(kind, start, end, text, ((0, start),), level, code, clean.linked, listing))

    def at_top(self) -> bool:
        """Check whether nothing but the title and what precedes it has been added."""
        return all(draft.kind == "meta" or (draft.kind == "heading" and draft.level == 1) for draft in self._drafts)

    def parsed(self, title: str = "") -> ParsedFile:
        """Return everything that was added."""
        return ParsedFile("".join(self._texts), self._drafts, title)


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
