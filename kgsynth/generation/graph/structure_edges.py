"""Facts of the layout as edges: from a row head, a term or a task, or from a section, to what is said of it.

A cell leads from its row head to its value, a definition from its term, a default from its parameter, a procedure from
its task; these are entities, new ones unless the text names them too. Everything else leads from its section. A link
leads to the document or section that it means; one that means no place of the folder makes no edge.
Of a table with more than ``MAX_TABLE_ROWS`` rows, the cells of the first ones are in the graph.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from kgsynth.base.records import Document, Entity, Excerpt, StructureFact, content_id
from kgsynth.base.vocabulary import ContainerKind, StructureKind
from kgsynth.documents.structure.fields import shared_fields
from kgsynth.documents.structure.link_targets import LinkTargets
from kgsynth.evidence.chunks import ChunkIndex
from kgsynth.generation.graph.fact_edges import chunks_containing

_OF_ENTITIES = frozenset({StructureKind.CELL, StructureKind.DEFINITION, StructureKind.DEFAULT, StructureKind.PROCEDURE})
"""Kinds of facts whose subject is a thing with a name."""
MAX_TABLE_ROWS = 2_000
"""Rows of a table whose cells are in the graph, which 100,000 rows would make too large to keep or to look at."""


def rows_left_out(documents: Iterable[Document]) -> Iterator[tuple[str, str]]:
    """Yield the path of each document with a longer table, and a remark that says how much of it is in the graph."""
    for document in documents:
        rows: dict[int, int] = {}
        for cell in document.containers:
            if cell.kind == ContainerKind.CELL and cell.row >= rows.get(cell.parent, MAX_TABLE_ROWS):
                rows[cell.parent] = cell.row + 1
        for count in rows.values():
            yield (
                document.id,
                f"the cells of the first {MAX_TABLE_ROWS:,} of {count:,} rows of a table are in the graph",
            )


class StructureEdges:
    """Makes the edges of the structure of documents, and the nodes that they need."""

    def __init__(self, entities: Iterable[Entity], documents: Iterable[Document], chunks: ChunkIndex) -> None:
        self._named = {form.casefold(): entity.id for entity in entities for form in entity.forms}
        self._documents = {document.id: document for document in documents}
        self._chunks = chunks
        self._targets = LinkTargets(self._documents.values())
        self._shared = shared_fields(self._documents.values())

    def of(self, fact: StructureFact) -> Iterator[tuple[str, str, dict[str, Any], dict[str, dict[str, Any]]]]:
        """Yield source, target, attributes, and the nodes that may be new, for each value of a fact."""
        if fact.kind == StructureKind.TOPIC:
            return  # it is the text of its section, which is a node
        if fact.kind == StructureKind.FIELD and fact.name in self._shared:
            return  # it is the same in each document
        if fact.kind == StructureKind.CELL and fact.row >= MAX_TABLE_ROWS:
            return
        new: dict[str, dict[str, Any]] = {}
        source = self._subject(fact, new)
        for value in fact.values:
            target = self._target(fact, value, new)
            if target and target != source:
                yield source, target, self._attributes(fact, value), new

    def _subject(self, fact: StructureFact, new: dict[str, dict[str, Any]]) -> str:
        if fact.kind not in _OF_ENTITIES:
            return self._section(fact.doc, fact.section)
        name = fact.subject.text
        found = self._named.get(name.casefold())
        if found is None:
            found = content_id("e", name.casefold(), "TERM")
            new[found] = {"kind": "entity", "name": name, "label": "TERM", "forms": (name,)}
        return found

    def _target(self, fact: StructureFact, value: Excerpt, new: dict[str, dict[str, Any]]) -> str:
        if fact.kind == StructureKind.SEE:
            return self._linked(fact.name)
        text = value.text.casefold()
        found = self._named.get(text)
        if found is None:
            found = content_id("v", text)
            new[found] = {"kind": "value", "name": value.text, "label": ""}
        return found

    def _section(self, doc: str, number: int) -> str:
        return self._documents[doc].sections[number].id if number else doc

    def _linked(self, name: str) -> str:
        """Return the section or document that a link leads to, "" if it is not among the documents."""
        found = self._targets.resolve(name)
        return self._section(*found) if found else ""

    def _attributes(self, fact: StructureFact, value: Excerpt) -> dict[str, Any]:
        holding = chunks_containing(self._chunks, fact.doc, value.start, value.end)
        needed = (fact.subject, *fact.heads, value)
        return {
            "kind": fact.kind.value,
            "fact": fact.id,
            "name": " / ".join(head.text for head in fact.heads) or fact.name,
            "doc": fact.doc,
            "spans": tuple((part.start, part.end) for part in needed if part.start < part.end),
            "chunk": self._chunks[holding[0]].id if holding else "",
        }
