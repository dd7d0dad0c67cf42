"""reasoning / across_rows: which row of a table has the greatest or least value, and which rows have one value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from kgsynth.base.records import Scenario
from kgsynth.base.thresholds import LIMITS
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.evidence.tables import column_of, extreme_row


def walk(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for the greatest and the least value of each column, and for each value that several rows have."""  # noqa: E501
    for (doc, _, _), cells in knowledge.derived(column_of).items():
        if not LIMITS.compared_min_rows <= len(cells) <= LIMITS.compared_max_rows or not cells[0].heads:
            continue
        code = knowledge.documents[doc].language
        for direction in ("max", "min"):
            if extreme_row(cells, direction, code):
                yield Scenario("reasoning", "across_rows", (), structure=tuple(cells), scope=direction)
        for value, count in Counter(cell.values[0].text for cell in cells).items():
            if 2 <= count <= min(LIMITS.list_max_members, len(cells) - 1):
                yield Scenario("reasoning", "across_rows", (), structure=tuple(cells), scope=f"={value}")
