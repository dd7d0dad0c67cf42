"""multi_context / bridge: a path of two to four facts, each of which describes an entity that the next speaks of.

No entity on the way is named in the question, so every fact is needed to know which one the next is about.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from kgsynth.base.records import Entity, Phrase, Scenario
from kgsynth.base.vocabulary import Flag, Role, VerbFlag
from kgsynth.evidence.entities import EntityRole
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions.definition import defines
from kgsynth.generation.evolutions.eligibility import NOT_ASKED, anchor, is_answer, loose_ends, told_of, usable, vague
from kgsynth.language.words import length_in_words

_DESCRIPTIONS = 3  # facts tried to describe an entity, for each fact that speaks of it
_MOST_HOPS = 4


def walk(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for each path of facts that meet in entities and stand in different chunks."""
    describing = {
        ident: sorted(found, key=lambda r: (not defines(r.fact), len(r.fact.text), r.fact.id))
        for ident, roles in sorted(knowledge.entities.roles.items())
        if len(roles) >= 2
        and is_name(knowledge.entities[ident])
        and not knowledge.entities.is_common(knowledge.entities[ident])
        and (found := [role for role in roles if describes(knowledge, role)])
    }
    parts: dict[str, list[tuple[str, EntityRole]]] = defaultdict(list)
    for ident in describing:
        for role in knowledge.entities.roles[ident]:
            parts[role.fact.id].append((ident, role))
    for ident, known in describing.items():
        for scenario in _through(knowledge, knowledge.entities[ident], knowledge.entities.roles[ident], known):
            yield scenario
            yield from _longer(knowledge, scenario, describing, parts)


def _longer(
    knowledge: Knowledge,
    scenario: Scenario,
    describing: Mapping[str, list[EntityRole]],
    parts: Mapping[str, list[tuple[str, EntityRole]]],
) -> Iterator[Scenario]:
    """Yield the scenarios one hop longer, and those longer still: another name in the first fact is described too."""
    first, (ident, taken, _) = scenario.facts[0], scenario.links[0]
    if len(scenario.facts) == _MOST_HOPS:
        return
    for other, role in parts[first.id]:
        if other == ident or role.place == taken or role.phrase.role in NOT_ASKED:
            continue
        for told in describing[other][:_DESCRIPTIONS]:
            if all(knowledge.chunks.separate(told.fact, fact) for fact in scenario.facts) and _agree(role, told):
                longer = replace(
                    scenario,
                    facts=(told.fact, *scenario.facts),
                    links=((other, told.place, role.place), *scenario.links),
                    cuts=(role.cut, *scenario.cuts),
                )
                yield longer
                yield from _longer(knowledge, longer, describing, parts)
                break


def _through(
    knowledge: Knowledge, entity: Entity, roles: list[EntityRole], describing: Sequence[EntityRole]
) -> Iterator[Scenario]:
    for role in roles:
        if not usable(role.fact) or any(p.role in {Role.CONDITION, Role.CLAUSE} for p in role.fact.phrases):
            continue
        partners = [
            other for other in describing if knowledge.chunks.separate(role.fact, other.fact) and _agree(role, other)
        ]
        partners.sort(key=lambda other: other.fact.doc == role.fact.doc)
        for place, phrase in enumerate(role.fact.phrases):
            if (
                place == role.place
                or _circular(role, phrase)
                or phrase.role in NOT_ASKED
                or not is_answer(phrase)
                or told_of(role.fact, phrase)
            ):
                continue
            for other in partners[:_DESCRIPTIONS]:
                link = (entity.id, other.place, role.place)
                facts = (other.fact, role.fact)
                yield Scenario("multi_context", "bridge", facts, place, (link,), cuts=(role.cut,))


def describes(knowledge: Knowledge, role: EntityRole) -> bool:
    """Say whether the rest of a fact can stand for the entity: short, anchored, without conditions."""
    fact = role.fact
    return (
        usable(fact)
        and role.whole
        and role.phrase.role in {Role.SUBJECT, Role.OBJECT, Role.AGENT, Role.OTHER, Role.PLACE}
        and (not role.phrase.has(Flag.PLURAL) or defines(fact))
        and not fact.verb.negated
        and (not fact.verb.modal or fact.verb.has(VerbFlag.ABILITY))
        and not any(p.role in {Role.CONDITION, Role.CLAUSE} for p in fact.phrases)
        and not any(vague(p) for p in fact.phrases)
        and (anchor(fact, role.place) >= 1 or _named(knowledge, role))
        and length_in_words(" ".join(p.text for n, p in enumerate(fact.phrases) if n not in loose_ends(fact))) <= 18
    )


def is_name(entity: Entity) -> bool:
    """Say whether an entity has a name of its own, or is a term of two words; one common noun may be many things."""
    if any(re.search(r" [^\w\s(]+ |:(?: |$)", form) for form in entity.forms):
        return False  # "5 + 6" is an expression
    return entity.label == "CODE" or any(not form.islower() or " " in form for form in entity.forms)


def _named(knowledge: Knowledge, role: EntityRole) -> bool:
    """Say whether another phrase of the fact is an entity, which anchors it too."""
    others = (phrase for place, phrase in enumerate(role.fact.phrases) if place != role.place)
    return any(knowledge.entities.entity_of(role.fact, phrase) is not None for phrase in others)


def _circular(role: EntityRole, asked: Phrase) -> bool:
    """Say whether asking for the phrase would ask what the thing is, which its description has just said."""
    both = {role.phrase.role, asked.role} == {Role.SUBJECT, Role.ATTRIBUTE}
    return role.whole and role.fact.verb.has(VerbFlag.COPULA) and both


def _agree(role: EntityRole, other: EntityRole) -> bool:
    """Say whether both facts speak of the thing in the same number."""
    return role.phrase.has(Flag.PLURAL) == other.phrase.has(Flag.PLURAL) or not role.whole
