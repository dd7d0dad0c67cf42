"""A small corpus read by the real stages, and a set that a scripted language model writes about it.

Ten FAQ pages, and pages that belong together: guilds and what they built, kilns, what to do when one cracks.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from doubles import HashingEncoder, context_of
from faq_pages import PAGES
from planted import knowledge_of
from scripted_model import Asked, Direct

from kgsynth.base.config import Config
from kgsynth.base.progress import silent
from kgsynth.base.records import Item
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.asking.author import Author
from kgsynth.generation.asking.queue import Asked as AskedOf
from kgsynth.generation.asking.ways import Way
from kgsynth.generation.filters.context import FilterContext
from kgsynth.generation.scenes import find_scenes
from kgsynth.models.llm import Failure

MORE = {
    "guild.md": "# Guilds\n\nJonas Rekdal convenes the Release Guild, which has no fixed membership.\n",
    "slipway.md": "# Slipway\n\nSlipway was built by the Release Guild, and the guild decides what it may do.\n",
    "kilns.md": "# Kilns\n\n## In the Marlstrand works\n\nThe Linnet kiln holds ninety plates. The Osprey kiln holds "
    "forty plates. The Osprey kiln burns beech wood.\n",
    "cracks.md": "# Cracks\n\nIf a kiln cracks, the Release Guild must stop the works in Marlstrand.\n",
}
MIX = {"simple": 0.4, "reasoning": 0.3, "multi_context": 0.1, "conditional": 0.2}


@dataclass(frozen=True)
class Desk:
    knowledge: Knowledge

    def context(self, avoid: Sequence[str] = (), **thresholds: float) -> FilterContext:
        return context_of(self.knowledge, HashingEncoder().encode, thresholds, avoid)

    def author(self, says: Callable[[Asked], str | Failure], **settings: Any) -> tuple[Author, Direct]:
        """An author of a model that says so; ``way`` is chosen by what it says unless it is given."""
        rng, context = settings.pop("rng", None), settings.pop("context", None) or self.context()
        model, way = Direct(says, calls=settings.pop("calls", None), rng=rng), settings.pop("way", None)
        author = Author(model, context, Config(**{"llm": "scripted", "mix": MIX, "n": 10, **settings}))
        author.way = Way(way, "") if way else None
        return author, model

    def ask(self, says: Callable[[Asked], str | Failure], **settings: Any) -> tuple[AskedOf, Direct]:
        """Have a model that says so write questions; the set is not chosen yet."""
        author, model = self.author(says, **settings)
        scenes = find_scenes(self.knowledge, settings.get("mix", MIX), random.Random(0))
        with silent("asking", None) as stage:
            author.fill(scenes, stage)
        return author.asked, model


@cache
def desk() -> Desk:
    return Desk(knowledge_of({**PAGES, **MORE}))


def by_question(items: Sequence[Item]) -> dict[str, Item]:
    return {item.question: item for item in items}
