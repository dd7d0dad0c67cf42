"""leaning: the evidence of a later turn is found by its standalone question, and not by its own words alone.

So an answer needs the conversation. A turn that follows one that was rejected leans on nothing.
"""

from __future__ import annotations

from kgsynth.base.records import Item, Rejection
from kgsynth.base.thresholds import LIMITS
from kgsynth.evidence.embedding_rank import gold_rank
from kgsynth.generation.filters.context import FilterContext
from kgsynth.golden.metadata import with_scores


def judge(item: Item, turn: str, context: FilterContext) -> Rejection | Item:
    """Reject a ``turn`` that finds all its evidence among the top chunks by itself; ``item`` has the standalone form.

    Also one whose standalone question does not find it. The others get the worst rank of their evidence for the turn.
    """
    if not turn.strip():
        return Rejection("leaning", "the model wrote no turn")
    golds = [sorted(context.knowledge.chunks.holding(group)) for group in item.evidence]
    said, whole = (max(gold_rank(golds, context.ranking.cosines(text)).ranks) for text in (turn, item.question))
    limit = LIMITS.top_chunks
    if said <= limit:
        return Rejection("leaning", "the turn finds its evidence without the conversation", said, limit)
    if whole > limit:
        return Rejection("leaning", "the standalone question does not find the evidence either", whole, limit)
    return with_scores(item, turn_rank=said)


def cut_off() -> Rejection:
    """Return the rejection of a turn whose conversation ended before it."""
    return Rejection("leaning", "an earlier turn of its conversation was rejected")
