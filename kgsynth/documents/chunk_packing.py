"""Pack units of text, which are never split, into chunks of a given size; ``chunking`` makes the units."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace

from kgsynth.base.records import Chunk, Document, Section, content_id
from kgsynth.documents.table_rows import TableRows
from kgsynth.language.words import CJK, count_words

TOKEN = re.compile(rf"[{CJK}][^\w\s]*|[^\s{CJK}]+")
"""The smallest unit: a run without blanks, or a Chinese, Japanese or Korean character with its punctuation."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A stretch of text that is never split; ``breaks`` if a new chunk must start with it."""

    start: int
    end: int
    breaks: bool = False


def pack(
    document: Document, units: Iterator[Unit], size: int, overlap: int, tables: TableRows | None = None
) -> Iterator[Chunk]:
    """Yield chunks in order, each of as many units as fit into ``size`` words.

    A chunk that begins in one of the ``tables`` has the head of that table.
    """
    sections = SectionIndex(document)
    for start, end in _pack(document.text, units, size, overlap):
        made = make_chunk(document, start, end, sections)
        head = tables.head(start, size) if tables else ""
        yield replace(made, head=head) if head else made


def _pack(text: str, units: Iterator[Unit], size: int, overlap: int) -> Iterator[tuple[int, int]]:
    start = end = -1
    words = 0
    for unit in units:
        more = count_words(text[end : unit.end]) if end >= 0 else 0
        if end >= 0 and not unit.breaks and words + more <= size:
            end, words = unit.end, words + more
            continue
        if end >= 0:
            yield start, end
        own = count_words(text[unit.start : unit.end])
        start, end, words, last = unit.start, unit.end, own, (start, end)
        if overlap and last[1] >= 0 and not unit.breaks:
            start = _overlap_start(text, last, unit, min(overlap, size - own))
            words = count_words(text[start:end])
    if end >= 0:
        yield start, end


def _overlap_start(text: str, last: tuple[int, int], unit: Unit, words: int) -> int:
    """Return a start at most ``words`` words before ``unit`` and after the start of the ``last`` chunk."""
    start, left = unit.start, words - count_words(text[last[1] : unit.start])
    for token in reversed(list(TOKEN.finditer(text, *last))[1:]):
        left -= count_words(token.group())
        if left < 0:
            break
        start = token.start()
    return start


class SectionIndex:
    """Finds the deepest section of a document that contains a stretch of its text."""

    def __init__(self, document: Document) -> None:
        self._sections = document.sections
        self._starts = [section.start for section in document.sections]
        self._above = []
        path: list[int] = []
        for number, section in enumerate(document.sections):
            while len(path) > 1 and document.sections[path[-1]].level >= section.level:
                path.pop()
            self._above.append(path[-1] if path else 0)
            path.append(number)

    def find(self, start: int, end: int) -> Section:
        """Return the deepest section that contains ``[start, end)``, the first one if none does."""
        number = max(0, bisect_right(self._starts, start) - 1)
        while number and end > self._sections[number].end:
            number = self._above[number]
        return self._sections[number]


def make_chunk(document: Document, start: int, end: int, sections: SectionIndex) -> Chunk:
    """Return the chunk ``[start, end)``; its section is the deepest one that contains all of it."""
    text = document.text[start:end]
    section = sections.find(start, end)
    return Chunk(content_id("c", document.id, start, end, text), document.id, section.id, start, end, text)
