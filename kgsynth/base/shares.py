"""Shares of a whole: how many each gets, by the method of largest remainders, and how a share is written."""

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


def percent(share: float) -> str:
    """Return a share as all text and pages of kgsynth write it: a part never as all, and never as nothing.

    Example:
        >>> percent(0.592), percent(1), percent(0.999), percent(0.001), percent(0)
        ('59 %', '100 %', 'over 99 %', 'under 1 %', '0 %')
    """
    rounded = f"{100 * share:.0f} %"
    if rounded == "100 %" and share < 1:
        return "over 99 %"
    return "under 1 %" if rounded == "0 %" and share > 0 else rounded
