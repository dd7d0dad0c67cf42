"""multi_context / bridge: a path of two to four facts, each of which describes an entity of the next one.

The question names none of the entities on the path, so every fact is needed to know what the next one is about.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from kgsynth.base.records import Entity, Fact, Phrase, Scenario
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import Flag, Role, VerbFlag
from kgsynth.evidence.entities import EntityRole
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions.eligibility import CLAUSAL, anchor, is_answer, is_topic, loose_ends, usable, vague
from kgsynth.generation.evolutions.prose import defines
from kgsynth.language.lengths import length_in_words

_NEVER_ASKED = (Role.MANNER, *CLAUSAL)


def walk(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for each path of facts that meet in entities and stand in separate chunks."""
    descriptions = {
        ident: sorted(found, key=lambda r: (not defines(r.fact), len(r.fact.text), r.fact.id))
        for ident, roles in entities_to_ask_about(knowledge)
        if (found := [role for role in roles if _describes(knowledge, role)])
    }
    described_in: dict[str, list[tuple[str, EntityRole]]] = defaultdict(list)
    for ident in descriptions:
        for role in knowledge.entities.roles[ident]:
            described_in[role.fact.id].append((ident, role))
    for ident, describing in descriptions.items():
        for scenario in _two_facts(knowledge, ident, describing):
            yield scenario
            yield from _longer(knowledge, scenario, descriptions, described_in)


def _two_facts(knowledge: Knowledge, ident: str, describing: Sequence[EntityRole]) -> Iterator[Scenario]:
    """Yield the scenarios that ask for a phrase of one fact and describe the entity by another."""
    for role in knowledge.entities.roles[ident]:
        if not usable(role.fact) or _has_condition(role.fact):
            continue
        partners = [
            other for other in describing if knowledge.chunks.separate(role.fact, other.fact) and _agree(role, other)
        ]
        partners.sort(key=lambda other: other.fact.doc == role.fact.doc)
        for place, phrase in enumerate(role.fact.phrases):
            if (
                place == role.place
                or _is_circular(role, phrase)
                or phrase.role in _NEVER_ASKED
                or not is_answer(phrase)
                or is_topic(role.fact, phrase)
            ):
                continue
            for other in partners[: LIMITS.bridge_descriptions]:
                link = (ident, other.place, role.place)
                yield Scenario("multi_context", "bridge", (other.fact, role.fact), place, (link,), cuts=(role.cut,))


def _longer(
    knowledge: Knowledge,
    scenario: Scenario,
    descriptions: Mapping[str, list[EntityRole]],
    described_in: Mapping[str, list[tuple[str, EntityRole]]],
) -> Iterator[Scenario]:
    """Yield the longer scenarios, in which another name in the first fact is replaced by a description too."""
    first, (ident, taken, _) = scenario.facts[0], scenario.links[0]
    if len(scenario.facts) >= LIMITS.bridge_max_facts:
        return
    for other, role in described_in[first.id]:
        if other == ident or role.place == taken or role.phrase.role in _NEVER_ASKED:
            continue
        for describing in descriptions[other][: LIMITS.bridge_descriptions]:
            separate = all(knowledge.chunks.separate(describing.fact, fact) for fact in scenario.facts)
            if separate and _agree(role, describing):
                longer = replace(
                    scenario,
                    facts=(describing.fact, *scenario.facts),
                    links=((other, describing.place, role.place), *scenario.links),
                    cuts=(role.cut, *scenario.cuts),
                )
                yield longer
                yield from _longer(knowledge, longer, descriptions, described_in)
                break


def _describes(knowledge: Knowledge, role: EntityRole) -> bool:
    """Check whether the rest of a fact can replace the entity's name: short, anchored, without conditions."""
    fact = role.fact
    said = " ".join(p.text for n, p in enumerate(fact.phrases) if n not in loose_ends(fact))
    return (
        usable(fact)
        and role.whole
        and role.phrase.role in {Role.SUBJECT, Role.OBJECT, Role.AGENT, Role.OTHER, Role.PLACE}
        and (not role.phrase.has(Flag.PLURAL) or defines(fact))
        and not fact.verb.negated
        and (not fact.verb.modal or fact.verb.has(VerbFlag.ABILITY))
        and not _has_condition(fact)
        and not any(vague(p) for p in fact.phrases)
        and (anchor(fact, role.place) >= LIMITS.min_anchor or _names_another(knowledge, role))
        and length_in_words(said) <= LIMITS.description_max_words
    )


def entities_to_ask_about(knowledge: Knowledge) -> Iterator[tuple[str, list[EntityRole]]]:
    """Yield the ids and roles of the entities with a name and several facts that few documents mention."""
    for ident, roles in sorted(knowledge.entities.roles.items()):
        entity = knowledge.entities[ident]
        if len(roles) >= 2 and has_name(entity) and not knowledge.entities.is_common(entity):
            yield ident, roles


def has_name(entity: Entity) -> bool:
    """Check whether an entity has a name of its own, or is a term of two words; one common noun may be many things."""
    if any(re.search(r" [^\w\s(]+ |:(?: |$)", form) for form in entity.forms):
        return False  # "5 + 6" is an expression
    return entity.label == "CODE" or any(not form.islower() or " " in form for form in entity.forms)


def _has_condition(fact: Fact) -> bool:
    return any(phrase.role in {Role.CONDITION, Role.CLAUSE} for phrase in fact.phrases)


def _names_another(knowledge: Knowledge, role: EntityRole) -> bool:
    """Check whether another phrase of the fact is an entity, which anchors it too."""
    others = (phrase for place, phrase in enumerate(role.fact.phrases) if place != role.place)
    return any(knowledge.entities.entity_of(role.fact, phrase) is not None for phrase in others)


def _is_circular(role: EntityRole, asked: Phrase) -> bool:
    """Check whether the phrase says what the entity is, which its description has just said."""
    both = {role.phrase.role, asked.role} == {Role.SUBJECT, Role.ATTRIBUTE}
    return role.whole and role.fact.verb.has(VerbFlag.COPULA) and both


def _agree(role: EntityRole, other: EntityRole) -> bool:
    """Check whether both facts use the entity in the same number."""
    return role.phrase.has(Flag.PLURAL) == other.phrase.has(Flag.PLURAL) or not role.whole
