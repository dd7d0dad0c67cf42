"""Classical item analysis: which questions discriminate between systems.

The input is a boolean table (questions, systems) in which True means that the system answered correctly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    CorrectnessTable = NDArray[np.bool_]


REVERSED = -0.2
"""At or below this discrimination a question favours the weaker systems; values nearer to 0 may be chance."""


@dataclass(frozen=True, slots=True)
class ItemAnalysis:
    """The item analysis of a table; questions are given by their row numbers.

    ``discrimination`` is the correlation of a question with the rest of the set over the systems, None where either
    does not vary. ``reversed`` lists the questions that weaker systems answer correctly and stronger ones do not, most
    negative first; a wrong golden answer has this effect. ``kr20`` is the reliability by Kuder and Richardson's
    formula 20, None when all systems do equally well. ``enough`` is the smallest subset found that ranks the systems as
    all questions do.
    """

    all_right: tuple[int, ...]
    all_wrong: tuple[int, ...]
    discrimination: tuple[float | None, ...]
    reversed: tuple[int, ...]
    kr20: float | None
    enough: tuple[int, ...]


def analyse_items(table: CorrectnessTable) -> ItemAnalysis:
    """Return the item analysis of ``table`` (questions, systems).

    Example:
        >>> import numpy as np
        >>> table = np.array([[1, 1, 1, 1], [1, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 0, 0]], dtype=bool)
        >>> found = analyse_items(table)
        >>> found.all_right, found.all_wrong, found.reversed, found.enough
        ((0,), (4,), (3,), (1, 2, 3))
    """
    shares = table.mean(axis=1)
    discrimination = tuple(_discrimination(table, row) for row in range(len(table)))
    negative = [(value, row) for row, value in enumerate(discrimination) if value is not None and value <= REVERSED]
    return ItemAnalysis(
        all_right=tuple(row for row, share in enumerate(shares) if share == 1),
        all_wrong=tuple(row for row, share in enumerate(shares) if share == 0),
        discrimination=discrimination,
        reversed=tuple(row for _, row in sorted(negative)),
        kr20=kr20(table),
        enough=_smallest_sufficient(table, discrimination),
    )


def kr20(table: CorrectnessTable) -> float | None:
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


def _discrimination(table: CorrectnessTable, row: int) -> float | None:
    """Return the correlation of a question with the number of other questions that each system answers correctly."""
    import numpy as np

    own = table[row].astype(float)
    rest = table.sum(axis=0) - own
    if not (np.ptp(own) and np.ptp(rest)):
        return None
    return float(np.corrcoef(own, rest)[0, 1])


def _smallest_sufficient(table: CorrectnessTable, discrimination: Sequence[float | None]) -> tuple[int, ...]:
    """Return the shortest list of most discriminating questions that ranks the systems as all questions do.

    Adding further questions in the same order keeps that ranking. Systems that tie over all questions may be in either
    order.
    """
    import numpy as np

    known = [-2.0 if value is None else value for value in discrimination]
    order = sorted(range(len(table)), key=lambda row: (-known[row], row))
    totals = table.sum(axis=0)
    signs = np.sign(totals[:, None] - totals[None, :])
    running = table[order].cumsum(axis=0)
    kept = len(order)
    while kept > 1 and _same_order(running[kept - 2], signs):
        kept -= 1
    return tuple(sorted(order[:kept]))


def _same_order(totals: NDArray[np.int_], signs: NDArray[np.int_]) -> bool:
    """Check whether ``totals`` orders every pair of systems as ``signs`` does; a sign of 0 allows any order."""
    import numpy as np

    ours = np.sign(totals[:, None] - totals[None, :])
    return bool(((ours == signs) | (signs == 0)).all())
