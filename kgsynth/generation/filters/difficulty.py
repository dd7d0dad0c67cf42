"""difficulty: the embedding as a judge: where does the gold chunk come for the question among all chunks?

Questions whose gold chunk leads by far are too easy, those whose gold chunk is nowhere near are hopeless; both go. The
rest get a band, and the nearest chunks without the answer become their hard negatives. To lead a handful of chunks by
far is no sign of anything, so in a small corpus nothing is too easy.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from kgsynth.base.records import Item, Rejection, Span
from kgsynth.evidence.embedding_rank import gold_rank, hopeless_rank, margin_counts
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.filters.context import FilterContext
from kgsynth.generation.writing import Candidate
from kgsynth.golden.metadata import with_scores

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_NEGATIVES = 3
_CLOSE = 5  # the rank up to which a decoy is before a reader's eyes
_NEGATIVE_CEILING = 0.95  # of the gold chunk's score: nearer ones may hold the answer in other words


def judge(candidate: Candidate, context: FilterContext) -> Rejection | Item:
    """Turn away what is too easy or hopeless; record rank, margin, band and hard negatives of the rest.

    The rank of a group is that of its best chunk, beginning at 1; that of an item is its worst group's. It is hopeless
    when even its best group is beyond reach, since a second hop is found through the first.
    """
    item, knowledge = candidate.item, context.knowledge
    scores = context.ranking.cosines(item.question)
    if not item.answerable:
        return _of_decoys(candidate, context, scores)
    golds = [sorted(knowledge.chunks.holding(group)) for group in item.evidence]
    ranks, margin, best, others = gold_rank(golds, scores)
    hopeless = hopeless_rank(context.thresholds["hopeless"], len(scores))
    if min(ranks) > hopeless:
        return Rejection("difficulty", "hopeless: the gold chunk is too far from the question", min(ranks), hopeless)
    if margin > context.thresholds["too_easy"] and margin_counts(golds, len(scores)):
        return Rejection(
            "difficulty", "too easy: the gold chunk leads by far", round(margin, 4), context.thresholds["too_easy"]
        )
    band = _band(max(ranks), margin, len(golds))
    negatives = _negatives(knowledge, item, others, best)
    return with_scores(replace(item, difficulty=band, hard_negatives=negatives), rank=max(ranks), margin=margin)


def _of_decoys(candidate: Candidate, context: FilterContext, scores: NDArray[np.float32]) -> Rejection | Item:
    """Judge a question without an answer by its decoys, what it was made from: the higher they rank, the harder it is.

    A chunk that names the thing and is very near to the question may answer it in other words, and turns it away.
    """
    item, knowledge, limit = candidate.item, context.knowledge, context.thresholds["near"]
    naming = sorted(knowledge.chunks.holding(_mentions(candidate, knowledge)))
    nearest = float(scores[naming].max()) if naming else 0.0
    if nearest > limit:
        return Rejection("difficulty", "a passage that names it is near enough to answer", round(nearest, 4), limit)
    decoys = sorted(knowledge.chunks.holding(item.hard_negatives))
    rank = int((scores > scores[decoys].max()).sum()) + 1 if decoys else len(scores)
    band = "hard" if rank == 1 else "medium" if rank <= _CLOSE else "easy"
    likest = knowledge.chunks[int(scores.argmax())]
    spans = (*item.hard_negatives, Span(likest.doc, likest.start, likest.end, likest.text))
    item = replace(item, difficulty=band, hard_negatives=tuple(dict.fromkeys(spans))[:_NEGATIVES])
    return with_scores(item, rank=rank, nearest=nearest)


def _mentions(candidate: Candidate, knowledge: Knowledge) -> list[Span]:
    entity = knowledge.entities[candidate.scenario.links[0][0]]
    return [Span(m.doc, m.start, m.end, m.text) for m in entity.mentions]


def _band(rank: int, margin: float, hops: int) -> str:
    if rank > 5 or (hops > 1 and rank > 3):
        return "hard"
    return "easy" if rank == 1 and margin >= 0.1 and hops == 1 else "medium"


def _negatives(knowledge: Knowledge, item: Item, others: Any, best: float) -> tuple[Span, ...]:
    """Return the nearest chunks that hold no answer and are clearly behind the gold chunk."""
    found: list[Span] = []
    answers = [answer.lower() for answer in item.golden_answers]
    for number in nearest(others, 40):
        chunk = knowledge.chunks[int(number)]
        behind = 0 < others[number] < _NEGATIVE_CEILING * best
        if behind and not any(answer in chunk.text.lower() for answer in answers):
            found.append(Span(chunk.doc, chunk.start, chunk.end, chunk.text))
        if len(found) == _NEGATIVES:
            break
    return tuple(found)


def nearest(scores: Any, count: int) -> Any:
    """Return the places of the greatest scores, best first; of equal ones the later comes first."""
    import numpy as np

    least = np.partition(scores, -count)[-count] if count < len(scores) else -np.inf
    kept = np.flatnonzero(scores >= least)
    return kept[scores[kept].argsort(kind="stable")][::-1][:count]
