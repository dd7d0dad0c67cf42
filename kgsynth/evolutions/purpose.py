"""reasoning / purpose: what something is for, from a fact that carries its purpose."""

from __future__ import annotations

from collections.abc import Iterator

from kgsynth.evolutions.cause import explained
from kgsynth.knowledge import Knowledge
from kgsynth.records import Scenario


def walk(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for each fact with a purpose."""
    yield from explained(knowledge, "purpose")
