"""The difference between two systems on the same questions: its size, interval and tests.

Questions about one source document tend to succeed or fail together, so documents, not questions, are treated as
independent: the bootstrap resamples documents, the sign-flip test flips the sign of whole documents, and the t-test
uses their totals. Only Cohen's d is computed over questions: the mean difference divided by its standard deviation.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kgsynth.statistics.bootstrap import BOOTSTRAP_SEED, interval

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

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
    from scipy.stats import ttest_1samp

    return float(ttest_1samp(totals, 0.0).pvalue) if has_spread(totals) else None


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
