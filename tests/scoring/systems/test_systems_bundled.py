"""The bundled retrievers: BM25 by hand, fusion by hand, and the system around them."""

from __future__ import annotations

from math import log

import numpy as np
import pytest
from numpy.typing import NDArray

from kgsynth.base.errors import ConfigError
from kgsynth.base.records import Chunk, Item
from kgsynth.evidence.bm25 import BM25, best
from kgsynth.scoring.systems.bundled import BundledSystem, Dense, Hybrid, open_bundled

TEXTS = ["cat cat dog", "dog bird", "fish", "the 北京 cat"]


def test_bm25_by_hand() -> None:
    # "cat" is in 2 of 4 texts; lengths 3, 2, 1, 4 (a Chinese character is a word), mean 2.5
    idf = log(1 + (4 - 2 + 0.5) / (2 + 0.5))
    first = idf * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 3 / 2.5))
    fourth = idf * 1 * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 4 / 2.5))
    assert BM25(TEXTS).scores("Cat?").tolist() == pytest.approx([first, 0, 0, fourth])


def test_bm25_counts_a_repeated_word_of_the_question_repeatedly() -> None:
    index = BM25(TEXTS)
    assert index.scores("cat cat").tolist() == pytest.approx((2 * index.scores("cat")).tolist())
    assert index.scores("whale").tolist() == [0, 0, 0, 0]
    assert int(index.scores("北").argmax()) == 3


@pytest.mark.parametrize("texts", [[""], ["", "cat"]])
def test_bm25_accepts_empty_texts(texts: list[str]) -> None:
    assert np.isfinite(BM25(texts).scores("cat")).all()


class Fixed:
    """A retriever with given scores."""

    signature = "fixed"

    def __init__(self, *scores: float) -> None:
        self._scores = np.array(scores)

    def scores(self, question: str) -> NDArray[np.float64]:
        return self._scores


def test_hybrid_is_the_sum_of_reciprocal_ranks() -> None:
    fused = Hybrid(Fixed(5, 0, 1, 0), Fixed(0.1, 0.9, 0.5, 0)).scores("q")
    assert fused.tolist() == pytest.approx([1 / 61 + 1 / 63, 1 / 61, 1 / 62 + 1 / 62, 0])


def test_best_keeps_the_order_of_ties_and_leaves_out_zero_scores() -> None:
    scores = np.array([0.5, 1.0, 0.0, 0.5, -1.0, 0.5])
    assert best(scores, 3).tolist() == [1, 0, 3]
    assert best(scores, 10).tolist() == [1, 0, 3, 5]


def test_the_system_returns_passages_with_offsets_and_no_answer() -> None:
    chunks = [Chunk(f"c{n}", "a.md", "s", n * 10, n * 10 + len(text), text) for n, text in enumerate(TEXTS)]
    system = BundledSystem("bm25", BM25(TEXTS), chunks, 2, "origin")
    found = system.ask(Item("q", "A bird, a fish or a dog?", (), "simple", "factoid", "en", ()))
    assert (found.answer, found.error) == (None, None)
    assert [(passage.doc, passage.start, passage.id) for passage in found.retrieved] == [
        ("a.md", 10, "c1"),
        ("a.md", 20, "c2"),
    ]
    assert system.signature.startswith("bm25(k1=1.2,b=0.75)|top:2|origin")


def test_dense_is_the_cosine_of_the_encoder(monkeypatch: pytest.MonkeyPatch) -> None:
    class Encoder:
        signature = "double"

        def encode(self, texts: list[str]) -> NDArray[np.float32]:
            vectors = np.array([[text.count("a"), text.count("b")] for text in texts], dtype=np.float32)
            return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), dtype=np.float32)

        encode_questions = encode

    monkeypatch.setattr("kgsynth.models.encoder.load_encoder", lambda name: Encoder())
    dense = Dense(["aa", "b"], "any")
    assert dense.scores("aaab").tolist() == pytest.approx([3 / 10**0.5, 1 / 10**0.5])
    assert dense.signature == "dense(double)"


@pytest.mark.parametrize("chunking", ["recursive", "recursive:200", "recursive:x:0", "recursive:200:-1", "a:1:2:3"])
def test_a_chunking_in_another_form_is_an_error(chunking: str) -> None:
    with pytest.raises(ConfigError, match="is not strategy:size:overlap, such as recursive:200:0"):
        open_bundled("bm25", [], chunking, 10, "any")
