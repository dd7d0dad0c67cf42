"""Check on the earlier runs whether the interval would have held: each is left out in turn, and estimated."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from kgsynth.scoring.adaptive.stopping import estimate_mean
from kgsynth.statistics.item_response import fit_responses

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

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
