"""Two groups of users, each with one figure a user: rates and means, how far they are apart, how many users it takes.

The users are independent, so whoever has several records must be one figure before it comes here. A rate is the mean of
figures from 0 to 1, a user's share of successes. Left out: where the figures come from, and more than two groups.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

_LEAST_EXPECTED = 5
"""The least expected count of a group for which the chi-square distribution holds well enough."""


@dataclass(frozen=True, slots=True)
class Mean:
    """The mean of ``n`` users' figures with its interval, None for a single user.

    ``effective`` is how many users with one record each would tell as much of a rate; of a mean it is ``n``.
    ``variance`` is that of a user's figure.
    """

    value: float
    n: int
    interval: tuple[float, float] | None
    effective: float
    variance: float


@dataclass(frozen=True, slots=True)
class Apart:
    """How far the mean of the second group lies above that of the first; without a spread there is no p."""

    difference: float
    interval: tuple[float, float] | None
    p: float | None


def rate(shares: Sequence[float], records: int, alpha: float = 0.05) -> Mean:
    """Return the mean share with its Wilson interval, ``records`` being the records behind all the shares.

    The interval is Wilson's (1927) for the effective number of users (Dean and Pagano 2015): p (1 - p) over the
    variance of the mean share. With one record a user that is the number of users.

    Example:
        >>> found = rate([1.0] * 8 + [0.0] * 2, 10)
        >>> (found.value, round(found.effective, 6), [round(end, 3) for end in found.interval])
        (0.8, 10.0, [0.49, 0.943])
    """
    n, value = len(shares), math.fsum(shares) / len(shares)
    spread = math.fsum((share - value) ** 2 for share in shares) / n
    most = value * (1 - value)
    effective = min(n * most / spread, float(records)) if spread > 0 else float(n if most == 0 else records)
    variance = spread * n / (n - 1) if n > 1 else 0.0
    return Mean(value, n, wilson(value, effective, alpha) if n > 1 else None, effective, variance)


def wilson(value: float, n: float, alpha: float = 0.05) -> tuple[float, float]:
    """Return Wilson's interval (1927) of a rate ``value`` of ``n`` trials.

    Example:
        >>> [round(end, 4) for end in wilson(0.0, 10)]
        [0.0, 0.2775]
    """
    z = _quantile(1 - alpha / 2)
    middle, reach = value + z * z / (2 * n), z * math.sqrt(value * (1 - value) / n + (z / (2 * n)) ** 2)
    whole = 1 + z * z / n
    return max(0.0, (middle - reach) / whole), min(1.0, (middle + reach) / whole)


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
    from scipy.stats import t

    variance = math.fsum((each - value) ** 2 for each in values) / (n - 1)
    reach = float(t.ppf(1 - alpha / 2, n - 1)) * math.sqrt(variance / n)
    return Mean(value, n, (value - reach, value + reach), float(n), variance)


def rates_apart(a: Mean, b: Mean) -> Apart:
    """Return the difference of two rates: interval by Newcombe (1998, method 10), p by the two-proportion z-test.

    Both take the effective numbers of users; the level of the interval is that of the two.

    Example:
        >>> found = rates_apart(rate([1.0] * 48 + [0.0] * 32, 80), rate([1.0] * 56 + [0.0] * 14, 70))
        >>> [round(end, 4) for end in found.interval], round(found.p, 4)
        ([0.0524, 0.3339], 0.008)
    """
    apart = b.value - a.value
    if a.interval is None or b.interval is None:
        return Apart(apart, None, None)
    below = math.hypot(b.value - b.interval[0], a.interval[1] - a.value)
    above = math.hypot(b.interval[1] - b.value, a.value - a.interval[0])
    pooled = (a.value * a.effective + b.value * b.effective) / (a.effective + b.effective)
    error = math.sqrt(pooled * (1 - pooled) * (1 / a.effective + 1 / b.effective))
    p = math.erfc(abs(apart) / error / math.sqrt(2)) if error > 0 else None
    return Apart(apart, (apart - below, apart + above), p)


def means_apart(a: Mean, b: Mean, alpha: float = 0.05) -> Apart:
    """Return the difference of two means by Welch's t (1947), which takes no two variances for equal.

    Example:
        >>> found = means_apart(mean([1.0, 2.0, 3.0]), mean([2.0, 4.0, 6.0, 8.0]))
        >>> (found.difference, [round(end, 2) for end in found.interval], round(found.p, 3))
        (3.0, [-0.9, 6.9], 0.1)
    """
    apart = b.value - a.value
    squares = [each.variance / each.n for each in (a, b)]
    if min(a.n, b.n) < 2 or sum(squares) == 0:
        return Apart(apart, None, None)
    from scipy.stats import t

    error = math.sqrt(sum(squares))
    freedom = sum(squares) ** 2 / sum(own**2 / (each.n - 1) for own, each in zip(squares, (a, b), strict=True))
    reach = float(t.ppf(1 - alpha / 2, freedom)) * error
    return Apart(apart, (apart - reach, apart + reach), float(2 * t.sf(abs(apart) / error, freedom)))


# ---- how many users, and whether they came as they should -------------------------------------------


def users_for_rates(
    base: float, effect: float, power: float = 0.8, alpha: float = 0.05, ratio: float = 1.0
) -> tuple[int, int]:
    """Return how many users each group needs to find a rate that is ``effect`` above or below ``base``.

    Fleiss, Levin and Paik, Statistical Methods for Rates and Proportions (2003), chapter 4, without the correction for
    continuity: the first group's number and, ``ratio`` times that, the second's. Of above and below the one that takes
    more users counts; where a rate can be neither, the farther end of 0 to 1 stands for it.

    Example:
        >>> users_for_rates(0.5, 0.05)
        (1565, 1565)
    """
    others = [base + turn * effect for turn in (1, -1) if 0 <= base + turn * effect <= 1]
    needed = 0.0
    for other in others or [float(base < 0.5)]:
        pooled = (base + ratio * other) / (1 + ratio)
        chance = _quantile(1 - alpha / 2) * math.sqrt((1 + ratio) * pooled * (1 - pooled))
        found = _quantile(power) * math.sqrt(ratio * base * (1 - base) + other * (1 - other))
        needed = max(needed, (chance + found) ** 2 / (ratio * (other - base) ** 2))
    return max(2, math.ceil(needed)), max(2, math.ceil(ratio * needed))


def users_for_means(
    variance: float, effect: float, power: float = 0.8, alpha: float = 0.05, ratio: float = 1.0
) -> tuple[int, int]:
    """Return how many users each group needs to find means that are ``effect`` apart, at this ``variance`` of a user.

    Chow, Shao and Wang, Sample Size Calculations in Clinical Research (2008), section 3.2.

    Example:
        >>> users_for_means(1.0, 0.5)
        (63, 63)
    """
    needed = (1 + 1 / ratio) * variance * ((_quantile(1 - alpha / 2) + _quantile(power)) / effect) ** 2
    return max(2, math.ceil(needed)), max(2, math.ceil(ratio * needed))


def mismatch(observed: ArrayLike, expected: ArrayLike) -> float | None:
    """Return the p of a chi-square test that users came to the groups as expected; None for too few to tell.

    Example:
        >>> mismatch([600, 400], [500, 500]) < 1e-9, mismatch([2, 0], [1, 1])
        (True, None)
    """
    import numpy as np

    came, due = np.asarray(observed, dtype=float), np.asarray(expected, dtype=float)
    if bool((came[due == 0] > 0).any()):
        return 0.0
    came, due = came[due > 0], due[due > 0]
    if len(due) < 2 or due.min() < _LEAST_EXPECTED:
        return None
    from scipy.stats import chisquare

    return float(chisquare(came, due).pvalue)


def _quantile(share: float) -> float:
    return NormalDist().inv_cdf(share)
