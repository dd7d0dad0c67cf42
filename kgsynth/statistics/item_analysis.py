"""Which questions tell systems apart? Classical item analysis of a table of right and wrong.

Rows are questions, columns systems, True is right. Left out: what counts as right, and what to do about a question.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Table = NDArray[np.bool_]


REVERSED = -0.2
"""The discrimination from which on down a question is said to favour the weaker systems; nearer to 0 it is chance."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """What a table says of its questions, by their rows.

    ``discrimination`` is the correlation of a question with the rest of the set over the systems, None where either
    does not vary. ``reversed`` are the questions that weaker systems get right and stronger ones wrong, the worst
    first: a golden answer that is wrong looks like this. ``kr20`` is the reliability by Kuder and
    Richardson's formula 20, None when all systems do equally well. ``enough`` is the smallest set found that puts the
    systems in the order in which all questions do.
    """

    all_right: tuple[int, ...]
    all_wrong: tuple[int, ...]
    discrimination: tuple[float | None, ...]
    reversed: tuple[int, ...]
    kr20: float | None
    enough: tuple[int, ...]


def analyse(table: Table) -> Analysis:
    """Return the item analysis of ``table`` (questions, systems).

    Example:
        >>> import numpy as np
        >>> table = np.array([[1, 1, 1, 1], [1, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 0, 0]], dtype=bool)
        >>> found = analyse(table)
        >>> found.all_right, found.all_wrong, found.reversed, found.enough
        ((0,), (4,), (3,), (1, 2, 3))
    """
    shares = table.mean(axis=1)
    own = tuple(_discrimination(table, row) for row in range(len(table)))
    lost = [row for row, value in enumerate(own) if value is not None and value <= REVERSED]
    return Analysis(
        all_right=tuple(row for row, share in enumerate(shares) if share == 1),
        all_wrong=tuple(row for row, share in enumerate(shares) if share == 0),
        discrimination=own,
        reversed=tuple(sorted(lost, key=lambda row: (own[row], row))),
        kr20=kr20(table),
        enough=_enough(table, own),
    )


def kr20(table: Table) -> float | None:
    """Return the reliability of a table: k / (k - 1) (1 - sum p q / variance of the totals); Kuder, Richardson 1937.

    Example:
        >>> import numpy as np
        >>> round(kr20(np.array([[1, 1, 1, 0], [1, 1, 0, 0], [1, 0, 0, 0]], dtype=bool)), 3)
        0.75
    """
    questions, variance = len(table), float(table.sum(axis=0).var())
    if questions < 2 or variance == 0:
        return None
    p = table.mean(axis=1)
    return float(questions / (questions - 1) * (1 - (p * (1 - p)).sum() / variance))


def _discrimination(table: Table, row: int) -> float | None:
    """Return the correlation of a question with the number of other questions that each system gets right."""
    import numpy as np

    own = table[row].astype(float)
    rest = table.sum(axis=0) - own
    if not (np.ptp(own) and np.ptp(rest)):
        return None
    return float(np.corrcoef(own, rest)[0, 1])


def _enough(table: Table, discrimination: Sequence[float | None]) -> tuple[int, ...]:
    """Return the fewest of the most telling questions that order the systems as all do, however many follow.

    The order counts ties: two systems that are level over all questions may fall either way.
    """
    import numpy as np

    order = sorted(range(len(table)), key=lambda row: (-_or_least(discrimination[row]), row))
    totals = table.sum(axis=0)
    apart = np.sign(totals[:, None] - totals[None, :])
    running = table[order].cumsum(axis=0)
    kept = len(order)
    while kept > 1 and _same_order(running[kept - 2], apart):
        kept -= 1
    return tuple(sorted(order[:kept]))


def _or_least(value: float | None) -> float:
    return -2.0 if value is None else value


def _same_order(totals: NDArray[np.int_], apart: NDArray[np.int_]) -> bool:
    """Say whether every pair that ``apart`` parts is parted the same way by ``totals``."""
    import numpy as np

    ours = np.sign(totals[:, None] - totals[None, :])
    return bool(((ours == apart) | (apart == 0)).all())
