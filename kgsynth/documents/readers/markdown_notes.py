"""Find the notes of Markdown, whose marks are hidden from the parser: ``!!! note``, ``/// note``, ``::: warning``.

Those of GitHub are quotations that begin with ``[!NOTE]``. The name and the title of each are read here.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from kgsynth.base.vocabulary import ContainerKind
from kgsynth.documents.readers.block_drafts import BlockDraft
from kgsynth.documents.readers.nesting import NOTE_NAMES, Nesting

_KNOWN_NOTES = NOTE_NAMES | {"check", "summary", "todo"}
_MARK = re.compile(
    r"""^[ \t]*(?P<mark>!!!|\?\?\?\+?|/{3,}|:{3,})[ \t]*
    (?:\{?\.?(?:callout-)?(?P<name>[A-Za-z][\w-]*)\}?(?P<rest>[^\r\n]*))?""",
    re.VERBOSE | re.MULTILINE,
)
_NOTE_TITLE = re.compile(
    r"""[^"\r\n]*"(?P<quoted>[^"\r\n]+)"|[ \t]*\|[ \t]*(?P<after>[^\r\n]+)|\[(?P<square>[^\]\r\n]+)\]"""
)
_COLON_TITLE = re.compile(r"[ \t]+(?P<after>[^\s{\"][^\r\n]*)")
_CALLOUT_NAME = re.compile(r"[ \t>]*>[ \t]*\[!(?P<name>\w+)\][+-]?[ \t]*\r?$", re.MULTILINE)


class NoteMark(NamedTuple):
    """Where a note begins and ends, its name, and its title with its offset; ``end`` -1 for an indented note."""

    start: int
    end: int
    name: str
    title: str = ""
    title_at: int = 0


def note_marks(text: str, copy: str) -> Iterator[NoteMark]:
    """Yield the notes of ``text``; ``copy`` is what the parser reads, where the marks of notes are hidden."""
    opened: list[tuple[str, NoteMark | None]] = []
    count: Counter[str] = Counter()
    for match in _MARK.finditer(text):
        mark, start = match["mark"], match.start("mark")
        if copy.startswith(mark, start):  # code, which is not hidden
            continue
        found = _named(text, match)
        if mark[0] in "!?":
            if found:
                yield found
        elif match["name"]:
            opened.append((mark, found))
            count[mark] += 1
        elif count[mark]:
            while opened:
                opener, note = opened.pop()
                count[opener] -= 1
                if opener == mark:
                    if note:
                        yield note._replace(end=match.end())
                    break


def callout_name(text: str, start: int, end: int) -> str:
    """Return the name of the note that the first line of a quotation announces, "" if it announces none.

    Example:
        >>> callout_name("> [!NOTE]\\n> Text.", 0, 9)
        'note'
    """
    match = _CALLOUT_NAME.match(text, start, end)
    return match["name"].lower() if match and match["name"].lower() in _KNOWN_NOTES else ""


def _named(text: str, match: re.Match[str]) -> NoteMark | None:
    name = (match["name"] or "").lower()
    if name not in _KNOWN_NOTES:
        return None
    title = _NOTE_TITLE.match(text, match.start("rest"), match.end("rest"))
    if title is None and match["mark"][0] == ":":
        title = _COLON_TITLE.match(text, match.start("rest"), match.end("rest"))
    if title is None or title.lastgroup is None:
        return NoteMark(match.start("mark"), -1, name)
    words = title[title.lastgroup].rstrip()
    return NoteMark(match.start("mark"), -1, name, words, title.start(title.lastgroup))


def add_notes(marks: Iterable[NoteMark], drafts: list[BlockDraft], nesting: Nesting) -> None:
    """Put the drafts of each note, and the containers around them, into a container.

    The title of a note becomes a meta block of it.
    """
    drafts.sort(key=lambda draft: draft.start)
    starts = [draft.start for draft in drafts]
    items = {each.start: number for number, each in enumerate(nesting.found) if each.kind == ContainerKind.ITEM}
    for mark in sorted(marks):  # outer notes come before inner ones
        if mark.end < 0:  # it was read as a list item
            number = items.get(mark.start, -1)
            if number >= 0:
                nesting.found[number] = replace(nesting.found[number], kind=ContainerKind.NOTE, name=mark.name)
        else:
            number = _enclose(
                mark, drafts, range(bisect_left(starts, mark.start), bisect_left(starts, mark.end)), nesting
            )
        if number >= 0 and mark.title:
            end, runs = mark.title_at + len(mark.title), ((0, mark.title_at),)
            drafts.append(BlockDraft("meta", mark.start, end, mark.title, runs, inside=number))


def _enclose(mark: NoteMark, drafts: list[BlockDraft], inside: range, nesting: Nesting) -> int:
    """Add a note around some drafts and the containers that begin in it; return its index, -1 without drafts."""
    if not inside:
        return -1
    found = nesting.found
    around = drafts[inside[0]].inside
    while around >= 0 and found[around].start >= mark.start:
        around = found[around].parent
    note = nesting.add(ContainerKind.NOTE, around, mark.start, name=mark.name)
    for number in inside:
        outermost, above = -1, drafts[number].inside
        while above not in (around, note, -1):
            outermost, above = above, found[above].parent
        if above != around:
            continue
        if outermost < 0:
            drafts[number] = replace(drafts[number], inside=note)
        else:
            found[outermost] = replace(found[outermost], parent=note)
    return note
