"""Find the scenarios of a run: what its questions could be about, near its topic, and more for a larger set."""

from __future__ import annotations

import random

from kgsynth.base.progress import ticking
from kgsynth.base.records import Scenario
from kgsynth.base.thresholds import LIMITS
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions import evolve
from kgsynth.generation.run import Run
from kgsynth.generation.topic import places_of, stay_near


def find_scenarios(knowledge: Knowledge, run: Run) -> list[Scenario]:
    """Search the graph for scenarios; the number drawn of each subtype grows with the size of the set."""
    config = run.config
    near = stay_near(config.topic, knowledge, run)
    with run.stage("finding scenarios") as stage:
        limit, rng = LIMITS.scenarios_min + LIMITS.scenarios_per_question * config.n, random.Random(config.seed)
        found = evolve(
            knowledge,
            types=config.mix,
            kinds=config.kinds,
            limit=limit,
            rng=rng,
            on_topic=lambda scenario: near(places_of(scenario)),
        )
        return list(ticking(found, stage))
