"""One golden set with any chunking, when only the texts of the passages are known; and every bundled retriever."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from doubles import HashingEncoder

from kgsynth.base.records import Answer, Chunk, Document, Item, Passage, Span
from kgsynth.documents import read_folder
from kgsynth.documents.chunking import CHUNKERS, chunk
from kgsynth.golden.dataset import load
from kgsynth.scoring.flow import score
from kgsynth.scoring.systems import BUNDLED, System, open_system

ROOT = Path(__file__).parents[2]
CHUNKINGS = ["fixed:80:20", "sentence:60:0", "recursive:200:0", "semantic:120:0"]
RETRIEVAL = ("recall@10", "hit@1", "hit@10", "ndcg@10", "map", "mrr", "context_precision", "context_recall")


@cache
def handbook() -> tuple[tuple[Document, ...], tuple[Item, ...]]:
    documents = tuple(found for found in read_folder(ROOT / "corpora/handbook") if isinstance(found, Document))
    return documents, tuple(load(ROOT / "tests/handbook.jsonl"))


class Oracle:
    """A perfect retriever: for each evidence group, the chunk that holds most of one of its spans, and nothing else."""

    name = signature = "oracle"

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        self._chunks = chunks

    def ask(self, item: Item) -> Answer:
        found: list[Chunk] = []
        for group in item.evidence:
            if not any(held(one, span) >= 0.5 for one in found for span in group):
                found.append(max(self._chunks, key=lambda one: max(held(one, span) for span in group)))
        return Answer(item.id, None, tuple(Passage(one.doc, one.start, one.end, one.text, one.id) for one in found))

    def close(self) -> None: ...


class TextOnly:
    """A system whose passages have only text and score, so that they can be placed only by text."""

    name = signature = "text only"

    def __init__(self, system: System) -> None:
        self._system = system

    def ask(self, item: Item) -> Answer:
        answer = self._system.ask(item)
        bare = tuple(Passage(text=passage.text, score=passage.score) for passage in answer.retrieved)
        return replace(answer, retrieved=bare)

    def close(self) -> None: ...


def held(one: Chunk, span: Span) -> float:
    """The share of a span that a chunk holds."""
    inside = min(one.end, span.end) - max(one.start, span.start)
    return max(inside, 0) / (span.end - span.start) if one.doc == span.doc else 0.0


def test_every_chunking_strategy_is_tested() -> None:
    assert [chunking.partition(":")[0] for chunking in CHUNKINGS] == list(CHUNKERS)


@pytest.mark.parametrize("chunking", CHUNKINGS)
def test_a_perfect_retriever_has_perfect_scores_whatever_the_chunking(chunking: str) -> None:
    documents, items = handbook()
    strategy, size, overlap = chunking.split(":")
    encode = HashingEncoder().encode
    chunks = [
        one
        for document in documents
        for one in chunk(document, strategy=strategy, size=int(size), overlap=int(overlap), encode=encode)
    ]
    scores = score(items, TextOnly(Oracle(chunks)), docs=documents)
    assert {name: scores.metrics[name].value for name in RETRIEVAL} == dict.fromkeys(RETRIEVAL, 1.0)
    assert scores.matched["text"] == sum(scores.matched.values()) >= len(items)


@pytest.mark.parametrize("chunking", CHUNKINGS)
def test_hiding_ids_and_offsets_changes_no_metric(chunking: str, hashed: None) -> None:
    documents, items = handbook()
    system = open_system("bm25", docs=documents, chunking=chunking)
    known, hidden = score(items, system, docs=documents), score(items, TextOnly(system), docs=documents)
    assert known.matched["offsets"] == hidden.matched["text"] == 10 * len(items)
    assert hidden.metrics == known.metrics


@pytest.mark.parametrize("chunking", CHUNKINGS)
@pytest.mark.parametrize("retriever", BUNDLED)
def test_every_retriever_works_with_every_chunking(retriever: str, chunking: str, hashed: None) -> None:
    documents, items = handbook()
    few = [document for document in documents if document.id.startswith("people/")]
    system = open_system(retriever, docs=few, chunking=chunking, top=5)
    answer = system.ask(items[0])
    assert (len(answer.retrieved), answer.error) == (5, None)
    texts = {document.id: document.text for document in few}
    assert all(texts[p.doc or ""][p.start : p.end] == p.text for p in answer.retrieved)
    assert [p.score for p in answer.retrieved] == sorted((p.score or 0 for p in answer.retrieved), reverse=True)
    assert f"chunking:{chunking}" in system.signature
