"""Similarity by meaning: the formula on planted vectors, and the ranking of a local model."""

from __future__ import annotations

import pytest
from doubles import HashingEncoder, local

from kgsynth.base.records import Answer, Item
from kgsynth.models.encoder import load_encoder
from kgsynth.scoring.metrics.scored_case import ScoredCase, TextEncoder, add_semantic_scores


def similarities(encoder: TextEncoder, *said: tuple[str, tuple[str, ...]]) -> list[float | None]:
    items = [Item("q", "who?", golden, "simple", "factoid", "en", ()) for _, golden in said]
    cases = [ScoredCase(item, Answer("q", answer), None, None) for item, (answer, _) in zip(items, said, strict=True)]
    return [case.semantic for case in add_semantic_scores(cases, encoder)]


def test_the_best_golden_answer_counts_and_a_blank_answer_is_0() -> None:
    found = similarities(HashingEncoder(), ("ada low", ("nobody", "ada low")), (" ", ("ada",)), ("ada low", ()))
    assert found == pytest.approx([1, 0, 0], abs=1e-6)


def test_other_answers_do_not_change_a_score() -> None:
    said = [(f"answer {number % 7}", (f"answer {number}",)) for number in range(150)]
    together = similarities(HashingEncoder(), *said)
    assert together == [found for each in said for found in similarities(HashingEncoder(), each)]


@local
def test_the_model_scores_a_paraphrase_higher_than_another_answer() -> None:
    golden = ("every second Friday",)
    said = [("on Friday, once in two weeks", golden), ("the blue badge of Halifax", golden)]
    near, far = similarities(load_encoder(), *said)
    assert near is not None and far is not None and near > far + 0.2
