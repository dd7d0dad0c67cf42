"""copied: the question does not repeat a sentence of its evidence."""

from __future__ import annotations

from kgsynth.base.records import Item, Rejection
from kgsynth.evidence.question_checks import copied, repeats_clause
from kgsynth.generation.filters.context import FilterContext
from kgsynth.generation.writing import Candidate
from kgsynth.golden.metadata import with_scores


def judge(candidate: Candidate, context: FilterContext) -> Rejection | Item:
    """Reject a question most of whose words repeat a sentence of its evidence in the same order, unless it must."""
    item, limit = candidate.item, context.thresholds["copied"]
    if repeats_clause(item):
        return item
    share = max((copied(item.question, item.golden_answers, fact.text) for fact in candidate.scenario.facts), default=0)
    if share >= limit:
        return Rejection("copied", "repeats the words of its evidence in the same order", round(share, 4), limit)
    return with_scores(item, copied=share)
