"""multi_context / intersection: the one entity that has two properties, each of which other entities have too.

Either fact alone leaves several answers; both together leave one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import combinations, islice

from kgsynth.base.records import Fact, Scenario
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import Role
from kgsynth.evidence.entities import EntityRole
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions.eligibility import CLAUSAL, usable

Property = tuple[object, ...]


def walk(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield scenarios for each entity that alone has two shared properties, which are stated in separate chunks."""
    holders = property_holders(knowledge)
    shared: dict[str, list[Property]] = defaultdict(list)
    for key in sorted(holders, key=repr):
        if 2 <= len(holders[key]) <= LIMITS.intersection_max_holders:
            for ident in holders[key]:
                shared[ident].append(key)
    for ident in sorted(shared):
        pairs = (
            (holders[one][ident], holders[two][ident])
            for one, two in combinations(shared[ident][: LIMITS.intersection_properties], 2)
            if holders[one].keys() & holders[two].keys() == {ident}
        )
        separate = (pair for pair in pairs if knowledge.chunks.separate(pair[0].fact, pair[1].fact))
        for first, second in islice(separate, LIMITS.intersection_pairs):
            link = (ident, first.place, second.place)
            yield Scenario("multi_context", "intersection", (first.fact, second.fact), second.place, (link,))


def property_holders(
    knowledge: Knowledge, keep: Callable[[Fact], bool] = lambda fact: True
) -> dict[Property, dict[str, EntityRole]]:
    """Return for each property the entities that have it, by id, each with the first fact to keep that says so."""
    holders: dict[Property, dict[str, EntityRole]] = defaultdict(dict)
    for ident, roles in sorted(knowledge.entities.roles.items()):
        for role in roles:
            fits = role.phrase.role == Role.SUBJECT and role.whole and keep(role.fact)
            key = _property_of(role.fact) if fits else None
            if key is not None:
                holders[key].setdefault(ident, role)
    return holders


def _property_of(fact: Fact) -> Property | None:
    """Return what a fact says about its subject, as a key equal for equal statements; None when it says too little."""
    rest = [phrase for phrase in fact.phrases if phrase.role not in {Role.SUBJECT, Role.MANNER}]
    if not usable(fact) or fact.verb.negated or any(phrase.role in CLAUSAL for phrase in rest):
        return None
    said = tuple(sorted((phrase.marker, phrase.lemmas) for phrase in rest))
    return (fact.verb.lemma, fact.verb.passive, said) if any(phrase.lemmas for phrase in rest) else None
