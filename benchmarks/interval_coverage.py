"""How often the 95 % interval of a metric contains the true mean, and how wide it is: questions drawn from documents.

    python benchmarks/interval_coverage.py [SEEDS]

"score" is the interval of ``score``, "bootstrap" the percentile bootstrap over documents. Each cell is the share of
seeds in which the interval contains the true mean, and the mean width.
"""

from __future__ import annotations

import numpy as np
from arguments import call
from numpy.typing import NDArray

from kgsynth.scoring.metrics.summary import summarise

SHAPES = ((13, 1), (13, 2), (40, 2), (10, 20), (80, 5))
"""Documents, and questions per document."""
MEANS = (0.5, 0.8, 0.95, 0.99)
CORRELATIONS = (0.0, 0.2, 0.6)
"""How alike the questions of a document are; 0 is not at all."""
GRADES = 3.0
"""Graded values are drawn from a beta distribution with this concentration about the document's own mean."""


def drawn(mean: float, correlation: float, shape: tuple[int, int], graded: bool, seed: int) -> NDArray[np.float64]:
    """Return the values of all questions, those of a document beside one another."""
    rng, (documents, each) = np.random.default_rng(seed), shape
    own = np.full(documents, mean)
    if correlation:
        size = (1 - correlation) / correlation
        own = rng.beta(mean * size, (1 - mean) * size, documents)
    own = np.clip(np.repeat(own, each), 1e-9, 1 - 1e-9)
    right: NDArray[np.float64] = (rng.random(len(own)) < own).astype(float)
    return rng.beta(GRADES * own, GRADES * (1 - own)) if graded else right


def coverage(mean: float, correlation: float, shape: tuple[int, int], graded: bool, seeds: int) -> list[float]:
    """Return the share of intervals that contain ``mean`` and their mean width, of "score" and of "bootstrap"."""
    clusters = [str(at // shape[1]) for at in range(shape[0] * shape[1])]
    names = {"score": "no value", "bootstrap": "no value"}
    found = np.zeros(4)
    for seed in range(seeds):
        rows = [dict.fromkeys(names, value) for value in drawn(mean, correlation, shape, graded, seed).tolist()]
        values = summarise(rows, clusters, names, unbounded={"bootstrap"})
        for at, name in enumerate(names):
            low, high = values[name].ci95 or (0.0, 0.0)
            found[2 * at : 2 * at + 2] += (low <= mean <= high, high - low)
    return [float(each) for each in found / seeds]


def main(seeds: int = 300) -> None:
    """Print the table, a row for each shape of the set and mean, over all correlations."""
    print(f"{seeds} seeds, each with correlations of {', '.join(map(str, CORRELATIONS))} within documents")
    print(f"{'values':8}{'documents':>10}{'questions':>10}{'mean':>6}{'score':>16}{'bootstrap':>16}")
    for graded in (False, True):
        for shape in SHAPES:
            for mean in MEANS:
                correlations = CORRELATIONS if shape[1] > 1 else (0.0,)
                cells = np.mean([coverage(mean, each, shape, graded, seeds) for each in correlations], axis=0)
                kind = "graded" if graded else "0 or 1"
                texts = (f"{cells[at]:.3f} / {cells[at + 1]:.2f}" for at in (0, 2))
                print(
                    f"{kind:8}{shape[0]:10}{shape[0] * shape[1]:10}{mean:6}" + "".join(f"{text:>16}" for text in texts)
                )


if __name__ == "__main__":
    call(main)
