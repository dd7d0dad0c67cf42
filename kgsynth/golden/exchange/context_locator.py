"""Locate the contexts of a question in the documents, which makes it an item with evidence.

A context is one evidence group, and all places where it occurs are alternatives in the group. The complete context is
the evidence: its answer may occur in it several times or in other words, so a narrower span would be a guess. Only if
the file itself gives the offset of the answer in the context is that place the evidence.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from kgsynth.base.records import Document, Item, Span, item_id
from kgsynth.documents.document_names import DocNames
from kgsynth.documents.document_text_finder import DocumentTextFinder
from kgsynth.documents.text_index import MIN_DISTINCTIVE_LENGTH, Place, cuts_word, letter_count, same_span
from kgsynth.golden.exchange.answer_locator import AnswerLocator
from kgsynth.golden.exchange.foreign_question import ForeignContext, ForeignQuestion
from kgsynth.golden.item_json import from_json, span_json

EXACTLY, NEARLY, NOT_FOUND = MATCHES = ("found exactly", "found nearly", "not found")
"""How a context matched: exactly after folding, by most of its letters and digits, or not at all."""

_MIN_PLACES_OF_COMMON_TEXT = 3  # a short text with so many places is a common phrase, not a context


class ContextLocator:
    """Locates contexts in ``documents``; ``matches`` counts how they were found.

    Example:
        >>> page = Document("a.md", "Ada Low leads the team.", "A", "md", "", (), ())
        >>> locator = ContextLocator({"a.md": page})
        >>> context = ForeignContext("Ada Low leads  the team.")
        >>> item = locator.to_item(ForeignQuestion("f, line 1", "Who leads?", ("Ada",), ((context,),)))
        >>> item.evidence[0][0].end, dict(locator.matches)
        (23, {'found exactly': 1})
    """

    def __init__(self, documents: Mapping[str, Document]) -> None:
        self.matches: Counter[str] = Counter()
        self.located_answers = 0
        self._documents = documents
        self._names = DocNames(documents)
        self._finder = DocumentTextFinder(documents)
        self._answers = AnswerLocator(documents, self._finder)

    def to_item(self, question: ForeignQuestion, source: str = "") -> Item:
        """Return the question as an item: its evidence in the documents, what was not found in its metadata."""
        if question.item and self._knows(question.item):
            return question.item
        groups, not_found, lowest = [], [], 1.0
        for group in question.contexts:
            spans, similarity, why = self._locate_group(group, question.doc)
            self.matches[NOT_FOUND if why else EXACTLY if similarity == 1 else NEARLY] += 1
            lowest = min(lowest, similarity)
            groups += [spans] if spans else []
            not_found += [{"context": group[0].text, "why": why}] if why else []
        if not question.contexts and question.answerable:
            doc = self._names.resolve_title(question.doc) if question.doc else None
            found = self._answers.locate(question.question, question.answers, doc)
            self.located_answers += bool(found.spans)
            groups += [found.spans] if found.spans else []
            role = "elsewhere" if found.elsewhere else "answer"
            not_found += [{role: question.answers[0], "why": found.why}] if found.why else []
        metadata = {**question.metadata, "source": source}
        metadata |= {"not_found": not_found} if not_found else {}
        metadata |= {"scores": {"located": round(lowest, 4)}} if groups and lowest < 1 else {}
        return _make_item(question, groups, metadata)

    def _knows(self, item: Item) -> bool:
        """Check whether a document of the evidence is here; without any documents, nothing speaks against it."""
        docs = {span.doc for group in item.evidence for span in group}
        return not docs or not self._documents or not docs.isdisjoint(self._documents)

    def _locate_group(self, group: Sequence[ForeignContext], doc: str) -> tuple[tuple[Span, ...], float, str]:
        """Return all places of the contexts of a group, the lowest similarity, and why there is no place."""
        spans: dict[Span, None] = {}
        lowest, why = 1.0, ""
        for context in group:
            places, similarity, reason = self._find(context.text, context.doc or doc)
            why = why or reason
            lowest = min(lowest, similarity) if places else lowest
            for place in places:
                spans |= dict.fromkeys(self._spans(place, context))
        return tuple(spans), lowest, "" if spans else why

    def _find(self, text: str, doc_name: str) -> tuple[list[Place], float, str]:
        doc = self._names.resolve_title(doc_name) if doc_name else None
        short = letter_count(text) < MIN_DISTINCTIVE_LENGTH
        places, similarity = self._finder.find(text, doc) if doc else ([], 0.0)
        if not places:
            places, similarity = self._finder.find(text)
        places = self._at_word_edges(places) if short else places  # a long one may be a chunk that ends inside a word
        if short and len(places) >= _MIN_PLACES_OF_COMMON_TEXT:
            return [], 0.0, f"it is short and occurs in {len(places)} places"
        return places, similarity, "" if places else "it occurs in no document"

    def _at_word_edges(self, places: Sequence[Place]) -> list[Place]:
        """Return the places that neither start nor end inside a word."""
        texts = ((place, self._documents[place.doc].text) for place in places)
        return [place for place, text in texts if not cuts_word(text, place.start) and not cuts_word(text, place.end)]

    def _spans(self, place: Place, context: ForeignContext) -> list[Span]:
        """Return the spans of the answers in a located context if the file has their offsets, otherwise all of it."""
        document = self._documents[place.doc]
        located = document.span(place.start, place.end or len(document.text))
        spans = []
        for start, answer in context.answers:
            found = None
            if context.text[start : start + len(answer)] == answer:
                found = same_span(context.text, located.text, start, start + len(answer))
            found = found or _nearest(located.text, answer, start)
            spans += [document.span(located.start + found[0], located.start + found[1])] if found else []
        return spans or [located]


def _nearest(text: str, answer: str, start: int) -> tuple[int, int] | None:
    """Return the place of an answer in a text that is nearest to ``start``."""
    found = [match.start() for match in re.finditer(re.escape(answer), text, re.IGNORECASE)]
    at = min(found, key=lambda each: (abs(each - start), each), default=None)
    return None if at is None else (at, at + len(answer))


def _make_item(question: ForeignQuestion, groups: Sequence[tuple[Span, ...]], metadata: Mapping[str, Any]) -> Item:
    evidence = tuple(groups) if question.answerable else ()
    value = {
        "id": item_id(question.question, question.answers, evidence),
        "question": question.question,
        "golden_answers": list(question.answers),
        "answerable": question.answerable,
        "evidence": [[span_json(span) for span in group] for group in evidence],
        "hard_negatives": [span_json(group[0]) for group in groups] if not question.answerable else [],
        "metadata": metadata,
    }
    return from_json(value | ({"question_type": question.question_type} if question.question_type else {}))
