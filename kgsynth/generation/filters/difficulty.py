"""difficulty: the embedding model ranks the gold chunk neither far ahead of all others nor out of reach.

Such questions are too easy or hopeless. All others get a difficulty, and the most similar chunks without the answer as
hard negatives. In a small corpus no question is too easy, since a lead over a few chunks means little.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from kgsynth.base.records import Item, Rejection, Span
from kgsynth.base.thresholds import LIMITS
from kgsynth.evidence.embedding_rank import gold_rank, hopeless_rank, margin_counts
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.filters.context import FilterContext
from kgsynth.generation.writing import Candidate
from kgsynth.golden.metadata import with_scores

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def judge(candidate: Candidate, context: FilterContext) -> Rejection | Item:
    """Reject a question that is too easy or hopeless; add rank, margin, difficulty and hard negatives to the others.

    The rank of an evidence group is the rank of its best chunk, from 1; the rank of an item is the rank of its worst
    group. An item is hopeless only if even its best group is out of reach, since a second hop can be found through the
    first.
    """
    item, knowledge = candidate.item, context.knowledge
    scores = context.ranking.cosines(item.question)
    if not item.answerable:
        return _judge_unanswerable(candidate, context, scores)
    golds = [sorted(knowledge.chunks.holding(group)) for group in item.evidence]
    ranks, margin, best, others = gold_rank(golds, scores)
    hopeless = hopeless_rank(context.thresholds["hopeless"], len(scores))
    if min(ranks) > hopeless:
        return Rejection("difficulty", "hopeless: the gold chunk is too far from the question", min(ranks), hopeless)
    too_easy = context.thresholds["too_easy"]
    if margin > too_easy and margin_counts(golds, len(scores)):
        return Rejection("difficulty", "too easy: the gold chunk leads by far", round(margin, 4), too_easy)
    difficulty, negatives = _difficulty(max(ranks), margin, len(golds)), _hard_negatives(knowledge, item, others, best)
    return with_scores(replace(item, difficulty=difficulty, hard_negatives=negatives), rank=max(ranks), margin=margin)


def _judge_unanswerable(candidate: Candidate, context: FilterContext, scores: NDArray[np.float32]) -> Rejection | Item:
    """Judge an unanswerable question by the passages it was made from: the higher they rank, the harder it is.

    A chunk that names the subject and is very similar to the question may answer it in other words: it is rejected.
    """
    item, knowledge, limit = candidate.item, context.knowledge, context.thresholds["near"]
    mentions = knowledge.entities[candidate.scenario.links[0][0]].mentions
    naming = sorted(knowledge.chunks.holding([Span(m.doc, m.start, m.end, m.text) for m in mentions]))
    nearest = float(scores[naming].max()) if naming else 0.0
    if nearest > limit:
        return Rejection(
            "difficulty",
            "a chunk that names its subject is similar enough to contain an answer",
            round(nearest, 4),
            limit,
        )
    sources = sorted(knowledge.chunks.holding(item.hard_negatives))
    rank = int((scores > scores[sources].max()).sum()) + 1 if sources else len(scores)
    difficulty = "hard" if rank == 1 else "medium" if rank <= LIMITS.top_chunks else "easy"
    first = knowledge.chunks[int(scores.argmax())]
    nearest_chunk = knowledge.documents[first.doc].span(first.start, first.end)
    spans = dict.fromkeys((*item.hard_negatives, nearest_chunk))
    item = replace(item, difficulty=difficulty, hard_negatives=tuple(spans)[: LIMITS.hard_negatives])
    return with_scores(item, rank=rank, nearest=nearest)


def _difficulty(rank: int, margin: float, hops: int) -> str:
    if rank > LIMITS.top_chunks or (hops > 1 and rank > LIMITS.top_chunks_of_hops):
        return "hard"
    return "easy" if rank == 1 and margin >= LIMITS.easy_margin and hops == 1 else "medium"


def _hard_negatives(knowledge: Knowledge, item: Item, others: Any, best: float) -> tuple[Span, ...]:
    """Return the most similar chunks that contain no answer and are clearly less similar than the gold chunk."""
    found: list[Span] = []
    answers = [answer.lower() for answer in item.golden_answers]
    for number in nearest(others, LIMITS.hard_negatives_from):
        chunk = knowledge.chunks[int(number)]
        less_similar = 0 < others[number] < LIMITS.hard_negative_cosine * best
        if less_similar and not any(answer in chunk.text.lower() for answer in answers):
            found.append(knowledge.documents[chunk.doc].span(chunk.start, chunk.end))
        if len(found) == LIMITS.hard_negatives:
            break
    return tuple(found)


def nearest(scores: Any, count: int) -> Any:
    """Return the positions of the ``count`` greatest scores, best first; of equal scores the later comes first."""
    import numpy as np

    lowest = np.partition(scores, -count)[-count] if count < len(scores) else -np.inf
    kept = np.flatnonzero(scores >= lowest)
    return kept[scores[kept].argsort(kind="stable")][::-1][:count]
