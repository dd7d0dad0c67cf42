"""The HTML page an annotator works on: served, or sent out as a form that keeps the annotations in the browser.

Both use the same template and script; only where the script saves differs. The content security policy names the
scripts by their hashes, so the browser runs these and no other, whatever a document contains.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from urllib.parse import urlencode

from kgsynth.base.records import Item, Span
from kgsynth.reviewing.annotation import CRITERION_QUESTIONS, GRADE_VALUES, REASONS
from kgsynth.reviewing.store import review_id
from kgsynth.reviewing.subject import Subject, cards
from kgsynth.show.illustrations import Illustrations
from kgsynth.show.pages import frame_script, render


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


def page(subject: Subject, ids: Sequence[str], *, form: bool = False, annotator: str = "") -> str:
    """Return the page with the items of these ids; with ``form`` it needs no server."""
    drawn = Illustrations(subject.documents, subject.docs) if form else ServedPictures(subject)
    shown = list(cards(subject, ids, drawn))
    reasons = REASONS if subject.mode == "questions" else {}
    evidence = {card.view.item.id: _places(card.view.item, subject) for card in shown}
    data = {
        "form": form,
        "review": review_id(ids),
        "annotator": annotator,
        "criteria": list(CRITERION_QUESTIONS[subject.mode]),
        "reasons": list(reasons),
        "items": [
            {"id": item.id, "question": item.question, "answers": item.golden_answers, "tags": item.tags}
            for item in (card.view.item for card in shown)
        ],
        "evidence": evidence,
        "documents": {
            doc: subject.documents[doc].text
            for doc in sorted({place[0] for each in evidence.values() for place in each})
        },
    }
    return render(
        "reviewing/page.html",
        kind="Review form" if form else "Review",
        title=f"Review of {subject.name}",
        subject=subject,
        form=form,
        data=data,
        cards=shown,
        criteria=CRITERION_QUESTIONS[subject.mode],
        reasons=reasons,
        grades=GRADE_VALUES,
        script=_script(),
        content_policy=policy(form=form),
    )


def _places(item: Item, subject: Subject) -> list[tuple[str, int, int]]:
    """Return document, start and end of the spans of evidence that are found in a document."""
    return [
        (span.doc, span.start, span.end)
        for group in item.evidence
        for span in group
        if (document := subject.documents.get(span.doc)) and document.text[span.start : span.end] == span.text
    ]


def policy(*, form: bool = False) -> str:
    """Return the Content-Security-Policy: only this script runs, and it contacts its own server or, in a form, none."""
    hashes = (base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (frame_script(), _script()))
    scripts = " ".join(f"'sha256-{each}'" for each in hashes)
    reach, pictures = ("'none'", "data:") if form else ("'self'", "data: 'self'")
    return (
        f"default-src 'none'; script-src {scripts}; style-src 'unsafe-inline'; img-src {pictures}; "
        f"connect-src {reach}; base-uri 'none'; form-action 'none'"
    )


@cache
def _script() -> str:
    here = files("kgsynth.reviewing")
    return "\n".join(
        here.joinpath(name).read_text(encoding="utf-8") for name in ("saving.js", "deciding.js", "page.js")
    )
