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

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from kgsynth.base.errors import InputError
from kgsynth.base.records import Analysis, Chunk, Document, Entity
from kgsynth.base.thresholds import LIMITS
from kgsynth.documents.structure import structure
from kgsynth.evidence.chunks import ChunkIndex
from kgsynth.generation.graph.entities import bare_aliases
from kgsynth.generation.graph.fact_edges import MentionIndex, chunks_containing, fact_edges
from kgsynth.generation.graph.similarity import similar_pairs
from kgsynth.generation.graph.structure_edges import StructureEdges
from kgsynth.generation.graph.summaries import Summary, summaries
from kgsynth.language import language

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
