"""simple / use: what something is used for, from a fact that says so."""

from __future__ import annotations

from collections.abc import Iterator

from kgsynth.base.records import Scenario
from kgsynth.base.vocabulary import Role
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions.cause import explained


def walk(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for each fact that says what something is used for."""
    for fact, place in explained(knowledge, Role.PURPOSE):
        if knowledge.statements.language_of(fact.doc).says_use(fact, place):
            yield Scenario("simple", "use", (fact,), place)
