"""reasoning / purpose: what something is for, from a fact that names its purpose."""

from __future__ import annotations

from collections.abc import Iterator

from kgsynth.base.records import Scenario
from kgsynth.base.vocabulary import Role
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions.cause import explained


def walk(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for each fact with a purpose."""
    yield from explained(knowledge, Role.PURPOSE)
