"""The difference between two systems on the same questions: its size, interval, tests, and the smallest to be seen."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kgsynth.statistics.intervals import BOOTSTRAP_SEED, interval
from kgsynth.statistics.multiple_testing import SIGNIFICANCE_LEVEL

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# The difference between two systems on the same questions: its size, interval and tests.
#
# Questions about one source document tend to succeed or fail together, so documents, not questions, are treated as
# independent: the bootstrap resamples documents, the sign-flip test flips the sign of whole documents, and the t-test
# uses their totals. Only Cohen's d is computed over questions: the mean difference divided by its standard deviation.

FLIPS = 9999
"""Random sign flips: the smallest possible p is 1 in 10,000, and a p of 0.05 is accurate to 0.004."""

_FLIPS_AT_ONCE = 500  # bounds the memory
_SPREAD_ROUNDING = 1e-9  # a spread below this share of the values is rounding
_ENOUGH_AS_FAR = 100  # sums at least as far, from which more than FLIPS flips would not change p noticeably


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """System B minus system A over the ``n`` questions that have a value for both, from ``clusters`` documents.

    ``p_flip`` and ``p_t`` are the two-sided p-values of the sign-flip test and the t-test. ``cohens_d`` is None when
    all questions differ by the same amount. With fewer than two documents the interval and both p-values are None.
    """

    n: int
    clusters: int
    a: float
    b: float
    difference: float
    ci95: tuple[float, float] | None
    p_flip: float | None
    p_t: float | None
    cohens_d: float | None
    higher: int
    same: int
    lower: int


def paired_difference(
    a: Sequence[float | None], b: Sequence[float | None], clusters: Sequence[str], flips: int = FLIPS
) -> PairedDifference | None:
    """Return how ``b`` differs from ``a``, question by question; None when no question has a value for both.

    Example:
        >>> found = paired_difference([0, 0, 1, None], [1, 0, 1, 1], ["x.md", "y.md", "z.md", "z.md"])
        >>> (found.n, found.clusters, round(found.difference, 3), found.higher, found.same, found.lower)
        (3, 3, 0.333, 1, 2, 0)
    """
    import numpy as np

    both = [(x, y, own) for x, y, own in zip(a, b, clusters, strict=True) if x is not None and y is not None]
    if not both:
        return None
    first, second = (np.array([pair[at] for pair in both], dtype=float) for at in (0, 1))
    differences = second - first
    labels = {label: at for at, label in enumerate(sorted({pair[2] for pair in both}))}
    member = [labels[pair[2]] for pair in both]
    sums, counts = (np.bincount(member, weight).astype(float) for weight in (differences, np.ones(len(both))))
    mean, several = math.fsum(differences) / len(both), len(labels) > 1
    ends = interval(sums[:, None], counts[:, None])
    return PairedDifference(
        n=len(both),
        clusters=len(labels),
        a=math.fsum(first) / len(both),
        b=math.fsum(second) / len(both),
        difference=mean,
        ci95=(float(ends[0][0]), float(ends[1][0])) if several else None,
        p_flip=sign_flip(sums, flips) if several else None,
        p_t=_t_test(sums) if several else None,
        cohens_d=_cohens_d(differences),
        higher=int((differences > 0).sum()),
        same=int((differences == 0).sum()),
        lower=int((differences < 0).sum()),
    )


def sign_flip(totals: NDArray[np.float64], flips: int = FLIPS) -> float:
    """Return the two-sided p of the sign-flip test that the documents' totals sum to 0.

    That is the share of random sign assignments, the observed one included, whose sum is at least as far from 0 as the
    observed sum. Ties count (>=): a strict comparison would make chance look significant. More than ``FLIPS`` flips
    are made only while few sums are as far (Besag and Clifford 1991, "Sequential Monte Carlo p-values").

    Example:
        >>> import numpy as np
        >>> sign_flip(np.array([1.0, -1.0]))
        1.0
    """
    import numpy as np

    rng = np.random.default_rng(BOOTSTRAP_SEED)
    nonzero = totals[totals != 0]  # flipping a total of 0 changes nothing
    observed = math.fsum(nonzero)
    bound = abs(observed) - 1e-9 * np.abs(nonzero).sum()  # float sums that should tie differ slightly
    at_least_as_far = done = 0
    for begin in range(0, flips, _FLIPS_AT_ONCE):
        kept = rng.integers(0, 2, size=(min(_FLIPS_AT_ONCE, flips - begin), len(nonzero)), dtype=np.int8)
        at_least_as_far += int((np.abs(2 * (kept @ nonzero) - observed) >= bound).sum())
        done += len(kept)
        if done >= FLIPS and at_least_as_far >= _ENOUGH_AS_FAR:
            break
    return (at_least_as_far + 1) / (done + 1)


def _t_test(totals: NDArray[np.float64]) -> float | None:
    """Return the p of a paired t-test on the documents' totals, None when all totals are equal."""
    from scipy.special import stdtr  # scipy.stats takes half a second more to load

    size = _cohens_d(totals)
    return None if size is None else float(2 * stdtr(len(totals) - 1, -abs(size) * len(totals) ** 0.5))


def _cohens_d(differences: NDArray[np.float64]) -> float | None:
    if not has_spread(differences):
        return None
    return float(differences.mean()) / float(differences.std(ddof=1))


def has_spread(values: NDArray[np.float64]) -> bool:
    """Check whether values differ by more than rounding.

    Example:
        >>> import numpy as np
        >>> has_spread(np.array([0.1 + 0.2, 0.3])), has_spread(np.array([0.3, 0.4]))
        (False, True)
    """
    import numpy as np

    return len(values) > 1 and float(np.ptp(values)) > _SPREAD_ROUNDING * float(np.abs(values).max())


# The smallest true difference between two systems that the sign-flip test probably finds.
#
# The assumption: the differences seen now are chance, apart from a mean that is far from 0; and a true difference
# changes further questions, drawn at random, each by as much as the questions that differ now, on average (by 1 if
# none differs). If more than half of the questions differ now, as with graded metrics, it changes all questions
# alike.

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
        from scipy.special import ndtri

        size = np.sqrt((totals**2).sum(axis=0))
        found: NDArray[np.bool_] = observed > -ndtri(level / 2) * size
        return found
    flipped = np.abs(signs @ totals.astype(np.float32))
    as_far = (flipped >= observed - 1e-5 * gross).sum(axis=0)
    rare: NDArray[np.bool_] = (as_far + 1) / (len(signs) + 1) <= level
    return rare
