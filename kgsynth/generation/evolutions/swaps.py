"""Swaps: a fact said of one thing, put to another of its kind of which nothing of the sort is told.

Both ``swapped_entity`` and ``swapped_relation`` are made of them. Whether the corpus is silent is only guessed here, by
the predicates of the other thing; the filters search for it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

from kgsynth.base.records import Entity, Fact, Phrase, Scenario
from kgsynth.base.vocabulary import MARKER_FLAGS, Flag, Role
from kgsynth.evidence.entities import EntityRole
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions.eligibility import ARGUMENTS, CLAUSAL, bare, is_answer, repeated, told_of, usable
from kgsynth.language.words import length_in_words

_PARTNERS = 12  # things one fact is put to, those with the likest passages
_WINDOW = 200  # roles of its kind, the likest first, looked at for them
_LIKE = 0.4  # cosine of the passages of two things of which one could ask the same
_MOST_SAID = 1  # phrases besides the thing and what is asked for; more belong to the one thing alone
_LONGEST = 5  # words of such a phrase
_SURE = 0.8  # share of its mentions that must be read as a place
_ARGUMENTS = frozenset({Role.SUBJECT, Role.OBJECT, Role.AGENT, Role.DATIVE})
"""Where one thing may stand for another; what is said of a place may hold of the places in it."""


class Swap(NamedTuple):
    """A fact with what is asked for in it, whom it is of, and the role of another thing that it is put to."""

    role: EntityRole
    asked: int
    other: EntityRole
    ident: str  # of the other thing

    def scenario(self, subtype: str) -> Scenario:
        """Return the scenario: its fact is the one put to the other thing; ``rivals`` are what it was made from."""
        fact, place = self.role.fact, self.role.place
        phrases = list(fact.phrases)
        phrases[place] = _in_place_of(self.role, self.other.phrase)
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
    """Return the swaps of every plain fact on a named thing of a known kind, with the likest few others of its kind."""
    kinds: dict[str, list[tuple[str, EntityRole]]] = defaultdict(list)
    told: dict[str, set[str]] = {}
    for ident, roles in sorted(knowledge.entities.roles.items()):
        entity = knowledge.entities[ident]
        told[ident] = {role.fact.verb.lemma for role in roles if role.whole}
        kind = kind_of(knowledge, entity)
        if kind:
            kinds[kind] += [(ident, role) for role in roles if role.phrase.role in _ARGUMENTS and _single(role)]
    found = (
        Swap(role, asked, other, key)
        for kind in sorted(kinds)
        for (ident, role), near in zip(kinds[kind], _likest(knowledge, kinds[kind]), strict=True)
        if (places := list(_askable(knowledge, role)))
        for key, other in _others(ident, role, near, told)
        for asked in places
    )
    return tuple(found)


def kind_of(knowledge: Knowledge, entity: Entity) -> str:
    """Return what kind of thing a name is of, "" when that is not known: what is asked of one must suit the other."""
    named = entity.label == "CODE" or any(not form.islower() for form in entity.forms)
    if knowledge.entities.is_common(entity) or not named:
        return ""
    if knowledge.entities.is_person(entity):
        return "person"
    series, _, number = entity.name.rpartition(" ")
    return knowledge.entities.type_noun(entity) or (series if number.isdigit() else _place(knowledge, entity))


def _place(knowledge: Knowledge, entity: Entity) -> str:
    """Return "place" for a name that is nearly always read as one, and of which something is told as of a place."""
    read = sum(mention.label == "GPE" for mention in entity.mentions)
    roles = Counter(role.phrase.role for role in knowledge.entities.roles.get(entity.id, ()))
    located = roles[Role.PLACE] > roles[Role.SUBJECT]  # systems and products have names like those of towns
    return "place" if located and read >= _SURE * len(entity.mentions) and not knowledge.entities.is_technical else ""


def akin(swap: Swap, asked: int) -> bool:
    """Say whether the other thing's own fact looks like the one put to it, but for its predicate."""
    mine, theirs = swap.role.fact, swap.other.fact
    wanted, found = mine.phrases[swap.asked], theirs.phrases[asked]
    same = (wanted.role, wanted.marker, wanted.label) == (found.role, found.marker, found.label)
    voice = mine.verb.passive == theirs.verb.passive
    return same and voice and mine.verb.lemma != theirs.verb.lemma and wanted.has(Flag.PERSON) == found.has(Flag.PERSON)


