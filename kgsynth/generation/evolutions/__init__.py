"""Evolutions: each walks the graph one way and yields scenarios, what a question could be about.

One traversal a file; ``EVOLUTIONS`` is the table of them all. A traversal reads records and indexes only, never
raw text, so it works for every language that has facts.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import islice, zip_longest

from kgsynth.base.records import Scenario
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions import (
    aggregation,
    arithmetic,
    bridge,
    cause,
    comparison,
    compound,
    condition,
    cross_document_comparison,
    definition,
    factoid,
    intersection,
    out_of_scope,
    purpose,
    scoped,
    side_by_side,
    swapped_entity,
    swapped_relation,
    temporal_order,
)

EVOLUTIONS: dict[str, tuple[str, Callable[[Knowledge], Iterator[Scenario]]]] = {
    "factoid": ("simple", factoid.walk),
    "definition": ("simple", definition.walk),
    "cause": ("reasoning", cause.walk),
    "purpose": ("reasoning", purpose.walk),
    "comparison": ("reasoning", comparison.walk),
    "arithmetic": ("reasoning", arithmetic.walk),
    "aggregation": ("reasoning", aggregation.walk),
    "temporal_order": ("reasoning", temporal_order.walk),
    "bridge": ("multi_context", bridge.walk),
    "intersection": ("multi_context", intersection.walk),
    "cross_document_comparison": ("multi_context", cross_document_comparison.walk),
    "compound": ("multi_context", compound.walk),
    "side_by_side": ("multi_context", side_by_side.walk),
    "explicit": ("conditional", condition.walk),
    "scoped": ("conditional", scoped.walk),
    "swapped_entity": ("unanswerable", swapped_entity.walk),
    "swapped_relation": ("unanswerable", swapped_relation.walk),
    "out_of_scope": ("unanswerable", out_of_scope.walk),
}
"""Subtype of question -> its type, and the traversal that finds its scenarios."""


def evolve(knowledge: Knowledge, *, types: Collection[str], limit: int, rng: random.Random) -> Iterator[Scenario]:
    """Yield the scenarios of the wanted types, at most ``limit`` of each subtype, drawn evenly over the documents."""
    for kind, traverse in EVOLUTIONS.values():
        if kind in types:
            yield from draw(list(traverse(knowledge)), limit, rng)


def draw(scenarios: Sequence[Scenario], limit: int, rng: random.Random) -> list[Scenario]:
    """Return at most ``limit`` of the scenarios: one of each document in turn, which one is left to chance."""
    if len(scenarios) <= limit:
        return list(scenarios)
    by_doc: dict[str, list[Scenario]] = defaultdict(list)
    for scenario in scenarios:
        by_doc[scenario.facts[-1].doc].append(scenario)
    for doc in sorted(by_doc):
        rng.shuffle(by_doc[doc])
    turns = zip_longest(*(by_doc[doc] for doc in sorted(by_doc)))
    return list(islice((scenario for turn in turns for scenario in turn if scenario is not None), limit))
