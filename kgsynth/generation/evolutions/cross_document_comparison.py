"""multi_context / cross_document_comparison: which has more or came first, from facts in separate chunks."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from kgsynth.base.records import Scenario
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions.value_pairs import pairs, scenario


def walk(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for each pair of comparable values in two documents, and of events in separate chunks."""
    values, events = knowledge.derived(pairs)
    for pair in chain((p for p in values if p[0][1].doc != p[1][1].doc), events):
        if knowledge.chunks.separate(pair[0][1], pair[1][1]):
            yield scenario("multi_context", "cross_document_comparison", pair)
