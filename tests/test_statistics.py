"""Paired comparison: figures worked out by hand, agreement with scipy, and how often chance is called a difference."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import permutation_test, ttest_rel

from kgsynth.statistics.multiple_testing import holm, ranks
from kgsynth.statistics.paired_tests import Difference, difference, sign_flip


def found(a: list[float | None], b: list[float | None], clusters: list[str], flips: int = 9999) -> Difference:
    result = difference(a, b, clusters, flips)
    assert result is not None
    return result


def test_every_figure_of_four_questions_by_hand() -> None:
    apart = found([0.0, 0.5, 1.0, 0.0], [1.0, 0.5, 0.5, 1.0], list("wxyz"))
    assert (apart.n, apart.clusters, apart.a, apart.b, apart.difference) == (4, 4, 0.375, 0.75, 0.375)
    assert (apart.higher, apart.same, apart.lower) == (2, 1, 1)
    # differences 1, 0, -0.5, 1: squares about the mean 0.375 sum to 1.6875, over 3 gives a variance of 0.5625
    assert apart.cohens_d == pytest.approx(0.375 / 0.75)
    # standard error 0.75 / 2; t quantiles of 3 degrees of freedom 3.1824 and 0.9785
    assert apart.smallest == pytest.approx((3.1824 + 0.9785) * 0.375, rel=1e-4)
    # of the 8 signings of (1, 0.5, 1) two sum to +-2.5 and two to +-1.5, the total itself; four to +-0.5
    assert apart.p_flip == pytest.approx(4 / 8, abs=0.02)


def test_one_question_to_a_document_is_the_plain_paired_test_of_scipy() -> None:
    rng = np.random.default_rng(5)
    a, b = rng.random(60), rng.random(60) + 0.08
    apart = found(a.tolist(), b.tolist(), [str(at) for at in range(60)])
    assert apart.p_t == pytest.approx(ttest_rel(b, a).pvalue)
    theirs = permutation_test((b, a), lambda x, y: np.mean(x - y), permutation_type="samples", n_resamples=9999, rng=1)
    assert apart.p_flip == pytest.approx(theirs.pvalue, abs=0.015)


def test_documents_are_turned_whole() -> None:
    """Twenty questions that all gained, on two documents: two coins, of which half the throws agree."""
    apart = found([0.0] * 20, [1.0] * 20, ["a"] * 10 + ["b"] * 10)
    assert apart.p_flip == pytest.approx(0.5, abs=0.02)
    alone = found([0.0] * 20, [1.0] * 20, [str(at) for at in range(20)])
    assert alone.p_flip == 1 / 10_000, "never again in 9,999 flips, and the real one counts"


def test_ties_count_as_far_off_and_the_least_p_is_never_0() -> None:
    assert sign_flip(np.zeros(5)) == 1.0
    assert sign_flip(np.array([0.1, 0.2, -0.3])) == 1.0, "0.1 + 0.2 - 0.3 is a total of 0, whatever floats say"
    assert sign_flip(np.full(40, 0.1), flips=99) == 1 / 100


def test_what_cannot_be_said_is_none() -> None:
    assert difference([None, 1.0], [1.0, None], ["a", "b"]) is None
    single = found([0.0, 1.0], [1.0, 1.0], ["a", "a"])
    assert (single.ci95, single.p_flip, single.p_t, single.smallest) == (None, None, None, None)
    same = found([0.5, 1.0], [0.5, 1.0], ["a", "b"])
    assert (same.p_flip, same.p_t, same.cohens_d, same.smallest) == (1.0, None, None, None)


def test_a_question_without_a_value_for_one_stays_out() -> None:
    apart = found([0.0, None, 1.0], [1.0, 1.0, 1.0], ["a", "b", "c"])
    assert (apart.n, apart.clusters, apart.difference) == (2, 2, 0.5)


def test_the_interval_is_of_documents_and_the_same_every_time() -> None:
    rng = np.random.default_rng(7)
    drift = np.repeat(rng.normal(0, 0.2, 20), 10)
    b = (0.5 + drift).tolist()
    together = found([0.5] * 200, b, [str(at // 10) for at in range(200)])
    alone = found([0.5] * 200, b, [str(at) for at in range(200)])
    assert together == found([0.5] * 200, b, [str(at // 10) for at in range(200)])
    assert together.ci95 is not None and alone.ci95 is not None
    wider = (together.ci95[1] - together.ci95[0]) / (alone.ci95[1] - alone.ci95[0])
    assert wider == pytest.approx(math.sqrt(10), rel=0.2), "20 documents carry what 20 questions do"


SEEDS = 500


def called(gain: float) -> float:
    """The share of seeds in which noisy copies of one run, 400 questions on 80 documents, are told apart."""
    clusters = [f"{at // 5:02}" for at in range(400)]
    significant = 0
    for seed in range(SEEDS):
        rng = np.random.default_rng(seed)
        truth = np.repeat(rng.beta(4, 2, 80), 5)
        a, b = (truth + rng.normal(0, 0.12, 400) + np.repeat(rng.normal(0, 0.05, 80), 5) for _ in range(2))
        p = found(a.tolist(), (b + gain).tolist(), clusters, flips=399).p_flip
        significant += p is not None and p <= 0.05
    return significant / SEEDS


def test_chance_is_called_a_difference_about_as_often_as_the_level_says() -> None:
    assert 0.03 <= called(0.0) <= 0.07


def test_a_difference_of_5_points_is_found() -> None:
    assert called(0.05) >= 0.8


def test_the_smallest_difference_is_found_4_times_of_5() -> None:
    rng = np.random.default_rng(3)
    sets = [(rng.normal(0, 0.3, 100), [str(at) for at in range(100)]) for _ in range(SEEDS)]
    could = float(np.median([found([0.0] * 100, b.tolist(), own, 1).smallest for b, own in sets]))
    hits = [ttest_rel(b + could, np.zeros(100)).pvalue <= 0.05 for b, _ in sets]
    assert np.mean(hits) == pytest.approx(0.8, abs=0.05)


# ---- several tests, several systems ----------------------------------------------------------------


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.5, 0.9]) == [1.0, 1.0]
    assert holm([None, 0.02]) == [None, 0.02]
    assert holm([]) == []


def test_ranks_are_shared_where_the_data_does_not_part() -> None:
    means = {"a": 0.9, "b": 0.8, "c": 0.7}
    chain = ranks(means, lambda x, y: {x, y} == {"a", "c"})
    assert chain == {"a": 1, "b": 1, "c": 2}, "b is parted from neither, c from a alone"
    assert ranks(means, lambda x, y: False) == {"a": 1, "b": 1, "c": 1}
    assert ranks(means, lambda x, y: True) == {"a": 1, "b": 2, "c": 3}
