"""Items beside the documents: does the derivation hold, are all hops needed?"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from kgsynth.auditing.case import AuditCase
from kgsynth.auditing.drift import grounds, stands
from kgsynth.base.records import Finding, Item
from kgsynth.evidence.derivation import DerivationError, recompute, same_answer, spans
from kgsynth.evidence.passage_distance import PASSAGE, extent

_CHANGED = "audit against the documents the set was made from, or generate the set again"


def derived(case: AuditCase) -> Iterator[Finding]:
    """Yield the items whose derivation does not hold, yields another answer, or leaves the evidence."""
    documents = case.documents
    for item in case.dataset:
        if not item.derivation or not all(stands(span, documents) for span in grounds(item)):
            continue  # that its documents have changed is told already
        try:
            answers = recompute(item.derivation, documents)
        except DerivationError as error:
            yield Finding("derivation", "error", item.id, f"the derivation does not hold: {error}", _CHANGED)
            continue
        agreed = any(same_answer(answer, golden, item.language) for answer in answers for golden in item.golden_answers)
        if not agreed and (answers or item.golden_answers):
            found = repr(answers[0]) if answers else "no answer"
            message = f"the derivation yields {found}, the golden answer is {', '.join(item.golden_answers)!r}"
            yield Finding("derivation", "error", item.id, message, "mend the golden answer, or delete the item")
        steps = {"steps": item.derivation["steps"]}
        for doc, start, end in spans(steps):
            if not any(s.doc == doc and s.start <= start and end <= s.end for s in grounds(item)):
                message = f"the derivation uses {doc} [{start}, {end}), which is outside the evidence"
                yield Finding("derivation", "error", item.id, message, "add the sentence to the evidence")


def hops(case: AuditCase) -> Iterator[Finding]:
    """Yield the multi-context items that one passage answers: one group, or groups that stand together."""
    for item in case.dataset:
        if item.question_type != "multi_context" or item.metadata.get("not_found"):
            continue
        if len(item.evidence) < 2:
            message = f"multi_context, but with {len(item.evidence)} group of evidence"
            yield Finding("hops", "error", item.id, message, "add the other hop's evidence, or call it simple")
            continue
        apart = extent(item)
        if _overlapping(item):
            message = "two groups of the evidence overlap, so they are one hop"
            yield Finding("hops", "error", item.id, message, "call it simple, or delete it")
        elif apart is not None and apart <= PASSAGE:
            message = f"all groups stand within {apart} characters of one document"
            yield Finding("hops", "warning", item.id, message, "prefer evidence that no single passage holds")


def _overlapping(item: Item) -> bool:
    pairs = ((a, b) for one, two in combinations(item.evidence, 2) for a in one for b in two)
    return any(a.doc == b.doc and a.start < b.end and b.start < a.end for a, b in pairs)
