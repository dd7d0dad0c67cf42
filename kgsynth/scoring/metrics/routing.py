"""Was a question sent the right way? Of a system that first decides whether to look in the documents at all.

A golden set asks only what the documents tell, or what one would look up there in vain, so to retrieve is never wrong.
To answer without is right where nothing was lost by it, which the answer shows: of the ways that succeed the simplest
is the right one (Jeong et al. 2024, Adaptive-RAG). Left out: what a question sent to retrieval would have come to
without it, which one run cannot tell.
"""

from __future__ import annotations

from kgsynth.base.records import ROUTES
from kgsynth.scoring.metrics.answer_match import refuses, right
from kgsynth.scoring.metrics.case import Case

RETRIEVE, DIRECT = ROUTES


def routed(case: Case) -> bool:
    """Say whether the answer tells which of the two ways the question went."""
    return case.answer is not None and case.answer.route in ROUTES


def retrieval(case: Case) -> float:
    """Return 1 when the question was sent to retrieval, else 0."""
    return float(case.answer is not None and case.answer.route == RETRIEVE)


def accuracy(case: Case) -> float:
    """Return 1 when the question was sent to retrieval or nothing was lost without it, else 0.

    Nothing is lost where the answer is right, and of an unanswerable question where it is declined.

    Example:
        >>> from kgsynth.base.records import Answer, Item
        >>> item = Item("q", "How heavy is a Skua 3?", ("62 grams",), "simple", "factoid", "en", ())
        >>> answers = Answer("q", "80", route="retrieve"), Answer("q", "80", route="direct")
        >>> [accuracy(Case(item, answer, None, None)) for answer in answers]
        [1.0, 0.0]
    """
    if retrieval(case) or not case.answered:
        return retrieval(case)
    return float(right(case.said, case.item.golden_answers) if case.item.answerable else refuses(case.said))
