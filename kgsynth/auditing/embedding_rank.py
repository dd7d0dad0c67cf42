"""How the embedding model ranks the evidence of a question among all chunks: near the top, hopeless, or too easy."""

from __future__ import annotations

import math
from collections.abc import Iterator

from kgsynth.auditing.case import AuditCase, content_words
from kgsynth.base.quotas import percent
from kgsynth.base.records import Finding, Item
from kgsynth.base.thresholds import DEFAULT_THRESHOLDS, LIMITS
from kgsynth.evidence.vectors import hopeless_rank, margin_counts
from kgsynth.golden.spans import evidence_spans
from kgsynth.show.wording import many
from kgsynth.statistics.paired_tests import too_easy_by

_FIRST = 5
"""The cut-off at which most systems are compared, and at which ``score`` lets a question without answer pass."""


def hopeless(case: AuditCase) -> Iterator[Finding]:
    """Yield the items whose evidence ranks very low, or ranks low and shares few words with the question."""
    for item, evidence in case.ranked_items:
        best, chunks = min(evidence.ranks), len(case.chunks)
        if best > hopeless_rank(DEFAULT_THRESHOLDS["hopeless"], chunks):
            message = f"the evidence of {item.question!r} has rank {best} of {chunks:,} chunks by embedding"
        elif best > LIMITS.safe_rank and (share := _shared_words(item, case)) < LIMITS.low_rank_word_share:
            message = (
                f"the evidence of {item.question!r} has rank {best} of {chunks:,} chunks by embedding "
                f"and holds {percent(share)} of its words"
            )
        else:
            continue
        advice = "check that the evidence is the right one, and name in the question what it is about"
        yield Finding("hopeless", "warning", item.id, message, advice)


def too_easy(case: AuditCase) -> Iterator[Finding]:
    """Yield the items whose evidence every retriever finds, and one finding for a set that all good ones pass."""
    for item, evidence in case.ranked_items:
        if evidence.margin > DEFAULT_THRESHOLDS["too_easy"] and margin_counts(evidence.gold_chunks, len(case.chunks)):
            message = f"for {item.question!r} the evidence leads the next chunk by {evidence.margin:.2f}"
            yield Finding("too_easy", "warning", item.id, message, "ask in other words than those of the evidence")
    yield from _saturated(case)


def _saturated(case: AuditCase) -> Iterator[Finding]:
    """Yield a finding if the embedding model finds so much that no better retriever could be told from it."""
    worst = [max(evidence.ranks) for _, evidence in case.ranked_items]
    clusters = [item.evidence[0][0].doc for item, _ in case.ranked_items]
    smallest = too_easy_by([float(rank <= _FIRST) for rank in worst], clusters)
    if smallest is None:
        return
    first = [float(rank == 1) for rank in worst]
    room = too_easy_by(first, clusters) is None
    found = f"{sum(rank <= _FIRST for rank in worst)} of {many(len(worst), 'question')}"
    missed = f"a difference below {math.ceil(smallest * len(worst))} questions is often missed"
    message = (
        f"the embedding model has the evidence of {found} in its first {_FIRST} chunks ({sum(first):.0f} at rank 1), "
        f"and {missed}, so retrievers at least as good cannot be told apart at {_FIRST}"
    )
    yield Finding("too_easy", "warning", "", message, f"{'look at recall@1, or ' * room}make a harder set")


def _shared_words(item: Item, case: AuditCase) -> float:
    """Return the share of a question's words, weighted by rarity, in its evidence chunks and the headings over them."""
    chunks = [case.chunks[number] for number in sorted(case.chunks.holding(evidence_spans(item)))]
    titles = (title for chunk in chunks for title in case.documents[chunk.doc].titles_over(chunk.start, chunk.end))
    shown = set(content_words(" ".join([*(chunk.text for chunk in chunks), *titles]), item.language))
    index = case.word_index(item.language)
    weights = {word: index.rarity(word) for word in content_words(item.question, item.language)}
    total = math.fsum(weights.values())
    return math.fsum(weight for word, weight in weights.items() if word in shown) / total if total else 0.0
