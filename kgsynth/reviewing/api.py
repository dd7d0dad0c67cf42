"""What the review page asks of the server, without HTTP: progress, annotations, audit findings, results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from kgsynth.base.json_reading import JsonError, parse_json
from kgsynth.base.records import Item
from kgsynth.golden.exchange.foreign_question import ForeignContext, ForeignQuestion
from kgsynth.golden.exchange.locating import ContextLocator
from kgsynth.reviewing.annotation import Annotation, normalised_name, parse_annotation
from kgsynth.reviewing.page import ServedPictures
from kgsynth.reviewing.results import results, terminal
from kgsynth.reviewing.reviewed_set import edit_findings, edited_item
from kgsynth.reviewing.store import ReviewStore
from kgsynth.reviewing.subject import Subject
from kgsynth.show.illustrations import picture_type


class RefusedError(Exception):
    """A request that cannot be fulfilled, with an HTTP status and a sentence."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


class ReviewApi:
    """The requests of the page; ``ids`` are the items under review, in order."""

    def __init__(self, subject: Subject, ids: Sequence[str], store: ReviewStore) -> None:
        self.subject, self.ids, self.store = subject, ids, store
        self._items = subject.by_id
        self._pictures = ServedPictures(subject)

    def warm_up(self) -> None:
        """Let the audit load what it needs, so that the first edit does not have to wait."""
        if self.subject.mode == "questions":
            edit_findings(self.subject.items[0], (), self.subject.documents)

    def progress(self) -> dict[str, Any]:
        """Return the number of items, and how many each annotator has decided."""
        return {"items": len(self.ids), "decided": self.store.decided_counts()}

    def annotations(self, annotator: str) -> dict[str, Any]:
        """Return the annotations of one annotator so far, by item id."""
        name = self.store.spelling(_name(annotator))
        own = {each.item: each.annotation.to_json() for each in self.store.annotations(name)}
        return {"annotator": name, "judgements": own}

    def save(self, body: bytes) -> dict[str, Any]:
        """Save one annotator's annotation of one item.

        Raises:
            RefusedError: the body does not contain a valid annotation of an item under review.
        """
        sent = _sent(body, "annotator", "item", "judgement")
        name, item = _name(sent["annotator"]), sent["item"]
        try:
            annotation = parse_annotation(sent["judgement"], self.subject.mode)
            if not isinstance(item, str) or item not in self._items:
                raise ValueError(f"the item {str(item)[:40]!r} is not under review")
            if annotation.decision == "edit" and not (annotation.question or annotation.answers):
                raise ValueError("the decision is edit, but there is no new question and no new answer")
            self.store.save(name, [(item, annotation)])
        except ValueError as error:
            raise RefusedError(400, str(error)) from None
        return {"saved": item}

    def add(self, body: bytes) -> dict[str, Any]:
        """Add a question with its answers and quoted evidence; return its id, and the warnings of the audit.

        Raises:
            RefusedError: something is missing, or the audit finds an error, such as a quote that is in no document.
        """
        sent = _sent(body, "annotator", "question", "answers", "evidence")
        name = _name(sent["annotator"])
        try:
            written = parse_annotation({"question": sent["question"], "answers": sent["answers"]})
            quotes = parse_annotation({"answers": sent["evidence"]}).answers
        except ValueError as error:
            raise RefusedError(400, str(error)) from None
        if not (written.question and written.answers and quotes):
            raise RefusedError(400, "a question needs an answer, and evidence quoted from the documents")
        contexts = tuple((ForeignContext(quote),) for quote in quotes)
        located = ContextLocator(self.subject.documents).to_item(
            ForeignQuestion("the page", written.question, written.answers, contexts), "people"
        )
        if missing := located.metadata.get("not_found"):
            raise RefusedError(
                400, f"the evidence {missing[0]['context'][:60]!r} cannot be located: {missing[0]['why']}"
            )
        others = [*self.subject.items, *self.store.added()]
        found = edit_findings(located, others, self.subject.documents)
        if errors := [each.message for each in found if each.severity == "error"]:
            raise RefusedError(400, "; ".join(errors))
        self.store.add(name, located)
        return {"added": located.id, "findings": [each.message for each in found]}

    def findings(self, annotator: str, item: str) -> dict[str, Any]:
        """Return what the audit finds in one annotator's edit of an item. Separate from ``save``, which is fast.

        Raises:
            RefusedError: the annotator has not edited the item.
        """
        name = self.store.spelling(_name(annotator))
        for saved in self.store.annotations(name):
            if saved.item == item and saved.annotation.decision == "edit":
                return {"findings": self._audited(item, saved.annotation)}
        raise RefusedError(404, f"{name} has not edited {item[:40]!r}")

    def picture(self, doc: str, start: str, end: str) -> tuple[bytes, str]:
        """Return a picture of the page of evidence under review, with the evidence marked, and its media type.

        Raises:
            RefusedError: there is no such evidence, or its file has changed or is gone.
        """
        drawn = self._pictures.served(doc, start, end)
        if not drawn:
            raise RefusedError(404, f"there is no picture of {doc[:80]!r} [{start[:12]}, {end[:12]})")
        return drawn, picture_type(drawn)

    def results(self, annotator: str) -> dict[str, Any]:
        """Return the results as text, only to an annotator who has decided every item and so cannot be influenced.

        Raises:
            RefusedError: the annotator has items left to decide.
        """
        name = self.store.spelling(_name(annotator))
        left = len(self.ids) - self.store.decided_counts().get(name, 0)
        if left:
            raise RefusedError(403, f"{name} has {left} items left: the results are shown when all are decided")
        return {"text": terminal(results(self.subject, self.ids, self.store.annotations()))}

    def _audited(self, item: str, edit: Annotation) -> list[dict[str, str]]:
        before = self._items[item]
        after = edited_item(before, edit, self.subject.documents)
        others = [other for other in self.subject.items if other.id != item]
        found = [asdict(finding) for finding in edit_findings(after, others, self.subject.documents)]
        return [*self._lost_derivation(before, after), *found]

    def _lost_derivation(self, before: Item, after: Item) -> list[dict[str, str]]:
        if not before.derivation or after.derivation:
            return []
        message = "the derivation of the old answer does not yield this one and is removed: you vouch for the answer"
        return [{"code": "derivation", "severity": "warning", "item": after.id, "message": message, "advice": ""}]


def _sent(body: bytes, *keys: str) -> Mapping[str, Any]:
    try:
        sent = parse_json(body, tolerant=True)
    except JsonError as error:
        raise RefusedError(400, f"the request body is not JSON that can be saved: {error}") from None
    if not isinstance(sent, Mapping) or sent.keys() != {*keys}:
        raise RefusedError(400, f"the request body must be an object with {', '.join(keys[:-1])} and {keys[-1]}")
    return sent


def _name(annotator: object) -> str:
    try:
        return normalised_name(annotator)
    except ValueError as error:
        raise RefusedError(400, str(error)) from None
