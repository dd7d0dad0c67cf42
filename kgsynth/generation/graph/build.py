"""The knowledge graph of a corpus, a networkx MultiDiGraph, put together without a call to any model.

Nodes, by ``kind``, with their other attributes:

- document (id: its path): title, language
- section: doc, title, level, path, start, end
- chunk: doc, section, start, end
- summary: of, doc, spans, text
- entity: name, label, forms
- value (a date, a quantity, whatever a phrase says that names no entity; content_id("v", …)): name, label

Edges, by ``kind``, which is the edge's key as well, but for facts, whose key is the fact's id:

- contains: document > section > section or chunk; next: chunk > the one after it
- mentions: chunk > entity, spans
- summarizes: summary > document or section
- similar: chunk > chunk and summary_similar: summary > summary, weight; one edge a pair, from the earlier to the later
- alias: entity > entity, form: a short form given for the first that names the second, and was not joined with it
- fact: entity or value > entity or value: fact, predicate, polarity, modality, qualifiers, role, doc, start, end, chunk

The texts of chunks are left out: they stand in the documents.
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
from kgsynth.generation.graph.entities import bare_aliases
from kgsynth.generation.graph.fact_edges import fact_edges
from kgsynth.generation.graph.similarity import similar_pairs
from kgsynth.generation.graph.span_lookup import ChunkPlaces, MentionPlaces
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
    """Return the graph of a corpus; nodes and edges are the same, and in the same order, for the same input.

    ``vectors[i]``, of length 1, belongs to ``chunks[i]``; ``entities`` are those that ``settle`` made of ``analyses``.
    Time and memory grow with the input, but for the products of ``vectors`` with themselves.

    Raises:
        InputError: there are more or fewer vectors than chunks.
    """
    if len(vectors) != len(chunks):
        raise InputError(f"{len(vectors)} vectors for {len(chunks)} chunks: encode the chunks of this run again.")
    places = ChunkPlaces(chunks)
    graph = nx.MultiDiGraph()
    for document in documents:
        graph.add_node(document.id, kind="document", title=document.title, language=document.language)
        graph.add_edges_from(_sections(graph, document))
    graph.add_edges_from(_chunks(graph, chunks, places))
    for entity in entities:
        graph.add_node(entity.id, kind="entity", name=entity.name, label=entity.label, forms=entity.forms)
    graph.add_edges_from(_mentions(entities, chunks, places))
    graph.add_edges_from(_aliases(entities, analyses))
    graph.add_edges_from(_facts(graph, analyses, MentionPlaces(entities), chunks, places))
    graph.add_edges_from(_similar(chunks, vectors))
    graph.add_edges_from(_summaries(graph, list(summaries(documents, analyses)), vectors, places))
    return graph


def _sections(graph: nx.MultiDiGraph, document: Document) -> Iterator[_Edge]:
    """Add the sections of a document; its first is the document itself."""
    above: list[tuple[int, str]] = [(0, document.id)]
    for section in document.sections[1:]:
        place = {"doc": document.id, "start": section.start, "end": section.end}
        graph.add_node(section.id, kind="section", title=section.title, level=section.level, path=section.path, **place)
        while len(above) > 1 and above[-1][0] >= section.level:
            above.pop()
        yield above[-1][1], section.id, "contains", {"kind": "contains"}
        above.append((section.level, section.id))


def _chunks(graph: nx.MultiDiGraph, chunks: Sequence[Chunk], places: ChunkPlaces) -> Iterator[_Edge]:
    for chunk in chunks:
        parent = chunk.section if chunk.section in graph else chunk.doc
        graph.add_node(chunk.id, kind="chunk", doc=chunk.doc, section=chunk.section, start=chunk.start, end=chunk.end)
        yield parent, chunk.id, "contains", {"kind": "contains"}
    for doc in dict.fromkeys(chunk.doc for chunk in chunks):
        order = places.of_document(doc)
        for one, other in pairwise(order):
            yield chunks[one].id, chunks[other].id, "next", {"kind": "next"}


def _mentions(entities: Sequence[Entity], chunks: Sequence[Chunk], places: ChunkPlaces) -> Iterator[_Edge]:
    """Yield one edge for a chunk and an entity, however often the one mentions the other."""
    for entity in entities:
        spans: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for mention in entity.mentions:
            for number in places.holding(mention.doc, mention.start, mention.end):
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
    graph: nx.MultiDiGraph,
    analyses: Sequence[Analysis],
    mentions: MentionPlaces,
    chunks: Sequence[Chunk],
    places: ChunkPlaces,
) -> Iterator[_Edge]:
    for analysis in analyses:
        for fact in analysis.facts:
            for edge in fact_edges(fact, mentions, places, chunks, language(analysis.language)):
                for ident, (text, label) in edge.values.items():
                    if ident not in graph:
                        graph.add_node(ident, kind="value", name=text, label=label)
                yield edge.source, edge.target, fact.id, edge.attributes


def _similar(chunks: Sequence[Chunk], vectors: NDArray[np.float32]) -> Iterator[_Edge]:
    for one, other, weight in similar_pairs(vectors):
        yield chunks[one].id, chunks[other].id, "similar", {"kind": "similar", "weight": weight}


def _summaries(
    graph: nx.MultiDiGraph, found: Sequence[Summary], vectors: NDArray[np.float32], places: ChunkPlaces
) -> Iterator[_Edge]:
    """Add the summaries; the vector of one is the mean of its chunks' vectors, so that no model has to read it."""
    means = np.zeros((len(found), vectors.shape[1] if vectors.ndim == 2 else 0), dtype=np.float32)
    for row, summary in enumerate(found):
        spans = tuple((sentence.start, sentence.end) for sentence in summary.sentences)
        text = " ".join(sentence.text for sentence in summary.sentences)
        graph.add_node(summary.id, kind="summary", of=summary.of, doc=summary.doc, spans=spans, text=text)
        yield summary.id, summary.of, "summarizes", {"kind": "summarizes"}
        under = places.touching(summary.doc, summary.start, summary.end)
        mean = vectors[under].mean(axis=0, dtype=np.float64) if under else means[row]
        length = float(np.sqrt((mean * mean).sum()))
        means[row] = mean / length if length else mean
    for one, other, weight in similar_pairs(means):
        if found[one].doc != found[other].doc or found[one].doc not in (found[one].of, found[other].of):
            yield found[one].id, found[other].id, "summary_similar", {"kind": "summary_similar", "weight": weight}
