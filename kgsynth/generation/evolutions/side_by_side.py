"""multi_context / side_by_side: the same asked of two things of one kind, each told in a passage of its own."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from kgsynth.base.records import Fact, Phrase, Scenario
from kgsynth.base.vocabulary import Flag, Role, VerbFlag
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions.bridge import is_name
from kgsynth.generation.evolutions.definition import defines
from kgsynth.generation.evolutions.eligibility import (
    ARGUMENTS,
    CLAUSAL,
    is_answer,
    repeated,
    stands_alone,
    usable,
    vague,
)

_PARTNERS = 2  # things that one is set beside, those with the likest passages
_WINDOW = 60  # of its family, in the order of the corpus, looked at for them

_Member = tuple[Fact, int, int]  # a fact, the place of its subject, and of what is asked for


def walk(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for pairs of facts of two named things: one predicate, or what they are, or are used for."""
    families: dict[tuple[object, ...], list[_Member]] = defaultdict(list)
    for fact in knowledge.statements.facts:
        for key, place in _askable(knowledge, fact):
            subject = fact.place(Role.SUBJECT)
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
    subject = fact.first(Role.SUBJECT)
    if subject is None or not usable(fact) or fact.verb.negated or vague(subject):
        return
    entity = knowledge.entities.entity_of(fact, subject)
    if (
        entity is None
        or knowledge.entities.is_common(entity)
        or subject.flags & {Flag.PLURAL, Flag.COORDINATED, Flag.YOU}
    ):
        return
    purpose = knowledge.statements.language_of(fact.doc).purpose_of_use(fact)
    if purpose is not None and stands_alone(fact.phrases[purpose]) and is_name(entity):
        yield (fact.verb.lemma,), purpose
    if any(p.role in CLAUSAL for p in fact.phrases):
        return
    if fact.verb.has(VerbFlag.COPULA):
        told = fact.place(Role.ATTRIBUTE)
        if (
            defines(fact)
            and is_name(entity)
            and _defining(fact.phrases[told])
            and not knowledge.entities.is_sample(subject)
        ):
            yield (fact.verb.lemma, fact.phrases[told].has(Flag.PERSON) or entity.label == "PERSON"), told
    elif kind := knowledge.entities.type_noun(entity) or ("" if entity.label == "TERM" else entity.label):
        yield from _predicates(fact, kind)


def _defining(phrase: Phrase) -> bool:
    """Say whether a phrase is a definition that can stand beside another: one thing, named in a few words."""
    return (
        bool(phrase.flags & {Flag.INDEFINITE, Flag.DEFINITE}) and not phrase.has(Flag.COORDINATED) and is_answer(phrase)
    )


def _predicates(fact: Fact, kind: str) -> Iterator[tuple[tuple[object, ...], int]]:
    """Yield each phrase of a fact that could be asked for, with all that is said beside it."""
    told = [(n, p) for n, p in repeated(fact) if p.role != Role.SUBJECT]
    past = fact.verb.has(VerbFlag.PAST)
    for place, phrase in told:
        if phrase.role in ARGUMENTS and is_answer(phrase):
            rest = tuple(sorted((p.role, p.marker, p.lemmas) for n, p in told if n != place))
            verb = (fact.verb.lemma, fact.verb.particle, fact.verb.passive, fact.verb.modal, past)
            yield (*verb, kind, phrase.role, phrase.marker, rest), place


def likeness(knowledge: Knowledge, one: Fact, other: Fact) -> float:
    """Return the cosine of the chunks two facts stand in."""
    first, second = (min(knowledge.chunks.holding([fact])) for fact in (one, other))
    return round(float(knowledge.vectors[first] @ knowledge.vectors[second]), 4)


def _two(knowledge: Knowledge, one: _Member, other: _Member) -> bool:
    """Say whether two facts speak of two things, tell two things of them, and stand apart."""
    subjects = [knowledge.entities.entity_of(fact, fact.phrases[place]) for fact, place, _ in (one, other)]
    told = [set(fact.phrases[place].lemmas) for fact, _, place in (one, other)]
    named = [set(fact.phrases[place].lemmas) for fact, place, _ in (one, other)]
    two = subjects[0] != subjects[1] and not named[0] <= named[1] and not named[1] <= named[0]
    return two and told[0] != told[1] and knowledge.chunks.separate(one[0], other[0])
