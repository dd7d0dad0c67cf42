"""Estimate a mean over all questions from those asked: which to ask next, the interval, when to stop, and a check."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from kgsynth.statistics.item_response import ResponseModel, fit_responses

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]


# Choose which questions to ask: first those that tell most about the system, then others at random.
#
# The first locate the ability of the system. The others make the estimate honest: each has a known chance of being
# asked, so it is not biased where the model of item responses is wrong. Their chances are proportional to the
# standard deviation that the model expects of their results, since a question whose result is nearly certain adds
# little.


@dataclass(frozen=True, slots=True)
class RandomOrder:
    """Questions in an order drawn at random, with what their chances depend on.

    The first n are asked. The chance of a question to be among them is min(1, ``sizes`` x the key of the question after
    them), as in priority sampling (Duffield, Lund and Thorup 2007).
    """

    questions: NDArray[np.intp]
    sizes: Numbers
    keys: Numbers

    def chances(self, n: int) -> Numbers:
        """Return the chance of every question of the order to be among the first ``n``."""
        import numpy as np

        if n >= len(self.keys):
            return np.ones(len(self.keys))
        found: Numbers = np.minimum(1.0, self.sizes * self.keys[n])
        return found


def most_telling(model: ResponseModel, values: Numbers, documents: Sequence[str], n: int) -> list[int]:
    """Return up to ``n`` questions that have no value yet and tell most about the ability that ``values`` suggest.

    That is the Fisher information. Questions on documents that were asked about least come first.
    """
    import numpy as np

    information = model.information(model.locate(values)[0])
    asked = ~np.isnan(values)
    used = Counter(document for document, done in zip(documents, asked, strict=True) if done)
    chosen: list[int] = []
    left = {int(at) for at in np.flatnonzero(~asked)}
    while left and len(chosen) < n:
        best = min(left, key=lambda at: (used[documents[at]], -float(information[at]), at))
        chosen.append(best)
        left.remove(best)
        used[documents[best]] += 1
    return chosen


def random_order(model: ResponseModel, values: Numbers, seed: int) -> RandomOrder:
    """Return the questions that have no value yet in a random order, uncertain ones earlier on average."""
    import numpy as np

    rest = np.flatnonzero(np.isnan(values))
    sizes = np.sqrt(variances(model, values)[rest])
    keys = np.random.default_rng(seed).random(len(rest)) / sizes
    order = np.argsort(keys, kind="stable")
    return RandomOrder(rest[order], sizes[order], keys[order])


def variances(model: ResponseModel, values: Numbers) -> Numbers:
    """Return the variance p (1 - p) that the model expects of each result, given those in ``values``.

    A question on which all m systems of the model agree can still surprise, so p is at least 0.5 / (m + 1) away from 0
    and 1, as in the estimate by Jeffreys' prior.
    """
    import numpy as np

    least = 0.5 / (model.systems + 1)
    p = np.clip(model.locate(values)[1], least, 1 - least)
    found: Numbers = p * (1 - p)
    return found


# Estimate the mean over all questions, with a 95 % interval, from those that were asked.
#
# The model predicts every result, corrected by how earlier systems deviated from it. What the questions of the random
# order show beyond the predictions is added, weighted by the inverse of their chances: the generalised difference
# estimator (Cassel, Särndal and Wretman 1976), which is right on average whether or not the model is. Its variance is
# the one that the model expects, times a factor that says how far the results of the random order were from
# predictions made without them, relative to what the model expects.

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


Ask = Callable[[Sequence[int]], "Numbers"]
"""Ask the questions with these numbers, and return the value of every question, nan where it has not been asked."""

MOST_TELLING_FIRST = 12
"""The questions that locate the ability; at most a fifth of all."""
LEAST_AT_RANDOM = 25
"""The random part has at least so many questions, since the width of the interval is estimated from them."""
_AT_ONCE, _ROUNDS = 4, 50
"""The fewest questions of a round, and how many rounds a whole set takes at most."""


class Stopped(NamedTuple):
    """The mean over all questions, the ends of its interval, and how many questions were asked."""

    mean: float
    low: float
    high: float
    asked: int


def estimate_mean(model: ResponseModel, documents: Sequence[str], ask: Ask, half_width: float, seed: int) -> Stopped:
    """Ask questions until the 95 % interval of the mean over all is at most ``half_width`` to either side.

    ``documents`` has that of each question. If the interval stays wider, all questions are asked, and it has no width.
    """
    import numpy as np

    total = len(documents)
    values: Numbers = np.full(total, np.nan)
    while (done := int((~np.isnan(values)).sum())) < min(MOST_TELLING_FIRST, total // 5):
        values = ask(most_telling(model, values, documents, min(_AT_ONCE, MOST_TELLING_FIRST - done)))
    order = random_order(model, values, seed)
    step, n, begin = max(_AT_ONCE, total // _ROUNDS), LEAST_AT_RANDOM, 0
    while True:
        n = min(n, len(order.questions))
        values = ask(order.questions[begin:n].tolist())
        mean, low, high = estimate(model, values, order, n)
        if max(mean - low, high - mean) <= half_width or n == len(order.questions):
            return Stopped(mean, low, high, int((~np.isnan(values)).sum()))
        begin, n = n, n + step


# Check on the earlier runs whether the interval would have held: each is left out in turn, and estimated.

_END_ROUNDING = 1e-9


class PastTrial(NamedTuple):
    """How many runs were left out, how many intervals missed, how many misses are allowed, and the share asked."""

    runs: int
    missed: int
    allowed: int
    share_asked: float


def try_on_past(table: Numbers, documents: Sequence[str], half_width: float, seed: int) -> PastTrial:
    """Estimate each run of ``table`` (runs, questions) from a model that is fitted to the others.

    ``allowed`` is the number of misses that an interval of 95 % has with a probability of 5 % or more.
    """
    import numpy as np
    from scipy.stats import binom

    missed, asked = 0, 0
    for run, truth in enumerate(table):
        known = ~np.isnan(truth)
        model = fit_responses(np.delete(table, run, axis=0)[:, known])
        own = [document for document, kept in zip(documents, known, strict=True) if kept]
        found = estimate_mean(model, own, KnownRun(truth[known]), half_width, seed + run)
        missed += not found.low - _END_ROUNDING <= truth[known].mean() <= found.high + _END_ROUNDING
        asked += found.asked
    share = asked / max(1, int((~np.isnan(table)).sum()))
    return PastTrial(len(table), missed, int(binom.ppf(0.95, len(table), 0.05)), share)


class KnownRun:
    """Asks a run whose results are known, as ``Ask``."""

    def __init__(self, truth: Numbers) -> None:
        import numpy as np

        self._truth, self._values = truth, np.full(len(truth), np.nan)

    def __call__(self, questions: Sequence[int]) -> Numbers:
        """Return the values of all questions asked so far."""
        chosen = list(questions)
        self._values[chosen] = self._truth[chosen]
        return self._values.copy()
