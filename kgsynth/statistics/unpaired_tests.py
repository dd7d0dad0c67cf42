"""Rates and means of two independent groups of users: intervals, differences, tests, and the users needed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

# Rates and means of two independent groups of users: intervals, differences and tests.
#
# Every user contributes one number, so the records of a user must be averaged before. A rate is the mean of numbers
# from 0 to 1, each the share of a user's requests that succeeded.

_MIN_EXPECTED_COUNT = 5
"""The smallest expected count for which the chi-square approximation is good enough."""


@dataclass(frozen=True, slots=True)
class Mean:
    """The mean over ``n`` users with its interval, which is None for a single user.

    ``effective`` is the effective sample size of a rate: the number of users with one record each that would give the
    same precision; for a mean it is ``n``. ``variance`` is that of one user's value.
    """

    value: float
    n: int
    interval: tuple[float, float] | None
    effective: float
    variance: float


@dataclass(frozen=True, slots=True)
class UnpairedDifference:
    """The mean of the second group minus that of the first; ``p`` is None when the values do not vary."""

    difference: float
    interval: tuple[float, float] | None
    p: float | None


def rate(shares: Sequence[float], records: int, alpha: float = 0.05) -> Mean:
    """Return the mean of the users' shares with its Wilson interval; ``records`` is the number of records behind them.

    The interval is Wilson's (1927) with the effective sample size (Dean and Pagano 2015): p (1 - p) divided by the
    variance of the mean share. With one record per user that is the number of users.

    Example:
        >>> found = rate([1.0] * 8 + [0.0] * 2, 10)
        >>> (found.value, round(found.effective, 6), [round(end, 3) for end in found.interval])
        (0.8, 10.0, [0.49, 0.943])
    """
    n, value = len(shares), math.fsum(shares) / len(shares)
    spread = math.fsum((share - value) ** 2 for share in shares) / n
    largest = value * (1 - value)
    effective = min(n * largest / spread, float(records)) if spread > 0 else float(n if largest == 0 else records)
    variance = spread * n / (n - 1) if n > 1 else 0.0
    return Mean(value, n, wilson(value, effective, alpha) if n > 1 else None, effective, variance)


def wilson(value: float, n: float, alpha: float = 0.05) -> tuple[float, float]:
    """Return Wilson's interval (1927) of a rate ``value`` observed in ``n`` trials.

    Example:
        >>> [round(end, 4) for end in wilson(0.0, 10)]
        [0.0, 0.2775]
    """
    z = NormalDist().inv_cdf(1 - alpha / 2)
    centre, half = value + z * z / (2 * n), z * math.sqrt(value * (1 - value) / n + (z / (2 * n)) ** 2)
    scale = 1 + z * z / n
    return max(0.0, (centre - half) / scale), min(1.0, (centre + half) / scale)


def mean(values: Sequence[float], alpha: float = 0.05) -> Mean:
    """Return the mean with its interval by Student's t.

    Example:
        >>> found = mean([1.0, 2.0, 3.0])
        >>> (found.value, found.variance, [round(end, 3) for end in found.interval])
        (2.0, 1.0, [-0.484, 4.484])
    """
    n, value = len(values), math.fsum(values) / len(values)
    if n < 2:
        return Mean(value, n, None, float(n), 0.0)
    from scipy.special import stdtrit

    variance = math.fsum((each - value) ** 2 for each in values) / (n - 1)
    half = float(stdtrit(n - 1, 1 - alpha / 2)) * math.sqrt(variance / n)
    return Mean(value, n, (value - half, value + half), float(n), variance)


def rate_difference(a: Mean, b: Mean) -> UnpairedDifference:
    """Return the difference of two rates: interval by Newcombe (1998, method 10), p by the two-proportion z-test.

    Both use the effective sample sizes; the interval has the level of the intervals of ``a`` and ``b``.

    Example:
        >>> found = rate_difference(rate([1.0] * 48 + [0.0] * 32, 80), rate([1.0] * 56 + [0.0] * 14, 70))
        >>> [round(end, 4) for end in found.interval], round(found.p, 4)
        ([0.0524, 0.3339], 0.008)
    """
    difference = b.value - a.value
    if a.interval is None or b.interval is None:
        return UnpairedDifference(difference, None, None)
    below = math.hypot(b.value - b.interval[0], a.interval[1] - a.value)
    above = math.hypot(b.interval[1] - b.value, a.value - a.interval[0])
    pooled = (a.value * a.effective + b.value * b.effective) / (a.effective + b.effective)
    error = math.sqrt(pooled * (1 - pooled) * (1 / a.effective + 1 / b.effective))
    p = math.erfc(abs(difference) / error / math.sqrt(2)) if error > 0 else None
    return UnpairedDifference(difference, (difference - below, difference + above), p)


def mean_difference(a: Mean, b: Mean, alpha: float = 0.05) -> UnpairedDifference:
    """Return the difference of two means by Welch's t-test (1947), which does not assume equal variances.

    Example:
        >>> found = mean_difference(mean([1.0, 2.0, 3.0]), mean([2.0, 4.0, 6.0, 8.0]))
        >>> (found.difference, [round(end, 2) for end in found.interval], round(found.p, 3))
        (3.0, [-0.9, 6.9], 0.1)
    """
    difference = b.value - a.value
    squares = [each.variance / each.n for each in (a, b)]
    if min(a.n, b.n) < 2 or sum(squares) == 0:
        return UnpairedDifference(difference, None, None)
    from scipy.special import stdtr, stdtrit

    error = math.sqrt(sum(squares))
    freedom = sum(squares) ** 2 / sum(own**2 / (each.n - 1) for own, each in zip(squares, (a, b), strict=True))
    half = float(stdtrit(freedom, 1 - alpha / 2)) * error
    interval = (difference - half, difference + half)
    return UnpairedDifference(difference, interval, float(2 * stdtr(freedom, -abs(difference) / error)))


def sample_ratio_mismatch(observed: ArrayLike, expected: ArrayLike) -> float | None:
    """Return the p of a chi-square test that the groups have the expected numbers of users; None if there are too few.

    Example:
        >>> sample_ratio_mismatch([600, 400], [500, 500]) < 1e-9, sample_ratio_mismatch([2, 0], [1, 1])
        (True, None)
    """
    import numpy as np

    counts, due = np.asarray(observed, dtype=float), np.asarray(expected, dtype=float)
    if bool((counts[due == 0] > 0).any()):
        return 0.0
    counts, due = counts[due > 0], due[due > 0]
    if len(due) < 2 or due.min() < _MIN_EXPECTED_COUNT:
        return None
    from scipy.special import chdtrc

    return float(chdtrc(len(due) - 1, ((counts - due) ** 2 / due).sum()))


# How many users each of two groups needs to detect a given effect with a given power.

_quantile = NormalDist().inv_cdf


def users_for_rates(
    base: float, effect: float, power: float = 0.8, alpha: float = 0.05, ratio: float = 1.0
) -> tuple[int, int]:
    """Return how many users each group needs to detect a rate that is ``effect`` above or below ``base``.

    Fleiss, Levin and Paik, Statistical Methods for Rates and Proportions (2003), chapter 4, without continuity
    correction. The second group has ``ratio`` times the users of the first. The larger of the two numbers, for above
    and for below, is returned; if both rates would be outside 0 to 1, the farther of 0 and 1 is used instead.

    Example:
        >>> users_for_rates(0.5, 0.05)
        (1565, 1565)
    """
    others = [base + sign * effect for sign in (1, -1) if 0 <= base + sign * effect <= 1]
    needed = 0.0
    for other in others or [float(base < 0.5)]:
        pooled = (base + ratio * other) / (1 + ratio)
        under_null = _quantile(1 - alpha / 2) * math.sqrt((1 + ratio) * pooled * (1 - pooled))
        under_effect = _quantile(power) * math.sqrt(ratio * base * (1 - base) + other * (1 - other))
        needed = max(needed, (under_null + under_effect) ** 2 / (ratio * (other - base) ** 2))
    return max(2, math.ceil(needed)), max(2, math.ceil(ratio * needed))


def users_for_means(
    variance: float, effect: float, power: float = 0.8, alpha: float = 0.05, ratio: float = 1.0
) -> tuple[int, int]:
    """Return how many users each group needs to detect means that differ by ``effect``, given one user's ``variance``.

    Chow, Shao and Wang, Sample Size Calculations in Clinical Research (2008), section 3.2.

    Example:
        >>> users_for_means(1.0, 0.5)
        (63, 63)
    """
    needed = (1 + 1 / ratio) * variance * ((_quantile(1 - alpha / 2) + _quantile(power)) / effect) ** 2
    return max(2, math.ceil(needed)), max(2, math.ceil(ratio * needed))
