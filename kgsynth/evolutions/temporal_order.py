"""reasoning / temporal_order: which of two dated events came first."""

from __future__ import annotations

from collections.abc import Iterator

from kgsynth.evolutions.pairs import pairs, scenario
from kgsynth.knowledge import Knowledge
from kgsynth.records import Scenario


def walk(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for pairs of facts with dates that can be told apart."""
    _, events = pairs(knowledge)
    for pair in events:
        yield scenario("reasoning", "temporal_order", pair)
