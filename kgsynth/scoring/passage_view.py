"""Show what a system retrieved for a question: each passage with its evidence marked, and what it covers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from kgsynth.base.records import Answer, Document, Item, Passage, SourcePlace, Span
from kgsynth.language.words import has_cjk
from kgsynth.scoring.metrics.citations import cited_passages
from kgsynth.scoring.metrics.item_score import ItemScore
from kgsynth.show.evidence_view import Piece, marked, styled, word_edge
from kgsynth.show.wording import joined, many

PASSAGES_SHOWN = 5
"""The number of passages shown; later ones are shown only if they cover evidence."""
_PASSAGE_LETTERS, _PASSAGE_LETTERS_CJK = 320, 160
"""The letters shown of a passage; a Chinese character holds about as much as two letters."""


@dataclass(frozen=True, slots=True)
class PassageView:
    """One passage at its rank; ``covers`` are the evidence groups, counted from 1, that it covered first.

    ``cited`` says whether the answer cites it.
    """

    rank: int
    doc: str
    score: str
    covers: tuple[int, ...]
    pieces: tuple[Piece, ...]
    place: SourcePlace | None = None
    cited: bool = False


def passage_views(
    answer: Answer, item: Item, ranks: Sequence[int | None], documents: Mapping[str, Document]
) -> list[PassageView]:
    """Return the passages of an answer to show; ``ranks`` are the ranks at which the evidence groups were covered.

    Example:
        >>> item = Item("q-1", "Who?", ("Ada",), "simple", "", "en", ((Span("a.md", 0, 3, "Ada"),),))
        >>> found = passage_views(Answer("q-1", None, (Passage("a.md", 0, 9, "Ada leads"),)), item, [1], {})[0]
        >>> found.covers, [(piece.mark, piece.text) for piece in found.pieces]
        ((1,), [('evidence', 'Ada'), ('', ' leads')])
    """
    shown = []
    cited = cited_passages(answer)
    spans = [span for group in item.evidence for span in group]
    for rank, passage in enumerate(answer.retrieved, 1):
        covers = tuple(group for group, at in enumerate(ranks, 1) if at == rank)
        if rank <= PASSAGES_SHOWN or covers:
            score = "" if passage.score is None else f"{passage.score:.4g}"
            pieces = tuple(_pieces(passage, spans, documents))
            place = _place(passage, documents)
            shown.append(
                PassageView(rank, passage.doc or passage.id or "", score, covers, pieces, place, passage in cited)
            )
    return shown


def evidence_found(result: ItemScore) -> str:
    """Return how many evidence groups of a question were found and at which ranks, "" if that is not known."""
    ranks = [str(rank) for rank in result.group_ranks if rank is not None]
    if not ranks:
        return "none of its evidence found" if result.group_ranks else ""
    return f"{len(ranks)} of {many(len(result.group_ranks), 'piece')} of evidence found, at rank {joined(ranks)}"


class StepView(NamedTuple):
    """One step of a system: its query, how many passages it found, and what it did for the hops of the question."""

    query: str
    passages: str
    found: tuple[int, ...]
    lost: tuple[int, ...]


def step_views(answer: Answer, result: ItemScore) -> list[StepView]:
    """Return the steps of an answer to show, with the hops that each found and lost, counted from 1."""
    views = []
    for at, step in enumerate(answer.steps, 1):
        here = [(number, hop.found) for number, hop in enumerate(result.hops, 1) if hop.step == at]
        found, lost = (tuple(number for number, was in here if was is wanted) for wanted in (True, False))
        views.append(StepView(step.query or "(query not known)", many(len(step.retrieved), "passage"), found, lost))
    return views


def _pieces(passage: Passage, spans: Sequence[Span], documents: Mapping[str, Document]) -> Iterator[Piece]:
    """Yield the text of a passage with the evidence marked, cut to a window around the first mark.

    If the text is exactly in a document, the pieces have the style of its inline markup.
    """
    text, document = passage.text, documents.get(passage.doc or "")
    if text is None and passage.start is not None and document:
        text = document.text[passage.start : passage.end]
    if not text:
        yield Piece("(only the document is known)" if passage.doc else "(no text)")
        return
    marks = sorted({mark for span in spans if (mark := _span_in_passage(span, passage, text))})
    letters = _PASSAGE_LETTERS_CJK if has_cjk(text) else _PASSAGE_LETTERS
    start, end = marks[0] if marks else (0, 0)
    first = word_edge(text, max(0, min(start, len(text) - letters)), start)
    last = word_edge(text, first + letters, min(end, first + letters))
    if first:
        yield Piece("… ")
    shown = marked(text, [(start, end, "evidence") for start, end in marks], first, last)
    at = _start_in(document, passage, text) if document else None
    yield from styled(shown, document, at + first) if document and at is not None else shown
    if last < len(text):
        yield Piece(" …")


def _place(passage: Passage, documents: Mapping[str, Document]) -> SourcePlace | None:
    """Return the page, cells or slide of a passage whose offsets are known or certain."""
    document = documents.get(passage.doc or "")
    start, end = passage.start, passage.end
    if document and start is None and passage.text:
        start = _start_in(document, passage, passage.text)
        end = None if start is None else start + len(passage.text)
    return document.place(start, end) if document and start is not None and end is not None else None


def _start_in(document: Document, passage: Passage, text: str) -> int | None:
    """Return where the text of a passage starts in its document, None if that is not certain."""
    if passage.start is not None and document.text.startswith(text, passage.start):
        return passage.start
    found = document.text.find(text)
    return found if found >= 0 and passage.start is None and document.text.find(text, found + 1) < 0 else None


def _span_in_passage(span: Span, passage: Passage, text: str) -> tuple[int, int] | None:
    """Return where a span is in the text of a passage: by offsets if these are known, otherwise by its text."""
    if passage.start is not None and passage.end is not None and passage.end - passage.start == len(text):
        if passage.doc != span.doc:
            return None
        start, end = max(0, span.start - passage.start), min(len(text), span.end - passage.start)
    else:
        start = text.find(span.text)
        end = start + len(span.text)
    return (start, end) if 0 <= start < end else None
