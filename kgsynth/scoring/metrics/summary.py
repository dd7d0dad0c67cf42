"""From values per question to one figure with its interval: means, counts, and why there is no figure.

The interval is a percentile bootstrap that draws whole source documents, because questions on one document succeed and
fail together; drawing single questions makes it far too narrow. Comparing two systems belongs to ``statistics``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kgsynth.base.records import Item
from kgsynth.statistics.bootstrap import interval


@dataclass(frozen=True, slots=True)
class Value:
    """The mean of one metric over ``n_scored`` of ``n_total`` questions; None, with ``why``, when it has none.

    ``ci95`` is None too when all questions come from one document.
    """

    value: float | None
    n_scored: int
    n_total: int
    ci95: tuple[float, float] | None = None
    why: str | None = None

    def to_json(self) -> dict[str, object]:
        """Return the value as scores.json holds it."""
        counts = {"value": self.value, "n_scored": self.n_scored, "n_total": self.n_total}
        return (
            {**counts, "ci95": list(self.ci95)} if self.ci95 else {**counts, **({"why": self.why} if self.why else {})}
        )


def cluster(item: Item) -> str:
    """Return the source document of an item: that of its first evidence; its own id when it has none."""
    return item.evidence[0][0].doc if item.evidence else item.id


def summarise(
    rows: Sequence[Mapping[str, float | None]], clusters: Sequence[str], why: Mapping[str, str]
) -> dict[str, Value]:
    """Return the mean of every metric over ``rows``, one a question, whose source documents are ``clusters``.

    ``why`` names the metrics, in order, each with what to say when no question has a value for it. Figures are
    rounded to six decimals.

    Example:
        >>> summarise([{"em": 1.0}, {"em": None}], ["a.md", "b.md"], {"em": "none"})["em"]
        Value(value=1.0, n_scored=1, n_total=2, ci95=None, why=None)
    """
    import numpy as np

    table = np.array([[_nan(row.get(name)) for name in why] for row in rows], dtype=float).reshape(len(rows), len(why))
    scored = ~np.isnan(table)
    labels = sorted(set(clusters))
    number = {label: at for at, label in enumerate(labels)}
    member = np.array([number[label] for label in clusters], dtype=int)
    sums, counts = np.zeros((len(labels), len(why))), np.zeros((len(labels), len(why)))
    np.add.at(sums, member, np.where(scored, table, 0.0))
    np.add.at(counts, member, scored)
    lows, highs = interval(sums, counts)
    values = {}
    for at, name in enumerate(why):
        n_scored = int(counts[:, at].sum())
        if not n_scored:
            values[name] = Value(None, 0, len(rows), why=why[name])
            continue
        mean = math.fsum(table[scored[:, at], at]) / n_scored
        several = int((counts[:, at] > 0).sum()) > 1
        ends = (round(float(lows[at]), 6), round(float(highs[at]), 6)) if several else None
        values[name] = Value(round(mean, 6), n_scored, len(rows), ends)
    return values


def _nan(value: float | None) -> float:
    return math.nan if value is None else value
