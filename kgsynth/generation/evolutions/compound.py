"""multi_context / compound: two things asked about one entity, told in passages that stand apart."""

from __future__ import annotations

from collections.abc import Iterator

from kgsynth.base.records import Scenario
from kgsynth.base.vocabulary import Flag, Role
from kgsynth.evidence.entities import EntityRole
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions.bridge import is_name
from kgsynth.generation.evolutions.eligibility import ARGUMENTS, CLAUSAL, is_answer, repeated, told_of, usable
from kgsynth.generation.evolutions.side_by_side import likeness

_PARTNERS = 2  # facts that one is joined with, those with the likest passages
_MOST = 12  # facts of one entity that are looked at


def walk(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for pairs of facts on one named thing, each with something to ask for."""
    for ident, roles in sorted(knowledge.entities.roles.items()):
        entity = knowledge.entities[ident]
        if len(roles) < 2 or not is_name(entity) or knowledge.entities.is_common(entity):
            continue
        members = [(role, place) for role in roles if _fit(role) for place in _askable(knowledge, role)][:_MOST]
        for number, (one, asked) in enumerate(members):
            rest = [(r, p) for r, p in members[number + 1 :] if _differ(knowledge, (one, asked), (r, p))]
            rest.sort(key=lambda other: -likeness(knowledge, one.fact, other[0].fact))
            for other, place in rest[:_PARTNERS]:
                link = (ident, asked, place)
                yield Scenario("multi_context", "compound", (one.fact, other.fact), place, links=(link,))


def _fit(role: EntityRole) -> bool:
    """Say whether a fact tells something of its entity in a plain clause that stands by itself."""
    fact = role.fact
    return (
        role.whole
        and role.phrase.role in {Role.SUBJECT, Role.OBJECT}
        and not role.phrase.flags & {Flag.PLURAL, Flag.COORDINATED}
        and usable(fact)
        and not fact.verb.negated
        and not any(phrase.role in CLAUSAL or phrase.flags & {Flag.LOOSE, Flag.YOU} for _, phrase in repeated(fact))
    )


def _askable(knowledge: Knowledge, role: EntityRole) -> Iterator[int]:
    """Yield the phrases that could be asked for."""
    for place, phrase in enumerate(role.fact.phrases):
        asked = place != role.place and phrase.role in ARGUMENTS and is_answer(phrase)
        if asked and not told_of(role.fact, phrase):
            yield place


def _differ(knowledge: Knowledge, one: tuple[EntityRole, int], other: tuple[EntityRole, int]) -> bool:
    """Say whether two facts stand apart and tell two things."""
    first, second = (set(role.fact.phrases[place].lemmas) for role, place in (one, other))
    return first != second and knowledge.chunks.separate(one[0].fact, other[0].fact)
