"""How often ``compare`` finds a difference where there is none, and where there is one: noisy copies of a planted run.

    python benchmarks/compare_power.py [SEEDS] [QUESTIONS] [QUESTIONS_A_DOCUMENT]

Prints the share of seeds in which the difference is significant at 0.05. The row "false" has no difference, in the row
"found" B is better by 5 points. "plain t" treats the questions as independent.
"""

from __future__ import annotations

import numpy as np
from arguments import call
from numpy.typing import NDArray
from scipy.stats import ttest_rel

from kgsynth.base.errors import ConfigError
from kgsynth.statistics.paired_tests import paired_difference

LEVEL = 0.05
GAIN = 0.05
KINDS = {
    "graded": (0.12, 0.05),
    "alike in a document": (0.02, 0.1),
    "right or wrong, 3 %": (0.03, 0.0),
    "right or wrong, 5 %": (0.05, 0.0),
}
"""How two copies of a run differ: the noise of a question (or the chance that it flips), and that of a document."""


def copies(kind: str, gain: float, documents: int, each: int, seed: int) -> tuple[NDArray[np.float64], ...]:
    """Return the values of two noisy copies of one run, the second better by ``gain`` on average."""
    rng = np.random.default_rng(seed)
    own, shared = KINDS[kind]
    truth = np.repeat(rng.beta(4, 2, documents), each)
    if kind.startswith("right or wrong"):
        right = rng.random(len(truth)) < truth
        flipped = [right ^ (rng.random(len(truth)) < own) for _ in range(2)]
        lifted = flipped[1] | (rng.random(len(truth)) < gain / np.mean(~flipped[1]))  # a gain only where it was wrong
        return flipped[0].astype(float), lifted.astype(float)
    noise = [rng.normal(0, own, len(truth)) + np.repeat(rng.normal(0, shared, documents), each) for _ in range(2)]
    return truth + noise[0], truth + noise[1] + gain


def shares(kind: str, gain: float, documents: int, each: int, seeds: int) -> list[float]:
    """Return the share of significant seeds for the sign-flip test, the t-test and the plain t-test."""
    clusters = [f"{at // each:05}" for at in range(documents * each)]
    called = np.zeros((seeds, 3))
    for seed in range(seeds):
        a, b = copies(kind, gain, documents, each, seed)
        found = paired_difference(a.tolist(), b.tolist(), clusters, flips=1999)
        assert found is not None and found.p_flip is not None and found.p_t is not None
        called[seed] = [p <= LEVEL for p in (found.p_flip, found.p_t, ttest_rel(b, a).pvalue)]
    return [float(share) for share in called.mean(axis=0)]


def main(seeds: int = 500, questions: int = 400, each: int = 5) -> None:
    """Print the table."""
    documents = questions // each
    if documents < 2:
        raise ConfigError(
            f"{questions} questions, {each} per document, need two documents or more; give more questions"
        )
    print(f"{seeds} seeds, {documents * each} questions from {documents} documents, level {LEVEL:g}, gain {GAIN:g}")
    print(f"{'noise':22}{'':8}{'sign-flip':>10}{'t-test':>10}{'plain t':>10}")
    for kind in KINDS:
        for label, gain in (("false", 0.0), ("found", GAIN)):
            row = shares(kind, gain, documents, each, seeds)
            print(f"{kind:22}{label:8}" + "".join(f"{share:10.3f}" for share in row))


if __name__ == "__main__":
    call(main)
