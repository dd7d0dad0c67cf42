"""reasoning / aggregation: which entities have a property, or how many have it."""

from __future__ import annotations

from collections.abc import Iterator

from kgsynth.base.records import Scenario
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import Role
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions.intersection import property_holders


def walk(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for each property that several entities have, each stated in a sentence of its own."""
    holders = property_holders(knowledge, keep=lambda fact: fact.first(Role.ATTRIBUTE) is None)
    for key in sorted(holders, key=repr):
        members = sorted(holders[key].values(), key=lambda role: (role.fact.doc, role.fact.start))
        places = {(role.fact.doc, role.fact.start) for role in members}
        if 2 <= len(members) <= LIMITS.aggregation_max_members and len(places) == len(members):
            facts = tuple(role.fact for role in members)
            yield Scenario("reasoning", "aggregation", facts, members[-1].place, rivals=facts)
