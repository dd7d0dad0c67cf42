"""reasoning / page_reason: what a heading asks about a reason, answered by the section below it."""

from __future__ import annotations

from collections.abc import Iterator

from kgsynth.base.records import Scenario
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions.page_question import scenarios


def walk(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for each heading that asks about a reason, whose section answers."""
    return scenarios(knowledge, "page_reason", "reasoning")
