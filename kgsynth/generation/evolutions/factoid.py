"""simple / factoid: one fact, and a question for one of its phrases."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from kgsynth.base.records import Fact, Scenario
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import Flag, Role
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions.eligibility import anchor, askable, has_clause, stands_alone, usable


def walk(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for each phrase to ask for in each fact that has no further clause.

    Of a fact that tells the reader what to do, and what for, the purpose is asked about: how it is achieved.
    """
    for fact in knowledge.statements.facts:
        if usable(fact) and not has_clause(fact):
            for place in askable(fact):
                if anchor(fact, place) >= LIMITS.min_anchor:
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
