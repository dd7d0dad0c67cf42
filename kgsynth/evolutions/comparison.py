"""reasoning / comparison: two facts that give a value of one kind for two things, told apart by the computed values.

Facts of the same predicate are compared in what it says ("holds more readings"); dated events of any predicate in
which came first.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from kgsynth.evolutions.eligible import anchor, bare, stands_alone, usable, vague
from kgsynth.knowledge import Knowledge
from kgsynth.quantities import Quantity, comparable, parse
from kgsynth.records import Fact, Scenario

_PAIRS = 20_000  # of one family; a larger one gives each member fewer partners
_PARTNERS = 60
_Member = tuple[Quantity, Fact, int]


def walk(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for pairs of facts with comparable values, of which the first has the lesser.

    ``asked`` is the value's index in the second fact; ``links`` holds the index in both.
    """
    families: dict[tuple[object, ...], list[_Member]] = defaultdict(list)
    for fact in knowledge.facts:
        for place, value in _values(knowledge, fact):
            families[_family(knowledge, fact, place, value)].append((value, fact, place))
            if value.dimension == "date" and fact.verb.tag == "VBD":
                families[("event",)].append((value, fact, place))
    seen: set[tuple[str, str]] = set()
    for family in sorted(families, key=repr):
        members = families[family]
        for number, one in enumerate(members):
            for other in _partners(members, number):
                lesser, greater = sorted((one, other), key=lambda member: (member[0].value, member[1].id))
                if (lesser[1].id, greater[1].id) not in seen:
                    seen.add((lesser[1].id, greater[1].id))
                    link = ("", lesser[2], greater[2])
                    yield Scenario("reasoning", "comparison", (lesser[1], greater[1]), greater[2], links=(link,))


def _values(knowledge: Knowledge, fact: Fact) -> Iterator[tuple[int, Quantity]]:
    subject = fact.first("subject")
    if subject is None or not usable(fact) or subject.flags & {"you", "coordinated"} or fact.verb.negated:
        return
    if subject.has("pronoun") or vague(subject):
        return
    for place, phrase in enumerate(fact.phrases):
        if (
            phrase.role in {"object", "attribute", "time", "other", "complement"}
            and stands_alone(phrase)
            and (anchor(fact, place) or knowledge.entity_of(fact, subject))
        ):
            value = parse(bare(phrase)) or parse(phrase.text)
            if value is not None and phrase.marker in {"", "in", "on", "at", "for", "by"}:
                yield place, value


def _family(knowledge: Knowledge, fact: Fact, place: int, value: Quantity) -> tuple[object, ...]:
    """Return what two facts must share to be compared: predicate, kind of value, kind of subject, all said besides."""
    subject = fact.first("subject")
    copular = fact.phrases[place].role == "attribute"  # "is 40 metres" is said of everything: only like is compared
    kind = subject.head if subject and copular else ""
    rest = {
        x
        for n, p in enumerate(fact.phrases)
        if n != place and p is not subject and p.role != "manner"
        for x in p.lemmas
    }
    return (
        fact.verb.lemma,
        fact.verb.passive,
        fact.verb.modal,
        fact.phrases[place].marker,
        value.dimension,
        kind,
        tuple(sorted(rest)),
    )


def _partners(members: list[_Member], number: int) -> Iterator[_Member]:
    """Yield the next members of a family whose subject is another and whose value can be told apart from this one's."""
    value, fact, _ = members[number]
    found, most = 0, max(2, min(_PARTNERS, _PAIRS // len(members)))
    for other in members[number + 1 :]:
        if found == most:
            return
        first, second = fact.first("subject"), other[1].first("subject")
        apart = first is not None and second is not None and set(first.lemmas) != set(second.lemmas)
        elsewhere = (fact.doc, fact.start) != (other[1].doc, other[1].start)
        if apart and elsewhere and comparable(value, other[0]) and value.value != other[0].value:
            found += 1
            yield other
