"""simple / term: what is said of a term, a parameter or an option in a list of such."""

from __future__ import annotations

from collections.abc import Iterator

from kgsynth.base.records import Scenario
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import StructureKind
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.language.lengths import length_in_words


def walk(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for each term that is explained, and for each default of a parameter."""
    for fact in knowledge.structure:
        asked = fact.kind in (StructureKind.DEFINITION, StructureKind.DEFAULT)
        if asked and length_in_words(fact.values[0].text) <= LIMITS.passage_max_words:
            yield Scenario("simple", "term", (), structure=(fact,))
