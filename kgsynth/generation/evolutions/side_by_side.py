"""multi_context / side_by_side: the same asked about two things of one kind, from facts in separate chunks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import islice

from kgsynth.base.records import Fact, Phrase, Scenario
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import Flag, Role, VerbFlag
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions.bridge import has_name
from kgsynth.generation.evolutions.definition import defines
from kgsynth.generation.evolutions.eligibility import (
    ARGUMENTS,
    has_clause,
    is_answer,
    repeated,
    stands_alone,
    usable,
    vague,
)
from kgsynth.generation.evolutions.partners import most_similar_first

_Key = tuple[object, ...]
_Member = tuple[Fact, int]  # a fact, and the index of the phrase to ask for


def walk(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for pairs of facts about two named things: the same predicate, what they are, or their use."""
    families: dict[_Key, list[_Member]] = defaultdict(list)
    for fact in knowledge.statements.facts:
        for key, place in _comparable_phrases(knowledge, fact):
            families[key].append((fact, place))
    for key in sorted(families, key=repr):
        window = LIMITS.side_by_side_window
        for one, ranked in most_similar_first(knowledge, families[key], lambda member: member[0], following=window):
            others = (other for other, _ in ranked if _differ(knowledge, one, other))
            for fact, place in islice(others, LIMITS.side_by_side_partners):
                yield Scenario("multi_context", "side_by_side", (one[0], fact), place, links=(("", one[1], place),))


def _comparable_phrases(knowledge: Knowledge, fact: Fact) -> Iterator[tuple[_Key, int]]:
    """Yield each phrase that could be asked for, after a key that is equal for facts with which it can be compared."""
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
    if purpose is not None and stands_alone(fact.phrases[purpose]) and has_name(entity):
        yield (fact.verb.lemma,), purpose
    if has_clause(fact):
        return
    if fact.verb.has(VerbFlag.COPULA):
        place = fact.place(Role.ATTRIBUTE)
        clear = defines(fact) and has_name(entity) and not knowledge.entities.is_sample(subject)
        if clear and _is_short_definition(fact.phrases[place]):
            yield (fact.verb.lemma, fact.phrases[place].has(Flag.PERSON) or entity.label == "PERSON"), place
    elif kind := knowledge.entities.type_noun(entity) or ("" if entity.label == "TERM" else entity.label):
        yield from _predicates(fact, kind)


def _is_short_definition(phrase: Phrase) -> bool:
    """Check whether a definition can be compared with another: one thing, named in a few words."""
    return (
        bool(phrase.flags & {Flag.INDEFINITE, Flag.DEFINITE}) and not phrase.has(Flag.COORDINATED) and is_answer(phrase)
    )


def _predicates(fact: Fact, kind: str) -> Iterator[tuple[_Key, int]]:
    """Yield each phrase of a fact that could be asked for, after a key made of everything else it says."""
    said = [(n, p) for n, p in repeated(fact) if p.role != Role.SUBJECT]
    past = fact.verb.has(VerbFlag.PAST)
    for place, phrase in said:
        if phrase.role in ARGUMENTS and is_answer(phrase):
            rest = tuple(sorted((p.role, p.marker, p.lemmas) for n, p in said if n != place))
            verb = (fact.verb.lemma, fact.verb.particle, fact.verb.passive, fact.verb.modal, past)
            yield (*verb, kind, phrase.role, phrase.marker, rest), place


def _differ(knowledge: Knowledge, one: _Member, other: _Member) -> bool:
    """Check whether two facts are about two things, have different answers, and stand in separate chunks."""
    if not knowledge.chunks.separate(one[0], other[0]):
        return False
    subjects = [(fact, fact.phrases[fact.place(Role.SUBJECT)]) for fact, _ in (one, other)]
    first, second = (knowledge.entities.entity_of(fact, subject) for fact, subject in subjects)
    name, other_name = (set(subject.lemmas) for _, subject in subjects)
    answer, other_answer = (set(fact.phrases[place].lemmas) for fact, place in (one, other))
    return first != second and not (name <= other_name or other_name <= name) and answer != other_answer
