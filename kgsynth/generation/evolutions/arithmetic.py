"""reasoning / arithmetic: by how much two values differ, or how much time passed between two events."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from kgsynth.base.records import Scenario
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.evidence.quantities import difference
from kgsynth.generation.evolutions.value_pairs import pairs, scenario


def walk(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for each pair of values that can be subtracted."""
    for pair in chain(*knowledge.derived(pairs)):
        code = knowledge.documents[pair[1][1].doc].language
        if difference(pair[0][0], pair[1][0], code) is not None:
            yield scenario("reasoning", "arithmetic", pair)
