"""Have an LLM write questions about scenes, prove and judge them, and select the set.

Scenes are asked about in rounds until enough questions of each type are accepted, so the cost depends on the size of
the set and not on the corpus. A question stays as the LLM wrote it, but for sentences of its answer that are not
proved, or it goes.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from kgsynth.base.config import Config
from kgsynth.base.errors import BudgetError
from kgsynth.base.records import Item
from kgsynth.base.thresholds import LIMITS
from kgsynth.generation.asking.author import Author
from kgsynth.generation.asking.conversations import converse
from kgsynth.generation.asking.queue import Asked
from kgsynth.generation.filters.context import FilterContext
from kgsynth.generation.run import Run
from kgsynth.generation.scenes import Scene, find_scenes
from kgsynth.generation.selection.places import free_places
from kgsynth.generation.survey import Survey
from kgsynth.generation.topic import stay_near
from kgsynth.golden.dataset import Dataset
from kgsynth.models.llm import LLM

ASKING = "asking the model"
"""The stage in which the language model writes and judges questions."""


def ask(
    valid: Sequence[Item], context: FilterContext, model: LLM, run: Run, survey: Survey, kept: Sequence[Item] = ()
) -> Asked:
    """Have an LLM write the set; ``valid`` are the questions of the rules, which stand in where it has too few.

    It is asked for as many as are missing beside ``kept``, and not about their passages again. What the
    documents of the ``survey`` contradict is not chosen.

    Raises:
        BudgetError: the budget was spent first; the finished questions are in partial.jsonl.
        SystemUnreachableError: the LLM cannot be reached.
        InputError: a file of personas or examples is not UTF-8.
    """
    wanted = [name for name, share in run.config.mix.items() if share > 0]
    with run.stage("finding scenes") as stage:
        scenes = find_scenes(context.knowledge, wanted, random.Random(run.config.seed))
        stage.update()
    for item in kept:
        context.accepted.add(item.full_question)
    near = stay_near(run.config.topic, context.knowledge, run)
    scenes = {
        name: [
            scene
            for scene in found
            if near((span.doc, span.start, span.end) for span in scene.passages) and not _is_asked(scene, kept)
        ]
        for name, found in scenes.items()
    }
    author = Author(model, context, run.config, kept)
    asked = author.asked
    with run.stage(ASKING, run.config.n) as stage, _saved(asked, run):
        author.fill(scenes, stage)
    pool = [*asked.accepted, *_stand_ins(valid, asked.accepted, run.config, kept)]
    context.vectors.add(item.question for item in pool)
    asked.golden, asked.shortage, contradicted = survey.choose(pool, context, kept)
    asked.rejected += contradicted
    asked.shortage = replace(asked.shortage, way=asked.way)
    if run.config.turns > 1 and not asked.way:
        with run.stage("continuing conversations") as stage, _saved(asked, run):
            asked.golden = converse(author, asked.golden, run.config, stage)
    return asked


@contextmanager
def _saved(asked: Asked, run: Run) -> Iterator[None]:
    """Save the finished questions if the budget is spent.

    Raises:
        BudgetError: it is spent; says where they are.
    """
    try:
        yield
    except BudgetError as error:
        finished = sum(not item.history for item in asked.accepted)
        with run.run_folder.replacing("partial.jsonl") as path:
            Dataset(asked.accepted).save(path)
        raise BudgetError(
            f"{error}; {finished} of {run.config.n} questions are finished and were saved to "
            f"{run.run_folder.folder / 'partial.jsonl'}: allow more and run the same command again to resume"
        ) from None


def _is_asked(scene: Scene, kept: Sequence[Item]) -> bool:
    """Check whether a kept question of the type of a scene has all its evidence in the passages of the scene."""
    return any(
        item.question_type == scene.question_type
        and item.metadata.get("writer", "rules") != "rules"
        and item.evidence
        and all(any(passage.meets(group[0]) for passage in scene.passages) for group in item.evidence)
        for item in kept
    )


def _stand_ins(
    valid: Sequence[Item], accepted: Sequence[Item], config: Config, kept: Sequence[Item] = ()
) -> Iterator[Item]:
    """Yield the best questions of the rules, as many as a type has too few, if a strict reader would surely keep them.

    Readers keep nine of ten questions that a strong LLM wrote, so ``min_keep`` alone would make the set worse. Where
    the LLM has none at all, since a small one may not write anything that can be proved, the set is that of the rules.
    """
    if not accepted and not kept:
        yield from valid
        return
    least = max(config.min_keep, LIMITS.stand_in_keep)
    for name, quota in free_places(config.n, config.mix, kept).items():
        missing = quota - sum(item.question_type == name for item in accepted)
        own = [item for item in valid if item.question_type == name]
        good = [item for item in own if item.scores.get("keep", 0.0) >= least]
        yield from sorted(good, key=lambda item: (-item.scores["keep"], item.id))[: max(0, missing)]
