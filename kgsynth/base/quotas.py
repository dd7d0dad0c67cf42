"""Quotas: integers in given proportions, by the method of largest remainders."""

from __future__ import annotations

from collections.abc import Mapping


def apportion(n: int, weights: Mapping[str, float]) -> dict[str, int]:
    """Divide ``n`` in the proportions of ``weights`` (Hamilton's method); of equal remainders the first name wins.

    Example:
        >>> apportion(10, {"a": 0.4, "b": 0.35, "c": 0.25})
        {'a': 4, 'b': 4, 'c': 2}
    """
    total = sum(weights.values())
    exact = {name: n * weight / total if total else 0.0 for name, weight in weights.items()}
    quotas = {name: int(share + 1e-9) for name, share in exact.items()}
    left = n - sum(quotas.values()) if total else 0
    for name in sorted(exact, key=lambda name: (round(quotas[name] - exact[name], 9), name))[:left]:
        quotas[name] += 1
    return quotas
