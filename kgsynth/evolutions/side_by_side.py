"""multi_context / side_by_side: the same asked of two things of one kind, each told in a passage of its own."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from kgsynth.evolutions.eligible import ARGUMENTS, CLAUSAL, is_answer, repeated, usable, vague
from kgsynth.knowledge import Knowledge
from kgsynth.records import Fact, Scenario

_PARTNERS = 2  # things that one is set beside, those with the likest passages
_WINDOW = 60  # of its family, in the order of the corpus, looked at for them

_Member = tuple[Fact, int, int]  # a fact, the place of its subject, and of what is asked for


def walk(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for pairs of facts with one predicate whose subjects are two named things of a kind."""
    families: dict[tuple[object, ...], list[_Member]] = defaultdict(list)
    for fact in knowledge.facts:
        for key, place in _askable(knowledge, fact):
            subject = next(n for n, p in enumerate(fact.phrases) if p.role == "subject")
            families[key].append((fact, subject, place))
    for key in sorted(families, key=repr):
        members = families[key]
        for number, one in enumerate(members):
            rest = [other for other in members[number + 1 : number + 1 + _WINDOW] if _two(knowledge, one, other)]
            rest.sort(key=lambda other: -likeness(knowledge, one[0], other[0]))
            for other in rest[:_PARTNERS]:
                link = ("", one[2], other[2])
                yield Scenario("multi_context", "side_by_side", (one[0], other[0]), other[2], links=(link,))


def _askable(knowledge: Knowledge, fact: Fact) -> Iterator[tuple[tuple[object, ...], int]]:
    """Yield each phrase that could be asked for, with what a fact that stands beside this one must share."""
    subject = fact.first("subject")
    if subject is None or not usable(fact) or fact.verb.negated or fact.verb.lemma == "be" or vague(subject):
        return
    if subject.flags & {"plural", "coordinated", "you"} or any(p.role in CLAUSAL for p in fact.phrases):
        return
    entity = knowledge.entity_of(fact, subject)
    kind = (knowledge.type_noun(entity) or entity.label) if entity is not None else "TERM"
    if entity is None or kind == "TERM" or knowledge.is_common(entity):
        return
    told = [(n, p) for n, p in repeated(fact) if p is not subject]
    past = fact.verb.tag == "VBD" or fact.verb.auxiliaries[:1] in {("was",), ("had",), ("did",)}
    for place, phrase in told:
        if phrase.role in ARGUMENTS and is_answer(phrase):
            rest = tuple(sorted((p.role, p.marker, p.lemmas) for n, p in told if n != place))
            verb = (fact.verb.lemma, fact.verb.particle, fact.verb.passive, fact.verb.modal, past)
            yield (*verb, kind, phrase.role, phrase.marker, rest), place


def likeness(knowledge: Knowledge, one: Fact, other: Fact) -> float:
    """Return the cosine of the chunks two facts stand in."""
    first, second = (min(knowledge.chunks_of([fact])) for fact in (one, other))
    return round(float(knowledge.vectors[first] @ knowledge.vectors[second]), 4)


def _two(knowledge: Knowledge, one: _Member, other: _Member) -> bool:
    """Say whether two facts speak of two things, tell two things of them, and stand apart."""
    subjects = [knowledge.entity_of(fact, fact.phrases[place]) for fact, place, _ in (one, other)]
    told = [set(fact.phrases[place].lemmas) for fact, _, place in (one, other)]
    return subjects[0] != subjects[1] and told[0] != told[1] and knowledge.apart(one[0], other[0])
