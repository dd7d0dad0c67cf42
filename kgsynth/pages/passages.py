"""Evidence in its document: the text around a span, cut into pieces that say which of them are marked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise

from kgsynth.derivation import Place
from kgsynth.records import Document, Span

AROUND = 240
"""How many characters before and after a span are shown of its document."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text; ``mark`` is "", "evidence", or "operand" for that of the evidence the answer is made of."""

    text: str
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Passage:
    """A span as it is shown: where it stands, under which headings, and the text around it in pieces."""

    doc: str
    start: int
    end: int
    headings: tuple[str, ...]
    pieces: tuple[Piece, ...]


def passage(
    span: Span, documents: Mapping[str, Document], operands: Iterable[Place] = (), around: int = AROUND
) -> Passage:
    """Return ``span`` with the text around it; of a document that is not there, or reads otherwise, the span alone.

    Example:
        >>> page = Document("a.md", "Ada leads it. Bo helps.", "A", "md", "", (), ())
        >>> [(piece.mark, piece.text) for piece in passage(page.span(0, 13), {"a.md": page}, [("a.md", 0, 3)]).pieces]
        [('operand', 'Ada'), ('evidence', ' leads it.'), ('', ' Bo helps.')]
    """
    document = documents.get(span.doc)
    if document is None or document.text[span.start : span.end] != span.text:
        return Passage(span.doc, span.start, span.end, (), (Piece(span.text, "evidence"),))
    first, last = (
        _to_blank(document.text, span.start - around, span.start),
        _to_blank(document.text, span.end + around, span.end),
    )
    marks = [
        (start, end) for doc, start, end in operands if doc == span.doc and span.start <= start and end <= span.end
    ]
    cuts = sorted({first, last, span.start, span.end, *(cut for mark in marks for cut in mark)})
    pieces = [Piece(document.text[a:b], _mark(a, span, marks)) for a, b in pairwise(cuts)]
    if first > 0:
        pieces.insert(0, Piece("… "))
    if last < len(document.text):
        pieces.append(Piece(" …"))
    under = [section for section in document.sections if section.start <= span.start < section.end]
    headings = max(under, key=lambda section: section.level).path if under else ()
    return Passage(span.doc, span.start, span.end, headings, tuple(pieces))


def _to_blank(text: str, wanted: int, span: int) -> int:
    """Return the offset nearest to ``wanted``, towards the span, that splits no word."""
    wanted = min(max(wanted, 0), len(text))
    if wanted < span:
        while 0 < wanted < span and not text[wanted - 1].isspace():
            wanted += 1
    else:
        while span < wanted < len(text) and not text[wanted].isspace():
            wanted -= 1
    return wanted


def _mark(place: int, span: Span, marks: list[tuple[int, int]]) -> str:
    if not span.start <= place < span.end:
        return ""
    return "operand" if any(start <= place < end for start, end in marks) else "evidence"
