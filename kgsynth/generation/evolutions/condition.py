"""conditional / explicit: a fact that holds only if, when, unless or until something else does."""

from __future__ import annotations

from collections.abc import Iterator

from kgsynth.base.records import Fact, Scenario
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions.eligibility import is_answer

_SHORTEST = 3  # words of a condition; "if so", "when open" lean on their sentence


def walk(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield scenarios for each fact with a condition: one for each phrase of the outcome, one for the condition itself.

    A fact with a condition that is not understood by itself gives none.
    """
    for fact in knowledge.facts:
        condition = next((n for n, phrase in enumerate(fact.phrases) if phrase.role == "condition"), None)
        if condition is None or fact.phrases[condition].flags & {"first", "deictic"}:
            continue
        if len(fact.phrases[condition].text.split()) < _SHORTEST:
            continue
        if fact.kind == "outcome":
            if not fact.phrases[condition].has("dangling"):
                yield Scenario("conditional", "explicit", (fact,), 1 - condition)
        elif _stands(fact, condition):
            for place, phrase in enumerate(fact.phrases):
                if place != condition and phrase.role not in {"manner", "condition"} and is_answer(phrase):
                    yield Scenario("conditional", "explicit", (fact,), place)
            yield Scenario("conditional", "explicit", (fact,), condition)


def _stands(fact: Fact, condition: int) -> bool:
    """Say whether condition and outcome are understood together; a pronoun may point from the later to the earlier."""
    subject, asked = fact.first("subject"), fact.phrases[condition]
    if subject is None or subject.flags & {"possessive", "first", "empty", "deictic"}:
        return False
    rest = [p for n, p in enumerate(fact.phrases) if n != condition and p.role != "manner"]
    if any(p.flags & {"first", "deictic"} for p in rest):
        return False
    if asked.start < subject.start:
        return not asked.has("dangling")
    return not subject.has("pronoun") or subject.has("you")
