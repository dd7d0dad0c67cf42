"""Scenarios without an answer: a fact asked about another entity, with another predicate, or on no document's topic."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from kgsynth.base.records import Entity, Fact, Phrase, Scenario
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import Flag, Role
from kgsynth.evidence.entities import EntityRole
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions.eligibility import askable, has_clause, repeated, usable, without_marker
from kgsynth.language.lengths import length_in_words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

T = TypeVar("T")


def most_similar_first(
    knowledge: Knowledge, members: Sequence[T], fact_of: Callable[[T], Fact]
) -> Iterator[tuple[T, Iterator[tuple[T, float]]]]:
    """Yield each member with all, itself included, each with the cosine of the chunks of their facts, best first."""
    rows = knowledge.vectors[[min(knowledge.chunks.holding([fact_of(member)]), default=0) for member in members]]
    for number, member in enumerate(members):
        yield member, _sorted(members, (rows @ rows[number]).round(4))


def _sorted(members: Sequence[T], cosines: NDArray[np.float32]) -> Iterator[tuple[T, float]]:
    for place in (-cosines).argsort(kind="stable"):
        yield members[place], cosines[place]


def are_related(one: Fact, other: Fact, cosine: float) -> bool:
    """Check whether two facts belong to one document or to similar chunks, so that somebody may compare them."""
    return one.doc == other.doc or cosine >= LIMITS.related_cosine


# Swaps: a fact about one entity, asked about another entity of the same kind that has no such fact.
#
# The subtypes ``swapped_entity`` and ``swapped_relation`` are made from them. Here the predicates of the other entity
# only suggest that the corpus has no answer; the filters search for one.

_SWAPPABLE = frozenset({Role.SUBJECT, Role.OBJECT, Role.AGENT, Role.DATIVE})
"""Roles in which one entity may replace another; what is said about a place may hold for the places in it."""


class Swap(NamedTuple):
    """A fact about one entity with the phrase to ask for, and a role of the other entity that it is asked about."""

    role: EntityRole
    asked: int
    other: EntityRole
    ident: str  # of the other entity

    def scenario(self, subtype: str) -> Scenario:
        """Return the scenario: its fact has the other entity in it; ``rivals`` are the facts it was made from."""
        fact, place = self.role.fact, self.role.place
        phrases = list(fact.phrases)
        phrases[place] = _replaced(self.role, self.other.phrase)
        return Scenario(
            "unanswerable",
            subtype,
            (replace(fact, phrases=tuple(phrases)),),
            self.asked,
            ((self.ident, place, self.other.place),),
            cuts=(self.role.cut, self.other.cut),
            rivals=(fact, self.other.fact),
        )


def swaps(knowledge: Knowledge) -> tuple[Swap, ...]:
    """Return the swaps of every plain fact about a named entity with a few entities of the same known kind."""
    kinds: dict[str, list[tuple[str, EntityRole]]] = defaultdict(list)
    predicates: dict[str, set[str]] = {}
    for ident, roles in sorted(knowledge.entities.roles.items()):
        predicates[ident] = {role.fact.verb.lemma for role in roles if role.whole}
        kind = kind_of(knowledge, knowledge.entities[ident])
        if kind:
            kinds[kind] += [(ident, role) for role in roles if role.phrase.role in _SWAPPABLE and _is_single(role)]
    found = (
        Swap(role, asked, other, key)
        for kind in sorted(kinds)
        for (ident, role), ranked in most_similar_first(knowledge, kinds[kind], lambda member: member[1].fact)
        if (places := list(_swappable(knowledge, role)))
        for key, other in _others(ident, role, ranked, predicates)
        for asked in places
    )
    return tuple(found)


def kind_of(knowledge: Knowledge, entity: Entity) -> str:
    """Return what kind of thing a named entity is, "" when unknown: a question about one must suit the other."""
    named = entity.label == "CODE" or any(not form.islower() for form in entity.forms)
    if knowledge.entities.is_common(entity) or not named:
        return ""
    if knowledge.entities.is_person(entity):
        return "person"
    if noun := knowledge.entities.type_noun(entity):
        return noun
    series, _, number = entity.name.rpartition(" ")
    return series if number.isdigit() else "place" if _is_place(knowledge, entity) else ""


def _is_place(knowledge: Knowledge, entity: Entity) -> bool:
    """Check whether a name is nearly always read as a place, and mostly used as one."""
    read = sum(mention.label == "GPE" for mention in entity.mentions)
    roles = Counter(role.phrase.role for role in knowledge.entities.roles.get(entity.id, ()))
    located = roles[Role.PLACE] > roles[Role.SUBJECT]  # systems and products have names like those of towns
    return located and read >= LIMITS.place_share * len(entity.mentions) and not knowledge.entities.is_technical


def looks_like(swap: Swap, asked: int) -> bool:
    """Check whether a phrase of the other entity's own fact has the form of the one asked for, with another verb."""
    mine, theirs = swap.role.fact, swap.other.fact
    wanted, found = mine.phrases[swap.asked], theirs.phrases[asked]
    same = (wanted.role, wanted.marker, wanted.label) == (found.role, found.marker, found.label)
    voice = mine.verb.passive == theirs.verb.passive
    return same and voice and mine.verb.lemma != theirs.verb.lemma and wanted.has(Flag.PERSON) == found.has(Flag.PERSON)


