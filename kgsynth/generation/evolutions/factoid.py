"""simple / factoid: one fact, one of its phrases asked for."""

from __future__ import annotations

from collections.abc import Iterator

from kgsynth.base.records import Scenario
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions.eligibility import ARGUMENTS, CLAUSAL, anchor, is_answer, told_of, usable


def walk(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for each phrase that could be asked for, of each fact without a condition."""
    for fact in knowledge.statements.facts:
        if not usable(fact) or any(phrase.role in CLAUSAL for phrase in fact.phrases):
            continue
        for place, phrase in enumerate(fact.phrases):
            if phrase.role not in ARGUMENTS or told_of(fact, phrase):
                continue
            if is_answer(phrase) and anchor(fact, place) >= 1:
                yield Scenario("simple", "factoid", (fact,), place)
