"""reasoning / purpose: what something is done for, from a fact that names its purpose.

What something is used for is a look-up: it is the subtype ``use``.
"""

from __future__ import annotations

from collections.abc import Iterator

from kgsynth.base.records import Scenario
from kgsynth.base.vocabulary import Role
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions.cause import explained


def walk(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for each fact with a purpose."""
    for fact, place in explained(knowledge, Role.PURPOSE):
        if not knowledge.statements.language_of(fact.doc).says_use(fact, place):
            yield Scenario("reasoning", "purpose", (fact,), place)
