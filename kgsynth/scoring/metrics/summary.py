"""Summarise a metric over the questions of a run: its mean, how many questions it covers, and a 95 % interval.

Questions on one document succeed and fail together, so an interval that takes them as independent would be far too
narrow. That of a metric from 0 to 1 is Wilson's, with the effective number of questions
(``kgsynth.statistics.intervals``); that of any other is a percentile bootstrap over source documents.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from kgsynth.base.records import Item
from kgsynth.statistics.intervals import interval, share_intervals

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Value:
    """The mean of one metric over ``n_scored`` of ``n_total`` questions.

    ``value`` is None when no question has a value, and ``why`` gives the reason. ``ci95`` is also None when all
    questions come from one document.
    """

    value: float | None
    n_scored: int
    n_total: int
    ci95: tuple[float, float] | None = None
    why: str | None = None

    def to_json(self) -> dict[str, object]:
        """Return the value as it is written to scores.json."""
        return {name: found for name, found in asdict(self).items() if name == "value" or found is not None}


def cluster(item: Item) -> str:
    """Return the source document of an item: the document of its first evidence, or its own id without evidence."""
    return item.evidence[0][0].doc if item.evidence else item.id


def summarise(
    rows: Sequence[Mapping[str, float | None]],
    clusters: Sequence[str],
    reasons: Mapping[str, str],
    unbounded: Collection[str] = (),
) -> dict[str, Value]:
    """Return the mean of every metric over ``rows``, rounded to six decimals.

    There is one row and one source document (``clusters``) per question. ``reasons`` names the metrics, in order, each
    with the reason to give when no question has a value for it. ``unbounded`` are the metrics that are not shares.

    Example:
        >>> summarise([{"em": 1.0}, {"em": None}], ["a.md", "b.md"], {"em": "none"})["em"]
        Value(value=1.0, n_scored=1, n_total=2, ci95=None, why=None)
    """
    import numpy as np

    cells = [[row.get(name) for name in reasons] for row in rows]
    table = np.array(cells, dtype=float).reshape(len(rows), len(reasons))  # None becomes nan
    scored = ~np.isnan(table)
    labels = sorted(set(clusters))
    numbers = {label: number for number, label in enumerate(labels)}
    members = np.array([numbers[label] for label in clusters], dtype=int)
    known = np.where(scored, table, 0.0)
    sums, squares, counts = (np.zeros((len(labels), len(reasons))) for _ in range(3))
    for totals, cells_of in ((sums, known), (squares, known**2), (counts, scored)):
        np.add.at(totals, members, cells_of)
    intervals = _intervals(sums, squares, counts, [name in unbounded for name in reasons])
    values = {}
    for column, name in enumerate(reasons):
        n_scored = int(counts[:, column].sum())
        if not n_scored:
            values[name] = Value(None, 0, len(rows), why=reasons[name])
            continue
        mean = math.fsum(table[scored[:, column], column]) / n_scored
        documents = int((counts[:, column] > 0).sum())
        low, high = intervals[column]
        ci95 = (round(low, 6), round(high, 6)) if documents > 1 else None
        values[name] = Value(round(mean, 6), n_scored, len(rows), ci95)
    return values


def _intervals(
    sums: NDArray[np.float64], squares: NDArray[np.float64], counts: NDArray[np.float64], unbounded: Sequence[bool]
) -> list[tuple[float, float]]:
    """Return the interval of each column; that of a column without values means nothing."""
    lows, highs = interval(sums[:, unbounded], counts[:, unbounded])
    resampled = iter(zip(lows.tolist(), highs.tolist(), strict=True))
    shares = share_intervals(sums, squares, counts)
    return [next(resampled) if apart else share for apart, share in zip(unbounded, shares, strict=True)]
