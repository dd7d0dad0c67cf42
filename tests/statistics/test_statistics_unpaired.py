"""Unpaired tests and sample sizes: published values, agreement with scipy, and the false positive rate."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import binomtest, chi2_contingency, ttest_ind

from kgsynth.statistics.unpaired_tests import (
    Mean,
    UnpairedDifference,
    mean,
    mean_difference,
    rate,
    rate_difference,
    sample_ratio_mismatch,
    users_for_means,
    users_for_rates,
    wilson,
)


def once(successes: int, users: int) -> Mean:
    """The rate of users with one record each."""
    return rate([1.0] * successes + [0.0] * (users - successes), users)


@pytest.mark.parametrize(("successes", "users"), [(0, 10), (1, 7), (81, 263), (15, 148), (29, 29)])
def test_the_interval_of_a_rate_agrees_with_scipy(successes: int, users: int) -> None:
    theirs = binomtest(successes, users).proportion_ci(method="wilson")
    assert once(successes, users).interval == pytest.approx((theirs.low, theirs.high), abs=1e-12)


@pytest.mark.parametrize(
    ("a", "b", "ends"), [((48, 80), (56, 70), (0.0524, 0.3339)), ((3, 10), (9, 10), (0.1705, 0.8090))]
)
def test_the_interval_of_a_difference_agrees_with_the_published_one(
    a: tuple[int, int], b: tuple[int, int], ends: tuple[float, float]
) -> None:
    """Newcombe 1998, table II, method 10."""
    assert rate_difference(once(*a), once(*b)).interval == pytest.approx(ends, abs=5e-5)


def test_the_test_of_two_rates_equals_the_chi_square_test_of_their_table() -> None:
    theirs = chi2_contingency([[30, 70], [45, 55]], correction=False).pvalue
    assert rate_difference(once(30, 100), once(45, 100)).p == pytest.approx(theirs, rel=1e-9)


def test_the_test_of_two_means_is_welchs() -> None:
    rng = np.random.default_rng(3)
    a, b = rng.normal(1, 1, 30), rng.normal(1.5, 3, 11)
    theirs = ttest_ind(b, a, equal_var=False)
    found, ends = mean_difference(mean(a.tolist()), mean(b.tolist())), theirs.confidence_interval()
    assert (found.p, found.interval) == (pytest.approx(theirs.pvalue), pytest.approx((ends.low, ends.high)))


def test_a_user_with_many_records_does_not_count_as_many_users() -> None:
    """Shares 1, 0, 1, 0 of 100 records each: the variance of a share is 1/4, and p (1 - p) / (1/4) * 4 users is 4."""
    steady = rate([1.0, 0.0, 1.0, 0.0], 400)
    assert steady.effective == pytest.approx(4) and steady.interval == pytest.approx(wilson(0.5, 4))
    # shares 3/4, 1/4: variance 1/16, so two users with 8 records count as 2 * (1/4) / (1/16) = 8 with one record
    assert rate([0.75, 0.25], 8).effective == pytest.approx(8)
    assert rate([0.75, 0.25], 5).effective == 5, "at most the number of records"
    assert rate([0.5, 0.5, 0.5], 6).effective == 6, "no variance at all"


def test_what_cannot_be_computed_is_none() -> None:
    single, none = rate([1.0], 3), mean([2.0])
    assert (single.interval, none.interval) == (None, None)
    assert rate_difference(single, once(5, 10)) == UnpairedDifference(-0.5, None, None)
    assert mean_difference(none, mean([1.0, 3.0])) == UnpairedDifference(0.0, None, None)
    assert mean_difference(mean([1.0, 1.0]), mean([2.0, 2.0])) == UnpairedDifference(1.0, None, None), "no variance"
    assert rate_difference(once(10, 10), once(10, 10)).p is None


# ---- how many users --------------------------------------------------------------------------------


def test_the_number_of_users_agrees_with_textbooks_and_r() -> None:
    # R: power.prop.test(p1 = .50, p2 = .75, power = .90) gives n = 76.7; p2 = .55, power = .80 n = 1564.7
    assert users_for_rates(0.5, 0.25, power=0.9) == (77, 77)
    assert users_for_rates(0.5, 0.05) == (1565, 1565)
    # (1.95996 + 0.84162)^2 * 2 / 0.25 = 62.8 for a variance of 1
    assert users_for_means(1.0, 0.5) == (63, 63)
    assert users_for_means(4.0, 1.0) == (63, 63), "the same effect in standard deviations"


def test_the_larger_number_of_users_for_above_and_below_is_returned() -> None:
    # 0.9 against 0.85, nearer to 0.5: (1.95996 * 0.467707 + 0.84162 * 0.466369)^2 / 0.0025 = 685.6
    assert users_for_rates(0.9, 0.05) == users_for_rates(0.1, 0.05) == (686, 686)
    # a rate above 1 is impossible, so 0.93: (1.95996 * 0.293172 + 0.84162 * 0.291033)^2 / 0.0025 = 268.7
    assert users_for_rates(0.98, 0.05) == (269, 269)
    # 1.1 and -0.3 are impossible, so 1: (1.95996 * sqrt(0.42) + 0.84162 * sqrt(0.24))^2 / 0.36 = 7.9
    assert users_for_rates(0.4, 0.7) == (8, 8)


def test_that_many_users_detect_the_effect_with_the_given_power() -> None:
    few, many = users_for_rates(0.3, 0.1, power=0.8, ratio=3)
    assert many == pytest.approx(3 * few, abs=3)
    rng = np.random.default_rng(1)
    a, b = rng.binomial(few, 0.3, 4000) / few, rng.binomial(many, 0.4, 4000) / many
    pooled = (few * a + many * b) / (few + many)
    found = np.abs(b - a) / np.sqrt(pooled * (1 - pooled) * (1 / few + 1 / many)) > 1.959964
    assert 0.78 < found.mean() < 0.84


def test_a_sample_ratio_mismatch_is_detected() -> None:
    assert sample_ratio_mismatch([600, 400], [500, 500]) == pytest.approx(
        2.54e-10, rel=0.01
    )  # chi-square 40 with 1 degree
    assert sample_ratio_mismatch([505, 495], [500, 500]) == pytest.approx(math.erfc(math.sqrt(0.1 / 2)), rel=1e-9)
    assert sample_ratio_mismatch([3, 1], [2, 2]) is None, "too few users"
    assert sample_ratio_mismatch([90, 10, 1], [90, 10, 0]) == 0.0, "no user was expected in the third group"


# ---- chance ----------------------------------------------------------------------------------------

RUNS, USERS, RATE = 1000, 120, 0.7


def test_the_false_positive_rate_is_the_level_and_the_intervals_cover_the_truth() -> None:
    """Users who ask 1 to 12 times, each with an own success rate: the records of a user are alike."""
    rng = np.random.default_rng(0)
    false, missed, naive = np.zeros(2), np.zeros(4), 0
    log_mean = math.exp(0.5 * (0.6**2 + 0.4**2))  # of the latencies below
    for _ in range(RUNS):
        rates, means, requests = [], [], []
        for _ in range(2):
            asked = rng.integers(1, 13, USERS)
            right = rng.binomial(asked, rng.beta(3.5, 1.5, USERS))
            seconds = np.exp(rng.normal(0, 0.6, (USERS, 1)) + rng.normal(0, 0.4, (USERS, 12)))
            latency = np.where(np.arange(12) < asked[:, None], seconds, 0).sum(axis=1) / asked
            rates.append(rate((right / asked).tolist(), int(asked.sum())))
            means.append(mean(latency.tolist()))
            requests.append((int(right.sum()), int(asked.sum())))
        of_rates, of_means = rate_difference(*rates), mean_difference(*means)
        false += [(each.p or 0) <= 0.05 for each in (of_rates, of_means)]
        truths = [(rates[0].interval, RATE), (of_rates.interval, 0.0), (means[0].interval, log_mean)]
        for at, (ends, truth) in enumerate([*truths, (of_means.interval, 0.0)]):
            missed[at] += ends is None or not ends[0] <= truth <= ends[1]
        naive += chi2_contingency([[k, n - k] for k, n in requests], correction=False).pvalue <= 0.05
    assert all(0.03 < share < 0.07 for share in false / RUNS), false / RUNS
    assert all(0.03 < share < 0.07 for share in missed / RUNS), missed / RUNS
    assert naive / RUNS > 0.15, "a test of single records has three times as many false positives"
