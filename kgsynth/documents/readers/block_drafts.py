"""What a reader hands over before sections are known: drafts of blocks, and the weaving of clean text.

Clean text is woven from pieces of the source. Where a piece is spelled otherwise in the source (an entity, a
line-break tag), its characters stand at the markup that spells them; everywhere else they are equal, letter for
letter. Leaves out: parsing (the readers) and sections, titles and navigation (assembly).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

Runs = tuple[tuple[int, int], ...]

_PART = re.compile(r"\s+|\S+")
_CJK_EDGE = re.compile(r"[\u2e80-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]")


@dataclass(frozen=True, slots=True)
class Draft:
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
class Reading:
    """What a reader made of one file; ``title`` is "" unless the file names itself outside its headings."""

    text: str
    drafts: list[Draft]
    title: str = ""


class _Part(NamedTuple):
    """A word, or a blank; ``breaks`` when the blank is the end of a line, ``spelled`` when markup spells it."""

    text: str
    place: int
    code: bool = False
    breaks: bool = False
    spelled: bool = False


@dataclass(slots=True)
class Weave:
    """Clean text in the making: pieces of ``source``, white space folded, each with its place.

    Example:
        >>> weave = Weave("a **bold**\\nword")
        >>> for piece, at in (("a ", 0), ("bold", 4), ("\\n", 10), ("word", 11)):
        ...     weave.add(piece, at)
        >>> weave.woven()
        ('a bold word', ((0, 0), (2, 4), (6, 10)), ())
    """

    source: str
    linked: int = 0
    _parts: list[_Part] = field(default_factory=list)

    def add(self, piece: str, at: int, *, code: bool = False, link: bool = False, spelled: bool = False) -> None:
        """Add what stands at ``at``, in the order of the source; ``spelled`` when markup there spells ``piece``."""
        for match in _PART.finditer(piece):
            part, place = match.group(), at + match.start()
            if part[0].isspace():
                self._blank(part, place, spelled, code)
            elif spelled or self.source.startswith(part, place):
                self._parts.append(_Part(part, place, code, spelled=spelled))
                self.linked += len(part) if link else 0

    def _blank(self, part: str, place: int, spelled: bool, code: bool) -> None:
        """Fold white space to one blank; where the source has none, something was hidden there and nothing is added."""
        if not spelled:
            there = self.source[place : place + len(part)]
            place += next((number for number, char in enumerate(there) if char.isspace()), 0)
        if not self._parts or (not spelled and not self.source[place : place + 1].isspace()):
            return
        if self._parts[-1].text != " ":
            breaks = not spelled and ("\n" in part or "\r" in part)
            self._parts.append(_Part(" ", place, code, breaks, spelled))
        elif not spelled and not self.source[self._parts[-1].place].isspace():
            self._parts[-1] = _Part(" ", place, code)

    def woven(self) -> tuple[str, Runs, Runs]:
        """Return the text, its runs and its stretches of code."""
        parts = self._parts
        while parts and parts[-1].text == " ":
            parts.pop()
        texts: list[str] = []
        runs: list[tuple[int, int]] = []
        code: list[tuple[int, int]] = []
        length, expected = 0, -1
        for number, part in enumerate(parts):
            if part.breaks and _CJK_EDGE.match(parts[number - 1].text[-1]) and _CJK_EDGE.match(parts[number + 1].text):
                continue  # Chinese is wrapped without a blank
            if part.spelled or part.place != expected:
                runs.append((length, part.place))
            if part.code:
                start = code.pop()[0] if code and code[-1][1] == length else length
                code.append((start, length + len(part.text)))
            texts.append(part.text)
            length += len(part.text)
            expected = -1 if part.spelled else part.place + len(part.text)
        text = "".join(texts)
        return text, tuple(runs), tuple((a, b - text[a:b].endswith(" ")) for a, b in code)


@dataclass(slots=True)
class Extract:
    """The text of a document that is read out of another format, with its drafts: blocks joined by blank lines.

    Example:
        >>> extract = Extract()
        >>> extract.add("heading", [("Key  facts", False, False)], level=1)
        >>> extract.add("paragraph", [("Use ", False, False), ("GET", True, False)])
        >>> extract.reading().text
        'Key facts\\n\\nUse GET'
    """

    _texts: list[str] = field(default_factory=list)
    _drafts: list[Draft] = field(default_factory=list)
    _length: int = 0

    def add(
        self,
        kind: str,
        pieces: list[tuple[str, bool, bool]],
        *,
        level: int = 0,
        listing: int = 0,
        joint: str = "\n\n",
    ) -> None:
        """Add a block made of pieces ``(text, is code, is link)``; an empty one is left out."""
        whole = "".join(piece for piece, _, _ in pieces)
        if kind == "code":
            self._put(kind, whole.expandtabs(8).strip("\n").rstrip(), joint)
            return
        weave, at = Weave(whole), 0
        for piece, is_code, is_link in pieces:
            weave.add(piece, at, code=is_code, link=is_link)
            at += len(piece)
        text, _, code = weave.woven()
        self._put(kind, text, joint, level=level, code=code, linked=weave.linked, listing=listing)

    def _put(
        self, kind: str, text: str, joint: str, level: int = 0, code: Runs = (), linked: int = 0, listing: int = 0
    ) -> None:
        if not text.strip():
            return
        if self._texts:
            self._texts.append(joint)
            self._length += len(joint)
        start, end = self._length, self._length + len(text)
        self._texts.append(text)
        self._length = end
        self._drafts.append(Draft(kind, start, end, text, ((0, start),), level, code, linked, listing))

    def leads(self) -> bool:
        """Say whether nothing but the title and what stands above it has been added."""
        return all(draft.kind == "meta" or (draft.kind == "heading" and draft.level == 1) for draft in self._drafts)

    def reading(self, title: str = "") -> Reading:
        """Return all that was added."""
        return Reading("".join(self._texts), self._drafts, title)


def uncovered(text: str, drafts: list[Draft]) -> list[Draft]:
    """Return meta drafts, without text, for what stands outside ``drafts`` and is not blank: markup and templates."""
    found: list[Draft] = []
    reached = 0
    for low, high in [*((draft.start, draft.end) for draft in drafts), (len(text), len(text))]:
        piece = text[reached:low]
        if piece.strip():
            start = reached + len(piece) - len(piece.lstrip())
            found.append(Draft("meta", start, reached + len(piece.rstrip()), "", ((0, start),)))
        reached = max(reached, high)
    return found
