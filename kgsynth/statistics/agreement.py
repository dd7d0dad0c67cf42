"""How far people who judge the same things agree: Krippendorff's alpha, for names, for ranks and for grades.

Krippendorff, K. (2011), "Computing Krippendorff's Alpha-Reliability": one less the disagreement that is seen, over the
one that chance would bring. Left out: its interval, and what an alpha is worth where grades hardly vary.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import permutations, product
from typing import Any, Literal

Level = Literal["nominal", "ordinal", "interval"]

RELIABLE, TENTATIVE = 0.8, 0.667
"""From which alpha on data can be relied on, and from which on conclusions are tentative (Krippendorff 2004)."""


def alpha(units: Iterable[Sequence[Any]], level: Level) -> float | None:
    """Return Krippendorff's alpha; a unit is the ratings one thing was given, those that are missing left out.

    Units with fewer than two ratings say nothing of agreement and are passed over. Ratings are names when ``level`` is
    nominal, else numbers: ordinal counts the ratings that lie between two, interval squares their difference. None when
    nothing was rated twice, or all ratings are the same: then chance has nothing to disagree about.

    Example:
        >>> round(alpha([["a", "a"], ["a", "b"], ["b", "b"], ["b"]], "nominal"), 3)
        0.444
    """
    paired = [list(unit) for unit in units if len(unit) > 1]
    counts = Counter(rating for unit in paired for rating in unit)
    apart = _squares(counts, level)
    n = counts.total()
    if len(counts) < 2:
        return None
    seen = math.fsum(math.fsum(apart[pair] for pair in permutations(unit, 2)) / (len(unit) - 1) for unit in paired)
    chance = math.fsum(counts[a] * counts[b] * apart[a, b] for a, b in product(counts, repeat=2)) / (n - 1)
    return 1 - seen / chance


def _squares(counts: Mapping[Any, int], level: Level) -> dict[tuple[Any, Any], float]:
    """Return the squared difference of every pair of ratings."""
    pairs = product(counts, repeat=2)
    if level == "nominal":
        return {(a, b): float(a != b) for a, b in pairs}
    if level == "interval":
        return {(a, b): float(a - b) ** 2 for a, b in pairs}
    order = sorted(counts)
    rank = {rating: sum(counts[lower] for lower in order[:at]) + counts[rating] / 2 for at, rating in enumerate(order)}
    return {(a, b): float(rank[a] - rank[b]) ** 2 for a, b in pairs}


def meaning(value: float | None) -> str:
    """Say in words what an alpha is worth.

    Example:
        >>> meaning(0.7)
        'they agree well enough for tentative conclusions only (0.667 to 0.8)'
    """
    if value is None:
        return "not defined: nothing was judged twice, or all judged alike, which chance could not part"
    if value >= RELIABLE:
        return f"they agree: what they say can be relied on ({RELIABLE} and above)"
    if value >= TENTATIVE:
        return f"they agree well enough for tentative conclusions only ({TENTATIVE} to {RELIABLE})"
    if value > 0:
        return f"they agree too little to rely on (below {TENTATIVE}): talk over the items in dispute"
    return "they agree no more than chance would have it: settle what is meant before you go on"
