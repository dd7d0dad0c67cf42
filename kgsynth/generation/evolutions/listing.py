"""simple / listing: the members of a list that a sentence or a heading leads into."""

from __future__ import annotations

from collections.abc import Iterator

from kgsynth.base.records import Scenario
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import StructureKind
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.language.words import length_in_words


def walk(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for each list of members or steps that is short enough to be an answer."""
    for fact in knowledge.structure:
        if fact.kind in (StructureKind.MEMBER, StructureKind.PROCEDURE):
            words = sum(length_in_words(value.text) for value in fact.values)
            if words <= LIMITS.passage_max_words and len(fact.values) <= LIMITS.list_max_members:
                yield Scenario("simple", "listing", (), structure=(fact,))
