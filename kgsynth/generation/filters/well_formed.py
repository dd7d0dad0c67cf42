"""well_formed: the question is a question, without markup or other remains of its source."""

from __future__ import annotations

from kgsynth.base.records import Item, Rejection
from kgsynth.generation.filters.context import FilterContext
from kgsynth.generation.writing import Candidate
from kgsynth.language import language


def judge(candidate: Candidate, context: FilterContext) -> Rejection | Item:
    """Reject a question or an answer that is malformed."""
    item = candidate.item
    answer = item.golden_answers[0] if item.answerable else None
    problem = problem_of(item.question, answer, item.language)
    return Rejection("well_formed", problem) if problem else item


def problem_of(question: str, answer: str | None, code: str) -> str:
    """Return the problem with the form of a question or its answer, "" for none; ``answer`` is None if it has none."""
    empty = answer is not None and not answer.strip(" .,;:")
    return language(code).malformed(question) or ("its answer is empty" if empty else "")
