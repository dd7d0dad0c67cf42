"""Show evidence in its document: the text around a span, split into marked and unmarked pieces."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from kgsynth.base.records import Block as Block  # for the examples
from kgsynth.base.records import Document, SourcePlace, Span
from kgsynth.evidence.derivation_steps import Place
from kgsynth.show.around_evidence import around_span
from kgsynth.show.cell_tables import ShownTable
from kgsynth.show.inline_markup import inline_styles

CHARS_AROUND = 240
"""Characters of the document shown before and after a span."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of text; ``mark`` is "", "evidence", or "operand" for evidence from which the answer is computed.

    ``style`` is how it is rendered: "", "b", "i", "s" (struck out), "code", or "md" for markup, which a page hides.
    """

    text: str
    mark: str = ""
    style: str = ""


def marked(text: str, marks: Sequence[tuple[int, int, str]], start: int = 0, end: int | None = None) -> list[Piece]:
    """Split ``text[start:end]`` by ``marks``, each ``(start, end, mark)``; where they overlap the last one counts.

    Example:
        >>> [(piece.mark, piece.text) for piece in marked("Ada leads it", [(0, 9, "evidence"), (0, 3, "operand")])]
        [('operand', 'Ada'), ('evidence', ' leads'), ('', ' it')]
    """
    end = len(text) if end is None else end
    cuts = sorted({start, end, *(cut for low, high, _ in marks for cut in (low, high) if start < cut < end)})
    found = [
        (text[a:b], next((name for low, high, name in reversed(marks) if low <= a < high), ""))
        for a, b in pairwise(cuts)
    ]
    return [Piece("".join(part for part, _ in same), mark) for mark, same in groupby(found, key=lambda part: part[1])]


def styled(pieces: Iterable[Piece], document: Document, start: int) -> list[Piece]:
    """Split ``pieces``, the text of ``document`` from ``start`` on, by its inline markup; the text stays the same.

    Example:
        >>> block = Block("paragraph", 0, 12, "Use GET.", ((0, 0), (4, 6), (7, 11)))
        >>> page = Document("a.md", "Use **GET**.", "A", "md", "", (block,), ())
        >>> [(piece.style, piece.text) for piece in styled([Piece(page.text)], page, 0)]
        [('', 'Use '), ('md', '**'), ('b', 'GET'), ('md', '**'), ('', '.')]
    """
    pieces = list(pieces)
    styles, at = inline_styles(document, start, start + sum(len(piece.text) for piece in pieces)), start
    found = []
    for piece in pieces:
        within = [(low - at, high - at, style) for low, high, style in styles]
        found += [Piece(part.text, piece.mark, part.mark) for part in marked(piece.text, within)]
        at += len(piece.text)
    return found


@dataclass(frozen=True, slots=True)
class ShownSpan:
    """A span as a page shows it: its document, the headings above it, and the text around it in pieces.

    ``place`` is where it stands in a file that is not text. ``picture`` is the address of a picture of its page, "" for
    none; ``table`` shows the evidence of a table, whose text in pieces is then shown only if the reader wants it.
    """

    doc: str
    start: int
    end: int
    headings: tuple[str, ...]
    pieces: tuple[Piece, ...]
    place: SourcePlace | None = None
    picture: str = ""
    table: ShownTable | None = None


def show_span(
    span: Span, documents: Mapping[str, Document], operands: Iterable[Place] = (), around: int = CHARS_AROUND
) -> ShownSpan:
    """Return ``span`` with the text around it, or the span alone if its document is missing or has another text there.

    Example:
        >>> page = Document("a.md", "Ada leads it. Bo helps.", "A", "md", "", (), ())
        >>> [(piece.mark, piece.text) for piece in show_span(page.span(0, 13), {"a.md": page}, [("a.md", 0, 3)]).pieces]
        [('operand', 'Ada'), ('evidence', ' leads it.'), ('', ' Bo helps.')]
    """
    document = documents.get(span.doc)
    if document is None or document.text[span.start : span.end] != span.text:
        return ShownSpan(span.doc, span.start, span.end, (), (Piece(span.text, "evidence"),), span.place)
    first, last = around_span(document, span.start, span.end, around)
    within = ((a, b) for doc, a, b in operands if doc == span.doc and span.start <= a and b <= span.end)
    marks = [(span.start, span.end, "evidence"), *((a, b, "operand") for a, b in within)]
    pieces = styled(marked(document.text, marks, first, last), document, first)
    if document.text[:first].strip():
        pieces.insert(0, Piece("… "))
    if document.text[last:].strip():
        pieces.append(Piece(" …"))
    section = document.section_at(span.start)
    headings = section.path if section else ()
    return ShownSpan(span.doc, span.start, span.end, headings, tuple(pieces), document.place(span.start, span.end))
