"""reasoning / comparison: which of two things of one document has more, by their values."""

from __future__ import annotations

from collections.abc import Iterator

from kgsynth.base.records import Scenario
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions.value_pairs import pairs, scenario


def walk(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for each pair of comparable values in one document."""
    values, _ = knowledge.derived(pairs)
    for pair in values:
        if pair[0][1].doc == pair[1][1].doc:
            yield scenario("reasoning", "comparison", pair)
