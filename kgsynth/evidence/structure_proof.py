"""Recompute the answers that the layout of a document gives: a cell, a list, a passage, a whole column."""

from __future__ import annotations

from collections.abc import Mapping

from kgsynth.base.records import Document, StructureFact
from kgsynth.base.records.once import once
from kgsynth.documents.structure import structure
from kgsynth.evidence.derivation_steps import DerivationError, Step, steps_of
from kgsynth.evidence.list_answers import opening, said, said_in_short


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


def in_short_proof(derivation: Step, documents: Mapping[str, Document]) -> str:
    """Return the members of the list of the one step."""
    return said_in_short(structure_fact(derivation, documents))