def _single(role: EntityRole) -> bool:
    return not role.phrase.flags & {
        Flag.PLURAL,
        Flag.COORDINATED,
        Flag.POSSESSIVE,
        Flag.YOU,
        Flag.DEICTIC,
        Flag.DANGLING,
    }


def _askable(knowledge: Knowledge, role: EntityRole) -> Iterator[int]:
    """Yield the phrases of a plain fact that could be asked for while it is put to something else."""
    fact = role.fact
    unfit = fact.verb.negated or fact.verb.modal or any(phrase.role in CLAUSAL for phrase in fact.phrases)
    if unfit or not usable(fact):
        return
    for place, phrase in enumerate(fact.phrases):
        said = [other for _, other in repeated(fact, place, role.place)]
        if place == role.place or phrase.role not in ARGUMENTS or told_of(fact, phrase) or len(said) > _MOST_SAID:
            continue
        if is_answer(phrase) and all(_plain(knowledge, fact, other) for other in said):
            yield place


def _plain(knowledge: Knowledge, fact: Fact, phrase: Phrase) -> bool:
    """Say whether a phrase may hold of another thing too: short, no quotation, and as a time one that can be dated."""
    short = length_in_words(phrase.text) <= _LONGEST and not set(phrase.text) & set('"“”')
    return (
        short
        and not phrase.flags & {Flag.LOOSE, Flag.YOU, Flag.PRONOUN}
        and bool(phrase.role != Role.TIME or knowledge.statements.language_of(fact.doc).quantity(phrase.text))
    )


def _likest(knowledge: Knowledge, members: Sequence[tuple[str, EntityRole]]) -> Iterator[list[tuple[str, EntityRole]]]:
    """Yield for each member those told of in passages like its own, or in its document, the likest first."""
    rows = knowledge.vectors[[min(knowledge.chunks.holding([role.fact]), default=0) for _, role in members]]
    for number, (_, role) in enumerate(members):
        cosines = (rows @ rows[number]).round(4)
        order = (-cosines).argsort(kind="stable")[:_WINDOW]
        yield [members[at] for at in order if cosines[at] >= _LIKE or members[at][1].fact.doc == role.fact.doc]


def _others(
    ident: str, role: EntityRole, near: Sequence[tuple[str, EntityRole]], told: Mapping[str, set[str]]
) -> Iterator[tuple[str, EntityRole]]:
    """Yield a role of each of the likest things of which the predicate is not told, one of each thing.

    What is said of a whole phrase goes to a thing in the same part of a sentence; what ends a phrase ("the head of the
    Salina plant") goes to any.
    """
    fit: dict[str, EntityRole] = {}
    for key, other in near:
        alike = other.phrase.role == role.phrase.role and role.fact.verb.lemma not in told[key]
        if key != ident and other.whole and (alike or not role.whole):
            fit.setdefault(key, other)
    return islice(iter(fit.items()), _PARTNERS)


def _in_place_of(role: EntityRole, other: Phrase) -> Phrase:
    """Return the phrase of a role with the name in ``other`` where it had its own."""
    phrase, name = role.phrase, bare(other)
    name = name[:1].lower() + name[1:] if other.has(Flag.LOWERABLE) and not other.marker else name
    text = phrase.text[: role.cut] + name
    if not role.whole:
        old = set(phrase.text[role.cut :].lower().split())
        lemmas = (*(lemma for lemma in phrase.lemmas if lemma not in old), *other.lemmas)
        return replace(phrase, text=text, lemmas=lemmas, nouns=phrase.nouns[:1])
    flags = (other.flags - {Flag.LOWERABLE, *MARKER_FLAGS}) | (phrase.flags & MARKER_FLAGS)
    nouns = ((role.cut, role.cut),)
    there = replace(other, role=phrase.role, marker=phrase.marker, start=phrase.start, end=phrase.end)
    return replace(there, text=text, flags=flags, nouns=nouns)
