"""The health of a graph: how far its chunks are connected, so that questions can span several of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import networkx as nx
from networkx.utils import UnionFind

from kgsynth.base.shares import percent
from kgsynth.base.thresholds import LIMITS
from kgsynth.show.wording import many

_MAX_HUBS_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Health:
    """The measures of one graph; shares are of all chunks, and 0 for a graph without chunks.

    Attributes:
        chunks: The number of chunks.
        entities: The number of entities.
        facts: The number of different facts behind the fact edges.
        isolated: The chunks that share no entity with another and are similar to none, sorted.
        components: The number of groups of chunks that are joined by shared entities and similarity.
        largest: The share of chunks in the largest group.
        entity_coverage: The share of chunks that mention an entity.
        without_facts: The share of chunks that contain the sentence of no fact edge.
        similar_degree: The average number of similar chunks of a chunk.
        hubs: The entities that too many chunks mention to tell them apart: (name, share), the largest first.
    """

    chunks: int
    entities: int
    facts: int
    isolated: tuple[str, ...]
    components: int
    largest: float
    entity_coverage: float
    without_facts: float
    similar_degree: float
    hubs: tuple[tuple[str, float], ...]


def health(graph: nx.MultiDiGraph) -> Health:
    """Return the measures of a graph, in one pass over its nodes and one over its edges."""
    kinds = dict(graph.nodes(data="kind"))
    chunks = [node for node, kind in kinds.items() if kind == "chunk"]
    groups = UnionFind(chunks)
    mentioning: set[str] = set()
    degree: Counter[str] = Counter()
    similar, facts, with_facts = 0, set(), set()
    for one, other, data in graph.edges(data=True):
        kind = data["kind"]
        if kind == "mentions":
            mentioning.add(one)
            degree[other] += 1
        elif kind == "similar":
            similar += 1
        elif "fact" in data:
            facts.add(data["fact"])
            with_facts.add(data["chunk"])
        if kind in {"mentions", "similar"}:
            groups.union(one, other)
    sizes = [[node for node in members if kinds[node] == "chunk"] for members in groups.to_sets()]
    total = max(1, len(chunks))
    hubs = [
        (count / total, graph.nodes[node]["name"]) for node, count in degree.items() if count > LIMITS.hub_share * total
    ]
    return Health(
        chunks=len(chunks),
        entities=sum(kind == "entity" for kind in kinds.values()),
        facts=len(facts),
        isolated=tuple(sorted(members[0] for members in sizes if len(members) == 1)),
        components=len(sizes),
        largest=max((len(members) for members in sizes), default=0) / total,
        entity_coverage=len(mentioning) / total,
        without_facts=sum(chunk not in with_facts for chunk in chunks) / total,
        similar_degree=2 * similar / total,
        hubs=tuple((name, share) for share, name in sorted(hubs, key=lambda hub: (-hub[0], hub[1]))),
    )


def in_words(found: Health) -> list[str]:
    """Return the measures as sentences, with their consequences for the questions.

    Example:
        >>> in_words(Health(0, 0, 0, (), 0, 0.0, 0.0, 0.0, 0.0, ()))
        ['The graph has no chunks: no question can be made from it.']
    """
    if not found.chunks:
        return ["The graph has no chunks: no question can be made from it."]
    lines = [
        f"The graph has {many(found.chunks, 'chunk')}, {many(found.entities, 'entity', 'entities')} "
        f"and {many(found.facts, 'fact')}.",
        f"{percent(found.entity_coverage)} of the chunks mention an entity; "
        f"{percent(found.without_facts)} contain no fact between entities or values.",
        *([f"A chunk has {found.similar_degree:.1f} similar chunks on average."] if found.similar_degree else ()),
    ]
    if found.components == 1:
        lines.append("All chunks are connected.")
    else:
        lines.append(
            f"The chunks fall into {found.components} groups, the largest with {percent(found.largest)} of them."
        )
    if found.isolated:
        lines.append(
            f"{many(len(found.isolated), 'chunk')} without a shared entity"
            f"{' and without a similar chunk' if found.similar_degree else ''}: "
            "no question over several chunks can use them."
        )
    if found.hubs:
        shown = ", ".join(f"{name} ({percent(share)})" for name, share in found.hubs[:_MAX_HUBS_SHOWN])
        lines.append(
            f"Named in more than {percent(LIMITS.hub_share)} of the chunks, so too common to tell them apart: {shown}."
        )
    return lines
