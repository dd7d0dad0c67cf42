"""95 % intervals of a mean or a share of questions whose documents are resampled as a whole."""

from __future__ import annotations

import math
import operator
from collections import defaultdict
from collections.abc import Sequence
from statistics import NormalDist
from typing import TYPE_CHECKING

from kgsynth.statistics.rates import wilson

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RESAMPLES = 1000
"""Bootstrap samples; with 1,000 the ends of a 95 % interval are accurate to about a hundredth of its width."""
BOOTSTRAP_SEED = 0


def interval(sums: NDArray[np.float64], counts: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the 2.5th and 97.5th percentile of each column's mean, resampling clusters with replacement.

    Row c of ``sums`` and ``counts`` (clusters, columns) holds the sum over cluster c and the number of values in it.
    """
    import numpy as np

    if len(sums) < 2 or not sums.shape[1]:
        return np.zeros(sums.shape[1]), np.zeros(sums.shape[1])
    means = resampled_means(sums, counts, np.random.default_rng(BOOTSTRAP_SEED))
    means[:, np.isnan(means).all(axis=0)] = 0  # a column without values; its interval is not used
    low, high = np.nanpercentile(means, [2.5, 97.5], axis=0)
    return low, high


def resampled_means(
    sums: NDArray[np.float64], counts: NDArray[np.float64], rng: np.random.Generator
) -> NDArray[np.float64]:
    """Return each column's mean in every bootstrap sample (samples, columns); nan where a sample has no value.

    ``counts`` may have one column that applies to all.
    """
    import numpy as np

    clusters = len(sums)
    drawn = rng.multinomial(clusters, np.full(clusters, 1 / clusters), size=RESAMPLES)
    totals = drawn @ counts
    means: NDArray[np.float64] = np.where(totals > 0, drawn @ sums / np.maximum(totals, 1), np.nan)
    return means


# 95 % intervals of the mean of values from 0 to 1, such as shares of questions, whose questions come from documents.
#
# One method for all such metrics: Wilson's score interval (1927) with the effective number of questions (Korn and
# Graubard 1998; Franco, Little, Louis and Slud 2019). That is the number of independent questions, each 0 or 1, that
# would give the mean the same variance. It is lower than the number of questions when those on one document succeed
# and fail together, and higher when values vary less than 0 and 1 do.
#
# Both are estimated from the values, which say nothing about either when all are equal, and little when nearly all
# are. So one imagined question that differs from all others is added to the variance between documents. Values that
# are all 1 then have one effective question per document, and no other values have so many that the lower end is
# above theirs: otherwise the interval of a mean just below 1 would begin above that of 1. The same holds for 0 and
# the upper end.

_IMAGINED = 1.0
"""The squared deviation of the imagined question, 0 among 1 or 1 among 0."""


def share_intervals(
    sums: NDArray[np.float64], squares: NDArray[np.float64], counts: NDArray[np.float64]
) -> list[tuple[float, float]]:
    """Return the interval of the mean of each column, (0, 1) for one without values.

    Row c of the arrays (documents, columns) holds the sum of the values of document c, the sum of their squares, and
    their number. The correlation within documents is the estimator by analysis of variance (Donner 1986), at least 0.

    Example:
        >>> import numpy as np
        >>> right, questions = np.array([[2.0, 1.0], [2.0, 1.0]]), np.array([[2.0, 2.0], [2.0, 2.0]])
        >>> [[round(end, 3) for end in ends] for ends in share_intervals(right, right, questions)]
        [[0.342, 1.0], [0.15, 0.85]]
    """
    import numpy as np

    with np.errstate(divide="ignore", invalid="ignore"):
        n, documents = counts.sum(axis=0), (counts > 0).sum(axis=0)
        mean = np.clip(sums.sum(axis=0) / n, 0.0, 1.0)
        total = np.maximum(squares.sum(axis=0) - n * mean**2, 0.0)
        between = np.nansum(counts * (sums / counts - mean) ** 2, axis=0)
        each = (counts**2).sum(axis=0) / n  # questions on the document of a question, on average
        usual = (n - each) / (documents - 1)  # questions on a document, of documents of unequal size
        ms_between = (between + _IMAGINED) / documents
        ms_within = np.where(n > documents, np.maximum(total - between, 0.0) / (n - documents), 0.0)
        correlation = np.clip((ms_between - ms_within) / (ms_between + (usual - 1) * ms_within), 0.0, 1.0)
        design_effect = 1 + (each - 1) * np.nan_to_num(correlation)
        variability = (total + _IMAGINED) / (n * mean * (1 - mean) + _IMAGINED)  # 1 for values of 0 and 1
        effective = n / (variability * design_effect)
    found = []
    for column, size in enumerate(n):
        if size:
            most = _most_questions(float(mean[column]), float(size / each[column]))
            found.append(wilson(float(mean[column]), min(most, float(effective[column]))))
        else:
            found.append((0.0, 1.0))
    return found


def weighted_share(
    values: Sequence[float], weights: Sequence[float], clusters: Sequence[str]
) -> tuple[float, tuple[float, float]]:
    """Return the weighted mean of values from 0 to 1 (Hájek 1971), and its interval; (0, 1) from one cluster.

    The weights are 1 / the probability with which a cluster was drawn. The variance is that of the linearised mean
    between clusters, as if they were drawn with replacement (Hansen, Hurwitz and Madow 1953): it includes that of what
    is drawn in a cluster. The interval is Wilson's for the size that gives this variance, with Student's t for the
    effective number of clusters (Korn and Graubard 1998).

    Example:
        >>> value, ends = weighted_share([1.0, 1.0, 0.0, 1.0], [2.0, 2.0, 8.0, 8.0], ["a", "b", "c", "d"])
        >>> value, [round(end, 3) for end in ends]
        (0.6, [0.042, 0.981])
    """
    from scipy.special import stdtrit

    total = math.fsum(weights)
    mean = math.fsum(map(operator.mul, values, weights)) / total
    deviations: dict[str, float] = defaultdict(float)
    sizes: dict[str, float] = defaultdict(float)
    for value, weight, cluster in zip(values, weights, clusters, strict=True):
        deviations[cluster] += weight * (value - mean)
        sizes[cluster] += weight
    n = len(sizes)
    if n < 2:
        return mean, (0.0, 1.0)
    least = math.fsum(size**2 for size in sizes.values()) / total**2  # 1 / the effective number of clusters
    variance = n / (n - 1) * math.fsum(each**2 for each in deviations.values()) / total**2 + least**2 * _IMAGINED
    effective = (mean * (1 - mean) + least * _IMAGINED) / variance
    z, t = NormalDist().inv_cdf(0.975), float(stdtrit(max(1.0, 1 / least - 1), 0.975))
    return mean, wilson(mean, effective * (z / t) ** 2)


def _most_questions(mean: float, documents: float) -> float:
    """Return the size at which Wilson's interval of ``mean`` begins as that of 1 does, or ends as that of 0 does.

    ``documents`` is the size for 0 and 1. An end e satisfies (mean - e)² = z² e (1 - e) / size, so z² is
    documents (1 - e) / e if the mean is 1.
    """
    end, mean = wilson(1.0, documents)[0], max(mean, 1 - mean)
    return documents * ((1 - end) / (mean - end)) ** 2 if mean > end else math.inf
