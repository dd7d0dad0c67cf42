"""Compute where the nodes of a graph are drawn: documents by what they share, and their contents around them.

Entities and values are placed between the nodes they are connected to. No simulation runs over all nodes, so thousands
take a second or two. The layout is deterministic.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Hashable, Sequence
from itertools import combinations

import networkx as nx
import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]

NODE_DISTANCE = 12.0
"""The smallest distance of two nodes, except in rare crowds."""
_GOLDEN_ANGLE = math.pi * (3 - math.sqrt(5))
_MAX_ROUNDS = 60
_MAX_SPRING_DOCUMENTS = 400  # more documents are placed in a spiral, in their order
_MAX_SHARING_DOCUMENTS = 25  # an entity in more documents does not pull them together


def layout(graph: nx.MultiDiGraph) -> dict[Hashable, tuple[int, int]]:
    """Return the position ``(x, y)`` of every node.

    Example:
        >>> graph = nx.MultiDiGraph()
        >>> graph.add_nodes_from([("a.md", {"kind": "document"}), ("c-1", {"kind": "chunk", "doc": "a.md"})])
        >>> len(set(layout(graph).values()))
        2
    """
    nodes = sorted(graph)
    homes = {
        node: graph.nodes[node].get("doc", node if graph.nodes[node]["kind"] == "document" else "") for node in nodes
    }
    members: dict[str, list[Hashable]] = defaultdict(list)
    for node in nodes:
        if homes[node]:
            members[homes[node]].append(node)
    places: dict[Hashable, Points] = {}
    for doc, centre in _documents(graph, members, homes).items():
        around = sorted(members[doc], key=lambda node: (graph.nodes[node]["kind"] != "document", _order(graph, node)))
        for at, node in enumerate(around):
            places[node] = centre + _spiral(at)
    _place_between(graph, nodes, places)
    points = np.array([places[node] for node in nodes]).reshape(len(nodes), 2)
    separate(points, NODE_DISTANCE, _MAX_ROUNDS)
    return {node: (round(x), round(y)) for node, (x, y) in zip(nodes, points.tolist(), strict=True)}


def separate(points: Points, distance: float, rounds: int) -> None:
    """Push points closer than ``distance`` away from each other, in place, in at most ``rounds`` rounds."""
    from scipy.spatial import cKDTree

    for _ in range(rounds):
        pairs = cKDTree(points).query_pairs(distance, output_type="ndarray")
        if not len(pairs):
            return
        one, other = pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))].T
        gaps = points[one] - points[other]
        distances = np.maximum(np.hypot(*gaps.T), 1e-9)[:, None]
        push = gaps / distances * (distance - distances) / 2
        np.add.at(points, one, push)
        np.add.at(points, other, -push)


def _documents(
    graph: nx.MultiDiGraph, members: dict[str, list[Hashable]], homes: dict[Hashable, str]
) -> dict[str, Points]:
    """Place the documents without overlap, those with common entities or similar chunks near each other."""
    docs = sorted(members)
    size = NODE_DISTANCE * 2 * math.sqrt(1 + len(homes) / (1 + len(docs)))  # diameter of a document with its contents
    if len(docs) > _MAX_SPRING_DOCUMENTS:
        return {doc: _spiral(at) * size / NODE_DISTANCE for at, doc in enumerate(docs)}
    shared = nx.Graph()
    shared.add_nodes_from(docs)
    sharing: dict[Hashable, set[str]] = defaultdict(set)
    for one, other, kind in graph.edges(data="kind"):
        if kind == "mentions":
            sharing[other].add(homes[one])
        elif kind in ("similar", "summary_similar"):
            sharing[one, other] = {homes[one], homes[other]}
    for key in sorted(sharing, key=str):
        found = sorted(sharing[key])
        for a, b in combinations(found, 2) if len(found) <= _MAX_SHARING_DOCUMENTS else ():
            shared.add_edge(a, b, weight=shared.get_edge_data(a, b, {"weight": 0.0})["weight"] + 1 / (len(found) - 1))
    if len(docs) < 2:
        return {doc: np.zeros(2) for doc in docs}
    sprung = nx.spring_layout(shared, seed=0, iterations=100, k=1.6 / math.sqrt(len(docs)), weight="weight")
    points = np.array([sprung[doc] for doc in docs]) * size * math.sqrt(len(docs)) / 3
    separate(points, size, 200)
    return dict(zip(docs, points, strict=True))


def _place_between(graph: nx.MultiDiGraph, nodes: Sequence[Hashable], places: dict[Hashable, Points]) -> None:
    """Place the nodes outside documents between the nodes they are connected to, and near the chunks of their facts."""
    neighbours: dict[Hashable, list[Hashable]] = defaultdict(list)
    for one, other, chunk in graph.edges(data="chunk"):  # the chunk of a fact's sentence
        neighbours[one] += [other, chunk] if chunk else [other]
        neighbours[other] += [one, chunk] if chunk else [one]
    waiting = [node for node in nodes if node not in places]
    for _ in range(3):
        found = {}
        for node in waiting:
            near = [places[other] for other in neighbours[node] if other in places]
            if near:
                found[node] = np.mean(near, axis=0) + _offset(node)
        places.update(found)
        waiting = [node for node in waiting if node not in places]
    far = max((float(np.hypot(*place)) for place in places.values()), default=0.0)
    for at, node in enumerate(waiting):  # without edges: in a ring around all others
        places[node] = (far + 4 * NODE_DISTANCE) * np.array(
            [math.cos(at * _GOLDEN_ANGLE), math.sin(at * _GOLDEN_ANGLE)]
        )


def _offset(node: Hashable) -> Points:
    """Return a small offset that depends on the node, so that no two start at the same position."""
    seed = sum(ord(letter) * (at + 7) for at, letter in enumerate(str(node)))
    return np.array([math.cos(seed), math.sin(seed)]) * NODE_DISTANCE * (0.5 + seed % 97 / 97)


def _spiral(at: int) -> Points:
    return np.array([math.cos(at * _GOLDEN_ANGLE), math.sin(at * _GOLDEN_ANGLE)]) * NODE_DISTANCE * math.sqrt(at)


def _order(graph: nx.MultiDiGraph, node: Hashable) -> tuple[int, str]:
    return int(graph.nodes[node].get("start", 0)), str(node)
