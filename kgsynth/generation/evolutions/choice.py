"""multi_context / choice: which of two things to use when, each from a sentence that recommends it for a case."""

from __future__ import annotations

from collections.abc import Iterator

from kgsynth.base.records import Scenario
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions.named_things import pairs


def walk(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for each two things that belong together and are recommended apart."""
    return pairs(knowledge, "choice", lambda reader, sentence, title: (reader.recommended(sentence, title), ""))
