"""Pictures of PDF pages for the review page, which asks the server for each when its item is shown."""

from __future__ import annotations

from urllib.parse import urlencode

from kgsynth.base.records import Span
from kgsynth.reviewing.subject import Subject
from kgsynth.show.illustrations import Illustrations


class ServedPictures(Illustrations):
    """Illustrations whose pictures are addresses of the server, and what these addresses give."""

    def __init__(self, subject: Subject) -> None:
        super().__init__(subject.documents, subject.docs)
        items = subject.by_id.values()
        spans = (span for item in items for group in item.evidence for span in group)
        self._spans = {(span.doc, str(span.start), str(span.end)): span for span in spans}

    def picture(self, span: Span) -> str:
        """Return the address of the picture of the page of a span, "" for none."""
        values = {"doc": span.doc, "start": span.start, "end": span.end}
        return f"/picture?{urlencode(values)}" if self.has_page(span) else ""

    def served(self, doc: str, start: str, end: str) -> bytes:
        """Return the picture at an address; b"" if it is not of evidence under review, or cannot be drawn."""
        span = self._spans.get((doc, start, end))
        return self.drawn(span) if span and self.has_page(span) else b""
