"""Pack units of text, each kept whole, into chunks of a size.

Leaves out: where the units come from (``chunking``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from kgsynth.base.records import Chunk, Document, content_id
from kgsynth.language.words import count_words

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
TOKEN = re.compile(rf"[{_CJK}][^\w\s]*|[^\s{_CJK}]+")
"""What is never cut: a run without blanks, or a Chinese, Japanese or Korean character with its punctuation."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A stretch that is kept whole; ``breaks`` when a chunk must not run on into it."""

    start: int
    end: int
    breaks: bool = False


def packed(document: Document, units: Iterator[Unit], size: int, overlap: int) -> Iterator[Chunk]:
    """Yield chunks of as many units as fit, in order."""
    text = document.text
    start = end = -1
    words = 0
    for unit in units:
        more = count_words(text[end : unit.end]) if end >= 0 else 0
        if end >= 0 and not unit.breaks and words + more <= size:
            end, words = unit.end, words + more
            continue
        if end >= 0:
            yield make_chunk(document, start, end)
        own = count_words(text[unit.start : unit.end])
        start, end, words, last = unit.start, unit.end, own, (start, end)
        if overlap and last[1] >= 0 and not unit.breaks:
            start = _stepped_back(text, last, unit, min(overlap, size - own))
            words = count_words(text[start:end])
    if end >= 0:
        yield make_chunk(document, start, end)


def _stepped_back(text: str, last: tuple[int, int], unit: Unit, words: int) -> int:
    """Return a start at most ``words`` words before ``unit``, behind the start of the chunk before it."""
    start, left = unit.start, words - count_words(text[last[1] : unit.start])
    for token in reversed(list(TOKEN.finditer(text, *last))[1:]):
        left -= count_words(token.group())
        if left < 0:
            break
        start = token.start()
    return start


def make_chunk(document: Document, start: int, end: int) -> Chunk:
    """Return the chunk ``[start, end)``; its section is the deepest one that holds all of it."""
    inside = [one for one in document.sections if one.start <= start and end <= one.end]
    section = max(inside, key=lambda one: (one.level, one.start), default=document.sections[0])
    text = document.text[start:end]
    return Chunk(content_id("c", document.id, start, end, text), document.id, section.id, start, end, text)
