"""unanswerable / swapped_entity: what is told of one thing, asked of another of its kind, of which it is not told."""

from __future__ import annotations

from collections.abc import Iterator

from kgsynth.base.records import Scenario
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions.swapped_relation import own_alike
from kgsynth.generation.evolutions.swaps import swaps


def walk(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for each swap with a thing of which nothing alike is told."""
    for swap in knowledge.derived(swaps):
        if own_alike(knowledge, swap) is None:
            yield swap.scenario("swapped_entity")
