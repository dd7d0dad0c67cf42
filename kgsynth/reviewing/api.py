"""What the page asks of the server, without HTTP: who reviews, what they said, keep this, the results."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from kgsynth.base.records import Item
from kgsynth.reviewing.edits import edited, findings
from kgsynth.reviewing.judgement import Judgement, name_of, read
from kgsynth.reviewing.results import results
from kgsynth.reviewing.store import Store
from kgsynth.reviewing.subject import Subject
from kgsynth.reviewing.text import terminal


class RefusedError(Exception):
    """What cannot be done, as an HTTP status and a sentence."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


class Desk:
    """One review at work: what is under review, the items in order, and the file it is kept in."""

    def __init__(self, subject: Subject, ids: Sequence[str], store: Store) -> None:
        self.subject, self.ids, self.store = subject, ids, store
        self._items = {item.id: item for item in subject.items}

    def warm(self) -> None:
        """Have the audit load what it needs, so that the first edit does not wait for that."""
        if self.subject.of == "questions":
            findings(self.subject.items[0], (), self.subject.documents)

    def annotators(self) -> dict[str, Any]:
        """Return how many items each annotator has decided."""
        return {"items": len(self.ids), "decided": self.store.annotators()}

    def said(self, annotator: str) -> dict[str, Any]:
        """Return what one annotator said so far."""
        name = self.store.name(_name(annotator))
        told = {each.item: each.judgement.to_json() for each in self.store.said(name)}
        return {"annotator": name, "judgements": told}

    def say(self, body: bytes) -> dict[str, Any]:
        """Keep what one annotator says of one item.

        Raises:
            RefusedError: the body holds no judgement of an item under review.
        """
        try:
            told = json.loads(body)
        except (ValueError, RecursionError) as error:
            raise RefusedError(400, f"what was sent is not JSON ({error})") from None
        if not isinstance(told, Mapping) or told.keys() != {"annotator", "item", "judgement"}:
            raise RefusedError(400, "what was sent must be an object with annotator, item and judgement")
        name, item = _name(told["annotator"]), told["item"]
        try:
            judgement = read(told["judgement"], self.subject.of)
            if not isinstance(item, str) or item not in self._items:
                raise ValueError(f"the item {str(item)[:40]!r} is not under review")
            self.store.say(name, [(item, judgement)])
        except ValueError as error:
            raise RefusedError(400, str(error)) from None
        return {"saved": item}

    def findings(self, annotator: str, item: str) -> dict[str, Any]:
        """Return what the audit says of the words one annotator gave an item; saving them does not wait for it.

        Raises:
            RefusedError: the annotator has not edited it.
        """
        name = self.store.name(_name(annotator))
        for said in self.store.said(name):
            if said.item == item and said.judgement.decision == "edit":
                return {"findings": self._audited(item, said.judgement)}
        raise RefusedError(404, f"{name} has not edited {item[:40]!r}")

    def results(self, annotator: str) -> dict[str, Any]:
        """Return the results as text, for who has decided every item: nobody is led by the others before.

        Raises:
            RefusedError: items are left to decide.
        """
        name = self.store.name(_name(annotator))
        left = len(self.ids) - self.store.annotators().get(name, 0)
        if left:
            raise RefusedError(403, f"{name} has {left} items left: the results are shown when all are decided")
        return {"text": terminal(results(self.subject, self.ids, self.store.said()))}

    def _audited(self, item: str, judgement: Judgement) -> list[dict[str, str]]:
        before = self._items[item]
        after = edited(before, judgement, self.subject.documents)
        others = [other for other in self.subject.items if other.id != item]
        told = [asdict(finding) for finding in findings(after, others, self.subject.documents)]
        return [*self._unproved(before, after), *told]

    def _unproved(self, before: Item, after: Item) -> list[dict[str, str]]:
        if not before.derivation or after.derivation:
            return []
        message = "the proof of the old answer does not yield this one and is left out: it rests on your word"
        return [{"code": "derivation", "severity": "warning", "item": after.id, "message": message, "advice": ""}]


def _name(annotator: object) -> str:
    try:
        return name_of(annotator)
    except ValueError as error:
        raise RefusedError(400, str(error)) from None
