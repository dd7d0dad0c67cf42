"""The spans of a set that are not in place in its documents: moved, changed, gone, or on another page than it says."""

from __future__ import annotations

from collections.abc import Iterator

from kgsynth.auditing.case import AuditCase
from kgsynth.base.records import Finding, Span, place_name
from kgsynth.golden.span_tracking import ADVICE, SpanTracker
from kgsynth.golden.spans import excerpt, in_place, supporting_spans
from kgsynth.show.wording import many


def drifted(case: AuditCase) -> Iterator[Finding]:
    """Yield one finding for each item and each code of ``ADVICE`` that applies to its spans."""
    tracker = SpanTracker(case.dataset, case.documents)
    for item in case.dataset:
        statuses = [tracker.status(span) for span in dict.fromkeys(supporting_spans(item))]
        for code, advice in ADVICE.items():
            messages = [status.message for status in statuses if status.code == code]
            if messages:
                more = f"; the same for {many(len(messages) - 1, 'more span')}" if len(messages) > 1 else ""
                yield Finding(code, "error", item.id, messages[0] + more, advice)


def misplaced(case: AuditCase) -> Iterator[Finding]:
    """Yield one finding for each item with a page, cell or slide where its text is not.

    The box on a page is not compared: versions of a reader may differ by a point.
    """
    for item in case.dataset:
        spans = dict.fromkeys((*supporting_spans(item), *item.hard_negatives))
        messages = [message for span in spans if (message := _contradiction(span, case))]
        if messages:
            more = f"; the same for {many(len(messages) - 1, 'more span')}" if len(messages) > 1 else ""
            yield Finding(
                "place", "warning", item.id, messages[0] + more, "run audit with --fix FILE, which corrects it"
            )


def _contradiction(span: Span, case: AuditCase) -> str:
    """Return how the place of a span contradicts its document, "" if it does not or the text has moved."""
    if span.place is None or not in_place(span, case.documents):
        return ""
    document = case.documents[span.doc]
    said, found = place_name(span.place), place_name(document.place(span.start, span.end))
    if said == found:
        return ""
    why = "" if document.places else f", since {span.doc} is text"
    return (
        f"{excerpt(span.text)}: the set says {said or 'a box without a page'}, the document {found or 'nothing'}{why}"
    )
