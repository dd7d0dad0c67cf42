"""The difference of two systems on the same questions: how large, how sure, and what could have been seen at all.

Questions on one source document succeed and fail together, so every test takes the documents, not the questions, for
independent: the bootstrap draws them whole, the sign-flip test turns them whole, the t-test reads their totals. Cohen's
d alone is of the questions: the mean difference over its standard deviation.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kgsynth.statistics.bootstrap import SEED, interval

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FLIPS = 9999
"""Random sign flips: the least p is 1 in 10,000, and a p of 0.05 is good to 0.004."""
POWER = 0.8
"""The chance with which ``smallest`` would have been found, at a two-sided level of 0.05."""

_BLOCK = 500  # flips done at once, which bounds the memory


@dataclass(frozen=True, slots=True)
class Difference:
    """System B less system A over the ``n`` questions that have a value for both, from ``clusters`` documents.

    ``p_flip`` is of the sign-flip test, ``p_t`` of the t-test, both two-sided; ``cohens_d`` is None when no question
    differs from the others; ``smallest`` is the true difference a set with this spread finds with a chance of 80 %.
    With fewer than two documents there is no interval and no test.
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
    smallest: float | None


def difference(
    a: Sequence[float | None], b: Sequence[float | None], clusters: Sequence[str], flips: int = FLIPS
) -> Difference | None:
    """Return how ``b`` differs from ``a``, question by question; None when no question has a value for both.

    Example:
        >>> found = difference([0, 0, 1, None], [1, 0, 1, 1], ["x.md", "y.md", "z.md", "z.md"])
        >>> (found.n, found.clusters, round(found.difference, 3), found.higher, found.same, found.lower)
        (3, 3, 0.333, 1, 2, 0)
    """
    import numpy as np

    both = [(x, y, own) for x, y, own in zip(a, b, clusters, strict=True) if x is not None and y is not None]
    if not both:
        return None
    first, second = (np.array([pair[at] for pair in both], dtype=float) for at in (0, 1))
    apart = second - first
    labels = {label: at for at, label in enumerate(sorted({pair[2] for pair in both}))}
    member = [labels[pair[2]] for pair in both]
    sums, counts = (np.bincount(member, weight).astype(float) for weight in (apart, np.ones(len(both))))
    mean, several = math.fsum(apart) / len(both), len(labels) > 1
    ends = interval(sums[:, None], counts[:, None])
    return Difference(
        n=len(both),
        clusters=len(labels),
        a=math.fsum(first) / len(both),
        b=math.fsum(second) / len(both),
        difference=mean,
        ci95=(float(ends[0][0]), float(ends[1][0])) if several else None,
        p_flip=sign_flip(sums, flips) if several else None,
        p_t=_t_test(sums) if several else None,
        cohens_d=_cohens_d(apart),
        higher=int((apart > 0).sum()),
        same=int((apart == 0).sum()),
        lower=int((apart < 0).sum()),
        smallest=_smallest(sums - mean * counts, len(both)) if several else None,
    )


def sign_flip(totals: NDArray[np.float64], flips: int = FLIPS) -> float:
    """Return the two-sided p of a total of 0: how often random signs give one as far off, the real one counted too.

    As far off counts as farther (>=): with strict comparison, ties would make chance look like a difference.

    Example:
        >>> import numpy as np
        >>> sign_flip(np.array([1.0, -1.0]))
        1.0
    """
    import numpy as np

    rng = np.random.default_rng(SEED)
    turned = totals[totals != 0]  # a total of 0 is the same either way
    whole = math.fsum(turned)
    reach = abs(whole) - 1e-9 * np.abs(turned).sum()  # sums of floats tie only nearly
    beyond = 0
    for begin in range(0, flips, _BLOCK):
        kept = rng.integers(0, 2, size=(min(_BLOCK, flips - begin), len(turned)), dtype=np.int8)
        beyond += int((np.abs(2 * (kept @ turned) - whole) >= reach).sum())
    return (beyond + 1) / (flips + 1)


def _t_test(totals: NDArray[np.float64]) -> float | None:
    """Return the p of a paired t-test on the documents' totals, None when all totals are the same."""
    from scipy.stats import ttest_1samp

    return float(ttest_1samp(totals, 0.0).pvalue) if totals.std() > 0 else None


def _cohens_d(apart: NDArray[np.float64]) -> float | None:
    spread = float(apart.std(ddof=1)) if len(apart) > 1 else 0.0
    return float(apart.mean()) / spread if spread > 0 else None


def _smallest(residuals: NDArray[np.float64], n: int) -> float | None:
    """Return the difference that would be found with a chance of ``POWER``, from the residuals of the clusters' sums.

    The standard error is that of a ratio of cluster totals (Cochran 1977, 6.5), the quantiles are Student's.
    """
    from scipy.stats import t

    clusters = len(residuals)
    error = math.sqrt(clusters / (clusters - 1) * float((residuals**2).sum())) / n
    return float((t.ppf(0.975, clusters - 1) + t.ppf(POWER, clusters - 1)) * error) if error > 0 else None
