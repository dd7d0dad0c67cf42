"""reasoning / cause: why something is so, from a fact that names its cause."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from kgsynth.base.records import Fact, Scenario
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import FactKind, Flag, Role, VerbFlag
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions.eligibility import has_clause, is_answer, stands_alone, usable
from kgsynth.language.lengths import length_in_words


def walk(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for each fact with a cause, and for each that says what something brings about."""
    for fact, place in explained(knowledge, Role.CAUSE):
        yield Scenario("reasoning", "cause", (fact,), place)
    for fact in knowledge.statements.facts:
        place = fact.place(Role.AGENT) if fact.verb.passive else fact.place(Role.SUBJECT)
        if (
            fact.verb.has(VerbFlag.CAUSAL)
            and place >= 0
            and fact.kind == FactKind.CLAUSE
            and _brings_about(fact, place)
        ):
            yield Scenario("reasoning", "cause", (fact,), place)


def _brings_about(fact: Fact, place: int) -> bool:
    """Check whether a fact with a causal verb is clear by itself, and its cause can be a golden answer."""
    effect = fact.first(Role.SUBJECT) if fact.verb.passive else fact.first(Role.OBJECT, Role.OTHER)
    if effect is None or fact.verb.negated or has_clause(fact):
        return False
    return usable(fact) and is_answer(fact.phrases[place]) and stands_alone(effect) and not effect.has(Flag.POSSESSIVE)


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
