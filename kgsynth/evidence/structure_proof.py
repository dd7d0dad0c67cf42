"""Recompute the answers that the layout of a document gives: a cell, a list, a passage, a whole column."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from kgsynth.base.records import Document, StructureFact
from kgsynth.base.records.once import once
from kgsynth.base.vocabulary import StructureKind
from kgsynth.documents.structure import structure
from kgsynth.evidence.derivation_steps import DerivationError, Step, steps_of
from kgsynth.evidence.list_answers import opening, said, said_in_short
from kgsynth.evidence.tables import extreme_row, matching_rows
from kgsynth.golden.answer_members import joined_members


def said_proof(derivation: Step, documents: Mapping[str, Document]) -> str:
    """Return what the layout says in the fact of the one step."""
    return said(structure_fact(derivation, documents))


def opening_proof(derivation: Step, documents: Mapping[str, Document]) -> str:
    """Return how the description of the term of the one step begins."""
    return opening(structure_fact(derivation, documents))


def structure_fact(derivation: Step, documents: Mapping[str, Document]) -> StructureFact:
    """Return the fact of the layout that the one step of a derivation names.

    Raises:
        DerivationError: the derivation has no such step, or no document has the fact.
    """
    (step,) = steps_of(derivation, 1, 1)
    document = documents.get(str(step.get("doc")))
    if document is None:
        raise DerivationError(f"document {step.get('doc')!r} is not among the documents")
    found = _by_id(document).get(str(step.get("fact")))
    if found is None:
        raise DerivationError(f"{document.id} has no table, list, term or heading {step.get('fact')!r}")
    return found


@once
def _by_id(document: Document) -> dict[str, StructureFact]:
    return {fact.id: fact for fact in structure(document)}


@once
def _by_column(document: Document) -> dict[tuple[int, int], list[StructureFact]]:
    """Return the cells of each column of each table."""
    columns = defaultdict(list)
    for fact in _by_id(document).values():
        if fact.kind == StructureKind.CELL:
            columns[fact.group, fact.column].append(fact)
    return dict(columns)


def in_short_proof(derivation: Step, documents: Mapping[str, Document]) -> str:
    """Return the members of the list of the one step."""
    return said_in_short(structure_fact(derivation, documents))


def extreme_proof(derivation: Step, documents: Mapping[str, Document]) -> str:
    """Return the row with the greatest or least value of a column."""
    cells, direction = _cells(derivation, documents), derivation.get("direction")
    if direction not in ("max", "min"):
        raise DerivationError(f"direction {direction!r} is neither 'max' nor 'min'")
    found = extreme_row(cells, direction, documents[cells[0].doc].language)
    if not found:
        raise DerivationError(f"no row of the column {_head(cells)!r} has the {direction} value, or several have it")
    return found


def matching_proof(derivation: Step, documents: Mapping[str, Document]) -> str:
    """Return the rows that have the value ``equals`` in a column."""
    cells = _cells(derivation, documents)
    found = matching_rows(cells, str(derivation.get("equals")))
    if len(found) < 2 or len(found) == len(cells):
        raise DerivationError(
            f"{len(found)} of {len(cells)} rows have {derivation.get('equals')!r} in {_head(cells)!r}"
        )
    return joined_members(found)


def _cells(derivation: Step, documents: Mapping[str, Document]) -> list[StructureFact]:
    """Return the cells of one column, one in each step: all the cells that the column has."""
    steps = steps_of(derivation, 2)
    document = documents.get(str(steps[0].get("doc")))
    if document is None:
        raise DerivationError(f"document {steps[0].get('doc')!r} is not among the documents")
    facts = [_by_id(document).get(str(step.get("fact"))) for step in steps]
    found = [fact for fact in facts if fact is not None and fact.kind == StructureKind.CELL]
    columns = {(fact.group, fact.column) for fact in found}
    if len(columns) != 1 or len(found) < len(steps) or len(found) != len(_by_column(document)[min(columns)]):
        raise DerivationError(f"the steps are not the cells of one column of {document.id}")
    return found


def _head(cells: Sequence[StructureFact]) -> str:
    return cells[0].heads[-1].text if cells[0].heads else ""
