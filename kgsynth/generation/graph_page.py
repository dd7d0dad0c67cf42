"""The HTML page of a knowledge graph: its nodes at the positions of ``layout``, and the path of each question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import networkx as nx

from kgsynth.base.records import Document, Item, Span
from kgsynth.base.version import __version__
from kgsynth.evidence.derivation_steps import steps_in
from kgsynth.generation.graph_layout import layout
from kgsynth.show.pages import render
from kgsynth.show.questions import view
from kgsynth.show.visible import visible_values
from kgsynth.show.wording import cut, many

NODES = {
    "document": "documents",
    "section": "sections",
    "chunk": "chunks",
    "entity": "entities",
    "value": "values",
    "summary": "summaries",
}
"""Kind of node -> its name on the page; in the order in which nodes are kept if there are too many."""
EDGES = {
    "contains": "contains",
    "next": "is followed by",
    "mentions": "mentions",
    "fact": "facts",
    "cell": "cells of tables",
    "member": "members of lists",
    "definition": "definitions",
    "default": "defaults and types",
    "procedure": "steps of tasks",
    "answers": "answered questions",
    "warning": "notes and warnings",
    "field": "fields",
    "change": "changes",
    "topic": "texts of sections",
    "see": "links",
    "alias": "other names",
    "similar": "similar chunks",
    "summarizes": "summarizes",
    "summary_similar": "similar summaries",
}
"""Kind of edge -> its name on the page."""
MAX_NODES_DRAWN = 8000
"""If there are more nodes, those with the most edges are drawn, kind by kind."""
_MAX_TEXT, _MAX_LABEL = 600, 70  # characters


@dataclass(frozen=True, slots=True)
class GraphPage:
    """The page, and the number of nodes that it draws."""

    html: str
    drawn: int


def page(
    graph: nx.MultiDiGraph, documents: Mapping[str, Document], items: Iterable[Item], health: Sequence[str], name: str
) -> GraphPage:
    """Return the page of a graph called ``name``, with the questions of ``items`` and the sentences of ``health``."""
    shown = _drawn(graph)
    nodes = sorted(shown)
    number = {node: at for at, node in enumerate(nodes)}
    places, paths = layout(shown), QuestionPaths(shown)
    data = {
        "nodes": [_node(shown, node, places[node], documents) for node in nodes],
        "edges": [
            [number[one], number[other], list(EDGES).index(data["kind"]), _edge_label(data)]
            for one, other, _, data in sorted(shown.edges(keys=True, data=True), key=lambda edge: edge[:3])
        ],
        "questions": [_question(item, [number[node] for node in paths.path_of(item)], documents) for item in items],
        "kinds": {"nodes": list(NODES.values()), "edges": list(EDGES.values())},
    }
    counts = Counter(kind for _, kind in graph.nodes(data="kind"))
    parts = [many(counts[kind], kind, noun) for kind, noun in NODES.items()]
    size = f"{many(graph.number_of_nodes(), 'node')} and {many(graph.number_of_edges(), 'edge')}"
    html = render(
        "generation/graph_page.html",
        kind="Knowledge graph",
        title=f"The knowledge graph of {name}: {size}",
        parts=[part for part, kind in zip(parts, NODES, strict=True) if counts[kind]],
        health=health,
        left_out=graph.number_of_nodes() - len(nodes),
        version=__version__,
        page_data=visible_values(data),
    )
    return GraphPage(html, len(nodes))


def _drawn(graph: nx.MultiDiGraph) -> nx.MultiDiGraph:
    """Return the graph, or its largest part that a page can draw."""
    if graph.number_of_nodes() <= MAX_NODES_DRAWN:
        return graph
    kinds = list(NODES)
    ranked = sorted(graph, key=lambda node: (kinds.index(graph.nodes[node]["kind"]), -graph.degree(node), node))
    return graph.subgraph(ranked[:MAX_NODES_DRAWN])


def _node(graph: nx.MultiDiGraph, node: str, place: tuple[int, int], documents: Mapping[str, Document]) -> list[Any]:
    """Return kind, x, y, label, text and document of a node for the script of the page."""
    data = graph.nodes[node]
    kind, doc = data["kind"], data.get("doc", "")
    text = ""
    if kind in ("chunk", "section") and doc in documents:
        text = documents[doc].plain(data["start"], data["end"])
    elif kind == "entity":
        text = " · ".join(part for part in (data["label"].lower(), *data["forms"][1:6]) if part)
    elif kind == "document":
        doc, text = node, data["title"]
    elif kind == "summary":
        text = data["text"]
    elif kind == "value":
        text = data["name"]
    label = {"document": data.get("title") or node, "section": data.get("title")}.get(kind) or data.get("name") or text
    return [list(NODES).index(kind), *place, cut(label or node, _MAX_LABEL), cut(text, _MAX_TEXT), doc]


def _edge_label(data: Mapping[str, Any]) -> str:
    if data["kind"] != "fact":
        return str(data.get("form") or data.get("name") or "")
    negation = "not " if data.get("polarity") == "negative" else ""
    return f"{negation}{data['predicate']}"


def _question(item: Item, path: Sequence[int], documents: Mapping[str, Document]) -> dict[str, Any]:
    shown = view(item, documents)
    return {
        "question": item.question,
        "answer": " | ".join(item.golden_answers),
        "type": item.question_type.replace("_", " "),
        "path": path,
        "hops": [{"doc": hop.doc, "parts": [list(part) for part in hop.parts]} for hop in shown.path],
        "evidence": [[group[0].doc, group[0].text] for group in item.evidence if group],
    }


class QuestionPaths:
    """The paths of questions through a graph: the chunks of the evidence, the entities that link them, the answer.

    Example:
        >>> graph = nx.MultiDiGraph()
        >>> graph.add_node("c-1", kind="chunk", doc="a.md", start=0, end=90)
        >>> span = Document("a.md", "Ada leads it.", "A", "md", "", (), ()).span(0, 13)
        >>> QuestionPaths(graph).path_of(Item("q-1", "Who?", ("Ada",), "simple", "factoid", "en", ((span,),)))
        ['c-1']
    """

    def __init__(self, graph: nx.MultiDiGraph) -> None:
        self._chunks: dict[str, list[tuple[int, int, str]]] = {}
        self._names: dict[str, str] = {}
        self._reached: dict[str, list[str]] = {}
        for node, data in sorted(graph.nodes(data=True)):
            if data["kind"] == "chunk":
                self._chunks.setdefault(data["doc"], []).append((data["start"], data["end"], node))
            elif data["kind"] == "entity":
                self._names[data["name"].casefold()] = node
        for _, other, key in sorted(graph.edges(keys=True)):
            self._reached.setdefault(key, []).append(other)
        self._graph = graph

    def path_of(self, item: Item) -> list[str]:
        """Return the nodes of a question's path, in order; the last is the answer if it is a node."""
        steps = steps_in(item.derivation)
        found: list[str] = []
        for at, group in enumerate(item.evidence):
            found += [place for span in group[:1] if (place := self._chunk_of(span))]
            name = str(steps[at].get("entity", "")).casefold() if at < len(steps) else ""
            found += [self._names[name]] if name in self._names else []
        answers = {answer.casefold() for answer in item.golden_answers}
        ends = self._reached.get(str(steps[-1].get("fact", "")), ()) if steps else ()
        found += [node for node in ends if str(self._graph.nodes[node].get("name", "")).casefold() in answers]
        return list(dict.fromkeys(found))

    def _chunk_of(self, span: Span) -> str | None:
        chunks = self._chunks.get(span.doc, ())
        return next((node for start, end, node in chunks if start <= span.start < end), None)
