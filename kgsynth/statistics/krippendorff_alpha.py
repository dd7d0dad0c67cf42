"""Krippendorff's alpha: how far annotators who rate the same items agree.

Source: Krippendorff, K. (2011), "Computing Krippendorff's Alpha-Reliability": 1 minus the observed disagreement divided
by the disagreement expected by chance.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import permutations, product
from typing import Any, Literal

MeasurementLevel = Literal["nominal", "ordinal", "interval"]

RELIABLE, TENTATIVE = 0.8, 0.667
"""The least alpha for data to be reliable, and for tentative conclusions (Krippendorff 2004)."""


def krippendorff_alpha(units: Iterable[Sequence[Any]], level: MeasurementLevel) -> float | None:
    """Return Krippendorff's alpha of ``units``: for each rated item, its ratings without the missing ones.

    Units with fewer than two ratings are ignored. Ratings are labels when ``level`` is nominal, otherwise numbers:
    ordinal uses the number of ratings between two values, interval their squared difference. Return None when no item
    was rated twice or when all ratings are equal, because then no disagreement is expected by chance.

    Example:
        >>> round(krippendorff_alpha([["a", "a"], ["a", "b"], ["b", "b"], ["b"]], "nominal"), 3)
        0.444
    """
    paired = [list(unit) for unit in units if len(unit) > 1]
    counts = Counter(rating for unit in paired for rating in unit)
    distance = _squared_distances(counts, level)
    n = counts.total()
    if len(counts) < 2:
        return None
    observed = math.fsum(
        math.fsum(distance[pair] for pair in permutations(unit, 2)) / (len(unit) - 1) for unit in paired
    )
    expected = math.fsum(counts[a] * counts[b] * distance[a, b] for a, b in product(counts, repeat=2)) / (n - 1)
    return 1 - observed / expected


def _squared_distances(counts: Mapping[Any, int], level: MeasurementLevel) -> dict[tuple[Any, Any], float]:
    """Return the squared distance of every pair of ratings."""
    pairs = product(counts, repeat=2)
    if level == "nominal":
        return {(a, b): float(a != b) for a, b in pairs}
    if level == "interval":
        return {(a, b): float(a - b) ** 2 for a, b in pairs}
    order = sorted(counts)
    rank = {rating: sum(counts[lower] for lower in order[:at]) + counts[rating] / 2 for at, rating in enumerate(order)}
    return {(a, b): float(rank[a] - rank[b]) ** 2 for a, b in pairs}


def interpretation(alpha: float | None) -> str:
    """Say in words what an alpha means.

    Example:
        >>> interpretation(0.7)
        'agreement is good enough for tentative conclusions only (0.667 to 0.8)'
    """
    if alpha is None:
        return "not defined: no item has two annotators, or all decisions are the same"
    if alpha >= RELIABLE:
        return f"agreement is good: the decisions are reliable ({RELIABLE} and above)"
    if alpha >= TENTATIVE:
        return f"agreement is good enough for tentative conclusions only ({TENTATIVE} to {RELIABLE})"
    if alpha > 0:
        return f"agreement is too low to rely on (below {TENTATIVE}): discuss the disputed items"
    return "agreement is no better than chance: agree on what the decisions mean before continuing"
