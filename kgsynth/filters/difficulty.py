"""difficulty: the embedding as a judge: where does the gold chunk come for the question among all chunks?

Questions whose gold chunk leads by far are too easy, those whose gold chunk is nowhere near are hopeless; both go. The
rest get a band, and the nearest chunks without the answer become their hard negatives. To lead a handful of chunks by
far is no sign of anything, so in a small corpus nothing is too easy.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from kgsynth.filters.bench import Bench, scored
from kgsynth.knowledge import Knowledge
from kgsynth.records import Item, Rejection, Span
from kgsynth.writing import Candidate

_NEGATIVES = 3
_CROWD = 20  # other chunks
_NEGATIVE_CEILING = 0.95  # of the gold chunk's score: nearer ones may hold the answer in other words


def judge(candidate: Candidate, bench: Bench) -> Rejection | Item:
    """Turn away what is too easy or hopeless; record rank, margin, band and hard negatives of the rest.

    The rank of a group is that of its best chunk, beginning at 1; that of an item is its worst group's. It is hopeless
    when even its best group is beyond reach, since a second hop is found through the first.
    """
    item, knowledge = candidate.item, bench.knowledge
    scores = knowledge.vectors @ bench.vector(item.question)
    golds = [sorted(knowledge.chunks_of(group)) for group in item.evidence]
    ranks = [int((scores > scores[gold].max()).sum()) + 1 for gold in golds]
    every = sorted({n for gold in golds for n in gold})
    best = float(scores[every].max())
    others = scores.copy()
    others[every] = -1.0
    margin = best - float(others.max()) if len(others) > len(every) else 1.0
    hopeless = max(bench.thresholds["hopeless"], 0.02 * len(scores))
    if min(ranks) > hopeless:
        return Rejection("difficulty", "hopeless: the gold chunk is too far from the question", min(ranks), hopeless)
    if margin > bench.thresholds["too_easy"] and len(golds) == 1 and len(others) >= len(every) + _CROWD:
        return Rejection(
            "difficulty", "too easy: the gold chunk leads by far", round(margin, 4), bench.thresholds["too_easy"]
        )
    band = _band(max(ranks), margin, len(golds))
    negatives = _negatives(knowledge, item, others, best)
    return scored(replace(item, difficulty=band, hard_negatives=negatives), rank=max(ranks), margin=margin)


def _band(rank: int, margin: float, hops: int) -> str:
    if rank > 5 or (hops > 1 and rank > 3):
        return "hard"
    return "easy" if rank == 1 and margin >= 0.1 and hops == 1 else "medium"


def _negatives(knowledge: Knowledge, item: Item, others: Any, best: float) -> tuple[Span, ...]:
    """Return the nearest chunks that hold no answer and are clearly behind the gold chunk."""
    found: list[Span] = []
    answers = [answer.lower() for answer in item.golden_answers]
    for number in others.argsort(kind="stable")[::-1][:40]:
        chunk = knowledge.chunks[int(number)]
        behind = 0 < others[number] < _NEGATIVE_CEILING * best
        if behind and not any(answer in chunk.text.lower() for answer in answers):
            found.append(Span(chunk.doc, chunk.start, chunk.end, chunk.text))
        if len(found) == _NEGATIVES:
            break
    return tuple(found)
