"""Whether ``audit --fix`` moves spans to the right place after paragraphs were added, moved and deleted.

    python benchmarks/drift.py [GOLDEN] [DOCS] [RUNS]

In each document two paragraphs with words of others are added, one is moved and one deleted; 30 % of the files are
renamed. An item is right if all its spans are in their known new places.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from arguments import call

from kgsynth.auditing.fix import fix
from kgsynth.base.records import Document, Item, Span
from kgsynth.documents import read_documents
from kgsynth.golden.dataset import Dataset, load

OUTCOMES = ("right", "wrong", "left out, text deleted", "left out, text present")


def main(golden: str = "tests/handbook.jsonl", docs: str = "corpora/handbook", runs: int = 5) -> None:
    """Print the outcomes of each run, one line per seed."""
    items = [replace(item, derivation={}) for item in load(golden) if item.answerable]
    texts = {document.id: document.text for document in read_documents(docs)}
    print("seed" + "".join(f"{name:>26}" for name in OUTCOMES))
    for seed in range(runs):
        counts = outcome(items, texts, random.Random(seed))
        print(f"{seed:<4}" + "".join(f"{counts[name]:>26,}" for name in OUTCOMES))


def outcome(items: list[Item], texts: Mapping[str, str], rng: random.Random) -> Counter[str]:
    """Edit every document, fix the set, and count the items by outcome."""
    moves: dict[str, list[tuple[int, int, str, int]]] = {}
    documents: dict[str, Document] = {}
    for doc in sorted(texts):
        name = doc if rng.random() < 0.7 else f"renamed/{doc}"
        text, moves[doc] = edited(texts[doc], name, rng)
        documents[name] = Document(name, text, name, "txt", "", (), ())
    kept = {str(item.metadata.get("previous_id", item.id)): item for item in fix(Dataset(items), documents).dataset}
    counts: Counter[str] = Counter()
    for item in items:
        groups = [[new_place(span, moves[span.doc]) for span in group] for group in item.evidence]
        if item.id not in kept:
            counts[OUTCOMES[3] if all(any(group) for group in groups) else OUTCOMES[2]] += 1
            continue
        now = {(span.doc, span.start) for group in kept[item.id].evidence for span in group}
        counts[OUTCOMES[0] if now <= {place for group in groups for place in group} else OUTCOMES[1]] += 1
    return counts


def edited(text: str, name: str, rng: random.Random) -> tuple[str, list[tuple[int, int, str, int]]]:
    """Return the edited text, and old start, old end, document and new start of each remaining paragraph."""
    old = [(match.start(), match[0]) for match in re.finditer(r"\S.*?(?=\n\s*\n|\Z)", text, re.DOTALL)]
    order = [*old]
    order.insert(rng.randrange(len(order)), order.pop(rng.randrange(len(order))))
    if len(order) > 2:
        order.pop(rng.randrange(len(order)))
    for _ in range(2):
        words = rng.choice(old)[1][: rng.randrange(30, 300)]
        order.insert(rng.randrange(len(order) + 1), (-1, f"What is new here is this: {words}"))
    moves, at = [], 0
    for start, paragraph in order:
        moves += [(start, start + len(paragraph), name, at)] if start >= 0 else []
        at += len(paragraph) + 2
    return "\n\n".join(paragraph for _, paragraph in order), moves


def new_place(span: Span, moves: list[tuple[int, int, str, int]]) -> tuple[str, int] | None:
    """Return the document and offset of a span after the edit, None if its paragraph was deleted."""
    around = (move for move in moves if move[0] <= span.start and span.end <= move[1])
    return next(((name, at + span.start - start) for start, _, name, at in around), None)


if __name__ == "__main__":
    call(main)
