"""How well a graph hangs together: what questions over several chunks can be made of it, and what cannot."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import networkx as nx
from networkx.utils import UnionFind

_HUB_SHARE = 0.2
_HUBS_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Health:
    """The measures of one graph; shares are of all chunks, 0 for a graph without any.

    Attributes:
        chunks: How many there are.
        entities: How many there are.
        facts: How many different facts the fact edges come from.
        isolated: The chunks that share no entity with another and are similar to none, sorted.
        components: How many groups of chunks there are, when shared entities and similarity join them.
        largest: The share of chunks in the largest group.
        entity_coverage: The share of chunks that mention an entity.
        without_facts: The share of chunks in which no fact edge has its sentence.
        similar_degree: How many similar chunks a chunk has on average.
        hubs: The entities that more than a fifth of the chunks mention: (name, share), the largest first.
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
        elif kind == "fact":
            facts.add(data["fact"])
            with_facts.add(data["chunk"])
        if kind in {"mentions", "similar"}:
            groups.union(one, other)
    sizes = [[node for node in members if kinds[node] == "chunk"] for members in groups.to_sets()]
    total = max(1, len(chunks))
    hubs = [(count / total, graph.nodes[node]["name"]) for node, count in degree.items() if count > _HUB_SHARE * total]
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
    """Return the measures as plain sentences, each with what follows from it where something does.

    Example:
        >>> in_words(Health(0, 0, 0, (), 0, 0.0, 0.0, 0.0, 0.0, ()))
        ['The graph has no chunks: no question can be made of it.']
    """
    if not found.chunks:
        return ["The graph has no chunks: no question can be made of it."]
    lines = [
        f"The graph has {_many(found.chunks, 'chunk')}, {_many(found.entities, 'entity', 'entities')} "
        f"and {_many(found.facts, 'fact')}.",
        f"{found.entity_coverage:.0%} of the chunks mention an entity; "
        f"{found.without_facts:.0%} hold no fact between entities or values.",
        f"A chunk has {found.similar_degree:.1f} similar chunks on average.",
    ]
    if found.components == 1:
        lines.append("All chunks hang together.")
    else:
        lines.append(f"The chunks fall into {found.components} groups, the largest with {found.largest:.0%} of them.")
    if found.isolated:
        lines.append(
            f"{_many(len(found.isolated), 'chunk')} without an entity shared with another and without a similar one: "
            "no question over several chunks can use them."
        )
    if found.hubs:
        shown = ", ".join(f"{name} ({share:.0%})" for name, share in found.hubs[:_HUBS_SHOWN])
        lines.append(f"Named in more than {_HUB_SHARE:.0%} of the chunks, so that it tells few of them apart: {shown}.")
    return lines


def _many(count: int, one: str, more: str = "") -> str:
    return f"{count:,} {one if count == 1 else more or one + 's'}"
