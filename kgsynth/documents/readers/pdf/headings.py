"""Decide which blocks of a PDF are headings, and at which level: by size, weight, number, and the outline."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any, NamedTuple

from kgsynth.documents.readers.pdf.text_blocks import BodyStyle, TextBlock

_LARGER = 1.1  # times the size of the body
_HEADING_MAX_LINES = 4
_MAX_CHARS = 200
_HEADING_MAX_WORDS = 14  # of a heading in the size of the body
_MAX_LEVEL = 6
_MAX_OUTLINE = 20_000  # entries
_HEADING_NUMBER = re.compile(r"^(?:[A-Z]|\d{1,3})((?:\.\d{1,3})*)\.?\s+\S")
LEADERS = re.compile(r"(?:\.\s?){4,}\s*[\divxlc]+$")
"""The dots and the page number that end a line of a table of contents."""
_STOPS = (".", ",", ";", ":")


class OutlineEntry(NamedTuple):
    """A bookmark: the title, the number of its page, and its depth from 1."""

    title: str
    page: int
    level: int


def read_outline(document: Any) -> list[OutlineEntry]:
    """Return the bookmarks of a pypdfium2 document, empty if there are none or they are damaged."""
    import pypdfium2

    found: list[OutlineEntry] = []
    try:
        for entry in document.get_toc(max_depth=_MAX_LEVEL):
            target = entry.get_dest()
            index = target.get_index() if target else None
            found.append(OutlineEntry(_key(entry.get_title()), -1 if index is None else index + 1, entry.level + 1))
            if len(found) >= _MAX_OUTLINE:
                break
    except pypdfium2.PdfiumError:
        return []
    return found


def mark_headings(blocks: Iterable[TextBlock], body: BodyStyle, outline: list[OutlineEntry]) -> None:
    """Set the level of each block that is a heading."""
    by_page: dict[tuple[str, int], int] = {(entry.title, entry.page): entry.level for entry in reversed(outline)}
    found: list[tuple[TextBlock, int]] = []  # with its depth in the outline
    for block in blocks:
        if block.code and not _in_outline(block, by_page):
            continue
        depth = _in_outline(block, by_page)
        if depth or _is_heading(block, body):
            found.append((block, depth))
    levels = _levels(found)
    for block, depth in found:
        block.level = min(levels[_look(block)] if not depth else depth + levels[None], _MAX_LEVEL)
        block.mark, block.code = None, False
    _count_numbers([block for block, depth in found if not depth])


def _key(title: str) -> str:
    """Return a title without its number, case and blanks, by which a bookmark and its heading are compared."""
    return re.sub(r"^[\d.]+|\W+", "", title.casefold())


def _in_outline(block: TextBlock, by_page: dict[tuple[str, int], int]) -> int:
    key = _key(block.text) if len(block.lines) <= _HEADING_MAX_LINES else ""
    return by_page.get((key, block.lines[0].page), 0) if key else 0


def _is_heading(block: TextBlock, body: BodyStyle) -> bool:
    """Check whether a block is set as a heading: larger than the text, or bold where the text is not."""
    text, size = block.text, min(line.size for line in block.lines)
    if len(block.lines) > _HEADING_MAX_LINES or len(text) > _MAX_CHARS or sum(map(str.isalnum, text)) < 2:
        return False
    if (block.mark and block.mark.bullet) or LEADERS.search(text):
        return False
    if size >= _LARGER * body.style.size:
        return not (text.endswith(_STOPS) and len(text.split()) > _HEADING_MAX_WORDS)
    bold = all(line.bold for line in block.lines) and not body.style.bold and size >= 0.95 * body.style.size
    return bold and len(block.lines) <= 2 and len(text.split()) <= _HEADING_MAX_WORDS and not text.endswith(_STOPS)


def _look(block: TextBlock) -> tuple[float, bool]:
    return round(max(line.size for line in block.lines)), block.lines[0].bold


def _levels(found: list[tuple[TextBlock, int]]) -> dict[Any, int]:
    """Return the level of each look, larger first; under None, by how much the levels of the outline are deeper.

    A look that the outline knows has the level of most of its headings there.
    """
    looks = sorted({_look(block) for block, _ in found}, reverse=True)
    known: dict[tuple[float, bool], Counter[int]] = defaultdict(Counter)
    for block, depth in found:
        if depth:
            known[_look(block)][depth] += 1
    top = next((block for block, _ in found), None)
    first_depth = next((depth for block, depth in found), 0)
    tops = sum(counts[1] for counts in known.values())
    shift = int(top is not None and not first_depth and tops > 1 and _look(top) == looks[0])
    levels: dict[Any, int] = {None: shift}
    level = 0
    for look in looks:
        if known[look]:
            level = known[look].most_common(1)[0][0] + shift
        else:
            level += 1
        levels[look] = level
    return levels


def _count_numbers(blocks: list[TextBlock]) -> None:
    """Set numbered headings of one look apart by the parts of their numbers: 2.1 is below 2."""
    by_look: dict[tuple[float, bool], list[tuple[TextBlock, int]]] = defaultdict(list)
    for block in blocks:
        match = _HEADING_NUMBER.match(block.text)
        if match:
            by_look[_look(block)].append((block, match[1].count(".")))
    for numbered in by_look.values():
        least = min(depth for _, depth in numbered)
        for block, depth in numbered:
            block.level = min(block.level + depth - least, _MAX_LEVEL)
