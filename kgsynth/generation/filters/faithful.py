"""faithful: a reworded question still means what the original asked."""

from __future__ import annotations

from kgsynth.base.records import Item, Rejection
from kgsynth.generation.filters.context import FilterContext
from kgsynth.generation.writing import Candidate
from kgsynth.golden.metadata import with_scores


def judge(candidate: Candidate, context: FilterContext) -> Rejection | Item:
    """Reject a reworded question whose embedding is too far from the original's."""
    item, limit = candidate.item, context.thresholds["faithful"]
    plain = item.metadata.get("plain")
    if not plain:
        return item
    cosine = context.vectors.cosine_of_questions(item.question, plain)
    if cosine < limit:
        return Rejection("faithful", f"does not mean the same as {plain!r}", round(cosine, 4), limit)
    return with_scores(item, faithful=cosine)
