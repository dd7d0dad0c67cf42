"""Find where a quote stands in a passage, letter for letter but for white space, quotation marks and markup."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kgsynth.base.records import Document, Span
from kgsynth.base.vocabulary import ContainerKind
from kgsynth.language.sentence_ends import sentence_spans

_STRAIGHT = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "‑": "-"})
_ELISION = re.compile(r"\s*(?:\.\.\.|…|\[\.\.\.\]|\[…\])\s*")
_MIN_PART = 8  # letters of a part of a quote with an elision
_SHORT_BLOCK = 300  # characters of a block that is shown as evidence whole

Placed = list[tuple[str, int]]


def find_quote(quote: str, passage: Span, document: Document) -> list[Span]:
    """Return the places of a quote in a passage, one for each part between elisions; none if a part is not there.

    Example:
        >>> page = Document("a.md", "Staff have 25 days of leave.", "A", "md", "", (), ())
        >>> [span.text for span in find_quote("have  25 days", page.span(0, 28), page)]
        ['have 25 days']
    """
    wrapped = re.fullmatch(r'\s*["“](.*)["”]\s*', quote, re.DOTALL)
    quote = wrapped[1] if wrapped else quote
    source = [(letter, passage.start + place) for place, letter in enumerate(passage.text)]
    rendered = list(_rendered(passage, document))
    if whole := _place(quote, source) or _place(quote, rendered):  # the passage itself may have an ellipsis
        return [document.span(*whole)]
    parts = [part for part in _ELISION.split(quote) if part.strip()]
    if len(parts) < 2 or any(len(part) < _MIN_PART for part in parts):
        return []
    found = [_place(part, source) or _place(part, rendered) for part in parts]
    return [document.span(*place) for place in found if place] if all(found) else []


def _place(quote: str, text: Placed) -> tuple[int, int] | None:
    letters = [(letter.translate(_STRAIGHT), place) for letter, place in text if not letter.isspace()]
    sought = "".join(quote.translate(_STRAIGHT).split())
    at = "".join(letter for letter, _ in letters).find(sought) if sought else -1
    return (letters[at][1], letters[at + len(sought) - 1][1] + 1) if at >= 0 else None


def _rendered(passage: Span, document: Document) -> Iterator[tuple[str, int]]:
    """Yield the letters of a passage as a person reads it, without markup, each with its place in the document."""
    for block in document.blocks_in(passage.start, passage.end):
        for number, (shown, source) in enumerate(block.runs):
            stop = block.runs[number + 1][0] if number + 1 < len(block.runs) else len(block.text)
            for at in range(shown, stop):
                if passage.start <= source + at - shown < passage.end:
                    yield block.text[at], source + at - shown


def around_quote(quote: Span, document: Document) -> tuple[int, int]:
    """Return the bounds of the evidence of a quote: the whole block if that is short, otherwise its sentences."""
    start, end = quote.start, quote.end
    for block in document.blocks_in(quote.start, quote.end):
        for low, high in _pieces(block.start, block.end, document):
            if low < quote.end and quote.start < high:
                start, end = min(start, low), max(end, high)
    return start, end


def _pieces(start: int, end: int, document: Document) -> list[tuple[int, int]]:
    if end - start <= _SHORT_BLOCK:
        return [(start, end)]
    return [(start + low, start + high) for low, high in sentence_spans(document.text[start:end])]


def head_of_table(quote: Span, document: Document) -> Span | None:
    """Return the head row of the table in whose body a quote stands, None if it stands in no body of a table.

    A cell says nothing without the head of its column.
    """
    cells = document.containers
    own = [block.inside for block in document.blocks_in(quote.start, quote.end) if block.inside >= 0]
    body = [number for number in own if cells[number].kind == ContainerKind.CELL and cells[number].row > 0]
    if not body or len(body) < len(own):
        return None
    table = cells[body[0]].parent
    head = [cell for cell in cells if cell.parent == table and cell.kind == ContainerKind.CELL and cell.row == 0]
    filled = [cell for cell in head if document.text[cell.start : cell.end].strip()]
    if not filled or not any(cell.head for cell in filled):
        return None
    return document.span(min(cell.start for cell in filled), max(cell.end for cell in filled))
