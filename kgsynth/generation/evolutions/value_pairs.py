"""Pairs of facts that give comparable values for two things: the basis of comparisons, orders and differences.

Facts with the same predicate are paired by their values ("holds 40 readings"), dated events with any predicate by their
dates. The events must belong to one document or to similar chunks: nobody asks which of two unrelated events was first.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from kgsynth.base.quantity import Quantity
from kgsynth.base.records import Fact, Scenario
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import Flag, Role, VerbFlag
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.evidence.quantities import comparable
from kgsynth.generation.evolutions.eligibility import VALUE_ROLES, anchor, stands_alone, usable, vague, without_marker
from kgsynth.generation.evolutions.partners import are_related, most_similar_first

_Member = tuple[Quantity, Fact, int]  # a value, its fact, and the index of the phrase that gives it
Pair = tuple[_Member, _Member]


def pairs(knowledge: Knowledge) -> tuple[tuple[Pair, ...], tuple[Pair, ...]]:
    """Return the pairs with the same predicate, and those of dated events; the lesser value of a pair comes first."""
    families: dict[tuple[object, ...], list[_Member]] = defaultdict(list)
    dated: list[_Member] = []
    for fact in knowledge.statements.facts:
        event = fact.verb.has(VerbFlag.PAST) and not fact.verb.has(VerbFlag.COPULA)  # it happened, it was not just so
        for place, value in _values(knowledge, fact):
            if value.dimension != "date":
                families[_family(fact, place, value)].append((value, fact, place))
            elif event and fact.phrases[place].has(Flag.POINT) and knowledge.chunks.holding([fact]):
                dated.append((value, fact, place))
    values = (pair for family in sorted(families, key=repr) for pair in _pairs_of_values(families[family]))
    return tuple(_once(values)), tuple(_once(_pairs_of_events(knowledge, dated)))


def _once(found: Iterable[Pair]) -> Iterator[Pair]:
    """Yield each pair of facts once, the lesser value first."""
    seen: set[tuple[str, str]] = set()
    for pair in found:
        lesser, greater = sorted(pair, key=lambda member: (member[0].value, member[1].id))
        if (lesser[1].id, greater[1].id) not in seen:
            seen.add((lesser[1].id, greater[1].id))
            yield lesser, greater


def _pairs_of_values(members: Sequence[_Member]) -> Iterator[Pair]:
    """Yield each value with the next ones of its family that belong to other subjects and certainly differ."""
    most = max(LIMITS.value_min_partners, min(LIMITS.value_partners, LIMITS.value_pairs // len(members)))
    for number, one in enumerate(members):
        others = (other for other in islice(members, number + 1, None) if _differ(one, other))
        yield from ((one, other) for other in islice(others, most))


def _pairs_of_events(knowledge: Knowledge, members: Sequence[_Member]) -> Iterator[Pair]:
    """Yield each event with a few others of another subject and date, those in the most similar chunks."""
    for one, ranked in most_similar_first(knowledge, members, lambda member: member[1]):
        others = (other for other, cosine in ranked if are_related(one[1], other[1], cosine) and _differ(one, other))
        yield from ((one, other) for other in islice(others, LIMITS.event_partners))


def scenario(question_type: str, subtype: str, pair: Pair) -> Scenario:
    """Return the scenario of a pair: ``asked`` is the value's index in the second fact, ``links`` holds both."""
    (_, lesser, low), (_, greater, high) = pair
    return Scenario(question_type, subtype, (lesser, greater), high, links=(("", low, high),))


def _values(knowledge: Knowledge, fact: Fact) -> Iterator[tuple[int, Quantity]]:
    """Yield the exact values that a fact gives for a subject that is clear by itself."""
    subject = fact.first(Role.SUBJECT)
    if subject is None or not usable(fact) or vague(subject) or fact.verb.negated:
        return
    if subject.flags & {Flag.YOU, Flag.COORDINATED, Flag.PRONOUN}:
        return
    quantity = knowledge.statements.language_of(fact.doc).quantity
    for place, phrase in enumerate(fact.phrases):
        if (
            phrase.role in VALUE_ROLES
            and phrase.has(Flag.EXACT)
            and stands_alone(phrase)
            and (anchor(fact, place) >= LIMITS.min_anchor or knowledge.entities.entity_of(fact, subject))
        ):
            value = quantity(without_marker(phrase)) or quantity(phrase.text)
            if value is not None:
                yield place, value


def _family(fact: Fact, place: int, value: Quantity) -> tuple[object, ...]:
    """Return what two facts must share to be compared: predicate, dimension, kind of subject, and all other words."""
    subject = fact.first(Role.SUBJECT)
    copular = fact.phrases[place].role == Role.ATTRIBUTE  # anything "is 40 metres": only compare things of one kind
    kind = subject.head if subject and copular else ""
    rest = {
        x
        for n, p in enumerate(fact.phrases)
        if n != place and p is not subject and p.role != Role.MANNER
        for x in p.lemmas
    }
    verb = fact.verb
    return verb.lemma, verb.passive, verb.modal, fact.phrases[place].marker, value.dimension, kind, tuple(sorted(rest))


def _differ(one: _Member, other: _Member) -> bool:
    """Check whether two facts have different subjects and sentences, and their values certainly differ."""
    (value, fact, _), (second_value, second_fact, _) = one, other
    first, second = fact.first(Role.SUBJECT), second_fact.first(Role.SUBJECT)
    if first is None or second is None or set(first.lemmas) == set(second.lemmas):
        return False
    elsewhere = (fact.doc, fact.start) != (second_fact.doc, second_fact.start)
    return elsewhere and comparable(value, second_value) and value.value != second_value.value
