"""Rates and means over people: agreement with scipy, and what cannot be computed."""

from __future__ import annotations

import pytest
from scipy.stats import binomtest

from kgsynth.statistics.rates import Mean, mean, rate, wilson


def once(successes: int, users: int) -> Mean:
    """The rate of users with one record each."""
    return rate([1.0] * successes + [0.0] * (users - successes), users)


@pytest.mark.parametrize(("successes", "users"), [(0, 10), (1, 7), (81, 263), (15, 148), (29, 29)])
def test_the_interval_of_a_rate_agrees_with_scipy(successes: int, users: int) -> None:
    theirs = binomtest(successes, users).proportion_ci(method="wilson")
    assert once(successes, users).interval == pytest.approx((theirs.low, theirs.high), abs=1e-12)


def test_a_user_with_many_records_does_not_count_as_many_users() -> None:
    """Shares 1, 0, 1, 0 of 100 records each: the variance of a share is 1/4, and p (1 - p) / (1/4) * 4 users is 4."""
    steady = rate([1.0, 0.0, 1.0, 0.0], 400)
    assert steady.effective == pytest.approx(4) and steady.interval == pytest.approx(wilson(0.5, 4))
    # shares 3/4, 1/4: variance 1/16, so two users with 8 records count as 2 * (1/4) / (1/16) = 8 with one record
    assert rate([0.75, 0.25], 8).effective == pytest.approx(8)
    assert rate([0.75, 0.25], 5).effective == 5, "at most the number of records"
    assert rate([0.5, 0.5, 0.5], 6).effective == 6, "no variance at all"


def test_one_person_has_no_interval() -> None:
    assert (rate([1.0], 3).interval, mean([2.0]).interval) == (None, None)