def _is_single(role: EntityRole) -> bool:
    unfit = {Flag.PLURAL, Flag.COORDINATED, Flag.POSSESSIVE, Flag.YOU, Flag.DEICTIC, Flag.DANGLING}
    return not role.phrase.flags & unfit


def _swappable(knowledge: Knowledge, role: EntityRole) -> Iterator[int]:
    """Yield the phrases of a plain fact that can be asked for when the fact is about another entity."""
    fact = role.fact
    if fact.verb.negated or fact.verb.modal or has_clause(fact) or not usable(fact):
        return
    for place in askable(fact):
        said = [other for _, other in repeated(fact, place, role.place)]
        few = place != role.place and len(said) <= LIMITS.swap_max_phrases
        if few and all(_is_general(knowledge, fact, other) for other in said):
            yield place


def _is_general(knowledge: Knowledge, fact: Fact, phrase: Phrase) -> bool:
    """Check whether a phrase may hold for another entity: short, not quoted, and a time only if it can be dated."""
    return (
        length_in_words(phrase.text) <= LIMITS.swap_max_words
        and not set(phrase.text) & set('"“”')
        and not phrase.flags & {Flag.LOOSE, Flag.YOU, Flag.PRONOUN}
        and bool(phrase.role != Role.TIME or knowledge.statements.language_of(fact.doc).quantity(phrase.text))
    )


def _others(
    ident: str,
    role: EntityRole,
    ranked: Iterable[tuple[tuple[str, EntityRole], float]],
    predicates: Mapping[str, set[str]],
) -> Iterator[tuple[str, EntityRole]]:
    """Yield one role of each of the most similar entities that lack the predicate.

    A fact about the entity itself needs an entity in the same role; what only ends in its name ("the head of the Salina
    plant") needs any.
    """
    fit: dict[str, EntityRole] = {}
    for (key, other), cosine in islice(ranked, LIMITS.swap_window):
        alike = other.phrase.role == role.phrase.role and role.fact.verb.lemma not in predicates[key]
        if key != ident and other.whole and (alike or not role.whole) and are_related(role.fact, other.fact, cosine):
            fit.setdefault(key, other)
    return islice(iter(fit.items()), LIMITS.swap_partners)


def _replaced(role: EntityRole, other: Phrase) -> Phrase:
    """Return the phrase of a role with the name in ``other`` in place of its own."""
    phrase, name = role.phrase, without_marker(other)
    name = name[:1].lower() + name[1:] if other.has(Flag.LOWERABLE) and not other.marker else name
    text = phrase.text[: role.cut] + name
    if not role.whole:
        old = set(phrase.text[role.cut :].lower().split())
        lemmas = (*(lemma for lemma in phrase.lemmas if lemma not in old), *other.lemmas)
        return replace(phrase, text=text, lemmas=lemmas, nouns=phrase.nouns[:1])
    flags = (other.flags - {Flag.LOWERABLE, Flag.POINT}) | (phrase.flags & {Flag.POINT})
    nouns = ((role.cut, role.cut),)
    moved = replace(other, role=phrase.role, marker=phrase.marker, start=phrase.start, end=phrase.end)
    return replace(moved, text=text, flags=flags, nouns=nouns)


# unanswerable / swapped_entity: a fact about one entity, asked about another of its kind that has no such fact.


def walk_swapped_entity(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for each swap whose other entity has no fact of the same form."""
    for swap in knowledge.derived(swaps):
        if own_fact_like(knowledge, swap) is None:
            yield swap.scenario("swapped_entity")


# unanswerable / swapped_relation: a fact about an entity, with the predicate that another of its kind has.


def walk_swapped_relation(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for each swap whose other entity has a fact of the same form with another predicate."""
    for swap in knowledge.derived(swaps):
        own = own_fact_like(knowledge, swap)
        if own is not None:
            yield own.scenario("swapped_relation")


def own_fact_like(knowledge: Knowledge, swap: Swap) -> Swap | None:
    """Return the swap with the first fact about the other entity that has the same form, or None."""
    if not swap.role.whole:
        return None
    for role in knowledge.entities.roles[swap.ident]:
        with_own = swap._replace(other=role)
        fits = role.whole and role.phrase.role == swap.role.phrase.role and role.fact.id != swap.role.fact.id
        fits = fits and not role.phrase.flags & {Flag.PLURAL, Flag.COORDINATED, Flag.POSSESSIVE, Flag.DEICTIC}
        if fits and any(looks_like(with_own, n) for n in range(len(role.fact.phrases)) if n != role.place):
            return with_own
    return None


# unanswerable / out_of_scope: a thing the corpus describes, asked about on a topic that no document covers.


def walk_out_of_scope(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for each named thing of a known kind, at the first fact with a phrase that is its name."""
    for ident, roles in sorted(knowledge.entities.roles.items()):
        entity = knowledge.entities[ident]
        if len(entity.mentions) < LIMITS.topic_min_mentions or not kind_of(knowledge, entity):
            continue
        for role in roles:
            single = not role.phrase.flags & {Flag.PLURAL, Flag.COORDINATED, Flag.POSSESSIVE, Flag.INDEFINITE}
            if role.whole and single:
                link = (ident, role.place, role.place)
                yield Scenario("unanswerable", "out_of_scope", (role.fact,), role.place, (link,), rivals=(role.fact,))
                break
