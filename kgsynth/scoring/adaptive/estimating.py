"""Estimate the mean over all questions, with a 95 % interval, from those that were asked.

The model predicts every result, corrected by how earlier systems deviated from it. What the questions of the random
order show beyond the predictions is added, weighted by the inverse of their chances: the generalised difference
estimator (Cassel, Särndal and Wretman 1976), which is right on average whether or not the model is. Its variance is the
one that the model expects, times a factor that says how far the results of the random order were from predictions made
without them, relative to what the model expects.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kgsynth.scoring.adaptive.choosing import RandomOrder, variances
from kgsynth.statistics.item_response import ResponseModel

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

_IMAGINED_RESIDUALS = 20.0
"""So many imagined questions with residuals as the model expects keep the factor from 0 when few were asked."""
_NORMAL_QUANTILE = 2.1
"""More than the 1.96 of a fixed number of questions, since asking ends when the interval happens to be narrow."""


def estimate(model: ResponseModel, values: Numbers, order: RandomOrder, n: int) -> tuple[float, float, float]:
    """Return the mean over all questions and the ends of its interval; the first ``n`` of ``order`` have values.

    So have all questions that are not in the order. The interval is cut off where the questions that are left could
    not take the mean.
    """
    import numpy as np

    asked, chances = order.questions[:n], order.chances(n)
    certain = np.setdiff1d(np.arange(len(values)), order.questions)
    predicted, leverages = predict(model, values)
    residuals, expected = values[asked] - predicted[asked], variances(model, values)[order.questions]
    total = values[certain].sum() + predicted[order.questions].sum() + (residuals / chances[:n]).sum()
    residuals = residuals / (1 - leverages[asked])
    weights = (1 - chances[:n]) / chances[:n] ** 2
    prior = _IMAGINED_RESIDUALS * (weights * expected[:n]).sum() / max(1, n)
    factor = 1.0
    if prior:
        factor = (prior + (weights * residuals**2).sum()) / (prior + (weights * expected[:n]).sum())
    variance = factor * ((1 - chances) / chances * expected).sum()
    half = _NORMAL_QUANTILE * float(np.sqrt(variance)) / len(values)
    known, left = float(np.nansum(values)), int(np.isnan(values).sum())
    lowest, highest = known / len(values), (known + left) / len(values)
    mean = min(max(float(total) / len(values), lowest), highest)
    return mean, max(mean - half, lowest), min(mean + half, highest)


def predict(model: ResponseModel, values: Numbers) -> tuple[Numbers, Numbers]:
    """Return the predicted result of every question, and the leverage of each result in ``values`` on its prediction.

    A system has more than its ability: retrieval by words fails other questions than retrieval by meaning. So its
    deviations from the model are taken as Gaussian, with the covariance between questions that the deviations of the
    earlier systems have, plus independent noise with the variance that the model expects. The best linear prediction
    from the deviations seen so far is added to what the model expects:

        D (D' V⁻¹ D + m)⁻¹ D' V⁻¹ (results - expected)

    D are the deviations of the m earlier systems on the questions that were asked, V the variances.
    """
    import numpy as np

    expected, leverages = model.locate(values)[1], np.zeros(len(values))
    if model.deviations is None:
        return expected, leverages
    asked = np.flatnonzero(~np.isnan(values))
    seen = model.deviations[:, asked]
    scaled = seen / variances(model, values)[asked]
    inverse = np.linalg.inv(scaled @ seen.T + len(seen) * np.eye(len(seen)))
    leverages[asked] = (seen * (inverse @ scaled)).sum(axis=0)
    return expected + (inverse @ scaled @ (values - expected)[asked]) @ model.deviations, leverages
