"""Does the derivation of an item yield its answer, and does a multi-context question need all its evidence?"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from kgsynth.auditing.case import AuditCase
from kgsynth.base.records import Finding, Item
from kgsynth.base.thresholds import LIMITS
from kgsynth.evidence.derivation import recompute, same_answer, spans
from kgsynth.evidence.derivation_steps import DerivationError, steps_in
from kgsynth.evidence.passage_distance import extent
from kgsynth.golden.spans import in_place, supporting_spans
from kgsynth.show.wording import many

_CHANGED = "audit against the documents the set was made from, or generate the set again"


def failed_derivations(case: AuditCase) -> Iterator[Finding]:
    """Yield the items whose derivation fails, yields another answer, or uses text outside the evidence.

    Items whose documents have changed are left to the check ``drift``.
    """
    for item in case.dataset:
        if not item.derivation or not all(in_place(span, case.documents) for span in supporting_spans(item)):
            continue
        try:
            answers = recompute(item.derivation, case.documents)
        except DerivationError as error:
            yield Finding("derivation", "error", item.id, f"the derivation fails: {error}", _CHANGED)
            continue
        agrees = any(same_answer(answer, golden, item.language) for answer in answers for golden in item.golden_answers)
        if not agrees and (answers or item.golden_answers):
            found = repr(answers[0]) if answers else "no answer"
            message = f"the derivation yields {found}, the golden answer is {', '.join(item.golden_answers)!r}"
            yield Finding("derivation", "error", item.id, message, "correct the golden answer, or delete the item")
        steps = steps_in(item.derivation)
        for doc in sorted({str(step["doc"]) for step in steps if "doc" in step}):
            if not any(span.doc == doc for span in supporting_spans(item)):
                message = f"the derivation uses {doc}, which is not in the evidence"
                yield Finding("derivation", "error", item.id, message, "add the sentence to the evidence")
        for doc, start, end in spans({"steps": steps}):
            if not any(s.doc == doc and s.start <= start and end <= s.end for s in supporting_spans(item)):
                message = f"the derivation uses {doc} [{start}, {end}), which is outside the evidence"
                yield Finding("derivation", "error", item.id, message, "add the sentence to the evidence")


def hops(case: AuditCase) -> Iterator[Finding]:
    """Yield the multi-context items that one passage answers: one evidence group, or groups close together."""
    for item in case.dataset:
        if item.question_type != "multi_context" or item.metadata.get("not_found"):
            continue
        if len(item.evidence) < 2:
            message = f"a multi_context question with {many(len(item.evidence), 'evidence group')}"
            yield Finding("hops", "error", item.id, message, "add the missing evidence, or set the type to simple")
            continue
        characters = extent(item)
        if _overlapping(item):
            message = "two evidence groups overlap, so they are one hop"
            yield Finding("hops", "error", item.id, message, "set the type to simple, or delete the item")
        elif characters is not None and characters <= LIMITS.passage_characters:
            message = f"all evidence groups are within {characters} characters of one document"
            yield Finding("hops", "warning", item.id, message, "choose evidence that does not fit in one passage")


def _overlapping(item: Item) -> bool:
    return any(a.meets(b) for one, two in combinations(item.evidence, 2) for a in one for b in two)
