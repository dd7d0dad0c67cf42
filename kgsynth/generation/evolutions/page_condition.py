"""conditional / page_condition: what a heading asks about a case, answered by the section below it."""

from __future__ import annotations

from collections.abc import Iterator

from kgsynth.base.records import Scenario
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions.page_question import scenarios


def walk(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for each heading that asks about a case, whose section answers."""
    return scenarios(knowledge, "page_condition", "conditional")
