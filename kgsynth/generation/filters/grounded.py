"""grounded: every span occurs verbatim in its document, and the derivation yields the golden answer."""

from __future__ import annotations

from kgsynth.base.records import Item, Rejection
from kgsynth.evidence.derivation import DerivationError, recompute, same_answer
from kgsynth.generation.filters.context import FilterContext
from kgsynth.generation.writing import Candidate


def judge(candidate: Candidate, context: FilterContext) -> Rejection | Item:
    """Reject an item with a wrong span or derivation."""
    item, documents = candidate.item, context.knowledge.documents
    for group in item.evidence:
        for span in group:
            if documents[span.doc].text[span.start : span.end] != span.text:
                return Rejection("grounded", f"the span at {span.doc}:{span.start} is not verbatim")
    try:
        answers = recompute(item.derivation, documents)
    except DerivationError as error:
        return Rejection("grounded", str(error))
    if item.answerable and not any(same_answer(answer, item.golden_answers[0], item.language) for answer in answers):
        return Rejection("grounded", f"the derivation yields {answers[0]!r}")
    return item
