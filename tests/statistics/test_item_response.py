"""The model of item responses: planted abilities and questions are found again, and its formulas are right."""

from __future__ import annotations

import math

import numpy as np
import pytest

from kgsynth.statistics.item_response import ResponseModel, fit_responses


def planted(systems: int, questions: int, seed: int) -> tuple[ResponseModel, np.ndarray, np.ndarray]:
    """A model, abilities, and answers that systems of these abilities give by it."""
    rng = np.random.default_rng(seed)
    model = ResponseModel(rng.normal(0, 1, questions), np.exp(rng.normal(0.2, 0.4, questions)))
    abilities = rng.normal(0, 1, systems)
    return model, abilities, (rng.random((systems, questions)) < model.probabilities(abilities)).astype(float)


def test_planted_difficulties_discriminations_and_abilities_are_recovered() -> None:
    truth, abilities, table = planted(systems=400, questions=60, seed=1)
    found = fit_responses(table)
    located = [found.locate(row)[0] for row in table]
    assert np.corrcoef(located, abilities)[0, 1] > 0.93
    assert np.corrcoef(found.difficulty, truth.difficulty)[0, 1] > 0.98
    assert np.corrcoef(np.log(found.discrimination), np.log(truth.discrimination))[0, 1] > 0.85
    assert np.abs(found.difficulty - truth.difficulty).mean() < 0.2, "on the scale of the abilities, not only in order"


def test_few_systems_still_give_the_order_of_the_questions() -> None:
    truth, _, table = planted(systems=10, questions=60, seed=2)
    found = fit_responses(table)
    assert np.corrcoef(found.difficulty, truth.difficulty)[0, 1] > 0.75
    assert np.isfinite(found.difficulty).all() and (found.discrimination > 0).all()


def test_answers_that_are_missing_at_random_change_little() -> None:
    truth, _, table = planted(systems=200, questions=40, seed=3)
    table[np.random.default_rng(4).random(table.shape) < 0.3] = np.nan
    assert np.corrcoef(fit_responses(table).difficulty, truth.difficulty)[0, 1] > 0.97


def test_an_ability_is_found_from_a_few_answers() -> None:
    truth, _, _ = planted(systems=1, questions=200, seed=5)
    strong, weak = (np.full(200, np.nan) for _ in range(2))
    strong[:20], weak[:20] = 1.0, 0.0
    up, all_up = truth.locate(strong)
    down, all_down = truth.locate(weak)
    assert up > 1 and down < -1 and all_up.mean() > 0.75 and all_down.mean() < 0.25
    nothing, average = truth.locate(np.full(200, np.nan))
    assert nothing == pytest.approx(0, abs=1e-9), "the mean of the prior"
    assert 0.3 < average.mean() < 0.7


def test_probability_and_information_are_those_of_the_formulas() -> None:
    model = ResponseModel(np.array([1.0]), np.array([2.0]))
    p = 1 / (1 + math.exp(-2 * (1.5 - 1)))
    assert model.probabilities(np.array([1.5]))[0, 0] == pytest.approx(p)
    assert model.information(1.5)[0] == pytest.approx(4 * p * (1 - p))
