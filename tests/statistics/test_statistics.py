"""Paired tests: results worked out by hand, agreement with scipy, and the rates of false and true positives."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import permutation_test, ttest_rel

from kgsynth.statistics.multiple_testing import holm, ranks
from kgsynth.statistics.paired_tests import (
    PairedDifference,
    paired_difference,
    sign_flip,
    smallest_detectable,
    too_easy_by,
)


def compared(a: list[float | None], b: list[float | None], clusters: list[str], flips: int = 9999) -> PairedDifference:
    result = paired_difference(a, b, clusters, flips)
    assert result is not None
    return result


def test_every_field_for_four_questions_by_hand() -> None:
    found = compared([0.0, 0.5, 1.0, 0.0], [1.0, 0.5, 0.5, 1.0], list("wxyz"))
    assert (found.n, found.clusters, found.a, found.b, found.difference) == (4, 4, 0.375, 0.75, 0.375)
    assert (found.higher, found.same, found.lower) == (2, 1, 1)
    # differences 1, 0, -0.5, 1: squares about the mean 0.375 sum to 1.6875, over 3 gives a variance of 0.5625
    assert found.cohens_d == pytest.approx(0.375 / 0.75)
    # of the 8 signings of (1, 0.5, 1) two sum to +-2.5 and two to +-1.5, the total itself; four to +-0.5
    assert found.p_flip == pytest.approx(4 / 8, abs=0.02)


def test_one_question_to_a_document_is_the_plain_paired_test_of_scipy() -> None:
    rng = np.random.default_rng(5)
    a, b = rng.random(60), rng.random(60) + 0.08
    found = compared(a.tolist(), b.tolist(), [str(at) for at in range(60)])
    assert found.p_t == pytest.approx(ttest_rel(b, a).pvalue)
    theirs = permutation_test((b, a), lambda x, y: np.mean(x - y), permutation_type="samples", n_resamples=9999, rng=1)
    assert found.p_flip == pytest.approx(theirs.pvalue, abs=0.015)


def test_the_signs_of_whole_documents_are_flipped() -> None:
    """Twenty questions that all improve, on two documents: like two coins, which show the same side half the time."""
    found = compared([0.0] * 20, [1.0] * 20, ["a"] * 10 + ["b"] * 10)
    assert found.p_flip == pytest.approx(0.5, abs=0.02)
    alone = compared([0.0] * 20, [1.0] * 20, [str(at) for at in range(20)])
    assert alone.p_flip == 1 / 10_000, "in none of 9,999 flips; the observed one counts"


def test_ties_count_and_p_is_never_0() -> None:
    assert sign_flip(np.zeros(5)) == 1.0
    assert sign_flip(np.array([0.1, 0.2, -0.3])) == 1.0, "0.1 + 0.2 - 0.3 is 0, despite float rounding"
    assert sign_flip(np.full(40, 0.1), flips=99) == 1 / 100


def test_more_flips_are_made_only_for_a_small_p() -> None:
    assert sign_flip(np.full(40, 0.1), flips=50_000) == 1 / 50_001
    few = np.array([1.0, 1.0, 1.0])
    assert sign_flip(few, flips=10**9) == pytest.approx(0.25, abs=0.02), "it stops early, or it would take minutes"


def test_what_cannot_be_computed_is_none() -> None:
    assert paired_difference([None, 1.0], [1.0, None], ["a", "b"]) is None
    single = compared([0.0, 1.0], [1.0, 1.0], ["a", "a"])
    assert (single.ci95, single.p_flip, single.p_t) == (None, None, None)
    same = compared([0.5, 1.0], [0.5, 1.0], ["a", "b"])
    assert (same.p_flip, same.p_t, same.cohens_d) == (1.0, None, None)


def test_a_question_without_a_value_in_both_is_left_out() -> None:
    found = compared([0.0, None, 1.0], [1.0, 1.0, 1.0], ["a", "b", "c"])
    assert (found.n, found.clusters, found.difference) == (2, 2, 0.5)


def test_the_interval_resamples_documents_and_is_reproducible() -> None:
    rng = np.random.default_rng(7)
    drift = np.repeat(rng.normal(0, 0.2, 20), 10)
    b = (0.5 + drift).tolist()
    together = compared([0.5] * 200, b, [str(at // 10) for at in range(200)])
    alone = compared([0.5] * 200, b, [str(at) for at in range(200)])
    assert together == compared([0.5] * 200, b, [str(at // 10) for at in range(200)])
    assert together.ci95 is not None and alone.ci95 is not None
    wider = (together.ci95[1] - together.ci95[0]) / (alone.ci95[1] - alone.ci95[0])
    assert wider == pytest.approx(math.sqrt(10), rel=0.2), "20 documents have the information of 20 questions"


SEEDS = 500


def share_significant(gain: float) -> float:
    """The share of seeds in which two noisy copies of one run (400 questions, 80 documents) differ significantly."""
    clusters = [f"{at // 5:02}" for at in range(400)]
    significant = 0
    for seed in range(SEEDS):
        rng = np.random.default_rng(seed)
        truth = np.repeat(rng.beta(4, 2, 80), 5)
        a, b = (truth + rng.normal(0, 0.12, 400) + np.repeat(rng.normal(0, 0.05, 80), 5) for _ in range(2))
        p = compared(a.tolist(), (b + gain).tolist(), clusters, flips=399).p_flip
        significant += p is not None and p <= 0.05
    return significant / SEEDS


def test_the_false_positive_rate_is_about_the_level() -> None:
    assert 0.03 <= share_significant(0.0) <= 0.07


def test_a_difference_of_5_points_is_detected() -> None:
    assert share_significant(0.05) >= 0.8


def test_the_smallest_detectable_difference_is_detected_with_80_percent_power() -> None:
    """Differences that every question has: a true difference that shifts all of them is found as often."""
    rng = np.random.default_rng(3)
    sets = [(rng.normal(0, 0.3, 100), [str(at) for at in range(100)]) for _ in range(SEEDS)]
    smallest = float(np.median([smallest_detectable(b.tolist(), own, 0.05) or 0 for b, own in sets[:15]]))
    hits = [ttest_rel(b + smallest, np.zeros(100)).pvalue <= 0.05 for b, _ in sets]
    assert np.mean(hits) == pytest.approx(0.8, abs=0.06)


@pytest.mark.parametrize(("questions", "each", "comparisons"), [(30, 1, 3), (60, 2, 1), (100, 1, 10)])
def test_the_power_at_the_smallest_detectable_difference_of_right_and_wrong(
    questions: int, each: int, comparisons: int
) -> None:
    """A tenth of the questions differs by chance, and B is better on others, drawn at random."""
    rng = np.random.default_rng(8)
    clusters = [str(at // each) for at in range(questions)]
    level = 0.05 / comparisons

    def differences() -> NDArray[np.float64]:
        return np.where(rng.random(questions) < 0.1, rng.choice([-1.0, 1.0], questions), 0.0)

    smallest = float(np.median([smallest_detectable(differences().tolist(), clusters, level) or 9 for _ in range(15)]))
    hits = []
    for _ in range(300):
        totals = np.bincount([int(own) for own in clusters], differences() + (rng.random(questions) < smallest))
        hits.append(sign_flip(totals.astype(float), 1999) <= level)
    assert np.mean(hits) == pytest.approx(0.8, abs=0.07)


def test_nothing_is_detectable_in_very_few_documents() -> None:
    # of four documents, all have the same sign in 2 of 16 cases: never significant at 0.05
    assert smallest_detectable([0.5, 0.0, -0.5, 1.0], list("wxyz"), 0.05) is None
    assert smallest_detectable([0.0] * 60, [str(at % 2) for at in range(60)], 0.05) is None
    # without any difference now, 6 of n documents have to change: 2 of 64
    found = smallest_detectable([0.0] * 100, [str(at) for at in range(100)], 0.05)
    assert found == pytest.approx(0.08, abs=0.01), "6 or more of 100 at 0.079: 0.80 by the binomial distribution"


@pytest.mark.parametrize(
    ("right", "n", "documents", "easy"),
    [
        (60, 60, 60, True),
        (54, 60, 60, True),  # 8 of 60 are found with 80 % power, 6 are left
        (50, 60, 60, False),  # 10 are left
        (480, 500, 500, False),  # 20 of 500 are left, and 8 would be found
        (499, 500, 500, True),
        (9, 10, 10, True),  # 7 of 10 would be found; 9 of 10 are more than half: 2 * (1 + 10) / 2**10
        (8, 10, 10, False),  # 8 of 10 may be half: 2 * (1 + 10 + 45) / 2**10, so the set is too small
        (13, 20, 20, False),
        (3, 3, 3, False),  # nothing can be found in three documents, however hard the questions
        (60, 60, 3, False),
    ],
)
def test_a_set_is_too_easy_if_what_is_left_is_less_than_what_can_be_detected(
    right: int, n: int, documents: int, easy: bool
) -> None:
    values = [1.0] * right + [0.0] * (n - right)
    found = too_easy_by([*values, None], [str(at % documents) for at in range(n + 1)])
    assert (found is not None) == easy
    assert found is None or found == smallest_detectable([0.0] * n, [str(at % documents) for at in range(n)], 0.05)


# ---- several tests, several systems ----------------------------------------------------------------


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.5, 0.9]) == [1.0, 1.0]
    assert holm([None, 0.02]) == [None, 0.02]
    assert holm([]) == []


def test_runs_without_a_significant_difference_share_a_rank() -> None:
    means = {"a": 0.9, "b": 0.8, "c": 0.7}
    chain = ranks(means, lambda x, y: (x, y) == ("a", "c"))
    assert chain == {"a": 1, "b": 1, "c": 2}, "b differs from neither, c only from a"
    assert ranks(means, lambda x, y: False) == {"a": 1, "b": 1, "c": 1}
    assert ranks(means, lambda x, y: x < y) == {"a": 1, "b": 2, "c": 3}
