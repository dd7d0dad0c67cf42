"""reasoning / comparison: which of two things of one document has more, by values that are computed and compared."""

from __future__ import annotations

from collections.abc import Iterator

from kgsynth.base.records import Scenario
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions.value_pairs import pairs, scenario


def walk(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for pairs of facts of one document with the same predicate and comparable values."""
    alike, _ = knowledge.derived(pairs)
    for pair in alike:
        if pair[0][1].doc == pair[1][1].doc:
            yield scenario("reasoning", "comparison", pair)
