"""well_formed: the question reads as a question, with nothing left over from the text it came from."""

from __future__ import annotations

from kgsynth.base.records import Item, Rejection
from kgsynth.generation.filters.context import FilterContext
from kgsynth.generation.writing import Candidate
from kgsynth.language import language


def judge(candidate: Candidate, context: FilterContext) -> Rejection | Item:
    """Turn away a question or an answer whose form is broken."""
    item = candidate.item
    answer = item.golden_answers[0] if item.answerable else None
    fault = fault_of(item.question, answer, item.language)
    return Rejection("well_formed", fault) if fault else item


def fault_of(question: str, answer: str | None, code: str) -> str:
    """Return what is wrong with the form of a question or its answer, "" for nothing; None is no answer."""
    empty = answer is not None and not answer.strip(" .,;:")
    return language(code).malformed(question) or ("its answer is empty" if empty else "")
