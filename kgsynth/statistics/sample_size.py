"""How many users each of two groups needs to detect a given effect with a given power."""

from __future__ import annotations

import math
from statistics import NormalDist

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
