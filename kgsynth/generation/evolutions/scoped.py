"""conditional / scoped: the same attribute with different values under different headings, places or times."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from kgsynth.base.quantity import Quantity
from kgsynth.base.records import Fact, Phrase, Scenario
from kgsynth.base.vocabulary import FactKind, Flag, Role
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions.eligibility import CLAUSAL, bare, loose_ends, stands_alone, weight

_VALUES = (Role.OBJECT, Role.ATTRIBUTE, Role.TIME, Role.OTHER, Role.COMPLEMENT)


def walk(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for each fact whose twin elsewhere has another value, with what tells the two apart.

    Twins agree in subject, predicate and all that is said but the value and a place or time that names the scope;
    where the sentences name no scope themselves, the headings must.
    """
    families: dict[tuple[object, ...], list[tuple[Fact, int]]] = defaultdict(list)
    for fact in knowledge.statements.facts:
        if _fit(fact):
            for place, phrase in enumerate(fact.phrases):
                if phrase.role in _VALUES and _is_value(knowledge, fact, phrase):
                    families[_family(knowledge, fact, place)].append((fact, place))
    for family in sorted(families, key=repr):
        members = families[family]
        if 2 <= len(members) <= 60:
            for fact, place in members:
                yield from _scenario(knowledge, fact, place, members)


def _fit(fact: Fact) -> bool:
    subject = fact.first(Role.SUBJECT)
    return (
        subject is not None
        and not subject.flags & {Flag.PRONOUN, Flag.POSSESSIVE, Flag.FIRST, Flag.VERBAL}
        and not any(p.role in CLAUSAL for p in fact.phrases)
        and all(
            stands_alone(p) for n, p in enumerate(fact.phrases) if p.role != Role.MANNER and n not in loose_ends(fact)
        )
        and fact.kind == FactKind.CLAUSE
    )


def _is_value(knowledge: Knowledge, fact: Fact, phrase: Phrase) -> bool:
    counted = phrase.has(Flag.NUMBER) and phrase.role != Role.ATTRIBUTE
    return phrase.role == Role.TIME or counted or _quantity(knowledge, fact, phrase) is not None


def _quantity(knowledge: Knowledge, fact: Fact, phrase: Phrase) -> Quantity | None:
    return knowledge.statements.language_of(fact.doc).quantity(bare(phrase))


def _names_scope(phrase: Phrase) -> bool:
    return phrase.role in {Role.PLACE, Role.TIME} or (phrase.role == Role.OTHER and phrase.has(Flag.NAMED))


def _family(knowledge: Knowledge, fact: Fact, place: int) -> tuple[object, ...]:
    """Return what twins share: subject, predicate, kind of value; where the value is no figure, all else said too."""
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
    """Yield the scenario of one fact when its scope sets it apart from every twin with another value."""
    value = fact.phrases[place].text.casefold()
    rivals = [(other, n) for other, n in members if other.id != fact.id and other.phrases[n].text.casefold() != value]
    if not rivals:
        return
    said = _scope_said(fact, place)
    if said and all(_scope_said(other, n) and _scope_said(other, n) != said for other, n in rivals):
        yield Scenario("conditional", "scoped", (fact,), place, rivals=tuple(other for other, _ in rivals))
        return
    title = _heading_apart(knowledge, fact, [other for other, _ in rivals])
    if title:
        yield Scenario("conditional", "scoped", (fact,), place, rivals=tuple(o for o, _ in rivals), scope=title)


def _scope_said(fact: Fact, place: int) -> tuple[tuple[str, ...], ...]:
    return tuple(p.lemmas for n, p in enumerate(fact.phrases) if n != place and _names_scope(p) and weight(p))


def _heading_apart(knowledge: Knowledge, fact: Fact, rivals: list[Fact]) -> str:
    """Return the innermost heading over the fact that stands over none of its rivals, "" for none."""
    others = {title.casefold() for rival in rivals for title in knowledge.statements.section_of(rival).path}
    return next((t for t in reversed(knowledge.statements.section_of(fact).path) if t.casefold() not in others), "")
