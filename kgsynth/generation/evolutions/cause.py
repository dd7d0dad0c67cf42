"""reasoning / cause: why something is so, from a fact that carries its cause."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from kgsynth.base.records import Fact, Scenario
from kgsynth.base.vocabulary import FactKind, Flag, Role
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions.eligibility import stands_alone, usable
from kgsynth.language.words import length_in_words


def walk(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for each fact with a cause."""
    yield from explained(knowledge, Role.CAUSE)


def explained(knowledge: Knowledge, role: Role) -> Iterator[Scenario]:
    """Yield a scenario for each fact whose phrase of ``role`` explains the rest of it.

    A pronoun in the explanation may point back to the subject, which the question names.
    """
    for fact in knowledge.statements.facts:
        for place, phrase in enumerate(fact.phrases):
            if phrase.role == role and _rest_stands(fact, place) and length_in_words(phrase.text) >= 3:
                yield Scenario("reasoning", role, (fact,), place)


def _rest_stands(fact: Fact, place: int) -> bool:
    explanation = fact.phrases[place]
    rest = tuple(phrase for n, phrase in enumerate(fact.phrases) if n != place)
    unclear = explanation.flags & {Flag.DEICTIC, Flag.DANGLING}
    if unclear and (explanation.start < rest[0].start or length_in_words(explanation.text) < 5):
        return False
    if fact.kind == FactKind.OUTCOME:
        return stands_alone(rest[0]) and not rest[0].has(Flag.POSSESSIVE)
    return usable(replace(fact, phrases=rest))
