"""reasoning / aggregation: all the things of which the corpus says the same, or how many they are."""

from __future__ import annotations

from collections.abc import Iterator

from kgsynth.base.records import Scenario
from kgsynth.base.vocabulary import Role
from kgsynth.evidence.entities import EntityRole
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions.intersection import property_of

_MOST = 8  # members; a longer list is no answer to one question


def walk(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for each property that two to eight entities have, each told in a sentence of its own."""
    holders: dict[tuple[object, ...], dict[str, EntityRole]] = {}
    for ident, roles in sorted(knowledge.entities.roles.items()):
        for role in roles:
            fit = role.phrase.role == Role.SUBJECT and role.whole and not role.fact.first(Role.ATTRIBUTE)
            key = property_of(role.fact) if fit else None
            if key is not None:
                holders.setdefault(key, {}).setdefault(ident, role)
    for key in sorted(holders, key=repr):
        members = sorted(holders[key].values(), key=lambda role: (role.fact.doc, role.fact.start))
        places = {(role.fact.doc, role.fact.start) for role in members}
        if 2 <= len(members) <= _MOST and len(places) == len(members):
            facts = tuple(role.fact for role in members)
            yield Scenario("reasoning", "aggregation", facts, members[-1].place, rivals=facts)
