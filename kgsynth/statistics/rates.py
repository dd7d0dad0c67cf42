"""Rates and means over people, with their intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

# Every user contributes one number, so the records of a user must be averaged before. A rate is the mean of numbers
# from 0 to 1, each the share of a user's requests that succeeded.


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
