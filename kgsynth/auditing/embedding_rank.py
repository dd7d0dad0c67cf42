"""The embedding as a judge: how far up does the evidence come for its question, among all chunks of the documents?"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import chain

from kgsynth.auditing.case import AuditCase, telling
from kgsynth.base.config import DEFAULT_THRESHOLDS
from kgsynth.base.records import Chunk, Document, Finding, Item
from kgsynth.evidence.embedding_rank import hopeless_rank, margin_counts

NEAR = 5
"""The rank up to which evidence is near enough, whatever words it has in common with its question."""

_TIED = 0.2  # share of a question's words, by rarity, that tie it to the chunks of its evidence


def hopeless(case: AuditCase) -> Iterator[Finding]:
    """Yield the items whose evidence no retriever could be expected to find: too far down, or tied to it by nothing."""
    for item, found in case.ranked:
        best, chunks = min(found.ranks), len(case.chunks)
        if best > hopeless_rank(DEFAULT_THRESHOLDS["hopeless"], chunks):
            message = f"for {item.question!r} the evidence comes at rank {best} of {chunks} chunks"
        elif best > NEAR and (share := _tied(item, case)) < _TIED:
            message = (
                f"{item.question!r} and its evidence, at rank {best} of {chunks}, share {share:.0%} of their words"
            )
        else:
            continue
        advice = "check that the evidence is the right one, and say in the question what it is about"
        yield Finding("hopeless", "warning", item.id, message, advice)


def too_easy(case: AuditCase) -> Iterator[Finding]:
    """Yield the items whose evidence leads all other chunks by so much that every retriever finds it."""
    for item, found in case.ranked:
        if found.margin > DEFAULT_THRESHOLDS["too_easy"] and margin_counts(found.golds, len(case.chunks)):
            message = f"for {item.question!r} the evidence leads the next chunk by {found.margin:.2f}"
            yield Finding("too_easy", "warning", item.id, message, "ask in other words than those of the evidence")


def _tied(item: Item, case: AuditCase) -> float:
    """Return the share of a question's words, by rarity, in the chunks of its evidence and the headings over them."""
    chunks = [case.chunks[number] for number in sorted(case.chunks.holding(chain(*item.evidence)))]
    titles = (title for chunk in chunks for title in _titles(case.documents[chunk.doc], chunk))
    near = set(telling(" ".join([*(chunk.text for chunk in chunks), *titles]), item.language))
    reader = case.reader(item.language)
    weights = {word: reader.rarity(word) for word in telling(item.question, item.language)}
    total = math.fsum(weights.values())
    return math.fsum(weight for word, weight in weights.items() if word in near) / total if total else 0.0


def _titles(document: Document, chunk: Chunk) -> Iterator[str]:
    for section in document.sections:
        if section.start < chunk.end and chunk.start < section.end:
            yield from section.path
