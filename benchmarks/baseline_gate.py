"""How often ``score --baseline`` fails an equal system, and how often it finds 5 points lost: copies of a planted run.

    python benchmarks/baseline_gate.py [SEEDS]

The noise is that of compare_power.py. "whole documents": all questions of some documents are lost, as when a file is
missing from an index; everywhere else the loss is of single questions, or of all alike if they are graded. The last
line names, for each noise, the fewest documents of the table from which 80 % of the losses are found.
"""

from __future__ import annotations

import numpy as np
from arguments import call
from compare_power import GAIN, KINDS, LEVEL, copies
from numpy.typing import NDArray

from kgsynth.comparison.baseline import is_loss
from kgsynth.statistics.paired_tests import POWER, paired_difference

SHAPES = ((20, 20), (40, 10), (80, 5), (120, 5), (160, 5), (200, 5))
"""Documents, and questions per document; the first three have 400 questions."""
WHOLE = "whole documents"


def pair(kind: str, loss: float, shape: tuple[int, int], seed: int) -> tuple[NDArray[np.float64], ...]:
    """Return the values of the baseline, and of a system that is worse by ``loss`` on average."""
    if kind != WHOLE:
        worse, better = copies(kind, loss, *shape, seed)
        return better, worse
    before, now = copies("right or wrong, 3 %", 0.0, *shape, seed)
    of_document = now.reshape(shape).sum(axis=1)
    order = np.random.default_rng(seed).permutation(shape[0])
    lost = order[: int(np.searchsorted(of_document[order].cumsum(), loss * len(now)) + 1)] if loss else order[:0]
    now.reshape(shape)[lost] = 0
    return before, now


def failed(kind: str, loss: float, shape: tuple[int, int], seeds: int) -> float:
    """Return the share of seeds in which the gate fails."""
    clusters = [f"{at // shape[1]:05}" for at in range(shape[0] * shape[1])]
    failures = 0
    for seed in range(seeds):
        before, now = pair(kind, loss, shape, seed)
        found = paired_difference(before.tolist(), now.tolist(), clusters, flips=1999)
        assert found is not None and found.p_flip is not None
        failures += is_loss(found.difference, found.p_flip)
    return failures / seeds


def main(seeds: int = 500) -> None:
    """Print the table."""
    print(f"{seeds} seeds, one metric, level {LEVEL:g} (two-sided), loss {GAIN:g}")
    print(f"{'noise':22}{'documents':>10}{'questions':>10}{'false alarm':>13}{'loss found':>12}")
    enough: dict[str, int] = {}
    for kind in (*KINDS, WHOLE):
        for documents, each in SHAPES:
            false, found = (failed(kind, loss, (documents, each), seeds) for loss in (0.0, GAIN))
            if found >= POWER:
                enough.setdefault(kind, documents)
            print(f"{kind:22}{documents:10}{documents * each:10}{false:13.3f}{found:12.3f}", flush=True)
    print(
        f"{POWER:.0%} of the losses are found from: ",
        "; ".join(f"{kind} {enough.get(kind, 'none of these')}" for kind in (*KINDS, WHOLE)),
        sep="",
    )


if __name__ == "__main__":
    call(main)
