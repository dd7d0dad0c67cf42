"""Find scenes in the graph: the passages of one question that a language model is asked to write."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.scenes.scene import Scene


def find_scenes(knowledge: Knowledge, types: Collection[str], *, seed: int) -> dict[str, Sequence[Scene]]:
    """Stand-in."""
    return {}
