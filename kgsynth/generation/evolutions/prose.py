"""Scenarios from the facts of sentences: one phrase, a definition, a use, a cause, a purpose, a condition, a scope."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

from kgsynth.base.quantity import Quantity
from kgsynth.base.records import Fact, Phrase, Scenario
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import FactKind, Flag, Role, VerbFlag
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions.eligibility import (
    VALUE_ROLES,
    anchor,
    anchor_weight,
    askable,
    has_clause,
    is_answer,
    is_value,
    loose_ends,
    stands_alone,
    usable,
    vague,
    without_marker,
)
from kgsynth.language.lengths import length_in_words


def walk_factoid(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for each phrase to ask for in each fact that has no further clause.

    Of a fact that tells the reader what to do, and what for, the purpose is asked about: how it is achieved.
    """
    for fact in knowledge.statements.facts:
        if usable(fact) and not has_clause(fact):
            for place in askable(fact):
                if anchor(fact, place) >= LIMITS.min_anchor or is_value(fact.phrases[place]):
                    yield Scenario("simple", "factoid", (fact,), place)
        purpose = fact.place(Role.PURPOSE)
        if purpose >= 0 and _tells_how(fact, purpose):
            yield Scenario("simple", "factoid", (fact,), purpose)


def _tells_how(fact: Fact, purpose: int) -> bool:
    """Check whether a fact tells the reader what to do for a purpose that is clear by itself."""
    subject = fact.first(Role.SUBJECT)
    rest = tuple(phrase for n, phrase in enumerate(fact.phrases) if n != purpose)
    if fact.verb.negated or not stands_alone(fact.phrases[purpose]):
        return False
    if subject is None:  # an order that was not parsed further
        return all(phrase.has(Flag.YOU) for phrase in rest)
    return subject.has(Flag.YOU) and usable(replace(fact, phrases=rest))


# simple / definition: what a thing is, from a sentence that defines it.


