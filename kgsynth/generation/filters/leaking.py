"""leaking: the question does not contain its own answer."""

from __future__ import annotations

from kgsynth.base.records import Item, Rejection
from kgsynth.evidence.question_checks import leaked_words
from kgsynth.generation.filters.context import FilterContext
from kgsynth.generation.writing import Candidate
from kgsynth.golden.metadata import with_scores


def judge(candidate: Candidate, context: FilterContext) -> Rejection | Item:
    """Reject a question with too many of the answer's content words."""
    item, limit = candidate.item, context.thresholds["leaking"]
    share, leaked = leaked_words(item.question, item.golden_answers[0], item.language)
    if share >= limit:
        detail = f"contains {', '.join(leaked)} of the answer" if leaked else "the answer adds nothing to the question"
        return Rejection("leaking", detail, round(share, 4), limit)
    return with_scores(item, leaking=share)
