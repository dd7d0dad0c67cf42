"""What several tests together allow to be said: p-values after Holm, and ranks that part only what the data parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence


def holm(ps: Sequence[float | None]) -> list[float | None]:
    """Return the p-values adjusted for their number (Holm 1979), in the same order; None stays None.

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


def ranks(means: Mapping[str, float], apart: Callable[[str, str], bool]) -> dict[str, int]:
    """Return the rank of each system, best mean first: one more than the systems that are surely better.

    ``apart`` says of two systems whether the data parts them. Those it does not part from the best share rank 1.

    Example:
        >>> ranks({"a": 0.5, "b": 0.9, "c": 0.8}, lambda x, y: "a" in (x, y))
        {'b': 1, 'c': 1, 'a': 3}
    """
    order = sorted(means, key=lambda name: (-means[name], name))
    better = {name: [other for other in order if means[other] > means[name]] for name in order}
    return {name: 1 + sum(apart(name, other) for other in better[name]) for name in order}
