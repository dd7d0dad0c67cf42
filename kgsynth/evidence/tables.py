"""The cells of the tables of a corpus by column, and what a column says of all its rows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from kgsynth.base.records import StructureFact
from kgsynth.base.vocabulary import StructureKind
from kgsynth.evidence.quantities import comparable
from kgsynth.language import nearest_language

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


def extreme_row(cells: Sequence[StructureFact], direction: str, code: str) -> str:
    """Return the head of the row with the greatest ("max") or least ("min") value of a column.

    It is "" unless all values are exact quantities of one unit, and no two of them are tied at that end.
    """
    read = nearest_language(code).quantity
    values = [read(f"{cell.values[0].text} {cell.name}".strip()) for cell in cells]
    found = [value for value in values if value is not None and not value.bound]
    kinds = {(value.dimension, value.aspect) for value in found}
    if len(found) < len(cells) or len(kinds) > 1 or found[0].dimension == "date":
        return ""
    if not all(comparable(one, other) or one.value == other.value for one, other in combinations(found, 2)):
        return ""
    ordered = sorted(zip((value.value for value in found), cells, strict=True), key=lambda pair: pair[0])
    (first, cell), (second, _) = ordered[:2] if direction == "min" else ordered[:-3:-1]
    return "" if first == second else cell.subject.text


def matching_rows(cells: Sequence[StructureFact], value: str) -> tuple[str, ...]:
    """Return the heads of the rows that have a value in a column, from the top."""
    return tuple(cell.subject.text for cell in cells if cell.values[0].text == value)
