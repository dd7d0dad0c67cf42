"""style: the question is not clumsy; each problem of its wording has lowered its quality."""

from __future__ import annotations

from kgsynth.base.records import Item, Rejection
from kgsynth.generation.filters.context import FilterContext
from kgsynth.generation.writing import Candidate


def judge(candidate: Candidate, context: FilterContext) -> Rejection | Item:
    """Reject a question whose quality is too low."""
    item, limit = candidate.item, context.thresholds["style"]
    quality = item.metadata["scores"]["quality"]
    return Rejection("style", "the wording has too many problems", quality, limit) if quality < limit else item
