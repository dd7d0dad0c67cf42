"""Have an LLM write questions about scenes, prove and judge them, in rounds until there are enough of each type.

A scene gives one question; a second one only where others are missing. What is cheap to find out is found out first:
the rules, then verdicts on several questions in one request.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from kgsynth.base.config import Config
from kgsynth.base.progress import Stage
from kgsynth.base.records import Item, Rejection, Scenario, Span
from kgsynth.base.thresholds import LIMITS
from kgsynth.generation.asking import prompts, proof, verdicts, ways
from kgsynth.generation.asking.context import before, beside, renumbered
from kgsynth.generation.asking.prompts import STYLES, Manners
from kgsynth.generation.asking.queue import Asked, SceneQueue
from kgsynth.generation.filters import by_vector, by_words
from kgsynth.generation.filters.context import FilterContext
from kgsynth.generation.scenes.passages import Scene
from kgsynth.generation.selection.places import free_places
from kgsynth.generation.writing import Candidate
from kgsynth.golden.metadata import with_scores
from kgsynth.language import LANGUAGES, language
from kgsynth.models.llm import LLM, Failure, Prompt

T = TypeVar("T")
R = TypeVar("R")

_RULES = (by_words.check_hop_necessity, by_vector.check_difficulty)
_INSTEAD_OF_VERDICTS = (by_words.check_well_formed, by_words.check_self_contained)


class Author:
    """Has an LLM write and judge questions, in rounds of scenes; ``asked`` collects what comes of it."""

    def __init__(self, model: LLM, context: FilterContext, config: Config, kept: Sequence[Item] = ()) -> None:
        self.asked = Asked()
        self.quotas = free_places(config.n, config.mix, kept)
        self._queue = SceneQueue(self.quotas, self.asked)
        self._kept = kept
        self.model, self.context, self._config = model, context, config
        self.documents = context.knowledge.documents
        self._manners = Manners(config)
        self._writers = (model.name, *config.writers[1:])
        self.way: ways.Way | None = None  # not known before the first scenes are asked about
        self._failed = 0  # scenes for which no usable reply came
        self._spare: list[proof.Written] = []  # questions of scenes of which a better one was tried, the best first
        titles = dict.fromkeys(document.title for document in self.documents.values())
        self.setting = prompts.Setting(config.about, tuple(titles)[: LIMITS.titles_in_prompt])

    def fill(self, scenes: Mapping[str, Sequence[Scene]], stage: Stage) -> None:
        """Ask about scenes until there are enough questions of each type, or no scenes, or too many were tried."""
        self._queue.add(scenes)
        while True:
            self._use_spare(stage)
            chosen = self._queue.next() or ([] if self._spare else self._queue.next(LIMITS.asked_over))
            if not chosen:
                return
            proved: list[proof.Written] = []
            while chosen:
                size = LIMITS.scenes_at_once if self.way else 1
                part, chosen = chosen[:size], chosen[size:]
                proved += self._write(part)
                if self.way is None:
                    self._choose_way()
                    if self._is(ways.LIGHT):
                        self._queue.exchange(ways.short_scenes(scenes, self.context.knowledge))
                        chosen = []
                        proved = [each for each in proved if not self.is_rejected(each.item, ways.INSTEAD)]
                    if chosen:
                        continue
                before = len(self.asked.accepted)
                self._judge(proved)
                stage.update(len(self.asked.accepted) - before)
                proved = []

    def _use_spare(self, stage: Stage) -> None:
        """Check the second-best questions of scenes before others are asked about.

        They are written already, so more are accepted than are wanted. Of a scene with an accepted question one more
        is taken, so that the set stays spread over the documents; of a single sentence, none.
        """
        given = Counter(scene.id for scene in self.asked.scene_of.values())
        most = 1 if self._is(ways.LIGHT) else 2
        self._spare = [each for each in self._spare if given[each.scene.id] < most]
        firsts = {each.scene.id: each for each in reversed(self._spare)}
        chosen, more = list[proof.Written](), list[proof.Written]()
        for name in self._queue.goals:
            own = [each for each in firsts.values() if each.scene.question_type == name]
            own.sort(key=lambda each: given[each.scene.id])
            missing = self._queue.missing(name, LIMITS.asked_over)
            chosen += own[:missing]
            more += own[missing:] if missing else []
        chosen += more[: -len(chosen) % verdicts.VERIFIED_AT_ONCE]  # in case that some fail: no request more
        if chosen:
            self._spare = [each for each in self._spare if each not in chosen]
            stage.update(len(self._accept(self._prove(chosen))))
            self._use_spare(stage)

    def _judge(self, proved: Sequence[proof.Written]) -> None:
        """Accept the best question of each scene if it passes; the others are spare.

        Of several wordings for one sentence the first is the best, since later ones go further away from it.
        """
        written = self.judge_alone(self.screen(proved))
        if not self._is(ways.LIGHT):
            written.sort(key=lambda each: (-each.item.scores.get("asked", each.item.scores["quality"]), each.item.id))
        best = {each.scene.id: each for each in reversed(written)}
        self._spare += [each for each in written if each is not best[each.scene.id]]
        self._accept(self._prove([each for each in written if each is best[each.scene.id]]))

    def _prove(self, written: Sequence[proof.Written]) -> list[proof.Written]:
        """Return the questions that are new, have the answer that their passages give, and need each of these."""
        new = []
        for each in written:
            repeats = by_vector.like_accepted(each.item.question, self.context)
            if not self.is_rejected(each.item, repeats):
                new.append(each)
        return self._leave_passages_out(self.verify(new))

    # ---- the way -----------------------------------------------------------------------------------

    def _is(self, name: str) -> bool:
        return self.way is not None and self.way.name == name

    @property
    def _judges(self) -> bool:
        """Whether the LLM judges questions; else rules and the ranker do."""
        return self.way is None or self._is(ways.FULL)

    def _choose_way(self) -> None:
        """Choose how the LLM is used, by what it wrote about the first scenes and its verdicts on planted claims."""
        rejected = {item.id for item, _ in self.asked.rejected}
        proved = {scene.id: item for scene, item in self.asked.proposed if item.answerable and item.id not in rejected}
        true = sum(bool(item.derivation["steps"]) for item in self.asked.written)
        scenes = len(self.asked.scenes)
        self.way = ways.by_writing(scenes, len(self.asked.written) + self._failed, true, len(proved))
        if self.way is None and (len(proved) >= ways.PROBED or scenes >= ways.AT_MOST):
            items = self.context.ranked(list(proved.values())[: ways.PROBED])
            (reply,) = self.replies([ways.probing_prompt(items)], ways.Probed)
            kept = sum(item.scores["keep"] >= self._config.min_keep for item in items)
            self.way = ways.by_judging(items, reply, kept)
        self.asked.way = self.way.why if self.way else ""

    def _by_ranker(self, written: Sequence[proof.Written]) -> list[proof.Written]:
        """Return the questions that a strict reader would keep, by the ranker.

        Its ``keep`` is not among their scores, since the selection would ask all of them for ``min_keep``.
        """
        light, passed = self._is(ways.LIGHT), []
        for each in written:
            item = ways.typed(each.item) if light else each.item
            keep, least = self.context.ranked([item])[0].scores.get("keep", 1.0), self._config.min_keep
            least *= ways.CUED if light and item.question_type != "simple" else 1.0
            why = Rejection("alone", "a strict reader would hardly keep it", keep, least)
            if not self.is_rejected(item, why if keep < least else ways.misreads(item) if light else None):
                passed.append(replace(each, item=with_scores(item, quality=keep)))
        return passed

    def _extracted(self, written: Sequence[proof.Written]) -> list[proof.Written]:
        """Return the questions whose answer the LLM finds around its sentence."""
        asked = [ways.extraction_prompt(each.item, each.scene, self.documents) for each in written]
        judged = zip(written, self.replies(asked, ways.Extracted), strict=True)
        return [
            each for each, reply in judged if not self.is_rejected(each.item, ways.judge_extracted(each.item, reply))
        ]

    # ---- the steps ---------------------------------------------------------------------------------

    def _write(self, scenes: Sequence[Scene]) -> list[proof.Written]:
        """Return the proposals of the LLM whose answers are proved; with several LLMs, they take scenes in turn."""
        begun = len(self.asked.scenes)
        writers = [self._writers[(begun + at) % len(self._writers)] for at in range(len(scenes))]
        if self._is(ways.LIGHT):
            manners = [ways.PLAIN] * len(scenes)
            asked = [ways.light_prompt(scene, self.documents) for scene in scenes]
            light = self.replies(_sent_to(writers, asked), ways.Asking)
            replies = [ways.widened(*pair, self.context.knowledge) for pair in zip(light, scenes, strict=True)]
        else:
            titles = [self.documents[scene.passages[0].doc].title for scene in scenes]
            manners = [self._manners.of(scene, title) for scene, title in zip(scenes, titles, strict=True)]
            asked = [
                prompts.proposals_prompt(
                    scene, manner, self.setting, self.documents, before(scene, self.asked, self._kept)
                )
                for scene, manner in zip(scenes, manners, strict=True)
            ]
            replies = self.replies(_sent_to(writers, asked), prompts.Proposals)
        self.asked.scenes += scenes
        proved = []
        for scene, manner, writer, reply in zip(scenes, manners, writers, replies, strict=True):
            if isinstance(reply, Failure):
                self._queue.mark_unanswered(scene)
                self._failed += 1
                continue
            if not reply.questions:
                self._queue.mark_declined(scene)
            for proposal in reply.questions[: prompts.AT_MOST]:
                written, rejection = proof.prove(proposal, scene, manner, writer, self.documents)
                rejection = rejection or proof.names_foreign(written, self.setting, self.documents)
                self.asked.written.append(written.item)
                self.asked.proposed.append((scene, written.item))
                if not self.is_rejected(written.item, rejection):
                    proved.append(written)
        return proved

    def screen(self, written: Sequence[proof.Written]) -> list[proof.Written]:
        """Apply the rules of the filters that hold for any question."""
        self.context.ranking.expect(each.item.question for each in written)
        passed = []
        for each in written:
            sentence, reader = STYLES[each.manner.style].sentence, LANGUAGES.get(each.item.language)
            word = language(each.item.language).outside_reference(each.item.question) if sentence and reader else ""
            why = f"{word!r} refers to something outside the question"
            rejection = Rejection("self_contained", why) if word else None
            for rule in (*_RULES, *(() if self._judges else _INSTEAD_OF_VERDICTS)):
                if rejection is None:
                    verdict = rule(_candidate(each.item), self.context)
                    rejection = verdict if isinstance(verdict, Rejection) else None
                    each = each if isinstance(verdict, Rejection) else replace(each, item=verdict)
            rejection = rejection or by_vector.like_accepted(each.item.question, self.context)
            if not self.is_rejected(each.item, rejection):
                passed.append(each)
        return passed

    def judge_alone(self, written: Sequence[proof.Written]) -> list[proof.Written]:
        """Return the questions that an LLM finds clear and worth asking without their passages."""
        if not self._judges:
            return self._by_ranker(written)

        def prompt(batch: Sequence[proof.Written]) -> Prompt:
            return verdicts.alone_prompt([each.item for each in batch], self.setting)

        limit, known = self.context.thresholds["asked"], self.context.thresholds["closed_book"]
        passed = []
        for batch, reply in self._in_batches(written, verdicts.JUDGED_AT_ONCE, prompt, verdicts.AloneReply):
            judged = verdicts.judge_alone([each.item for each in batch], reply, limit)
            for each, verdict in zip(batch, judged, strict=True):
                if isinstance(verdict, Item) and self._config.drop_closed_book:
                    score = verdict.scores["closed_book"]
                    why = "the model answers it without the documents"
                    verdict = Rejection("closed_book", why, score, known) if score >= known else verdict
                if isinstance(verdict, Rejection):
                    self.is_rejected(each.item, verdict)
                else:
                    passed.append(replace(each, item=self._with_quality(verdict)))
        return passed

    def _with_quality(self, item: Item) -> Item:
        """Return an item with the ``quality`` that orders it: the LLM's verdict, and the ranker's where it has one."""
        asked = item.scores["asked"]
        if not item.answerable or item.language not in LANGUAGES:
            return with_scores(item, quality=asked)
        keep = self.context.ranked([item])[0].scores["keep"]
        return with_scores(item, quality=(asked + keep) / 2)

    def verify(self, written: Sequence[proof.Written]) -> list[proof.Written]:
        """Return the questions whose answers an LLM finds in their passages, whole and without a rival.

        Where it has the same objection to all questions of a request, each is judged again by itself: a passage of one
        that is obeyed as an instruction must not cost the others.
        """
        if not self._judges:
            return self._extracted(written) if self._is(ways.LIGHT) else list(written)
        judged: dict[str, Item | Rejection] = {}
        doubted: list[proof.Written] = []
        for batch, found in self._verdicts(written, verdicts.VERIFIED_AT_ONCE):
            judged |= found
            objections = {each.detail.partition(":")[0] for each in found.values() if isinstance(each, Rejection)}
            if len(batch) > 1 and len(objections) == 1 and not any(isinstance(each, Item) for each in found.values()):
                doubted += batch
        for _, found in self._verdicts(doubted, 1):
            judged |= found
        passed = []
        for each in written:
            verdict = judged[each.item.id]
            if isinstance(verdict, Rejection):
                self.is_rejected(each.item, verdict)
                if verdicts.can_be_mended(verdict):
                    self._queue.mark_mendable(each.scene)
            else:
                passed.append(replace(each, item=verdict))
        return passed

    def _verdicts(
        self, written: Sequence[proof.Written], at_once: int
    ) -> Iterator[tuple[list[proof.Written], dict[str, Item | Rejection]]]:
        """Yield batches of questions with the verdict on each by its id."""

        def prompt(batch: Sequence[proof.Written]) -> Prompt:
            shown = [[*each.scene.passages, *beside(each.item, each.scene, self.context)] for each in batch]
            return verdicts.verified_prompt([each.item for each in batch], shown, self.documents)

        for batch, reply in self._in_batches(written, at_once, prompt, verdicts.VerifiedReply):
            found = {}
            for each, verdict in zip(batch, verdicts.judge_verified([each.item for each in batch], reply), strict=True):
                order = verdicts.shuffled(
                    each.item, [*each.scene.passages, *beside(each.item, each.scene, self.context)]
                )
                found[each.item.id] = _renumbered(verdict, order, each.scene)
            yield batch, found

    def _leave_passages_out(self, written: Sequence[proof.Written]) -> list[proof.Written]:
        """Return the questions that need each of their passages."""

        def prompt(batch: Sequence[verdicts.Trial]) -> Prompt:
            return verdicts.needed_prompt(batch, self.documents)

        joint = [each for each in written if each.item.question_type == "multi_context" and self._judges]
        scene_of = {each.item.id: each.scene for each in joint}
        trials = [verdicts.trial(each.item, each.scene.passages) for each in joint]
        failed: dict[str, Rejection] = {}
        for batch, reply in self._in_batches(trials, verdicts.TRIALS_AT_ONCE, prompt, verdicts.TrialReply):
            for trial, rejection in zip(batch, verdicts.judge_needed(batch, reply), strict=True):
                if rejection:
                    failed[trial.item.id] = _renumbered(rejection, trial.passages, scene_of[trial.item.id])
        return [each for each in written if not self.is_rejected(each.item, failed.get(each.item.id))]

    def _accept(self, written: Sequence[proof.Written]) -> list[str]:
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
        verdict = by_vector.check_duplicate(_candidate(item), self.context)
        return not self.is_rejected(item, verdict if isinstance(verdict, Rejection) else None)

    # ---- helpers -----------------------------------------------------------------------------------

    def replies(self, prompts: Sequence[Prompt], shape: type[T]) -> list[T | Failure]:
        """Return the replies of the LLM in the order of the prompts."""
        return [reply for _, reply in sorted(self.model.ask_all(prompts, shape), key=lambda pair: pair[0])]

    def _in_batches(
        self, members: Sequence[T], size: int, prompt: Callable[[Sequence[T]], Prompt], shape: type[R]
    ) -> Iterator[tuple[list[T], R | Failure]]:
        """Yield batches of members with the reply on each; those of a batch without one are asked about singly."""
        batches = [list(members[start : start + size]) for start in range(0, len(members), size)]
        single: list[list[T]] = []
        for batch, reply in zip(batches, self.replies([prompt(each) for each in batches], shape), strict=True):
            if isinstance(reply, Failure) and len(batch) > 1:
                single += [[member] for member in batch]
            else:
                yield batch, reply
        if single:
            yield from zip(single, self.replies([prompt(each) for each in single], shape), strict=True)

    def is_rejected(self, item: Item, rejection: Rejection | None) -> bool:
        """Check whether there is a rejection of an item, and record it."""
        if rejection is not None:
            self.asked.rejected.append((item, rejection))
        return rejection is not None


def _sent_to(writers: Sequence[str], asked: Sequence[Prompt]) -> list[Prompt]:
    return [replace(prompt, model=writer) for prompt, writer in zip(asked, writers, strict=True)]


def _renumbered(verdict: R, shown: Sequence[Span], scene: Scene) -> R:
    """Return a verdict whose reason, if it is a rejection, numbers the passages ``shown`` as their scene does."""
    if not isinstance(verdict, Rejection):
        return verdict
    return replace(verdict, detail=renumbered(verdict.detail, shown, scene.passages))


def _candidate(item: Item) -> Candidate:
    return Candidate(item, Scenario(item.question_type, item.subtype, ()))
