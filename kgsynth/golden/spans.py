"""The spans of an item: which ones prove it, whether their text is in place, and how a message shows them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from kgsynth.base.records import Document, Item, SourcePlace, Span
from kgsynth.base.records import Heading as Heading  # for the examples
from kgsynth.documents.text_index import Place

_EXCERPT_LETTERS = 60


def evidence_spans(item: Item) -> Iterator[Span]:
    """Yield the spans of all evidence groups."""
    for group in item.evidence:
        yield from group


def cited_documents(items: Iterable[Item]) -> set[str]:
    """Return the ids of the documents that items have evidence in."""
    return {span.doc for item in items for span in evidence_spans(item)}


def supporting_spans(item: Item) -> Iterator[Span]:
    """Yield the spans that prove an item: its evidence, and for an unanswerable question its hard negatives too."""
    yield from evidence_spans(item)
    if not item.answerable:
        yield from item.hard_negatives


def placed(groups: Iterable[Iterable[Span]]) -> list[list[tuple[Span, SourcePlace | None]]]:
    """Return the spans of groups with their places in the files, which the comparison of spans leaves out.

    Example:
        >>> here, there = (Span("a.pdf", 0, 3, "Ada", SourcePlace(page)) for page in (1, 2))
        >>> here == there, placed([[here]]) == placed([[there]])
        (True, False)
    """
    return [[(span, span.place) for span in group] for group in groups]


def in_place(span: Span, documents: Mapping[str, Document]) -> bool:
    """Check whether the text of a span, and that of its heading, is in its document at its offsets, to the letter."""
    document = documents.get(span.doc)
    if document is None or not span.text or document.text[span.start : span.end] != span.text or span.start < 0:
        return False
    over = span.heading
    return over is None or (document.text[over.start : over.end] == over.text != "" and over.start >= 0)


def with_heading(span: Span) -> str:
    """Return the text of a span, after its heading if it has one.

    Example:
        >>> with_heading(Span("a.md", 9, 12, "Low", heading=Heading(2, 5, "Ada")))
        'Ada: Low'
    """
    return f"{span.heading.text}: {span.text}" if span.heading else span.text


def location(place: Span | Place) -> str:
    """Return the document and offsets of a span or place, as messages show them.

    Example:
        >>> location(Span("a.md", 4, 7, "Low"))
        'a.md [4, 7)'
    """
    return f"{place.doc} [{place.start}, {place.end})"


def excerpt(text: object) -> str:
    """Return a text in quotes on one line, cut after 60 characters.

    Example:
        >>> excerpt("Ada   Low"), len(excerpt("long " * 99))
        ("'Ada Low'", 63)
    """
    line = " ".join(str(text).split())
    return repr(line if len(line) <= _EXCERPT_LETTERS else f"{line[:_EXCERPT_LETTERS]}…")
