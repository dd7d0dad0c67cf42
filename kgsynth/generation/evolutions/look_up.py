"""simple / look_up: one cell of a table, by the head of its row and the head of its column."""

from __future__ import annotations

from collections.abc import Iterator

from kgsynth.base.records import Scenario
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import StructureKind
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.evidence.tables import column_of
from kgsynth.language.lengths import length_in_words


def walk(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for each cell with a column head, in columns that are long enough to be a table of things."""
    columns = knowledge.derived(column_of)
    for fact in knowledge.structure:
        if fact.kind != StructureKind.CELL or not fact.heads:
            continue
        rows = len(columns[fact.doc, fact.group, fact.column])
        if rows >= LIMITS.table_min_rows and length_in_words(fact.values[0].text) <= LIMITS.cell_max_words:
            yield Scenario("simple", "look_up", (), structure=(fact,))
