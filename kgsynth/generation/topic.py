"""Keep the questions to what a text is about: to the passages nearest to it by embedding.

A chunk is near if its cosine with the text is at least ``LIMITS.topic_share`` of the highest that a chunk has. So a
topic of many pages gives many chunks, and one of a single page few. A question is on the topic if everything that it
is made from is in such chunks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from kgsynth.base.errors import InputError
from kgsynth.base.records import Scenario
from kgsynth.base.thresholds import LIMITS

if TYPE_CHECKING:
    from kgsynth.evidence.knowledge import Knowledge
    from kgsynth.generation.run import Run


Place = tuple[str, int, int]
"""A document, and the offsets of a passage in it."""

OnTopic = Callable[[Iterable[Place]], bool]


def places_of(scenario: Scenario) -> list[Place]:
    """Return where the facts of a scenario are; a fact of the layout is where its values are."""
    facts = [(fact.doc, fact.start, fact.end) for fact in scenario.facts]
    return [*facts, *((fact.doc, each.start, each.end) for fact in scenario.structure for each in fact.values)]


def stay_near(topic: str, knowledge: Knowledge, run: Run) -> OnTopic:
    """Return a function that checks whether all places are near a topic; without a topic they are.

    Raises:
        InputError: no passage is about the topic.
    """
    if not topic:
        return lambda _: True
    encoder = run.encoder
    cosines = knowledge.vectors @ encoder.encode_prefixed([encoder.prefixes.question + topic])[0]
    highest = round(float(cosines.max(initial=0.0)), 4)
    if highest < LIMITS.topic_least:
        raise InputError(
            f"no passage is about {topic!r}: the nearest has a cosine of {highest:.2f}, and {LIMITS.topic_least:g} is "
            "needed; give --topic in other words, such as those of a heading"
        )
    near = {number for number, cosine in enumerate(cosines.round(4)) if cosine >= LIMITS.topic_share * highest}

    def on_topic(places: Iterable[Place]) -> bool:
        return all(near.intersection(knowledge.chunks.overlapping(*place)) for place in places)

    return on_topic
