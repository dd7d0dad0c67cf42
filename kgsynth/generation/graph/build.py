"""The knowledge graph of a corpus, a networkx MultiDiGraph, built without a call to any model.

Nodes, by ``kind``, with their other attributes:

- document (id: its path): title, language
- section: doc, title, level, path, start, end
- chunk: doc, section, start, end
- summary: of, doc, spans, text
- entity: name, label, forms
- value (a date, a quantity, or the text of any phrase that names no entity; content_id("v", …)): name, label

Edges, by ``kind``, which is also the edge's key, except for facts and layout, whose key is the fact's id:

- contains: document > section > section or chunk; next: chunk > the one after it
- mentions: chunk > entity, spans
- summarizes: summary > document or section
- similar: chunk > chunk and summary_similar: summary > summary, weight; one edge per pair, from earlier to later
- alias: entity > entity, form: a short form of the first that is also the name of the second, not joined with it
- fact: entity or value > entity or value: fact, predicate, polarity, modality, qualifiers, role, doc, start, end, chunk
- cell, definition, default, procedure: entity > entity or value; member, answers, warning, field, change: section or
  document > entity or value; see: section or document > the same. What the layout says: fact, name, doc, spans, chunk

Chunks have no text here: it is in the documents.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from kgsynth.base.errors import InputError
from kgsynth.base.records import Analysis, Chunk, Document, Entity, Excerpt, Fact, Phrase, StructureFact, content_id
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import ContainerKind, Role, StructureKind
from kgsynth.documents.structure import structure
from kgsynth.documents.structure.links import LinkTargets
from kgsynth.documents.structure.notes import shared_fields
from kgsynth.evidence.statements import ChunkIndex
from kgsynth.generation.graph.entities import bare_aliases
from kgsynth.generation.graph.summaries import Summary, summaries
from kgsynth.language import Language, language

# Pairs of similar vectors: exact, computed in blocks, without an n×n matrix in memory.
#
# There is no approximate search: up to some hundred thousand chunks the exact product takes minutes at most.

_COSINE_DIGITS = 4
_MAX_SCORES_IN_MEMORY = 1 << 25  # scores in memory at one time: 128 MB


def similar_pairs(
    vectors: NDArray[np.float32], k: int, floor: float, block: int = 2048
) -> list[tuple[int, int, float]]:
    """Return the pairs (i, j, cosine), i < j, in which each is among the k nearest of the other, sorted.

    ``vectors`` has shape (n, d), with rows of length 1. The cosines are rounded to four digits before anything else, so
    that the last bits of a matrix product decide nothing; among equal ones the lower index is nearer. Pairs below
    ``floor`` are left out.

    Example:
        >>> similar_pairs(np.array([[1, 0], [0.8, 0.6], [0, 1]], dtype=np.float32), k=10, floor=0.5)
        [(0, 1, 0.8), (1, 2, 0.6)]
    """
    count = len(vectors)
    if count < 2 or k < 1:
        return []
    scale = 10**_COSINE_DIGITS
    rows = max(1, min(block, _MAX_SCORES_IN_MEMORY // count))
    found = [_nearest(vectors, start, min(start + rows, count), k, floor, scale) for start in range(0, count, rows)]
    left = np.concatenate([each[0] for each in found])
    right = np.concatenate([each[1] for each in found])
    score = np.concatenate([each[2] for each in found])
    mutual = (left < right) & np.isin(left * count + right, right * count + left)
    pairs = zip(left[mutual].tolist(), right[mutual].tolist(), score[mutual].tolist(), strict=True)
    return [(i, j, round(cell / scale, _COSINE_DIGITS)) for i, j, cell in pairs]


def _nearest(
    vectors: NDArray[np.float32], start: int, stop: int, k: int, floor: float, scale: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float32]]:
    """Return rows, columns and scaled cosines of the k nearest of each of the rows ``start`` to ``stop``."""
    scores = vectors[start:stop] @ vectors.T
    np.rint(scores * np.float32(scale), out=scores)
    scores[np.arange(stop - start), np.arange(start, stop)] = -np.inf
    kept = min(k, scores.shape[1] - 1)
    least = np.partition(scores, -kept, axis=1)[:, -kept][:, None]
    over, equal = scores > least, scores == least
    room = kept - over.sum(axis=1, keepdims=True)
    crowded = np.flatnonzero(equal.sum(axis=1) > room[:, 0])
    equal[crowded] &= equal[crowded].cumsum(axis=1, dtype=np.int32) <= room[crowded]
    chosen = (over | equal) & (scores >= np.float32(round(floor * scale)))
    across, down = np.nonzero(chosen)
    return across + start, down, scores[chosen]


# Facts as edges: from the subject of a clause to each entity that its other phrases name, or to their text.
#
# A phrase that names no entity is a value node, so every fact with a subject and another phrase is an edge.

_QUALIFIERS = frozenset({Role.TIME, Role.PLACE, Role.CONDITION, Role.CAUSE, Role.PURPOSE, Role.MANNER})
"""The roles of phrases that limit a fact."""


@dataclass(frozen=True, slots=True)
class FactEdge:
    """One edge of a fact; ``values`` are those of its ends that are value nodes: id -> (text, label)."""

    source: str
    target: str
    attributes: dict[str, Any]
    values: dict[str, tuple[str, str]]


class MentionIndex:
    """The mentions of a corpus by document and position, each with the id of its entity."""

    def __init__(self, entities: Iterable[Entity]) -> None:
        self.ids: set[str] = set()
        self._rows: dict[str, list[tuple[int, int, str, str]]] = defaultdict(list)
        for entity in entities:
            self.ids.add(entity.id)
            for mention in entity.mentions:
                self._rows[mention.doc].append((mention.start, mention.end, entity.id, mention.text))
        for rows in self._rows.values():
            rows.sort()

    def inside(self, doc: str, start: int, end: int) -> Iterator[tuple[int, int, str, str]]:
        """Yield (start, end, entity id, text) of the mentions in ``[start, end)``, in the order of the text."""
        rows = self._rows.get(doc, [])
        for position in range(bisect_left(rows, (start,)), len(rows)):
            if rows[position][0] >= end:
                return
            if rows[position][1] <= end:
                yield rows[position]


def chunks_containing(chunks: ChunkIndex, doc: str, start: int, end: int) -> list[int]:
    """Return the numbers of the chunks that contain ``[start, end)``, or else of the last one that contains its start.

    Chunks may overlap, but none may lie inside another.
    """
    begun = [number for number in chunks.overlapping(doc, start, end) if chunks[number].start <= start]
    return [number for number in begun if end <= chunks[number].end] or begun[-1:]


def fact_edges(fact: Fact, mentions: MentionIndex, chunks: ChunkIndex, own: Language) -> Iterator[FactEdge]:
    """Yield the edges of one fact, at most one to each target, in the order of the text; ``own`` is its language."""
    subject = fact.first(Role.SUBJECT)
    if subject is None:
        return
    source = _main_entity(subject, fact.doc, mentions, own) or _value_id(subject)
    values = {} if source in mentions.ids else {source: (_value(subject), subject.label)}
    common = _attributes(fact, chunks)
    seen = {source}
    for phrase in fact.phrases:
        if phrase is subject or phrase.role == Role.MANNER:
            continue
        targets = [row[2] for row in mentions.inside(fact.doc, phrase.start, phrase.end)]
        for target in targets:
            if target not in seen:
                seen.add(target)
                yield FactEdge(source, target, {**common, "role": phrase.role}, values)
        target = _value_id(phrase)
        if not targets and target not in seen:
            seen.add(target)
            found = {target: (_value(phrase), phrase.label)}
            yield FactEdge(source, target, {**common, "role": phrase.role}, values | found)


def _value(phrase: Phrase) -> str:
    """Return the text of a phrase without the preposition or conjunction it starts with, on one line."""
    text = " ".join(phrase.text.split())
    if phrase.marker and text.casefold().startswith(phrase.marker.casefold() + " "):
        return text[len(phrase.marker) + 1 :]
    return text


def _value_id(phrase: Phrase) -> str:
    return content_id("v", _value(phrase).casefold())


def _main_entity(phrase: Phrase, doc: str, mentions: MentionIndex, own: Language) -> str:
    """Return the entity of the mention that ends in the head of the phrase, or of the longest one; "" for none."""
    rows = list(mentions.inside(doc, phrase.start, phrase.end))
    heads = [row for row in rows if phrase.head.casefold() in _head_forms(row[3], own)]
    best = min(heads or rows, key=lambda row: (row[0] - row[1], row[0]), default=None)
    return best[2] if best else ""


def _head_forms(mention: str, own: Language) -> set[str]:
    last = (mention.split() or [""])[-1].casefold()
    return {last, own.singular(last), mention.casefold()}


def _attributes(fact: Fact, chunks: ChunkIndex) -> dict[str, Any]:
    holding = chunks_containing(chunks, fact.doc, fact.start, fact.end)
    verb = fact.verb
    qualifiers: dict[str, str] = {}
    for phrase in fact.phrases:
        if phrase.role in _QUALIFIERS:
            text = " ".join(phrase.text.split())
            qualifiers[phrase.role] = f"{qualifiers[phrase.role]}; {text}" if phrase.role in qualifiers else text
    return {
        "kind": "fact",
        "fact": fact.id,
        "predicate": f"{verb.lemma} {verb.particle}".strip(),
        "polarity": "negative" if verb.negated else "positive",
        "modality": verb.modal,
        "qualifiers": qualifiers,
        "doc": fact.doc,
        "start": fact.start,
        "end": fact.end,
        "chunk": chunks[holding[0]].id if holding else "",
    }


# Facts of the layout as edges: from a row head, a term or a task, or from a section, to what is said of it.
#
# A cell leads from its row head to its value, a definition from its term, a default from its parameter, a procedure
# from its task; these are entities, new ones unless the text names them too. Everything else leads from its section.
# A link leads to the document or section that it means; one that means no place of the folder makes no edge. Of a
# table with more than ``MAX_TABLE_ROWS`` rows, the cells of the first ones are in the graph.

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


_Edge = tuple[str, str, str, dict[str, Any]]


def build(
    documents: Sequence[Document],
    chunks: Sequence[Chunk],
    analyses: Sequence[Analysis],
    entities: Sequence[Entity],
    vectors: NDArray[np.float32],
) -> nx.MultiDiGraph:
    """Return the graph of a corpus; equal input gives equal nodes and edges in the same order.

    ``vectors[i]``, of length 1, belongs to ``chunks[i]``; ``entities`` are ``resolve_entities(analyses)``.
    Time and memory are linear in the input, except for the time of the product of ``vectors`` with themselves.

    Raises:
        InputError: the numbers of vectors and chunks differ.
    """
    if len(vectors) != len(chunks):
        raise InputError(f"{len(vectors)} vectors for {len(chunks)} chunks: encode the chunks of this run again.")
    index = ChunkIndex(chunks)
    graph = nx.MultiDiGraph()
    for document in documents:
        graph.add_node(document.id, kind="document", title=document.title, language=document.language)
        graph.add_edges_from(_sections(graph, document))
    graph.add_edges_from(_chunks(graph, chunks))
    for entity in entities:
        graph.add_node(entity.id, kind="entity", name=entity.name, label=entity.label, forms=entity.forms)
    graph.add_edges_from(_mentions(entities, index))
    graph.add_edges_from(_aliases(entities, analyses))
    graph.add_edges_from(_facts(graph, analyses, MentionIndex(entities), index))
    graph.add_edges_from(_structure(graph, documents, StructureEdges(entities, documents, index)))
    graph.add_edges_from(_similar(chunks, vectors))
    graph.add_edges_from(_summaries(graph, list(summaries(documents, analyses)), vectors, index))
    return graph


def _sections(graph: nx.MultiDiGraph, document: Document) -> Iterator[_Edge]:
    """Add the sections of a document, except the first, which is the document itself."""
    above: list[tuple[int, str]] = [(0, document.id)]
    for section in document.sections[1:]:
        place = {"doc": document.id, "start": section.start, "end": section.end}
        graph.add_node(section.id, kind="section", title=section.title, level=section.level, path=section.path, **place)
        while len(above) > 1 and above[-1][0] >= section.level:
            above.pop()
        yield above[-1][1], section.id, "contains", {"kind": "contains"}
        above.append((section.level, section.id))


def _chunks(graph: nx.MultiDiGraph, chunks: Sequence[Chunk]) -> Iterator[_Edge]:
    for chunk in chunks:
        parent = chunk.section if chunk.section in graph else chunk.doc
        graph.add_node(chunk.id, kind="chunk", doc=chunk.doc, section=chunk.section, start=chunk.start, end=chunk.end)
        yield parent, chunk.id, "contains", {"kind": "contains"}
    of_document: dict[str, list[Chunk]] = defaultdict(list)
    for chunk in sorted(chunks, key=lambda chunk: (chunk.start, chunk.end)):
        of_document[chunk.doc].append(chunk)
    for doc in dict.fromkeys(chunk.doc for chunk in chunks):
        for one, other in pairwise(of_document[doc]):
            yield one.id, other.id, "next", {"kind": "next"}


def _mentions(entities: Sequence[Entity], chunks: ChunkIndex) -> Iterator[_Edge]:
    """Yield one edge for each chunk and entity, however often the chunk mentions the entity."""
    for entity in entities:
        spans: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for mention in entity.mentions:
            for number in chunks_containing(chunks, mention.doc, mention.start, mention.end):
                spans[number].append((mention.start, mention.end))
        for number, found in spans.items():
            yield chunks[number].id, entity.id, "mentions", {"kind": "mentions", "spans": tuple(found)}


def _aliases(entities: Sequence[Entity], analyses: Sequence[Analysis]) -> Iterator[_Edge]:
    named = {form: entity.id for entity in entities for form in entity.forms}
    pairs = {pair for analysis in analyses for pair in bare_aliases(analysis)}
    for long, short in sorted(pairs):
        one, other = named.get(long), named.get(short)
        if one is not None and other is not None and one != other:
            yield one, other, "alias", {"kind": "alias", "form": short}


def _facts(
    graph: nx.MultiDiGraph, analyses: Sequence[Analysis], mentions: MentionIndex, chunks: ChunkIndex
) -> Iterator[_Edge]:
    for analysis in analyses:
        for fact in analysis.facts:
            for edge in fact_edges(fact, mentions, chunks, language(analysis.language)):
                for ident, (text, label) in edge.values.items():
                    if ident not in graph:
                        graph.add_node(ident, kind="value", name=text, label=label)
                yield edge.source, edge.target, fact.id, edge.attributes


def _structure(graph: nx.MultiDiGraph, documents: Sequence[Document], edges: StructureEdges) -> Iterator[_Edge]:
    for document in documents:
        for fact in structure(document):
            for source, target, attributes, nodes in edges.of(fact):
                graph.add_nodes_from((node, data) for node, data in nodes.items() if node not in graph)
                yield source, target, fact.id, attributes


def _similar(chunks: Sequence[Chunk], vectors: NDArray[np.float32]) -> Iterator[_Edge]:
    for one, other, weight in similar_pairs(vectors, LIMITS.similar_chunks, LIMITS.similar_cosine):
        yield chunks[one].id, chunks[other].id, "similar", {"kind": "similar", "weight": weight}


def _summaries(
    graph: nx.MultiDiGraph, found: Sequence[Summary], vectors: NDArray[np.float32], chunks: ChunkIndex
) -> Iterator[_Edge]:
    """Add the summaries; the vector of one is the mean of its chunks' vectors, so no model has to encode it."""
    means = np.zeros((len(found), vectors.shape[1] if vectors.ndim == 2 else 0), dtype=np.float32)
    for row, summary in enumerate(found):
        spans = tuple((sentence.start, sentence.end) for sentence in summary.sentences)
        text = " ".join(sentence.text for sentence in summary.sentences)
        graph.add_node(summary.id, kind="summary", of=summary.of, doc=summary.doc, spans=spans, text=text)
        yield summary.id, summary.of, "summarizes", {"kind": "summarizes"}
        under = chunks.overlapping(summary.doc, summary.start, summary.end)
        mean = vectors[under].mean(axis=0, dtype=np.float64) if under else means[row]
        length = float(np.sqrt((mean * mean).sum()))
        means[row] = mean / length if length else mean
    for one, other, weight in similar_pairs(means, LIMITS.similar_chunks, LIMITS.similar_cosine):
        if found[one].doc != found[other].doc or found[one].doc not in (found[one].of, found[other].of):
            yield found[one].id, found[other].id, "summary_similar", {"kind": "summary_similar", "weight": weight}
