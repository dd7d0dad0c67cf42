"""Items beside the documents: does the answer follow from the spans, are all hops needed?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations

from kgsynth.audit.drift import grounds, stands
from kgsynth.dataset import Dataset
from kgsynth.derivation import DerivationError, recompute, same_answer, spans
from kgsynth.extent import PASSAGE, extent
from kgsynth.language.words import words
from kgsynth.patterns import fault, pattern
from kgsynth.records import Document, Finding, Item

_CHANGED = "audit against the documents the set was made from, or generate the set again"


def derived(dataset: Dataset, documents: Mapping[str, Document]) -> Iterator[Finding]:
    """Yield the items whose derivation does not hold, yields another answer, or leaves the evidence."""
    for item in dataset:
        if not item.derivation or not all(stands(span, documents) for span in grounds(item)):
            continue  # that its documents have changed is told already
        try:
            answers = recompute(item.derivation, documents)
        except DerivationError as error:
            yield Finding("derivation", "error", item.id, f"the derivation does not hold: {error}", _CHANGED)
            continue
        agreed = any(same_answer(answer, golden) for answer in answers for golden in item.golden_answers)
        if not agreed and (answers or item.golden_answers):
            found = repr(answers[0]) if answers else "no answer"
            message = f"the derivation yields {found}, the golden answer is {', '.join(item.golden_answers)!r}"
            yield Finding("derivation", "error", item.id, message, "mend the golden answer, or delete the item")
        steps = {"steps": item.derivation["steps"]}
        for doc, start, end in spans(steps):
            if not any(s.doc == doc and s.start <= start and end <= s.end for s in grounds(item)):
                message = f"the derivation uses {doc} [{start}, {end}), which is outside the evidence"
                yield Finding("derivation", "error", item.id, message, "add the sentence to the evidence")


def answered(dataset: Dataset, documents: Mapping[str, Document]) -> Iterator[Finding]:
    """Yield the items without a derivation whose evidence holds none of the golden answers, word for word."""
    for item in dataset:
        if item.derivation or not item.evidence or not item.golden_answers:
            continue
        answers = [answer for answer in item.golden_answers if not fault(answer)]
        if not any(_stands(answer, span.text) for answer in answers for span in grounds(item)):
            message = f"no golden answer stands in the evidence: {item.golden_answers[0][:60]!r}"
            yield Finding("evidence", "warning", item.id, message, "check that the evidence is enough to answer")


def _stands(answer: str, text: str) -> bool:
    regex = pattern(answer)
    return bool(regex.search(text)) if regex else f" {' '.join(words(answer))} " in f" {' '.join(words(text))} "


def hops(dataset: Dataset, documents: Mapping[str, Document]) -> Iterator[Finding]:
    """Yield the multi-context items that one passage answers: one group, or groups that stand together."""
    for item in dataset:
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
