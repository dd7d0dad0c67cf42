"""style: the faults of the phrasing do not cost more than the question promises."""

from __future__ import annotations

from kgsynth.base.records import Item, Rejection
from kgsynth.generation.filters.context import FilterContext
from kgsynth.generation.writing import Candidate


def judge(candidate: Candidate, context: FilterContext) -> Rejection | Item:
    """Turn away a question whose quality, less what its faults cost, is too low."""
    item, limit = candidate.item, context.thresholds["style"]
    quality = item.metadata["scores"]["quality"]
    return Rejection("style", "the phrasing has too many faults", quality, limit) if quality < limit else item
