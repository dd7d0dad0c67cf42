"""What comes of asking an LLM for questions."""

from __future__ import annotations

from dataclasses import dataclass, field

from kgsynth.base.records import Item, Rejection, Span
from kgsynth.generation.scenes.scene import Scene
from kgsynth.generation.selection import Shortage

Rejected = list[tuple[Item, Rejection]]


@dataclass
class Asked:
    """What was asked of an LLM: the scenes, the questions it wrote, those accepted, the set, and what was rejected.

    ``proposed`` has each passage with a question about it, accepted or not; ``scene_of`` the scenes of the accepted
    questions by id. Neither has the later turns of conversations.
    """

    scenes: list[Scene] = field(default_factory=list)
    written: list[Item] = field(default_factory=list)
    proposed: list[tuple[Span, Item]] = field(default_factory=list)
    accepted: list[Item] = field(default_factory=list)
    rejected: Rejected = field(default_factory=list)
    golden: list[Item] = field(default_factory=list)
    scene_of: dict[str, Scene] = field(default_factory=dict)
    shortage: Shortage = field(default_factory=lambda: Shortage(0, ()))
