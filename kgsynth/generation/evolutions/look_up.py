"""simple / look_up: one cell of a table, by the head of its row and the heads of its column."""

from __future__ import annotations

from collections.abc import Iterator

from kgsynth.base.records import Scenario
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import StructureKind
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.language.words import length_in_words


def walk(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for each cell with a column head."""
    for fact in knowledge.structure:
        asked = fact.kind == StructureKind.CELL and fact.heads
        if asked and length_in_words(fact.values[0].text) <= LIMITS.passage_max_words:
            yield Scenario("simple", "look_up", (), structure=(fact,))
