"""What a system retrieved for a question, as a page shows it: evidence marked, and what each passage covers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from kgsynth.base.records import Answer, Document, Item, Passage, Span
from kgsynth.language.words import has_cjk
from kgsynth.show.evidence_view import Piece, marked

FIRST = 5
"""So many passages are shown, and beyond them only those that cover something."""
_LETTERS, _LETTERS_CJK = 320, 160
"""Letters that are shown of a passage; one of Chinese says as much as two."""


@dataclass(frozen=True, slots=True)
class Retrieved:
    """One passage at its rank: ``covers`` are the groups of evidence that it was the one to cover, counted from 1."""

    rank: int
    doc: str
    score: str
    covers: tuple[int, ...]
    pieces: tuple[Piece, ...]


def retrieved(
    answer: Answer, item: Item, ranks: Sequence[int | None], documents: Mapping[str, Document]
) -> list[Retrieved]:
    """Return the passages of an answer worth showing; ``ranks`` say at which rank each group was covered.

    Example:
        >>> item = Item("q-1", "Who?", ("Ada",), "simple", "", "en", ((Span("a.md", 0, 3, "Ada"),),))
        >>> found = retrieved(Answer("q-1", None, (Passage("a.md", 0, 9, "Ada leads"),)), item, [1], {})[0]
        >>> found.covers, [(piece.mark, piece.text) for piece in found.pieces]
        ((1,), [('evidence', 'Ada'), ('', ' leads')])
    """
    shown = []
    spans = [span for group in item.evidence for span in group]
    for rank, passage in enumerate(answer.retrieved, 1):
        covers = tuple(group for group, at in enumerate(ranks, 1) if at == rank)
        if rank <= FIRST or covers:
            score = "" if passage.score is None else f"{passage.score:.4g}"
            pieces = tuple(_pieces(passage, spans, documents))
            shown.append(Retrieved(rank, passage.doc or passage.id or "", score, covers, pieces))
    return shown


def _pieces(passage: Passage, spans: Sequence[Span], documents: Mapping[str, Document]) -> Iterator[Piece]:
    """Yield the text of a passage with the evidence marked, cut to a window around the first mark."""
    text = passage.text
    if text is None and passage.start is not None and (document := documents.get(passage.doc or "")):
        text = document.text[passage.start : passage.end]
    if not text:
        yield Piece("(known by its document alone)" if passage.doc else "(no text)")
        return
    marks = sorted({mark for span in spans if (mark := _place(span, passage, text))})
    letters = _LETTERS_CJK if has_cjk(text) else _LETTERS
    first = max(0, min(marks[0][0] if marks else 0, len(text) - letters))
    last = min(len(text), first + letters)
    if first:
        yield Piece("… ")
    yield from marked(text, [(start, end, "evidence") for start, end in marks], first, last)
    if last < len(text):
        yield Piece(" …")


def _place(span: Span, passage: Passage, text: str) -> tuple[int, int] | None:
    """Return where a span stands in the text of a passage: by offsets where these are known, else by its words."""
    if passage.start is not None and passage.end is not None and passage.end - passage.start == len(text):
        if passage.doc != span.doc:
            return None
        start, end = max(0, span.start - passage.start), min(len(text), span.end - passage.start)
    else:
        start = text.find(span.text)
        end = start + len(span.text)
    return (start, end) if 0 <= start < end else None
