"""Semantic metrics: the formulas on planted vectors, and the ranking of a local model."""

from __future__ import annotations

import numpy as np
import pytest
from doubles import HashingEncoder, local

from kgsynth.models.encoder import load_encoder
from kgsynth.scoring.metrics.semantic import SemanticScores, bertscore, semantic_scores


def test_bertscore_by_hand() -> None:
    half = np.array([[1, 0], [0, 1]], dtype=np.float32)
    one = np.array([[0.6, 0.8]], dtype=np.float32)
    # precision (0.6 + 0.8) / 2, recall 0.8
    assert bertscore(half, one) == pytest.approx(2 * 0.7 * 0.8 / 1.5, abs=1e-6)
    assert bertscore(one, half) == bertscore(half, one)
    assert bertscore(one, -one) == 0, "a cosine below 0 counts 0"
    none = np.zeros((0, 2), dtype=np.float32)
    assert (bertscore(none, none), bertscore(none, one)) == (1, 0)


def test_the_best_golden_answer_counts_and_a_blank_answer_is_0() -> None:
    same, blank, no_gold = semantic_scores(
        [("who wrote it", "ada low", ("nobody", "ada low")), ("who", " ", ("ada",)), ("ada low", "ada low", ())],
        HashingEncoder(),
    )
    assert (same.similarity, same.bertscore) == pytest.approx((1, 1), abs=1e-6)
    assert same.relevancy < 0.5
    assert blank == SemanticScores(0, 0, 0)
    assert (no_gold.similarity, no_gold.bertscore, no_gold.relevancy) == (0, 0, pytest.approx(1, abs=1e-6))


def test_batches_do_not_change_the_scores() -> None:
    asked = [(f"question {number}", f"answer {number % 7}", (f"answer {number}",)) for number in range(150)]
    together = list(semantic_scores(asked, HashingEncoder()))
    assert together == [found for each in asked for found in semantic_scores([each], HashingEncoder())]


@local
def test_the_model_scores_a_paraphrase_higher_than_another_answer() -> None:
    question, golden = "How often are claims paid?", ("every second Friday",)
    near, far = semantic_scores(
        [(question, "on Friday, once in two weeks", golden), (question, "the blue badge of Halifax", golden)],
        load_encoder(),
    )
    assert near.similarity > far.similarity + 0.2
    assert near.bertscore > far.bertscore + 0.1
    assert near.relevancy > far.relevancy + 0.1


@local
def test_each_token_has_one_unit_vector_whatever_the_batch() -> None:
    encoder = load_encoder()
    texts = ["a key", "the cache holds a key", "", "keys"]
    found = encoder.encode_tokens(texts)
    assert [len(rows) for rows in found] == [2, 5, 0, 1]
    assert all(np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-6) for rows in found)
    for text, rows in zip(texts, found, strict=True):
        assert np.array_equal(encoder.encode_tokens([text])[0], rows)
