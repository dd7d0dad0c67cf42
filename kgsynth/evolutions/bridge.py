"""multi_context / bridge: a path through an entity that one fact describes and another, elsewhere, speaks of.

The entity is never named in the question, so the first fact is needed to know which one is meant.
"""

from __future__ import annotations

from collections.abc import Iterator

from kgsynth.evolutions.definition import defines
from kgsynth.evolutions.eligible import NOT_ASKED, anchor, is_answer, loose_ends, told_of, usable, vague
from kgsynth.knowledge import Knowledge, Role
from kgsynth.records import Entity, Phrase, Scenario

_DESCRIPTIONS = 3  # facts tried to describe the bridge, for each fact asked about


def walk(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for each pair of facts that meet in an entity and stand in different chunks."""
    for ident, roles in sorted(knowledge.roles.items()):
        entity = knowledge.entities[ident]
        if len(roles) >= 2 and not knowledge.is_common(entity):
            yield from _through(knowledge, entity, roles)


def _through(knowledge: Knowledge, entity: Entity, roles: list[Role]) -> Iterator[Scenario]:
    describing = [role for role in roles if describes(knowledge, role)]
    describing.sort(key=lambda r: (not defines(r.fact), len(r.fact.text), r.fact.id))
    for role in roles:
        if not usable(role.fact) or any(p.role in {"condition", "clause"} for p in role.fact.phrases):
            continue
        partners = [other for other in describing if knowledge.apart(role.fact, other.fact) and _agree(role, other)]
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


def describes(knowledge: Knowledge, role: Role) -> bool:
    """Say whether the rest of a fact can stand for the entity: short, anchored, without conditions."""
    fact = role.fact
    return (
        usable(fact)
        and role.whole
        and role.phrase.role in {"subject", "object", "agent", "other", "place"}
        and (not role.phrase.has("plural") or defines(fact))
        and not fact.verb.negated
        and not any(p.role in {"condition", "clause"} for p in fact.phrases)
        and not any(vague(p) for p in fact.phrases)
        and (anchor(fact, role.place) >= 1 or _named(knowledge, role))
        and len(" ".join(p.text for n, p in enumerate(fact.phrases) if n not in loose_ends(fact)).split()) <= 18
    )


def _named(knowledge: Knowledge, role: Role) -> bool:
    """Say whether another phrase of the fact is an entity, which anchors it too."""
    others = (phrase for place, phrase in enumerate(role.fact.phrases) if place != role.place)
    return any(knowledge.entity_of(role.fact, phrase) is not None for phrase in others)


def _circular(role: Role, asked: Phrase) -> bool:
    """Say whether asking for the phrase would ask what the thing is, which its description has just said."""
    return role.whole and role.fact.verb.lemma == "be" and {role.phrase.role, asked.role} == {"subject", "attribute"}


def _agree(role: Role, other: Role) -> bool:
    """Say whether both facts speak of the thing in the same number."""
    return role.phrase.has("plural") == other.phrase.has("plural") or not role.whole
