"""Choose which questions to ask: first those that tell most about the system, then others at random.

The first locate the ability of the system. The others make the estimate honest: each has a known chance of being asked,
so it is not biased where the model of item responses is wrong. Their chances are proportional to the standard deviation
that the model expects of their results, since a question whose result is nearly certain adds little.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kgsynth.statistics.item_response import ResponseModel

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]


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
