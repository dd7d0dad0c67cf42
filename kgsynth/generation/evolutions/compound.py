"""multi_context / compound: two things asked about one entity, from facts in separate chunks."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from kgsynth.base.records import Fact, Scenario
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import Flag, Role
from kgsynth.evidence.entities import EntityRole
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions.bridge import entities_to_ask_about
from kgsynth.generation.evolutions.eligibility import CLAUSAL, askable, repeated, usable
from kgsynth.generation.evolutions.partners import most_similar_first

_Member = tuple[EntityRole, int]  # a fact about the entity, and the phrase of it that is asked for


def walk(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for pairs of facts about one named thing, each with something to ask for."""
    for ident, roles in entities_to_ask_about(knowledge):
        members = [(role, place) for role in roles if _is_plain(role) for place in askable(role.fact)]
        members = [member for member in members if member[1] != member[0].place][: LIMITS.compound_facts]
        for one, ranked in most_similar_first(knowledge, members, _fact, following=len(members)):
            others = (other for other, _ in ranked if _differ(knowledge, one, other))
            for other, place in islice(others, LIMITS.compound_partners):
                link = (ident, one[1], place)
                yield Scenario("multi_context", "compound", (one[0].fact, other.fact), place, links=(link,))


def _fact(member: _Member) -> Fact:
    return member[0].fact


def _is_plain(role: EntityRole) -> bool:
    """Check whether a fact says something about its entity in a plain clause that stands by itself."""
    fact = role.fact
    return (
        role.whole
        and role.phrase.role in {Role.SUBJECT, Role.OBJECT}
        and not role.phrase.flags & {Flag.PLURAL, Flag.COORDINATED}
        and usable(fact)
        and not fact.verb.negated
        and not any(phrase.role in CLAUSAL or phrase.flags & {Flag.LOOSE, Flag.YOU} for _, phrase in repeated(fact))
    )


def _differ(knowledge: Knowledge, one: _Member, other: _Member) -> bool:
    """Check whether two facts stand in separate chunks and have different answers."""
    first, second = (set(role.fact.phrases[place].lemmas) for role, place in (one, other))
    return first != second and knowledge.chunks.separate(one[0].fact, other[0].fact)
