"""unanswerable / swapped_entity: a fact about one entity, asked about another of its kind that has no such fact."""

from __future__ import annotations

from collections.abc import Iterator

from kgsynth.base.records import Scenario
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions.swapped_relation import own_fact_like
from kgsynth.generation.evolutions.swaps import swaps


def walk(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for each swap whose other entity has no fact of the same form."""
    for swap in knowledge.derived(swaps):
        if own_fact_like(knowledge, swap) is None:
            yield swap.scenario("swapped_entity")
