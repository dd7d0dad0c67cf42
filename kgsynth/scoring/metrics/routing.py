"""Metrics of what a system did on its way to an answer: its route, its searches, and the evidence it cites."""

from __future__ import annotations

from kgsynth.base.records import ROUTES
from kgsynth.scoring.metrics.answer_match import is_correct, refuses
from kgsynth.scoring.metrics.citations import cited_count, supported_share
from kgsynth.scoring.metrics.claims import claims_stated
from kgsynth.scoring.metrics.scored_case import ScoredCase


def citation_precision(case: ScoredCase) -> float:
    """Return the share of what an answer cites that covers evidence; a number without a passage covers none."""
    cited = cited_count(case.answer) if case.answer else 0
    return len(case.cited.relevant_ranks) / cited if case.cited and cited else 0.0


def citation_support(case: ScoredCase) -> float | None:
    """Return the share of the sentences with a claim that cite its evidence, None if no sentence states a claim."""
    if case.cited_groups is None:
        return None
    stated = claims_stated(case.plain_answer, case.claim_sources, case.claim_cosines)
    return supported_share(stated, case.cited_groups, case.item.claims)


def repeated_retrieval(case: ScoredCase) -> float | None:
    """Return the share of the passages of later steps that are repeats, None if no later step has passages."""
    return case.steps.repeats / case.steps.n_later if case.steps and case.steps.n_later else None


# ---- routing -------------------------------------------------------------------------------------
#
# Every question of a golden set is about the documents, so retrieving is never wrong. Answering without retrieval is
# right when the answer is correct, or when an unanswerable question is declined: the simplest route that succeeds is
# the right one (Jeong et al. 2024, Adaptive-RAG). One run cannot show whether a retrieved question could have been
# answered without retrieval.

RETRIEVE, DIRECT = ROUTES


def has_route(case: ScoredCase) -> bool:
    """Check whether the answer records one of the two routes."""
    return case.answer is not None and case.answer.route in ROUTES


def sent_to_retrieval(case: ScoredCase) -> float:
    """Return 1 when the question was sent to retrieval, otherwise 0."""
    return float(case.answer is not None and case.answer.route == RETRIEVE)


def route_accuracy(case: ScoredCase) -> float:
    """Return 1 when the question was sent to retrieval, or handled correctly without it; otherwise 0.

    Handled correctly means: answered correctly, or declined if the question is unanswerable.

    Example:
        >>> from kgsynth.base.records import Answer, Item
        >>> item = Item("q", "How heavy is a Skua 3?", ("62 grams",), "simple", "factoid", "en", ())
        >>> answers = Answer("q", "80", route="retrieve"), Answer("q", "80", route="direct")
        >>> [route_accuracy(ScoredCase(item, answer, None, None)) for answer in answers]
        [1.0, 0.0]
    """
    if sent_to_retrieval(case) or not case.answered:
        return sent_to_retrieval(case)
    text, item = case.answer_text, case.item
    return float(
        is_correct(text, item.golden_answers, item.language, item.question) if item.answerable else refuses(text)
    )
