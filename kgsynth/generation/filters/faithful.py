"""faithful: a question in other words still means what it did in those of its source."""

from __future__ import annotations

from kgsynth.base.records import Item, Rejection
from kgsynth.generation.filters.context import FilterContext
from kgsynth.generation.writing import Candidate
from kgsynth.golden.metadata import with_scores


def judge(candidate: Candidate, context: FilterContext) -> Rejection | Item:
    """Turn away a reworded question whose embedding has moved too far from that of the plain one."""
    item = candidate.item
    by_model = str(item.metadata.get("writer", "")).startswith("llm:")
    limit = context.thresholds["faithful_by_model" if by_model else "faithful"]
    plain = item.metadata.get("plain")
    if not plain:
        return item
    cosine = context.vectors.cosine(item.question, plain)
    if cosine < limit:
        return Rejection("faithful", f"no longer means {plain!r}", round(cosine, 4), limit)
    return with_scores(item, faithful=cosine)
