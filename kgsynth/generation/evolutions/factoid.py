"""simple / factoid: one fact, and a question for one of its phrases."""

from __future__ import annotations

from collections.abc import Iterator

from kgsynth.base.records import Scenario
from kgsynth.base.thresholds import LIMITS
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions.eligibility import anchor, askable, has_clause, usable


def walk(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for each phrase to ask for in each fact that has no further clause."""
    for fact in knowledge.statements.facts:
        if usable(fact) and not has_clause(fact):
            for place in askable(fact):
                if anchor(fact, place) >= LIMITS.min_anchor:
                    yield Scenario("simple", "factoid", (fact,), place)
