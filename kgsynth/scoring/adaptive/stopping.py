"""Ask until the interval of the mean over all questions is narrow enough."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from kgsynth.scoring.adaptive.choosing import most_telling, random_order
from kgsynth.scoring.adaptive.estimating import estimate
from kgsynth.statistics.item_response import ResponseModel

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

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
