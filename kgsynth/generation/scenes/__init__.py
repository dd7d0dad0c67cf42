"""Find scenes in the graph: the passages of one question that a language model is asked to write.

``section``, ``related`` and ``near_miss`` find them, one module for each kind; ``passages`` cuts the documents, and
``spread`` puts the scenes in order. No parser is needed, so there are scenes in every language.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection

from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.scenes.passages import Scene
from kgsynth.generation.scenes.related import near_miss_scenes, related_scenes
from kgsynth.generation.scenes.section import RatedScene, case_scenes, fact_scenes, reasoning_scenes, spread

__all__ = ["SCENES", "Scene", "find_scenes"]

SCENES: dict[str, Callable[[Knowledge], list[RatedScene]]] = {
    "simple": fact_scenes,
    "reasoning": reasoning_scenes,
    "multi_context": related_scenes,
    "conditional": case_scenes,
    "unanswerable": near_miss_scenes,
}
"""Question type -> what finds its scenes."""


def find_scenes(knowledge: Knowledge, types: Collection[str], rng: random.Random) -> dict[str, list[Scene]]:
    """Return the scenes of each wanted type in the order in which they should be asked.

    However many are taken from the front, they are spread over documents, sections and topics, and what matters most
    comes first. No scene is there twice. The seed of ``rng`` decides between scenes that matter alike.
    """
    return {name: spread(find(knowledge), rng) for name, find in SCENES.items() if name in types}
