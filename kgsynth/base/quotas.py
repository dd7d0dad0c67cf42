"""Quotas: whole numbers in given proportions, by the method of largest remainders."""

from __future__ import annotations

from collections.abc import Mapping


def apportion(n: int, weights: Mapping[str, float]) -> dict[str, int]:
    """Share ``n`` out over ``weights`` by largest remainders (Hamilton); ties go to the first name in order.

    Example:
        >>> apportion(10, {"a": 0.4, "b": 0.35, "c": 0.25})
        {'a': 4, 'b': 4, 'c': 2}
    """
    total = sum(weights.values())
    exact = {name: n * weight / total if total else 0.0 for name, weight in weights.items()}
    whole = {name: int(share + 1e-9) for name, share in exact.items()}
    left = n - sum(whole.values()) if total else 0
    for name in sorted(exact, key=lambda name: (round(whole[name] - exact[name], 9), name))[:left]:
        whole[name] += 1
    return whole
