"""The embedding as a judge: how far up does the evidence come for its question, among all chunks of the documents?"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import chain

from kgsynth.auditing.case import Case, telling
from kgsynth.base.records import Chunk, Document, Finding, Item
from kgsynth.evidence.embedding_rank import beyond_reach, leads_many

NEAR = 5
"""The rank up to which evidence is near enough, whatever words it has in common with its question."""

_TIED = 0.2  # share of a question's words, by rarity, that tie it to the chunks of its evidence


def hopeless(case: Case) -> Iterator[Finding]:
    """Yield the items whose evidence no retriever could be expected to find: too far down, or tied to it by nothing."""
    for item, found in case.standings:
        best, chunks = min(found.ranks), len(case.passages.chunks)
        if best > beyond_reach(case.bench):
            message = f"for {item.question!r} the evidence comes at rank {best} of {chunks} chunks"
        elif best > NEAR and (share := _tied(item, case)) < _TIED:
            message = (
                f"{item.question!r} and its evidence, at rank {best} of {chunks}, share {share:.0%} of their words"
            )
        else:
            continue
        advice = "check that the evidence is the right one, and say in the question what it is about"
        yield Finding("hopeless", "warning", item.id, message, advice)


def too_easy(case: Case) -> Iterator[Finding]:
    """Yield the items whose evidence leads all other chunks by so much that every retriever finds it."""
    for item, found in case.standings:
        if found.margin > case.bench.thresholds["too_easy"] and leads_many(found.golds, len(case.passages.chunks)):
            message = f"for {item.question!r} the evidence leads the next chunk by {found.margin:.2f}"
            yield Finding("too_easy", "warning", item.id, message, "ask in other words than those of the evidence")


def _tied(item: Item, case: Case) -> float:
    """Return the share of a question's words, by rarity, in the chunks of its evidence and the headings over them."""
    chunks = [case.passages.chunks[number] for number in sorted(case.passages.chunks_of(chain(*item.evidence)))]
    titles = (title for chunk in chunks for title in _titles(case.documents[chunk.doc], chunk))
    near = set(telling(" ".join([*(chunk.text for chunk in chunks), *titles]), item.language))
    weights = {word: case.reader.rarity(word) for word in telling(item.question, item.language)}
    total = math.fsum(weights.values())
    return math.fsum(weight for word, weight in weights.items() if word in near) / total if total else 0.0


def _titles(document: Document, chunk: Chunk) -> Iterator[str]:
    for section in document.sections:
        if section.start < chunk.end and chunk.start < section.end:
            yield from section.path
