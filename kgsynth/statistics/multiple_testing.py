"""Several tests at once: Holm's correction of p-values, and ranks that respect significance."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

SIGNIFICANCE_LEVEL = 0.05
"""A difference is significant when its p-value, after Holm if there are several tests, is at most this."""


def holm(ps: Sequence[float | None]) -> list[float | None]:
    """Return the p-values adjusted by Holm's method (1979), in the same order; None stays None.

    Example:
        >>> holm([0.01, 0.04, None, 0.03])
        [0.03, 0.06, None, 0.06]
    """
    known = sorted((p, at) for at, p in enumerate(ps) if p is not None)
    adjusted: list[float | None] = [None] * len(ps)
    highest = 0.0
    for done, (p, at) in enumerate(known):
        highest = max(highest, min(1.0, (len(known) - done) * p))
        adjusted[at] = highest
    return adjusted


def ranks(means: Mapping[str, float], better: Callable[[str, str], bool]) -> dict[str, int]:
    """Return the rank of each system, highest mean first: 1 + the number of significantly better systems.

    ``better(a, b)`` says whether system ``a`` is significantly better than ``b``. Ties share a rank.

    Example:
        >>> ranks({"a": 0.5, "b": 0.9, "c": 0.8}, lambda x, y: x != "a" and y == "a")
        {'b': 1, 'c': 1, 'a': 3}
    """
    order = sorted(means, key=lambda name: (-means[name], name))
    return {name: 1 + sum(better(other, name) for other in order if other != name) for name in order}
