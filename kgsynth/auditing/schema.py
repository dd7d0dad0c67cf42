"""Each item by itself: do its fields agree, is its id the hash of its content, are its spans in place?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kgsynth.auditing.case import AuditCase
from kgsynth.base.records import Finding, Item, Span, fitting_id, place_name
from kgsynth.golden.answer_members import MEMBER_KINDS, answer_members
from kgsynth.golden.answer_patterns import pattern_problem
from kgsynth.golden.span_tracking import ADVICE, SpanTracker
from kgsynth.golden.spans import excerpt, in_place, supporting_spans
from kgsynth.show.wording import many

_TYPES = frozenset({"simple", "reasoning", "multi_context", "conditional", "unanswerable", "unknown"})
_DIFFICULTIES = frozenset({"easy", "medium", "hard"})


def schema(case: AuditCase) -> Iterator[Finding]:
    """Yield missing and contradictory fields: no question, answer or evidence, an unknown type or difficulty."""
    if not len(case.written):
        yield Finding("schema", "error", "", "the set has no items", "check that this is the right file")
    for item in case.written:
        for message in _contradictions(item):
            yield Finding("schema", "error", item.id, message, "correct the field, or delete the item")
        if item.question_type not in _TYPES:
            message = f"unknown question_type {item.question_type!r}"
            yield Finding("schema", "warning", item.id, message, f"use one of {', '.join(sorted(_TYPES))}")
        if item.answer_kind in MEMBER_KINDS and any(len(answer_members(answer)) < 2 for answer in item.golden_answers):
            message = f"answer_kind is {item.answer_kind!r}, but a golden answer has only one member"
            advice = "part the members by semicolons, number the steps (1. … 2. …), or remove answer_kind"
            yield Finding("schema", "warning", item.id, message, advice)
        if item.difficulty not in _DIFFICULTIES:
            message = f"unknown difficulty {item.difficulty!r}"
            yield Finding("schema", "warning", item.id, message, "use easy, medium or hard")


def _contradictions(item: Item) -> Iterator[str]:
    if not item.question.strip():
        yield "the question is empty"
    if any(not answer.strip() for answer in item.golden_answers):
        yield "a golden answer is empty"
    yield from filter(None, map(pattern_problem, item.golden_answers))
    if item.answerable and not item.golden_answers and not item.metadata.get("retrieval_only"):
        yield "the item is answerable but has no golden answer"
    if item.answerable and not item.evidence and not item.metadata.get("not_found"):
        yield "the item is answerable but has no evidence"
    if not item.answerable and (item.golden_answers or item.evidence):
        yield "the item is not answerable but has an answer or evidence"
    if any(not group for group in item.evidence):
        yield "an evidence group is empty"
    if item.answerable is (item.question_type == "unanswerable"):
        yield f"answerable is {str(item.answerable).lower()} but question_type is {item.question_type!r}"


def ids(case: AuditCase) -> Iterator[Finding]:
    """Yield the items written by kgsynth whose id is not the hash of their question, answers and evidence."""
    for item in case.written:
        if item.metadata.get("source") == "kgsynth" and item.id != (expected := fitting_id(item)):
            message = f"the content was changed after the id was given; its id would now be {expected}"
            yield Finding("id", "error", item.id, message, "use the new id, or undo the change")


def not_found(case: AuditCase) -> Iterator[Finding]:
    """Yield the items with a context that is in no document, and one finding on those that came without a context."""
    without: dict[str, str] = {}
    for item in case.dataset:
        missing = _not_found(item)
        contexts = [entry for entry in missing if "context" in entry]
        if contexts:
            message = f"the context {excerpt(contexts[0]['context'])} was not found: {contexts[0].get('why')}"
            if len(contexts) > 1:
                message += f"; not found either: {many(len(contexts) - 1, 'more context')}"
            advice = "give the documents the set was made from with --docs, or delete the item"
            yield Finding("not_found", "error" if item.answerable else "warning", item.id, message, advice)
        elif missing and "elsewhere" not in missing[0]:
            without[item.id] = f"{excerpt(item.question)}: {missing[0].get('why')}"
    if without:
        first, *others = without
        more = f"; the same for {many(len(others), 'more item')}: {', '.join(others[:10])}" if others else ""
        message = without[first] + more + (" …" if len(others) > 10 else "")
        advice = "add a column of contexts; without evidence an item is scored by its answer alone"
        yield Finding("not_found", "warning", first, message, advice)


def elsewhere(case: AuditCase) -> Iterator[Finding]:
    """Yield the items without a context whose answer was found only in a passage about something else."""
    for item in case.dataset:
        for entry in _not_found(item):
            if "elsewhere" in entry:
                message = f"{excerpt(item.question)}: {entry.get('why')}"
                advice = "check the answer; if it is right, add a column of contexts with the passage that proves it"
                yield Finding("elsewhere", "warning", item.id, message, advice)


def _not_found(item: Item) -> list[Mapping[str, Any]]:
    return [entry for entry in item.metadata.get("not_found") or () if isinstance(entry, Mapping)]


# The spans of a set that are not in place in its documents: moved, changed, gone, or on another page than it says.


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
