"""The smallest true difference between two systems that the sign-flip test probably finds.

The assumption: the differences seen now are chance, apart from a mean that is far from 0; and a true difference changes
further questions, drawn at random, each by as much as the questions that differ now, on average (by 1 if none differs).
If more than half of the questions differ now, as with graded metrics, it changes all questions alike.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from kgsynth.statistics.bootstrap import BOOTSTRAP_SEED
from kgsynth.statistics.multiple_testing import SIGNIFICANCE_LEVEL
from kgsynth.statistics.paired_tests import has_spread, sign_flip

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

POWER = 0.8
"""The share of sets on which a true difference is found that counts as probable."""

_SETS = 400  # simulated sets; the power is accurate to 0.02
_STEPS = 7  # bisections, after which the share of changed questions is accurate to 0.01
_MOST_ALIKE = 4.0  # a difference of all questions that is larger than this multiple of those seen is not looked for
_MAX_DOCUMENTS, _MAX_FLIPS = 150, 6000
"""With more documents, or for a lower level, the normal approximation of the test is used, which is faster."""


def smallest_detectable(differences: Sequence[float], clusters: Sequence[str], level: float) -> float | None:
    """Return the smallest true mean difference that is significant at ``level`` in 80 % of simulated sets.

    ``differences`` has a value per question, ``clusters`` its document. Return None if not even a difference on every
    question would be found that often, as with very few documents, or if all questions differ by the same amount.

    Example:
        >>> smallest_detectable([0.0] * 4, list("abcd"), 0.05) is None  # of 4 signs, all are alike in 2 of 16 cases
        True
        >>> 0.1 < smallest_detectable([0.0] * 60, [str(at) for at in range(60)], 0.05) < 0.15  # 6 signs: 2 of 64
        True
    """
    import numpy as np

    rng = np.random.default_rng(BOOTSTRAP_SEED)
    values = np.array(differences, dtype=float)
    if values.any() and not has_spread(values):
        return None
    member = np.unique(np.array(clusters), return_inverse=True)[1]
    totals = np.bincount(member, values)
    changed = np.abs(values[values != 0])
    alike = 2 * len(changed) > len(values)
    step = float(changed.mean()) if len(changed) else 1.0
    net, gross, deviation = abs(totals.sum()), np.abs(totals).sum(), math.sqrt(float((totals**2).sum()))
    by_chance = 1 - net / gross if net > 2 * deviation else 1.0  # so far from 0, the net is not chance
    shape = (len(totals), _SETS)
    noise = totals[:, None] * rng.choice([-1.0, 1.0], size=shape) * (rng.random(shape) < by_chance)
    signs = _signs(len(totals), level, rng)
    drawn = rng.random((len(values), _SETS))

    def power(share: float) -> float:
        gains = np.zeros(shape)
        np.add.at(gains, member, step * (share if alike else drawn < share))
        return float(_significant(noise + gains, level, signs).mean())

    low, high = 0.0, _MOST_ALIKE if alike else 1.0
    if power(high) < POWER:
        return None
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if power(middle) >= POWER else (middle, high)
    return high * step


def too_easy_by(
    values: Sequence[float | None], clusters: Sequence[str], level: float = SIGNIFICANCE_LEVEL
) -> float | None:
    """Return the smallest detectable difference if a metric leaves less room above its mean; None if it leaves more.

    ``values``, from 0 to 1, are those of one system. With less room, not even a system with 1 on every question is
    probably found to be better, so the set is saturated. Which share that is follows from the number of questions and
    documents: 53 of 60, or 493 of 500. A set is not too easy but too small if its mean is not significantly above 0.5.

    Example:
        >>> documents = [str(at) for at in range(60)]
        >>> too_easy_by([1.0] * 50 + [0.0] * 10, documents) is None, too_easy_by([1.0] * 58 + [0.0] * 2, documents)
        (True, 0.1328125)
    """
    import numpy as np

    known = [(value, own) for value, own in zip(values, clusters, strict=True) if value is not None]
    if not known or (room := 1 - math.fsum(value for value, _ in known) / len(known)) >= 0.5:
        return None
    member = np.unique([own for _, own in known], return_inverse=True)[1]
    totals = np.bincount(member, [value - 0.5 for value, _ in known]).astype(float)
    if sign_flip(totals) > SIGNIFICANCE_LEVEL:
        return None
    smallest = smallest_detectable([0.0] * len(known), [own for _, own in known], level)
    return smallest if smallest is not None and room < smallest else None


def _signs(documents: int, level: float, rng: np.random.Generator) -> NDArray[np.float32] | None:
    """Return random signs (flips, documents), enough for p-values ten times as fine as ``level``; None if too many."""
    import numpy as np

    flips = max(999, round(10 / level))
    if documents > _MAX_DOCUMENTS or flips > _MAX_FLIPS:
        return None
    return rng.choice(np.array([-1, 1], dtype=np.float32), size=(flips, documents))


def _significant(totals: NDArray[np.float64], level: float, signs: NDArray[np.float32] | None) -> NDArray[np.bool_]:
    """Return which of the sets (documents, sets) differ significantly by the sign-flip test."""
    import numpy as np

    observed, gross = np.abs(totals.sum(axis=0)), np.abs(totals).sum(axis=0)
    if signs is None:
        from scipy.stats import norm

        size = np.sqrt((totals**2).sum(axis=0))
        found: NDArray[np.bool_] = observed > norm.isf(level / 2) * size
        return found
    flipped = np.abs(signs @ totals.astype(np.float32))
    as_far = (flipped >= observed - 1e-5 * gross).sum(axis=0)
    rare: NDArray[np.bool_] = (as_far + 1) / (len(signs) + 1) <= level
    return rare
