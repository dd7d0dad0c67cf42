"""Find the evidence of the questions in the documents given, which may have changed since the set was made.

Spans are moved to where their text is now, as ``audit --fix`` moves them. A question whose evidence is in no document
is not asked: what a system retrieves for it says nothing about the system.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from kgsynth.base.errors import InputError
from kgsynth.base.records import Document, Item, Span
from kgsynth.base.thresholds import LIMITS
from kgsynth.golden.span_tracking import SpanTracker
from kgsynth.golden.spans import evidence_spans, excerpt, in_place, location
from kgsynth.show.wording import many


class AnchoredItems(NamedTuple):
    """The questions with their evidence where it is now, those left out by id with the reason, and notes."""

    items: list[Item]
    excluded: dict[str, str]
    notes: tuple[str, ...] = ()


def anchor(items: Sequence[Item], documents: Sequence[Document], among: Sequence[Item] = ()) -> AnchoredItems:
    """Return ``items`` with every span of their evidence where its text is in ``documents``.

    ``among`` is the whole set, whose other spans show which way a text moved. Without documents nothing is changed.

    Raises:
        InputError: the evidence of most questions is not in the documents.

    Example:
        >>> page = Document("a.md", "New. Ada Low leads the team.", "A", "md", "", (), ())
        >>> old = Span("a.md", 0, 23, "Ada Low leads the team.")
        >>> found = anchor([Item("q", "Who?", ("Ada Low",), "simple", "factoid", "en", ((old,),))], [page])
        >>> found.items[0].evidence[0][0].start, found.notes[0][:60]
        (5, 'the documents changed since the set was made: 1 span found a')
    """
    by_id = {document.id: document for document in documents}
    spans = dict.fromkeys(span for item in items for span in evidence_spans(item) if documents)
    if all(_is_usable(span, by_id) for span in spans):
        return AnchoredItems(list(items), {})
    tracker = SpanTracker(among or items, by_id)
    places = {span: span if _is_usable(span, by_id) else tracker.now(span) for span in spans}
    anchored, excluded = [], {}
    for item in items:
        groups = tuple(tuple(place for span in group if (place := places[span])) for group in item.evidence)
        lost = [group[0] for group, now in zip(item.evidence, groups, strict=True) if group and not now]
        if lost:
            excluded[item.id] = f"its evidence {excerpt(lost[0].text)} ({location(lost[0])}) is not in the documents"
        else:
            anchored.append(replace(item, evidence=groups))
    asked = sum(bool(item.evidence) for item in items)
    if len(excluded) > LIMITS.gone_evidence_share * asked:
        raise InputError(_wrong_documents(list(spans), by_id, f"{len(excluded)} of {many(asked, 'question')}"))
    return AnchoredItems(anchored, excluded, _notes(places, excluded))


def documents_hash(documents: Sequence[Document]) -> str:
    """Return a hash of the ids and texts of documents in any order, "" if there are none.

    Example:
        >>> documents_hash([Document("a.md", "Ada", "A", "md", "", (), ())])[:15], documents_hash([])
        ('sha256:ccb5b1c5', '')
    """
    texts = {document.id: hashlib.sha256(document.text.encode("utf-8", "surrogatepass")) for document in documents}
    lines = "".join(f"{texts[doc].hexdigest()} {doc}\n" for doc in sorted(texts))
    return f"sha256:{hashlib.sha256(lines.encode('utf-8', 'surrogatepass')).hexdigest()}" if documents else ""


def _is_usable(span: Span, documents: Mapping[str, Document]) -> bool:
    """Check whether a span is in place; one without text can only be taken as it is."""
    return in_place(span, documents) or (not span.text.strip() and span.doc in documents)


def _wrong_documents(spans: Sequence[Span], documents: Mapping[str, Document], questions: str) -> str:
    needed = {span.doc for span in spans}
    missing = sorted(needed - documents.keys())
    if missing:
        of_all = f"{len(missing)} of the {many(len(needed), 'document')} of the evidence"
        problem = f"{of_all}, such as {missing[0]}, are not among the {len(documents)} given"
    else:
        other = next(span for span in spans if not in_place(span, documents))
        problem = f"the documents given have other texts than those of the evidence, such as {location(other)}"
    return f"{problem}, and the evidence of {questions} is not in them: give --docs the folder of the golden set"


def _notes(places: Mapping[Span, Span | None], excluded: Mapping[str, str]) -> tuple[str, ...]:
    moved = sum(place is not None and place != span for span, place in places.items())
    gone = sum(place is None for place in places.values())
    renew = "kgsynth audit --fix renews the set"
    found = f"{many(moved, 'span')} found at another place, {gone} not found ({renew})"
    left = f"{many(len(excluded), 'question')} without evidence in the documents left out: {_first(list(excluded))}"
    return (f"the documents changed since the set was made: {found}", *((left,) if excluded else ()))


def _first(ids: Sequence[str]) -> str:
    return ", ".join(ids[:5]) + (" …" if len(ids) > 5 else "")
