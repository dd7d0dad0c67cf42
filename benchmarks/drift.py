"""Do spans go where they should when documents change? Paragraphs are put in, turned and taken out, files renamed.

    python benchmarks/drift.py [GOLDEN] [DOCS] [RUNS]

Of each document two paragraphs are new, in words of others, one stands elsewhere and one is gone; three in ten have
another name. Where each span went is then known. An item is right when all its spans stand where they went.
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

ROWS = ("right", "wrong", "left out, its text gone", "left out, its text there")


def main(golden: str = "outputs/example/golden.jsonl", docs: str = "corpora/handbook", runs: int = 5) -> None:
    """Print the counts of each run, seed by seed."""
    items = [replace(item, derivation={}) for item in load(golden) if item.answerable]
    texts = {document.id: document.text for document in read_documents(docs)}
    print("seed" + "".join(f"{row:>26}" for row in ROWS))
    for seed in range(runs):
        counts = outcome(items, texts, random.Random(seed))
        print(f"{seed:<4}" + "".join(f"{counts[row]:>26,}" for row in ROWS))


def outcome(items: list[Item], texts: Mapping[str, str], rng: random.Random) -> Counter[str]:
    """Edit every document, make the set anew, and count how many items went where."""
    homes: dict[str, list[tuple[int, int, str, int]]] = {}
    documents: dict[str, Document] = {}
    for doc in sorted(texts):
        name = doc if rng.random() < 0.7 else f"renamed/{doc}"
        text, homes[doc] = edited(texts[doc], name, rng)
        documents[name] = Document(name, text, name, "txt", "", (), ())
    made = fix(Dataset(items), documents).dataset
    back = {str(item.metadata.get("previous_id", item.id)): item for item in made}
    counts: Counter[str] = Counter()
    for item in items:
        groups = [[went(span, homes[span.doc]) for span in group] for group in item.evidence]
        if item.id not in back:
            counts[ROWS[3] if all(any(group) for group in groups) else ROWS[2]] += 1
            continue
        now = {(span.doc, span.start) for group in back[item.id].evidence for span in group}
        counts[ROWS[0] if now <= {place for group in groups for place in group} else ROWS[1]] += 1
    return counts


def edited(text: str, name: str, rng: random.Random) -> tuple[str, list[tuple[int, int, str, int]]]:
    """Return a text with its paragraphs edited; of each still there its old start and end, document and new start."""
    old = [(match.start(), match[0]) for match in re.finditer(r"\S.*?(?=\n\s*\n|\Z)", text, re.DOTALL)]
    order = [*old]
    order.insert(rng.randrange(len(order)), order.pop(rng.randrange(len(order))))
    if len(order) > 2:
        order.pop(rng.randrange(len(order)))
    for _ in range(2):
        words = rng.choice(old)[1][: rng.randrange(30, 300)]
        order.insert(rng.randrange(len(order) + 1), (-1, f"What is new here is this: {words}"))
    homes, at = [], 0
    for start, paragraph in order:
        homes += [(start, start + len(paragraph), name, at)] if start >= 0 else []
        at += len(paragraph) + 2
    return "\n\n".join(paragraph for _, paragraph in order), homes


def went(span: Span, homes: list[tuple[int, int, str, int]]) -> tuple[str, int] | None:
    """Return the document and the offset where a span is now, None when its paragraph is gone or was cut in two."""
    held = (home for home in homes if home[0] <= span.start and span.end <= home[1])
    return next(((name, at + span.start - start) for start, _, name, at in held), None)


if __name__ == "__main__":
    call(main)