def walk_definition(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for each fact of the form "X is a Y that …"."""
    for fact in knowledge.statements.facts:
        if defines(fact):
            yield Scenario("simple", "definition", (fact,), fact.place(Role.ATTRIBUTE))


def defines(fact: Fact) -> bool:
    """Check whether a fact states in the present what its subject is, with more than a bare noun."""
    subject, verb = fact.first(Role.SUBJECT), fact.verb
    present = {VerbFlag.COPULA, VerbFlag.PRESENT} <= verb.flags
    if subject is None or not present or verb.auxiliaries or verb.negated:
        return False
    attribute = fact.first(Role.ATTRIBUTE)
    return (
        attribute is not None
        and subject.has(Flag.NOMINAL)
        and not (subject.has(Flag.DEFINITE) and not subject.has(Flag.NAMED))
        and not vague(subject)
        and not subject.flags & {Flag.POSSESSIVE, Flag.EMPTY, Flag.ORDINAL}
        and length_in_words(subject.text) <= LIMITS.defined_max_words
        and attribute.has(Flag.MODIFIED)
        and not attribute.flags & {Flag.SOME, Flag.NUMBER}
        and fact.kind != FactKind.COREFERENCE
        and not attribute.has(Flag.EMPTY)
        and length_in_words(attribute.text) >= LIMITS.definition_min_words
        and stands_alone(subject)
        and stands_alone(attribute)
    )


def walk_use(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for each fact that says what something is used for."""
    for fact, place in explained(knowledge, Role.PURPOSE):
        if knowledge.statements.language_of(fact.doc).says_use(fact, place):
            yield Scenario("simple", "use", (fact,), place)


# reasoning / cause: why something is so, from a fact that names its cause.


def walk_cause(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for each fact with a cause."""
    for fact, place in explained(knowledge, Role.CAUSE):
        yield Scenario("reasoning", "cause", (fact,), place)


def explained(knowledge: Knowledge, role: Role) -> Iterator[tuple[Fact, int]]:
    """Yield each fact whose phrase of ``role`` explains the rest of it, with the place of the phrase.

    A pronoun in the explanation may refer back to the subject, which the question names.
    """
    for fact in knowledge.statements.facts:
        for place, phrase in enumerate(fact.phrases):
            words = length_in_words(phrase.text)
            if phrase.role == role and words >= LIMITS.explanation_min_words and _is_clear(fact, place, words):
                yield fact, place


def _is_clear(fact: Fact, place: int, words: int) -> bool:
    """Check whether the rest is clear by itself; a pronoun in the explanation may only refer back to it."""
    explanation = fact.phrases[place]
    rest = tuple(phrase for n, phrase in enumerate(fact.phrases) if n != place)
    unclear = explanation.flags & {Flag.DEICTIC, Flag.DANGLING}
    before = explanation.start < rest[0].start
    if unclear and (before or words < LIMITS.unclear_explanation_min_words):
        return False
    if fact.kind == FactKind.OUTCOME:
        return stands_alone(rest[0]) and not rest[0].has(Flag.POSSESSIVE)
    return usable(replace(fact, phrases=rest))


# reasoning / purpose: what something is done for, from a fact that names its purpose.
#
# What something is used for is a look-up: it is the subtype ``use``.


def walk_purpose(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for each fact with a purpose."""
    for fact, place in explained(knowledge, Role.PURPOSE):
        if not knowledge.statements.language_of(fact.doc).says_use(fact, place):
            yield Scenario("reasoning", "purpose", (fact,), place)


# conditional / explicit: a fact that holds only if or when something else does.


def walk_explicit(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield scenarios for each fact with a condition: one for each phrase of the outcome, one for the condition itself.

    A fact whose condition cannot be understood by itself is left out.
    """
    for fact in knowledge.statements.facts:
        condition = fact.place(Role.CONDITION)
        if condition < 0 or fact.phrases[condition].flags & {Flag.FIRST, Flag.DEICTIC}:
            continue
        if length_in_words(fact.phrases[condition].text) < LIMITS.condition_min_words:
            continue
        if fact.kind == FactKind.OUTCOME:
            if not fact.phrases[condition].has(Flag.DANGLING):
                yield Scenario("conditional", "explicit", (fact,), 1 - condition)
            continue
        clear = is_clear_together(fact, condition)
        for place, phrase in enumerate(fact.phrases) if clear else ():
            if place != condition and phrase.role not in {Role.MANNER, Role.CONDITION} and is_answer(phrase):
                yield Scenario("conditional", "explicit", (fact,), place)
        if clear or _comes_first(fact, condition):
            yield Scenario("conditional", "explicit", (fact,), condition)


def _comes_first(fact: Fact, condition: int) -> bool:
    """Check whether a fact begins with a condition that is clear by itself, so that the rest can be the answer."""
    asked = fact.phrases[condition]
    return not asked.has(Flag.DANGLING) and all(p is asked or asked.end <= p.start for p in fact.phrases)


def is_clear_together(fact: Fact, condition: int) -> bool:
    """Check whether condition and outcome are clear together; a pronoun in the later may refer to the earlier."""
    subject, asked = fact.first(Role.SUBJECT), fact.phrases[condition]
    if subject is None or subject.flags & {Flag.POSSESSIVE, Flag.FIRST, Flag.EMPTY, Flag.DEICTIC}:
        return False
    rest = [p for n, p in enumerate(fact.phrases) if n != condition and p.role != Role.MANNER]
    if any(p.flags & {Flag.FIRST, Flag.DEICTIC} for p in rest):
        return False
    if asked.start < subject.start:
        return not asked.has(Flag.DANGLING)
    return not subject.has(Flag.PRONOUN) or subject.has(Flag.YOU)


# conditional / scoped: one attribute with different values under different headings, places or times.


def walk_scoped(knowledge: Knowledge) -> Iterator[Scenario]:
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
