"""Pairs of facts that give a value of one kind for two things: what comparisons, orders and differences are made of.

Facts of one predicate are paired by what it says ("holds 40 readings"), dated events of any predicate by when they
happened: those of one document or of passages on like matters only, since nobody asks which of two strangers was
earlier.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from kgsynth.base.quantity import Quantity
from kgsynth.base.records import Fact, Scenario
from kgsynth.base.vocabulary import Flag, Role, VerbFlag
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.evidence.quantities import comparable
from kgsynth.generation.evolutions.eligibility import anchor, bare, stands_alone, usable, vague

_PAIRS = 20_000  # of one family; a larger one gives each member fewer partners
_PARTNERS = 60
_NEIGHBOURS = 6  # events that one is paired with, the likest first
_LIKE = 0.4  # cosine of the chunks of two events worth setting side by side
_Member = tuple[Quantity, Fact, int]
Pair = tuple[_Member, _Member]


def pairs(knowledge: Knowledge) -> tuple[tuple[Pair, ...], tuple[Pair, ...]]:
    """Return the pairs of one predicate, and those of dated events; the lesser value of a pair comes first."""
    families: dict[tuple[object, ...], list[_Member]] = defaultdict(list)
    dated: list[_Member] = []
    for fact in knowledge.statements.facts:
        for place, value in _values(knowledge, fact):
            if value.dimension != "date":
                families[_family(fact, place, value)].append((value, fact, place))
            elif _is_event(fact) and fact.phrases[place].has(Flag.POINT):
                dated.append((value, fact, place))
    alike = (
        (one, other)
        for family in sorted(families, key=repr)
        for number, one in enumerate(families[family])
        for other in _partners(families[family], number)
    )
    return tuple(_once(alike)), tuple(_once(_neighbours(knowledge, dated)))


def _is_event(fact: Fact) -> bool:
    """Check whether a fact says that something happened, not how something was."""
    return fact.verb.has(VerbFlag.PAST) and not fact.verb.has(VerbFlag.COPULA)


def _once(found: Iterable[Pair]) -> Iterator[Pair]:
    """Yield each pair of facts once, the lesser value first."""
    seen: set[tuple[str, str]] = set()
    for pair in found:
        lesser, greater = sorted(pair, key=lambda member: (member[0].value, member[1].id))
        if (lesser[1].id, greater[1].id) not in seen:
            seen.add((lesser[1].id, greater[1].id))
            yield lesser, greater


def _neighbours(knowledge: Knowledge, members: Sequence[_Member]) -> Iterator[Pair]:
    """Yield each event with the few others, of another subject and time, whose passages are likest to its own."""
    chunks = [min(knowledge.chunks.holding([fact]), default=None) for _, fact, _ in members]
    placed = [(member, chunk) for member, chunk in zip(members, chunks, strict=True) if chunk is not None]
    rows = knowledge.vectors[[chunk for _, chunk in placed]]
    for number, (one, _) in enumerate(placed):
        cosines = (rows @ rows[number]).round(4)
        likest = ((placed[at][0], cosines[at]) for at in (-cosines).argsort(kind="stable"))
        near = (other for other, cosine in likest if cosine >= _LIKE or other[1].doc == one[1].doc)
        yield from ((one, other) for other in islice((o for o in near if _apart(one, o)), _NEIGHBOURS))


def scenario(question_type: str, subtype: str, pair: Pair) -> Scenario:
    """Return the scenario of a pair: ``asked`` is the value's index in the second fact, ``links`` holds both."""
    (_, lesser, low), (_, greater, high) = pair
    return Scenario(question_type, subtype, (lesser, greater), high, links=(("", low, high),))


def _values(knowledge: Knowledge, fact: Fact) -> Iterator[tuple[int, Quantity]]:
    subject = fact.first(Role.SUBJECT)
    if subject is None or not usable(fact) or subject.flags & {Flag.YOU, Flag.COORDINATED} or fact.verb.negated:
        return
    if subject.has(Flag.PRONOUN) or vague(subject):
        return
    quantity = knowledge.statements.language_of(fact.doc).quantity
    for place, phrase in enumerate(fact.phrases):
        if (
            phrase.role in {Role.OBJECT, Role.ATTRIBUTE, Role.TIME, Role.OTHER, Role.COMPLEMENT}
            and stands_alone(phrase)
            and (anchor(fact, place) or knowledge.entities.entity_of(fact, subject))
        ):
            value = quantity(bare(phrase)) or quantity(phrase.text)
            if value is not None and phrase.has(Flag.EXACT):
                yield place, value


def _family(fact: Fact, place: int, value: Quantity) -> tuple[object, ...]:
    """Return what two facts must share to be compared: predicate, kind of value, kind of subject, all said besides."""
    subject = fact.first(Role.SUBJECT)
    copular = fact.phrases[place].role == Role.ATTRIBUTE  # "is 40 metres" is said of everything: only like is compared
    kind = subject.head if subject and copular else ""
    rest = {
        x
        for n, p in enumerate(fact.phrases)
        if n != place and p is not subject and p.role != Role.MANNER
        for x in p.lemmas
    }
    verb = fact.verb
    return verb.lemma, verb.passive, verb.modal, fact.phrases[place].marker, value.dimension, kind, tuple(sorted(rest))


def _partners(members: list[_Member], number: int) -> Iterator[_Member]:
    """Return the next members of a family whose subject is another and whose value can be told from this one's."""
    most = max(2, min(_PARTNERS, _PAIRS // len(members)))
    rest = islice(members, number + 1, None)
    return islice((other for other in rest if _apart(members[number], other)), most)


def _apart(one: _Member, other: _Member) -> bool:
    """Say whether two facts are of different subjects and sentences, and their values certainly differ."""
    (value, fact, _), (second_value, second_fact, _) = one, other
    first, second = fact.first(Role.SUBJECT), second_fact.first(Role.SUBJECT)
    if first is None or second is None or set(first.lemmas) == set(second.lemmas):
        return False
    elsewhere = (fact.doc, fact.start) != (second_fact.doc, second_fact.start)
    return elsewhere and comparable(value, second_value) and value.value != second_value.value
