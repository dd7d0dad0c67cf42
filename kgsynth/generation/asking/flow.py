"""Have an LLM write questions about scenes, prove and judge them, and select the set.

Scenes are asked about in rounds until enough questions of each type are accepted, so the cost depends on the size of
the set and not on the corpus. A question stays as the LLM wrote it, but for sentences of its answer that are not
proved, or it goes.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TypeVar

from kgsynth.base.config import Config
from kgsynth.base.errors import BudgetError
from kgsynth.base.progress import Stage
from kgsynth.base.quotas import apportion
from kgsynth.base.records import Item, Rejection, Scenario, Span
from kgsynth.base.thresholds import LIMITS
from kgsynth.generation.asking import alone, needed, proposals, quoted, verified
from kgsynth.generation.asking.conversations import converse
from kgsynth.generation.asking.manner import STYLES, Manners
from kgsynth.generation.filters import difficulty, duplicate, hop_necessity
from kgsynth.generation.filters.context import FilterContext
from kgsynth.generation.graph.llm_summaries import abstracts
from kgsynth.generation.run import Run
from kgsynth.generation.scenes import find_scenes
from kgsynth.generation.scenes.scene import Scene
from kgsynth.generation.selection import Shortage, choose
from kgsynth.generation.writing import Candidate
from kgsynth.golden.dataset import Dataset
from kgsynth.golden.metadata import with_scores
from kgsynth.language import LANGUAGES, language
from kgsynth.models.llm import LLM, Failure, Prompt

T = TypeVar("T")
Rejected = list[tuple[Item, Rejection]]


@dataclass
class Asked:
    """What was asked of an LLM: the scenes, the questions it wrote, those accepted, the set, and what was rejected.

    ``scene_of`` has the scenes of the accepted questions by id, but not of the later turns of conversations.
    """

    scenes: list[Scene] = field(default_factory=list)
    written: list[Item] = field(default_factory=list)
    accepted: list[Item] = field(default_factory=list)
    rejected: Rejected = field(default_factory=list)
    golden: list[Item] = field(default_factory=list)
    scene_of: dict[str, Scene] = field(default_factory=dict)
    shortage: Shortage = field(default_factory=lambda: Shortage(0, ()))


def ask(valid: Sequence[Item], context: FilterContext, model: LLM, run: Run) -> Asked:
    """Have an LLM write the set; ``valid`` are the questions of the rules, which stand in where it has too few.

    Raises:
        BudgetError: the budget was spent first; the finished questions are in partial.jsonl.
        SystemUnreachableError: the LLM cannot be reached.
        InputError: a file of personas or examples is not UTF-8.
    """
    wanted = [name for name, share in run.config.mix.items() if share > 0]
    with run.stage("finding scenes") as stage:
        scenes = find_scenes(context.knowledge, wanted, random.Random(run.config.seed))
        stage.update()
    author = Author(model, context, run.config)
    asked = author.asked
    with run.stage("asking the model", run.config.n) as stage, _saved(asked, run):
        author.fill(scenes, stage)
    pool = [*asked.accepted, *_stand_ins(valid, asked.accepted, run.config)]
    context.vectors.add(item.question for item in pool)
    asked.golden, asked.shortage = choose(pool, context, run.config)
    if run.config.turns > 1:
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


def _stand_ins(valid: Sequence[Item], accepted: Sequence[Item], config: Config) -> Iterator[Item]:
    """Yield the best questions of the rules, as many as a type has too few, if a strict reader would keep them."""
    for name, quota in apportion(config.n, dict(config.mix)).items():
        missing = quota - sum(item.question_type == name for item in accepted)
        own = [item for item in valid if item.question_type == name]
        good = [item for item in own if item.metadata["scores"].get("keep", 0.0) >= config.min_keep]
        yield from sorted(good, key=lambda item: (-item.metadata["scores"]["keep"], item.id))[: max(0, missing)]


class Author:
    """Has an LLM write and judge questions, in rounds of scenes; ``asked`` collects what comes of it."""

    def __init__(self, model: LLM, context: FilterContext, config: Config) -> None:
        self.asked = Asked()
        self.model, self.context, self._config = model, context, config
        self.documents = context.knowledge.documents
        self._manners = Manners(config)
        titles = dict.fromkeys(document.title for document in self.documents.values())
        self.setting = proposals.Setting(
            config.about, tuple(titles)[: LIMITS.titles_in_prompt], abstracts(context.knowledge.graph)
        )

    def fill(self, scenes: Mapping[str, Sequence[Scene]], stage: Stage) -> None:
        """Ask about scenes until there are enough questions of each type, or no scenes, or too many were tried."""
        quotas = apportion(self._config.n, dict(self._config.mix))
        goals = {name: math.ceil(LIMITS.asked_over * quota) for name, quota in quotas.items()}
        left = {name: list(found)[: LIMITS.llm_tries * goals.get(name, 0)] for name, found in scenes.items()}
        while True:
            chosen: list[Scene] = []
            for name, goal in goals.items():
                missing = goal - sum(item.question_type == name for item in self.asked.accepted)
                taken = left.get(name, [])[: max(0, missing)]
                left[name] = left.get(name, [])[len(taken) :]
                chosen += taken
            if not chosen:
                return
            for start in range(0, len(chosen), LIMITS.scenes_at_once):
                before = len(self.asked.accepted)
                self._ask_about(chosen[start : start + LIMITS.scenes_at_once])
                stage.update(len(self.asked.accepted) - before)

    def _ask_about(self, scenes: Sequence[Scene]) -> None:
        self.asked.scenes += scenes
        written = self.judge_alone(self.screen(self._write(scenes)))
        by_scene: dict[str, list[quoted.Written]] = {scene.id: [] for scene in scenes}
        for each in sorted(written, key=lambda each: (-each.item.metadata["scores"]["asked"], each.item.id)):
            by_scene[each.scene.id].append(each)
        while any(by_scene.values()):  # the next best of a scene is tried only if the best fails
            best = [own.pop(0) for own in by_scene.values() if own]
            accepted = self._accept(self.verify(self._leave_passages_out(best)))
            for scene_id in accepted:
                by_scene[scene_id].clear()

    # ---- the steps ---------------------------------------------------------------------------------

    def _write(self, scenes: Sequence[Scene]) -> list[quoted.Written]:
        """Return the proposals of the LLM whose answers are proved."""
        titles = [self.documents[scene.passages[0].doc].title for scene in scenes]
        manners = [self._manners.of(scene, title) for scene, title in zip(scenes, titles, strict=True)]
        prompts = [
            proposals.prompt(scene, manner, self.setting, self.documents, self._asked_before(scene))
            for scene, manner in zip(scenes, manners, strict=True)
        ]
        proved = []
        for scene, manner, reply in zip(scenes, manners, self.replies(prompts, proposals.Proposals), strict=True):
            for proposal in () if isinstance(reply, Failure) else reply.questions[: proposals.AT_MOST]:
                written, rejection = quoted.prove(proposal, scene, manner, self.model.name, self.documents)
                self.asked.written.append(written.item)
                if not self.is_rejected(written.item, rejection):
                    proved.append(written)
        return proved

    def _asked_before(self, scene: Scene) -> list[str]:
        """Return the accepted questions on the documents of a scene, the last of them."""
        docs = {span.doc for span in scene.passages}
        near = [item.question for item in self.asked.accepted if docs & {group[0].doc for group in item.evidence}]
        return near[max(0, len(near) - LIMITS.asked_in_prompt) :]

    def screen(self, written: Sequence[quoted.Written]) -> list[quoted.Written]:
        """Apply the rules of the filters that hold for any question."""
        self.context.ranking.expect(each.item.question for each in written)
        passed = []
        for each in written:
            sentence, reader = STYLES[each.manner.style].sentence, LANGUAGES.get(each.item.language)
            word = language(each.item.language).outside_reference(each.item.question) if sentence and reader else ""
            why = f"{word!r} refers to something outside the question"
            rejection = Rejection("self_contained", why) if word else None
            for rule in (hop_necessity.judge, difficulty.judge):
                if rejection is None:
                    verdict = rule(_candidate(each.item), self.context)
                    rejection = verdict if isinstance(verdict, Rejection) else None
                    each = each if isinstance(verdict, Rejection) else replace(each, item=verdict)
            rejection = rejection or duplicate.like_accepted(each.item.question, self.context)
            if not self.is_rejected(each.item, rejection):
                passed.append(each)
        return passed

    def judge_alone(self, written: Sequence[quoted.Written]) -> list[quoted.Written]:
        """Return the questions that an LLM finds clear and worth asking without their passages."""
        batches = list(_batches(written, alone.JUDGED_AT_ONCE))
        prompts = [alone.prompt([each.item for each in batch], self.setting) for batch in batches]
        limit, known = self.context.thresholds["asked"], self.context.thresholds["closed_book"]
        passed = []
        for batch, reply in zip(batches, self.replies(prompts, alone.AloneReply), strict=True):
            verdicts = alone.judge([each.item for each in batch], reply, limit)
            for each, verdict in zip(batch, verdicts, strict=True):
                if isinstance(verdict, Item) and self._config.drop_closed_book:
                    score = verdict.metadata["scores"]["closed_book"]
                    why = "the model answers it without the documents"
                    verdict = Rejection("closed_book", why, score, known) if score >= known else verdict
                if isinstance(verdict, Rejection):
                    self.is_rejected(each.item, verdict)
                else:
                    passed.append(replace(each, item=self._with_quality(verdict)))
        return passed

    def _with_quality(self, item: Item) -> Item:
        """Return an item with the ``quality`` that orders it: the LLM's verdict, and the ranker's where it has one."""
        asked = item.metadata["scores"]["asked"]
        if not item.answerable or item.language not in LANGUAGES:
            return with_scores(item, quality=asked)
        keep = self.context.ranked([item])[0].metadata["scores"]["keep"]
        return with_scores(item, quality=(asked + keep) / 2)

    def verify(self, written: Sequence[quoted.Written]) -> list[quoted.Written]:
        """Return the questions whose answers an LLM finds in their passages, whole and without a rival."""
        shown = [[*each.scene.passages, *self._rivals(each)] for each in written]
        prompts = [
            verified.prompt(each.item, passages, self.documents) for each, passages in zip(written, shown, strict=True)
        ]
        passed = []
        for each, reply in zip(written, self.replies(prompts, verified.VerifiedReply), strict=True):
            verdict = verified.judge(each.item, reply)
            if isinstance(verdict, Rejection):
                self.is_rejected(each.item, verdict)
            else:
                passed.append(replace(each, item=verdict))
        return passed

    def _rivals(self, each: quoted.Written) -> list[Span]:
        """Return the chunks outside the scene that are closest to the question."""
        chunks = self.context.knowledge.chunks
        own = chunks.holding(each.scene.passages)
        cosines = self.context.ranking.cosines(each.item.question)
        near = difficulty.nearest(cosines, LIMITS.rivals_in_prompt + len(own))
        others = [chunks[int(number)] for number in near if int(number) not in own][: LIMITS.rivals_in_prompt]
        return [self.documents[chunk.doc].span(chunk.start, chunk.end) for chunk in others]

    def _leave_passages_out(self, written: Sequence[quoted.Written]) -> list[quoted.Written]:
        """Return the questions that need each of their passages."""
        trials = [trial for each in written for trial in _trials(each)]
        trials.sort(key=lambda trial: trial.without)  # so that no request has two passages of one question
        batches = list(_batches(trials, needed.TRIALS_AT_ONCE, apart=lambda trial: trial.item.id))
        prompts = [needed.prompt(batch, self.documents) for batch in batches]
        failed: dict[str, Rejection] = {}
        for batch, reply in zip(batches, self.replies(prompts, needed.TrialReply), strict=True):
            for trial, rejection in zip(batch, needed.judge(batch, reply), strict=True):
                if rejection:
                    failed.setdefault(trial.item.id, rejection)
        return [each for each in written if not self.is_rejected(each.item, failed.get(each.item.id))]

    def _accept(self, written: Sequence[quoted.Written]) -> list[str]:
        """Accept the questions that no accepted one repeats; return the ids of their scenes."""
        accepted = []
        for each in written:
            if self.is_new(each.item):
                self.asked.accepted.append(each.item)
                self.asked.scene_of[each.item.id] = each.scene
                accepted.append(each.scene.id)
        return accepted

    def is_new(self, item: Item) -> bool:
        """Check that no accepted question asks the same, and remember the question; reject the item otherwise."""
        verdict = duplicate.judge(_candidate(item), self.context)
        return not self.is_rejected(item, verdict if isinstance(verdict, Rejection) else None)

    # ---- helpers -----------------------------------------------------------------------------------

    def replies(self, prompts: Sequence[Prompt], shape: type[T]) -> list[T | Failure]:
        """Return the replies of the LLM in the order of the prompts."""
        return [reply for _, reply in sorted(self.model.ask_all(prompts, shape), key=lambda pair: pair[0])]

    def is_rejected(self, item: Item, rejection: Rejection | None) -> bool:
        """Check whether there is a rejection of an item, and record it."""
        if rejection is not None:
            self.asked.rejected.append((item, rejection))
        return rejection is not None


def _candidate(item: Item) -> Candidate:
    return Candidate(item, Scenario(item.question_type, item.subtype, ()))


def _trials(each: quoted.Written) -> Iterator[needed.Trial]:
    if each.item.question_type == "multi_context":
        for number, passage in enumerate(each.scene.passages):
            left = tuple(span for n, span in enumerate(each.scene.passages) if n != number)
            if any(_overlap(passage, span) for group in each.item.evidence for span in group):
                yield needed.Trial(each.item, number, left)


def _overlap(one: Span, other: Span) -> bool:
    return one.doc == other.doc and one.start < other.end and other.start < one.end


def _batches(members: Sequence[T], size: int, apart: Callable[[T], Hashable] = id) -> Iterator[list[T]]:
    """Yield the members in batches of at most ``size``, without two of one ``apart`` in a batch."""
    left = list(members)
    while left:
        batch: dict[Hashable, T] = {}
        rest = []
        for member in left:
            if len(batch) < size and apart(member) not in batch:
                batch[apart(member)] = member
            else:
                rest.append(member)
        yield list(batch.values())
        left = rest
