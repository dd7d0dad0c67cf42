"""Where do the contexts of a question stand in the documents? Then the question is an item with evidence.

A context is one group of evidence, and all places in which it stands are alternatives in the group. It stays whole: an
answer may stand in it several times, or not in its own words, and then a narrower span would be a guess. Only where a
file itself says where in a context the answer stands is that place the evidence.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from kgsynth.base.records import Document, Item, Span, item_id
from kgsynth.documents.document_names import DocNames
from kgsynth.documents.text_index import CERTAIN, Place, cuts_word, same_stretch, weight
from kgsynth.golden.dataset import from_json
from kgsynth.golden.exchange.foreign_question import Asked, Context
from kgsynth.golden.exchange.text_finder import Finder

WAYS = ("exactly", "nearly", "not at all")
"""How a context was found: letter for letter once folded, by its letters alone, or nowhere."""

_NAMED = 6  # in a named document even so short a text stands in one place by no chance
_MANY = 3  # places from which on a short text is a common word, not a passage


class Locator:
    """Finds contexts in ``documents``; ``ways`` counts how.

    Example:
        >>> page = Document("a.md", "Ada Low leads the team.", "A", "md", "", (), ())
        >>> locator = Locator({"a.md": page})
        >>> item = locator.item(Asked("f, line 1", "Who leads?", ("Ada",), ((Context("Ada Low leads  the team."),),)))
        >>> item.evidence[0][0].end, dict(locator.ways)
        (23, {'exactly': 1})
    """

    def __init__(self, documents: Mapping[str, Document]) -> None:
        self.ways: Counter[str] = Counter()
        self.placed_answers = 0
        self._documents = documents
        self._names = DocNames(documents)
        self._index = Finder(documents)

    def item(self, asked: Asked, source: str = "") -> Item:
        """Return the question as an item: its evidence in the documents, what was not found in its metadata."""
        groups, lost, alike = [], [], 1.0
        for group in asked.contexts:
            spans, similarity, why = self._group(group, asked.doc)
            self.ways[WAYS[2] if why else WAYS[similarity < 1]] += 1
            alike = min(alike, similarity)
            groups += [spans] if spans else []
            lost += [{"context": group[0].text, "why": why}] if why else []
        if not asked.contexts and asked.answerable:
            spans, why = self._answer(asked)
            self.placed_answers += bool(spans)
            groups += [spans] if spans else []
            lost += [{"answer": asked.answers[0], "why": why}] if why else []
        metadata = {**asked.metadata, "source": source}
        metadata |= {"not_found": lost} if lost else {}
        metadata |= {"scores": {"located": round(alike, 4)}} if groups and alike < 1 else {}
        return _item(asked, groups, metadata)

    def _group(self, group: Sequence[Context], doc: str) -> tuple[tuple[Span, ...], float, str]:
        """Return every place of the contexts of a group, how alike the worst is, and why there is none."""
        spans: dict[Span, None] = {}
        alike, why = 1.0, ""
        for context in group:
            places, similarity, reason = self._find(context.text, context.doc or doc)
            why = why or reason
            alike = min(alike, similarity) if places else alike
            for place in places:
                spans |= dict.fromkeys(self._marked(place, context))
        return tuple(spans), alike, "" if spans else why

    def _find(self, text: str, named: str) -> tuple[list[Place], float, str]:
        doc = self._names.resolve_title(named) if named else None
        short = weight(text) < CERTAIN
        places, alike = self._index.find(text, doc) if doc else ([], 0.0)
        if not places:
            places, alike = self._index.find(text)
        places = self._whole(places) if short else places  # a long one may be a chunk, cut where it was full
        if short and len(places) >= _MANY:
            return [], 0.0, f"it is short and stands in {len(places)} places"
        return places, alike, "" if places else "it stands in no document"

    def _whole(self, places: Sequence[Place]) -> list[Place]:
        """Return the places that neither begin nor end within a word."""
        texts = ((place, self._documents[place.doc].text) for place in places)
        return [place for place, text in texts if not cuts_word(text, place.start) and not cuts_word(text, place.end)]

    def _marked(self, place: Place, context: Context) -> list[Span]:
        """Return the spans of a found context: where its answers stand when its file knows, else the whole of it."""
        document = self._documents[place.doc]
        whole = document.span(place.start, place.end or len(document.text))
        spans = []
        for start, answer in context.answers:
            stretch = None
            if context.text[start : start + len(answer)] == answer:
                stretch = same_stretch(context.text, whole.text, start, start + len(answer))
            if stretch is None:
                stretch = _nearest(whole.text, answer, start)
            spans += [document.span(whole.start + stretch[0], whole.start + stretch[1])] if stretch else []
        return spans or [whole]

    def _answer(self, asked: Asked) -> tuple[tuple[Span, ...], str]:
        """Return the one place where an answer stands that has no context, if it is too long for chance."""
        doc = self._names.resolve_title(asked.doc) if asked.doc else None
        for answer in sorted(asked.answers, key=lambda each: (-weight(each), each)):
            places, alike = self._index.find(answer, doc)
            places = self._whole(places)
            if len(places) == 1 and alike == 1 and weight(answer) >= (_NAMED if doc else CERTAIN):
                return (self._documents[places[0].doc].span(places[0].start, places[0].end or 0),), ""
        where = f"in {doc}" if doc else "in the documents"
        return (), f"no context is given, and no answer is a text of some length that stands once {where}"


def _nearest(text: str, answer: str, start: int) -> tuple[int, int] | None:
    """Return where an answer stands in a text, nearest to ``start``."""
    found = [match.start() for match in re.finditer(re.escape(answer), text, re.IGNORECASE)]
    at = min(found, key=lambda each: (abs(each - start), each), default=None)
    return None if at is None else (at, at + len(answer))


def _item(asked: Asked, groups: Sequence[tuple[Span, ...]], metadata: Mapping[str, Any]) -> Item:
    evidence = tuple(groups) if asked.answerable else ()
    value = {
        "id": item_id(asked.question, asked.answers, evidence),
        "question": asked.question,
        "golden_answers": list(asked.answers),
        "answerable": asked.answerable,
        "evidence": [[asdict(span) for span in group] for group in evidence],
        "hard_negatives": [asdict(group[0]) for group in groups] if not asked.answerable else [],
        "metadata": metadata,
    }
    return from_json(value | ({"question_type": asked.kind} if asked.kind else {}))
