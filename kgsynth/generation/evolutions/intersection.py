"""multi_context / intersection: the one thing of which two facts hold, each of which holds of others too.

Either fact alone leaves several answers; only both together leave one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations

from kgsynth.base.records import Fact, Scenario
from kgsynth.base.vocabulary import Role
from kgsynth.evidence.entities import EntityRole
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions.eligibility import CLAUSAL, usable

_PAIRS = 4  # scenarios for one entity
_WIDEST = 40  # entities that share a property; beyond, it tells little


def walk(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for each entity that is alone in having two shared properties, told in different chunks."""
    holders: dict[tuple[object, ...], set[str]] = defaultdict(set)
    properties: dict[str, dict[tuple[object, ...], EntityRole]] = defaultdict(dict)
    for ident, roles in sorted(knowledge.entities.roles.items()):
        for role in roles:
            key = property_of(role.fact) if role.phrase.role == Role.SUBJECT and role.whole else None
            if key is not None:
                holders[key].add(ident)
                properties[ident].setdefault(key, role)
    for ident in sorted(properties):
        shared = [key for key in sorted(properties[ident], key=repr) if 2 <= len(holders[key]) <= _WIDEST]
        found = 0
        for one, two in combinations(shared[:12], 2):
            first, second = properties[ident][one], properties[ident][two]
            if (
                found < _PAIRS
                and holders[one] & holders[two] == {ident}
                and knowledge.chunks.separate(first.fact, second.fact)
            ):
                found += 1
                link = (ident, first.place, second.place)
                yield Scenario("multi_context", "intersection", (first.fact, second.fact), second.place, (link,))


def property_of(fact: Fact) -> tuple[object, ...] | None:
    """Return what a fact says of its subject, as a key equal for equal statements, or None when it says too little."""
    rest = [phrase for phrase in fact.phrases if phrase.role not in {Role.SUBJECT, Role.MANNER}]
    if not usable(fact) or fact.verb.negated or not rest or any(phrase.role in CLAUSAL for phrase in rest):
        return None
    said = tuple(sorted((phrase.marker, phrase.lemmas) for phrase in rest))
    return (fact.verb.lemma, fact.verb.passive, said) if any(phrase.lemmas for phrase in rest) else None
