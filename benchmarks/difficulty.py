"""Whether retrievers do worse on questions that kgsynth calls hard: the valid candidates of a run, by difficulty.

    python benchmarks/difficulty.py RUN

The rule ``difficulty`` is applied to every valid answerable candidate, because only the chosen items have a difficulty.
At most 300 of each difficulty, evenly over the types, are asked of bm25, dense and hybrid over the run's chunks. Prints
the mean reciprocal rank in the first fifty; it should fall from easy to hard for each retriever.
"""

from __future__ import annotations

import json
import random
from collections import defaultdict
from pathlib import Path
from statistics import fmean

import networkx as nx
import numpy as np
from arguments import call, run_folder

from kgsynth.base.config import Config
from kgsynth.base.records import Chunk, Document, Item
from kgsynth.base.records_json import from_json
from kgsynth.base.thresholds import DEFAULT_THRESHOLDS
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.evidence.vectors import TextVectors
from kgsynth.generation.filters import by_vector
from kgsynth.generation.filters.context import FilterContext
from kgsynth.generation.writing import Candidate
from kgsynth.golden.item_json import from_json as item_from_json
from kgsynth.models.encoder import load_encoder
from kgsynth.scoring.matching import Matcher
from kgsynth.scoring.metrics.retrieval import reciprocal_rank
from kgsynth.scoring.systems.bundled import BM25, BundledSystem, Dense, Hybrid

BANDS = ("easy", "medium", "hard")
AT_MOST = 300
TOP = 50


def main(run: str) -> None:
    """Print a row for each retriever."""
    folder, model = run_folder(run), Config().embedding_model
    documents = [from_json(Document)(line) for line in (folder / "documents.jsonl").open(encoding="utf-8")]
    chunks = [from_json(Chunk)(line) for line in (folder / "chunks.jsonl").open(encoding="utf-8")]
    knowledge = Knowledge(nx.MultiDiGraph(), documents, chunks, (), (), np.load(folder / "embeddings.npy"))
    thresholds = DEFAULT_THRESHOLDS | {"hopeless": np.inf, "too_easy": np.inf}
    context = FilterContext(knowledge, TextVectors(load_encoder(model).encode), thresholds)
    bands = {band: sample(items) for band, items in banded(valid(folder), context).items()}
    texts = [chunk.text for chunk in chunks]
    bm25, dense = BM25(texts), Dense(texts, model)
    retrievers = {"bm25": bm25, "dense": dense, "hybrid": Hybrid(bm25, dense)}
    matcher = Matcher({document.id: document for document in documents})
    print(f"{'mrr':<8}" + "".join(f"{f'{band} (n={len(items)})':>16}" for band, items in bands.items()))
    for name, retriever in retrievers.items():
        system = BundledSystem(name, retriever, chunks, TOP, run)
        found = [mrr(system, items, matcher) for items in bands.values()]
        order = "" if found == sorted(found, reverse=True) else "  out of order"
        print(f"{name:<8}" + "".join(f"{value:>16.3f}" for value in found) + order)


def valid(run: Path) -> list[Item]:
    """Return the answerable candidates of a run that no rule rejected."""
    rejected = {json.loads(line)["id"] for line in (run / "rejected.jsonl").open(encoding="utf-8")}
    items = [item_from_json(json.loads(line)) for line in (run / "candidates.jsonl").open(encoding="utf-8")]
    return [item for item in items if item.answerable and item.id not in rejected]


def banded(items: list[Item], context: FilterContext) -> dict[str, list[Item]]:
    """Return the items by the difficulty that the rule gives them."""
    context.vectors.add([item.question for item in items])
    bands: dict[str, list[Item]] = {band: [] for band in BANDS}
    for item in items:
        judged = by_vector.check_difficulty(Candidate(item, None), context)
        bands[judged.difficulty].append(item)
    return bands


def sample(items: list[Item]) -> list[Item]:
    """Return at most 300 items, evenly over the question types as far as there are items of each."""
    by_type: dict[str, list[Item]] = defaultdict(list)
    for item in random.Random(0).sample(items, len(items)):
        by_type[item.question_type].append(item)
    chosen: list[Item] = []
    for left, kind in zip(
        range(len(by_type), 0, -1), sorted(by_type, key=lambda kind: len(by_type[kind])), strict=True
    ):
        chosen += by_type[kind][: (AT_MOST - len(chosen)) // left]
    return chosen


def mrr(system: BundledSystem, items: list[Item], matcher: Matcher) -> float:
    """Return the mean reciprocal rank of the first passage that covers any evidence."""
    coverages = (matcher.match(system.ask(item).retrieved, item.evidence).evidence for item in items)
    return fmean(reciprocal_rank(each) if each else 0.0 for each in coverages)


if __name__ == "__main__":
    call(main)
