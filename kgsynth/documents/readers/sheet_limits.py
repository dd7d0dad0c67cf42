"""How much of a sheet is read: no sheet may take hours, or more memory than there is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

MAX_CELLS = 1_000_000
"""Cells with text that are read from one file."""

MAX_COLUMNS = 16_384
"""Cells in a row, as in a workbook."""
MAX_ROWS = 1_048_576
"""Rows of a sheet, as in a workbook."""
MAX_AREA = 20_000_000
"""Places of a sheet from its first cell to its last, which are all held in memory."""


@dataclass(slots=True)
class RowLimit:
    """Passes rows on until the file has given ``MAX_CELLS`` cells with text.

    Example:
        >>> limit = RowLimit(left=3)
        >>> list(limit.limited([["a", "b"], ["c", ""], ["d", "e"]], "'Plans'")), limit.remarks
        ([['a', 'b'], ['c', '']], ("only the first 2 rows of 'Plans' are read, which have 3 cells",))
    """

    left: int = MAX_CELLS
    remarks: tuple[str, ...] = ()

    def limited(self, rows: Iterable[list[str]], name: str) -> Iterator[list[str]]:
        """Yield the rows of the part of a file called ``name`` that are within the limit."""
        cells = 0
        for number, row in enumerate(rows):
            here = len(row) - row.count("")
            if cells + here > self.left:
                self.remarks += (f"only the first {number:,} rows of {name} are read, which have {cells:,} cells",)
                break
            cells += here
            yield row
        self.left -= cells
