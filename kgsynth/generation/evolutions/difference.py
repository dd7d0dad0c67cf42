"""multi_context / difference: how two things differ that each have a sentence that says what they are."""

from __future__ import annotations

from collections.abc import Iterator

from kgsynth.base.records import Scenario
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions.named_things import pairs


def walk(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for each two things that belong together and are defined apart."""
    return pairs(knowledge, "difference", lambda reader, sentence, title: reader.definition(sentence, title))
