"""leaning: the evidence of a later turn is found by its standalone question, and not by its own words alone.

So an answer needs the conversation. A text finds evidence that is among the top chunks by its vector or by its words:
systems use either. Of several wordings the first that does as it should is taken.
"""

from __future__ import annotations

from collections.abc import Sequence

from kgsynth.base.records import Item, Rejection
from kgsynth.base.thresholds import LIMITS
from kgsynth.evidence.embedding_rank import gold_rank
from kgsynth.generation.asking.beside import ChunkWords
from kgsynth.generation.filters.context import FilterContext
from kgsynth.golden.metadata import with_scores


def worst_rank(item: Item, text: str, context: FilterContext) -> int:
    """Return the rank of the evidence of an item that a text finds last among all chunks, by vector or by words.

    Of the two searches, the one counts that ranks it better.
    """
    golds = [sorted(context.knowledge.chunks.holding(group)) for group in item.evidence]
    by_vector = max(gold_rank(golds, context.ranking.cosines(text)).ranks)
    found = {number: rank for rank, number in enumerate(context.knowledge.derived(ChunkWords).best(text), 1)}
    last = len(context.knowledge.chunks)
    return min(by_vector, max(min(found.get(number, last) for number in gold) for gold in golds))


def barest(item: Item, wordings: Sequence[str], context: FilterContext) -> str:
    """Return the first wording of a turn that does not find all its evidence by itself, or the first; "" for none."""
    said = [text for text in (" ".join(wording.split()) for wording in wordings) if text]
    leans = (text for text in said if worst_rank(item, text, context) > LIMITS.top_chunks)
    return next(leans, said[0] if said else "")


def clearest(items: Sequence[Item], context: FilterContext) -> Item:
    """Return the first item whose standalone question finds its evidence, or the first."""
    found = (item for item in items if worst_rank(item, item.question, context) <= LIMITS.top_chunks)
    return next(found, items[0])


def judge(item: Item, turn: str, context: FilterContext) -> Rejection | Item:
    """Reject a ``turn`` that finds all its evidence among the top chunks by itself; ``item`` has the standalone form.

    Also one whose standalone question does not find it. The others get the worst rank of their evidence for the turn.
    """
    if not turn.strip():
        return Rejection("leaning", "the model wrote no turn")
    said, whole = (worst_rank(item, text, context) for text in (turn, item.question))
    limit = LIMITS.top_chunks
    if said <= limit:
        return Rejection("leaning", "the turn finds its evidence without the conversation", said, limit)
    if whole > limit:
        return Rejection("leaning", "the standalone question does not find the evidence either", whole, limit)
    return with_scores(item, turn_rank=said)


def spare() -> Rejection:
    """Return the rejection of a turn that was asked for in case that another fails."""
    return Rejection("leaning", "its conversation has turns enough")


def cut_off() -> Rejection:
    """Return the rejection of a turn whose conversation ended before it."""
    return Rejection("leaning", "an earlier turn of its conversation was rejected")
