"""conditional / explicit: a fact that holds only if or when something else does."""

from __future__ import annotations

from collections.abc import Iterator

from kgsynth.base.records import Fact, Scenario
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import FactKind, Flag, Role
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions.eligibility import is_answer
from kgsynth.language.lengths import length_in_words


def walk(knowledge: Knowledge) -> Iterator[Scenario]:
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
        elif _is_clear(fact, condition):
            for place, phrase in enumerate(fact.phrases):
                if place != condition and phrase.role not in {Role.MANNER, Role.CONDITION} and is_answer(phrase):
                    yield Scenario("conditional", "explicit", (fact,), place)
            yield Scenario("conditional", "explicit", (fact,), condition)


def _is_clear(fact: Fact, condition: int) -> bool:
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
