"""conditional / scoped: one attribute with different values under different headings, places or times."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from kgsynth.base.quantity import Quantity
from kgsynth.base.records import Fact, Phrase, Scenario
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import FactKind, Flag, Role
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions.eligibility import (
    VALUE_ROLES,
    anchor_weight,
    has_clause,
    loose_ends,
    stands_alone,
    without_marker,
)


def walk(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for each fact that has twins with other values, and a scope in which only its value holds.

    Twins agree in subject, predicate and all other phrases except the value and a place or time that names the scope.
    When the sentences name no scope, the headings must.
    """
    families: dict[tuple[object, ...], list[tuple[Fact, int]]] = defaultdict(list)
    for fact in knowledge.statements.facts:
        if _is_plain(fact):
            for place, phrase in enumerate(fact.phrases):
                if phrase.role in VALUE_ROLES and _is_value(knowledge, fact, phrase):
                    families[_family(knowledge, fact, place)].append((fact, place))
    for family in sorted(families, key=repr):
        members = families[family]
        if 2 <= len(members) <= LIMITS.scoped_max_twins:
            for fact, place in members:
                yield from _scenario(knowledge, fact, place, members)


def _is_plain(fact: Fact) -> bool:
    subject = fact.first(Role.SUBJECT)
    return (
        subject is not None
        and not subject.flags & {Flag.PRONOUN, Flag.POSSESSIVE, Flag.FIRST, Flag.VERBAL}
        and not has_clause(fact)
        and all(
            stands_alone(p) for n, p in enumerate(fact.phrases) if p.role != Role.MANNER and n not in loose_ends(fact)
        )
        and fact.kind == FactKind.CLAUSE
    )


def _is_value(knowledge: Knowledge, fact: Fact, phrase: Phrase) -> bool:
    counted = phrase.has(Flag.NUMBER) and phrase.role != Role.ATTRIBUTE
    return phrase.role == Role.TIME or counted or _quantity(knowledge, fact, phrase) is not None


def _quantity(knowledge: Knowledge, fact: Fact, phrase: Phrase) -> Quantity | None:
    return knowledge.statements.language_of(fact.doc).quantity(without_marker(phrase))


def _names_scope(phrase: Phrase) -> bool:
    return phrase.role in {Role.PLACE, Role.TIME} or (phrase.role == Role.OTHER and phrase.has(Flag.NAMED))


def _family(knowledge: Knowledge, fact: Fact, place: int) -> tuple[object, ...]:
    """Return what twins share: subject, predicate and kind of value; for a value in words, all other phrases too."""
    subject, value = fact.first(Role.SUBJECT), fact.phrases[place]
    quantity = _quantity(knowledge, fact, value)
    said = [
        (p.marker, p.lemmas)
        for n, p in enumerate(fact.phrases)
        if n != place and p is not subject and p.role != Role.MANNER and not _names_scope(p)
    ]
    kind = quantity.dimension if quantity else value.role
    marker = "" if value.role == Role.TIME and value.has(Flag.POINT) else value.marker
    key = subject.lemmas if subject else (), fact.verb.lemma, fact.verb.negated, kind, marker
    return key if quantity else (*key, tuple(sorted(said)))


def _scenario(knowledge: Knowledge, fact: Fact, place: int, members: list[tuple[Fact, int]]) -> Iterator[Scenario]:
    """Yield the scenario of one fact if its scope differs from that of every twin with another value."""
    value = fact.phrases[place].text.casefold()
    rivals = [(other, n) for other, n in members if other.id != fact.id and other.phrases[n].text.casefold() != value]
    if not rivals:
        return
    scope, title = _named_scope(fact, place), ""
    if not scope or any(_named_scope(other, n) in ((), scope) for other, n in rivals):
        title = _own_heading(knowledge, fact, [other for other, _ in rivals])
        if not title:
            return
    yield Scenario("conditional", "scoped", (fact,), place, rivals=tuple(other for other, _ in rivals), scope=title)


def _named_scope(fact: Fact, place: int) -> tuple[tuple[str, ...], ...]:
    return tuple(p.lemmas for n, p in enumerate(fact.phrases) if n != place and _names_scope(p) and anchor_weight(p))


def _own_heading(knowledge: Knowledge, fact: Fact, rivals: list[Fact]) -> str:
    """Return the innermost heading of the fact that none of its rivals has, "" for none."""
    others = {title.casefold() for rival in rivals for title in knowledge.statements.section_of(rival).path}
    return next((t for t in reversed(knowledge.statements.section_of(fact).path) if t.casefold() not in others), "")
