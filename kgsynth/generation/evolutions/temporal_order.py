"""reasoning / temporal_order: which of two dated events in the same chunk came first."""

from __future__ import annotations

from collections.abc import Iterator

from kgsynth.base.records import Scenario
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions.value_pairs import pairs, scenario


def walk(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for each pair of events with different dates whose chunks are the same or overlap."""
    _, events = knowledge.derived(pairs)
    for pair in events:
        if not knowledge.chunks.separate(pair[0][1], pair[1][1]):
            yield scenario("reasoning", "temporal_order", pair)
