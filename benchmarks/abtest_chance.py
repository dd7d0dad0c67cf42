"""How often ``abtest`` finds a difference where there is none, and where there is one: simulated experiments.

    python benchmarks/abtest_chance.py [SEEDS] [USERS]

The row "false" has no difference in ``success``, in the row "found" b is better by 5 points. "test" is the share of
experiments with p at most 0.05, "missed" the share in which the interval does not contain the true difference. "plain
test" treats the requests of a user as independent; "ten looks" tests ten times and stops at the first p of at most
0.05.
"""

from __future__ import annotations

import numpy as np
from arguments import call
from numpy.typing import NDArray

from kgsynth.statistics.unpaired_tests import Mean, rate, rate_difference, wilson

LEVEL = 0.05
GAIN = 0.05
RATE = 0.7
LOOKS = 10
KINDS = {"asks once": (1, 1, 1000.0), "asks 1 to 12 times": (1, 12, 5.0), "asks 5 to 50 times": (5, 50, 5.0)}
"""Fewest and most requests of a user, and the similarity of users: the weight of a beta distribution."""


def drawn(kind: str, users: int, gain: float, rng: np.random.Generator) -> tuple[NDArray[np.float64], ...]:
    """Return the requests and the successes of each user."""
    fewest, most, alike = KINDS[kind]
    asked = rng.integers(fewest, most + 1, users)
    own = rng.beta(alike * (RATE + gain), alike * (1 - RATE - gain), users)
    return asked.astype(float), rng.binomial(asked, own).astype(float)


def called(groups: list[tuple[NDArray[np.float64], ...]], gain: float) -> tuple[bool, bool, bool, bool]:
    """Return whether the test is significant, the interval misses ``gain``, the plain test is, one of ten looks is."""

    def tested(users: int) -> tuple[float, tuple[float, float]]:
        a, b = (rate((right[:users] / asked[:users]).tolist(), int(asked[:users].sum())) for asked, right in groups)
        found = rate_difference(a, b)
        return 1.0 if found.p is None else found.p, found.interval or (0.0, 0.0)

    whole = len(groups[0][0])
    p, (low, high) = tested(whole)
    plain = rate_difference(*(requests(right.sum() / asked.sum(), asked.sum()) for asked, right in groups))
    looks = any(tested(whole * look // LOOKS)[0] <= LEVEL for look in range(1, LOOKS + 1))
    return p <= LEVEL, not low <= gain <= high, (plain.p or 1.0) <= LEVEL, looks


def requests(value: float, number: float) -> Mean:
    """Return the rate of requests that are treated as independent."""
    return Mean(value, int(number), wilson(value, number), number, 0.0)


def main(seeds: int = 1000, users: int = 1250) -> None:
    """Print the table; ``users`` is the number per variant."""
    print(f"{seeds} seeds, {users} users per variant, level {LEVEL:g}, success {RATE:g}, gain {GAIN:g}")
    print(f"{'':30}{'test':>8}{'missed':>8}{'plain test':>12}{'ten looks':>11}")
    for kind in KINDS:
        for label, gain in (("false", 0.0), ("found", GAIN)):
            rows = []
            for seed in range(seeds):
                rng = np.random.default_rng(seed)
                rows.append(called([drawn(kind, users, own, rng) for own in (0.0, gain)], gain))
            test, missed, plain, looks = np.mean(rows, axis=0)
            print(f"{kind:22}{label:8}{test:8.3f}{missed:8.3f}{plain:12.3f}{looks:11.3f}")


if __name__ == "__main__":
    call(main)
