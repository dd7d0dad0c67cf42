"""How often the interval of tau that ``calibrate`` gives holds the true tau, by the number of human questions.

    python benchmarks/calibrate_coverage.py [SEEDS] [GOLDEN_QUESTIONS]

The systems are simulated. Each has a known strength on human questions, and a slightly different one on the golden set.
Its score on a question is its strength plus noise, plus an offset of the question that all systems share. "below 0.8"
is the share of seeds in which the whole interval is below 0.8; where the true tau is above 0.8, that is an error.
"""

from __future__ import annotations

import numpy as np
from arguments import call

from kgsynth.statistics.rank_agreement import SIMILAR_TAU, SetScores, kendall_tau, rank_agreement

SYSTEMS = 24
MOVED = (0.02, 0.06, 0.12)
"""Standard deviations by which the strengths move; the strengths themselves range over 1."""
QUESTIONS = (2, 5, 10, 20, 30, 50, 100)


def measured(moved: float, n: int, golden: int, seeds: int) -> tuple[float, list[float]]:
    """Return the true tau, and coverage, width and share of intervals below 0.8 for ``n`` human questions."""
    strengths = np.linspace(0, 1, SYSTEMS) ** 0.5
    theirs = strengths + np.random.default_rng(1).normal(0, moved, SYSTEMS)
    truth, found, names = kendall_tau(strengths, theirs), [], [f"{at}" for at in range(SYSTEMS)]
    for seed in range(seeds):
        rng = np.random.default_rng(seed)
        sets = []
        for own, size in ((strengths, n), (theirs, golden)):
            values = own + rng.normal(0, 0.5, (size, 1)) + rng.normal(0, 0.3, (size, SYSTEMS))
            sets.append(SetScores(values, tuple(map(str, range(size)))))
        low, high = rank_agreement(*sets, names, "0", "1").tau_ci95
        found.append((low <= truth <= high, high - low, high < SIMILAR_TAU))
    return truth, [float(each) for each in np.mean(found, axis=0)]


def main(seeds: int = 50, golden: int = 100) -> None:
    """Print the table."""
    print(f"{seeds} seeds, {SYSTEMS} systems, {golden} questions in the golden set")
    print(f"{'true tau':>8}{'human':>8}{'covered':>10}{'width':>8}{'below 0.8':>11}")
    for moved in MOVED:
        for n in QUESTIONS:
            truth, (covered, width, below) = measured(moved, n, golden, seeds)
            print(f"{truth:8.2f}{n:8}{covered:10.2f}{width:8.2f}{below:11.2f}", flush=True)


if __name__ == "__main__":
    call(main)
