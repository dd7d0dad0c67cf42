"""The cells of the tables of a corpus by column."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import TYPE_CHECKING

from kgsynth.base.records import StructureFact
from kgsynth.base.vocabulary import StructureKind

if TYPE_CHECKING:
    from kgsynth.evidence.knowledge import Knowledge

Column = tuple[str, int, int]


def column_of(knowledge: Knowledge) -> Mapping[Column, list[StructureFact]]:
    """Return the cells of each column, from the top; a column is a document, its table and its number there."""
    found: dict[Column, list[StructureFact]] = defaultdict(list)
    for fact in knowledge.structure:
        if fact.kind == StructureKind.CELL:
            found[fact.doc, fact.group, fact.column].append(fact)
    return found
