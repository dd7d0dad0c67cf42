"""Where the nodes of a graph are drawn: documents by what they share, what is in them around them, names between.

Nothing is simulated over all nodes, so thousands take a second or two. The same graph is laid out the same.
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

APART = 12.0
"""How far apart two nodes are drawn at least, nearly always."""
_TURN = math.pi * (3 - math.sqrt(5))
_ROUNDS = 60
_SPRUNG = 400
"""Documents up to which springs place them; more stand in a spiral, in their order."""
_SHARED = 25
"""Documents up to which a name they share draws them together; one in more says little of any two."""


def layout(graph: nx.MultiDiGraph) -> dict[Hashable, tuple[int, int]]:
    """Return a place for every node.

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
    _between(graph, nodes, places)
    points = np.array([places[node] for node in nodes]).reshape(len(nodes), 2)
    apart(points, APART, _ROUNDS)
    return {node: (round(x), round(y)) for node, (x, y) in zip(nodes, points.tolist(), strict=True)}


def apart(points: Points, least: float, rounds: int) -> None:
    """Push points that are nearer than ``least`` away from each other, so often at most."""
    from scipy.spatial import cKDTree

    for _ in range(rounds):
        pairs = cKDTree(points).query_pairs(least, output_type="ndarray")
        if not len(pairs):
            return
        one, other = pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))].T
        gaps = points[one] - points[other]
        distances = np.maximum(np.hypot(*gaps.T), 1e-9)[:, None]
        push = gaps / distances * (least - distances) / 2
        np.add.at(points, one, push)
        np.add.at(points, other, -push)


def _documents(
    graph: nx.MultiDiGraph, members: dict[str, list[Hashable]], homes: dict[Hashable, str]
) -> dict[str, Points]:
    """Place the documents, those that share names or hold similar passages near each other, and let none overlap."""
    docs = sorted(members)
    size = APART * 2 * math.sqrt(1 + len(homes) / (1 + len(docs)))  # across a document with what lies around it
    if len(docs) > _SPRUNG:
        return {doc: _spiral(at) * size / APART for at, doc in enumerate(docs)}
    shared = nx.Graph()
    shared.add_nodes_from(docs)
    meeting: dict[Hashable, set[str]] = defaultdict(set)
    for one, other, kind in graph.edges(data="kind"):
        if kind == "mentions":
            meeting[other].add(homes[one])
        elif kind in ("similar", "summary_similar"):
            meeting[one, other] = {homes[one], homes[other]}
    for key in sorted(meeting, key=str):
        found = sorted(meeting[key])
        for a, b in combinations(found, 2) if len(found) <= _SHARED else ():
            shared.add_edge(a, b, weight=shared.get_edge_data(a, b, {"weight": 0.0})["weight"] + 1 / (len(found) - 1))
    if len(docs) < 2:
        return {doc: np.zeros(2) for doc in docs}
    sprung = nx.spring_layout(shared, seed=0, iterations=100, k=1.6 / math.sqrt(len(docs)), weight="weight")
    points = np.array([sprung[doc] for doc in docs]) * size * math.sqrt(len(docs)) / 3
    apart(points, size, 200)
    return dict(zip(docs, points, strict=True))


def _between(graph: nx.MultiDiGraph, nodes: Sequence[Hashable], places: dict[Hashable, Points]) -> None:
    """Place what is of no document between what it is joined to, and near the passages that tell of it."""
    neighbours: dict[Hashable, list[Hashable]] = defaultdict(list)
    for one, other, chunk in graph.edges(data="chunk"):  # of a fact, where its sentence stands
        neighbours[one] += [other, chunk] if chunk else [other]
        neighbours[other] += [one, chunk] if chunk else [one]
    waiting = [node for node in nodes if node not in places]
    for _ in range(3):
        found = {}
        for node in waiting:
            near = [places[other] for other in neighbours[node] if other in places]
            if near:
                found[node] = np.mean(near, axis=0) + _aside(node)
        places.update(found)
        waiting = [node for node in waiting if node not in places]
    far = max((float(np.hypot(*place)) for place in places.values()), default=0.0)
    for at, node in enumerate(waiting):  # joined to nothing: in a ring outside
        places[node] = (far + 4 * APART) * np.array([math.cos(at * _TURN), math.sin(at * _TURN)])


def _aside(node: Hashable) -> Points:
    """Return a small step that is a node's own, so that no two begin in one place."""
    seed = sum(ord(letter) * (at + 7) for at, letter in enumerate(str(node)))
    return np.array([math.cos(seed), math.sin(seed)]) * APART * (0.5 + seed % 97 / 97)


def _spiral(at: int) -> Points:
    return np.array([math.cos(at * _TURN), math.sin(at * _TURN)]) * APART * math.sqrt(at)


def _order(graph: nx.MultiDiGraph, node: Hashable) -> tuple[int, str]:
    return int(graph.nodes[node].get("start", 0)), str(node)
