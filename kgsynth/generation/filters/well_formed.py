"""well_formed: the question is a question, without markup or other remains of its source."""

from __future__ import annotations

from kgsynth.base.choices import DEFAULT_LANGUAGE
from kgsynth.base.records import Item, Rejection
from kgsynth.generation.filters.context import FilterContext
from kgsynth.generation.writing import Candidate
from kgsynth.language import language
from kgsynth.language.detection import guess_language


def judge(candidate: Candidate, context: FilterContext) -> Rejection | Item:
    """Reject a question or an answer that is malformed."""
    item = candidate.item
    answer = item.golden_answers[0] if item.answerable else None
    problem = problem_of(item.question, answer, item.language)
    return Rejection("well_formed", problem) if problem else item


def problem_of(question: str, answer: str | None, code: str) -> str:
    """Return the problem with the form of a question or its answer, "" for none; ``answer`` is None if it has none."""
    if problem := language(code).malformed(question):
        return problem
    if answer is None:
        return ""
    if guess_language(answer) not in (code, DEFAULT_LANGUAGE):  # names and code in Latin letters answer in any language
        return "its answer is in another language"
    return "" if answer.strip(" .,;:") else "its answer is empty"
