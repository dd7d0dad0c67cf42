"""Have an LLM go on from some questions of a set, and make each later turn that is proved an item of its own.

A turn is proved and judged in its standalone form, by the steps of any question. Besides, its own words must not find
the evidence, and must be clear after the earlier turns. More turns are asked for than wanted; the next takes the place
of one that is rejected.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kgsynth.base.config import Config
from kgsynth.base.progress import Stage
from kgsynth.base.records import PROSE, Item, Rejection, Turn, item_id
from kgsynth.base.thresholds import LIMITS
from kgsynth.generation.asking import prompts, proof, verdicts
from kgsynth.generation.asking.prompts import STYLES, Manner
from kgsynth.generation.scenes.passages import Scene
from kgsynth.generation.scenes.related import passages_near
from kgsynth.models.llm import Failure

if TYPE_CHECKING:
    from kgsynth.generation.asking.author import Author

_QUESTIONS_EACH = 5  # questions of a set for each conversation
_PASSAGES_NEAR = 2  # added to the scene of the first question, so that there is something new to ask about
_SAME = Rejection("duplicate", "has the question, the answers and the evidence text of another candidate")


@dataclass(frozen=True, slots=True)
class Spoken:
    """A later turn: the id of the item that opens its conversation, the turn as it is said, and the earlier turns."""

    opening: str
    question: str
    history: tuple[Turn, ...]

    def turn(self, item: Item) -> Turn:
        """Return the turn with the answer of its item, as part of the history of those after it."""
        return Turn(self.question, " ".join(item.golden_answers))

    def said(self, item: Item) -> Item:
        """Return the item of a standalone question as the item of this turn."""
        return replace(
            item,
            id=item_id(self.question, item.golden_answers, item.evidence),
            question=self.question,
            history=self.history,
            standalone=item.question,
        )


def converse(author: Author, golden: Sequence[Item], config: Config, stage: Stage) -> list[Item]:
    """Return a set with the later turns of its conversations, each conversation in a row.

    One conversation is wanted for every five questions. Any answerable question of the LLM in a full sentence may open
    one; those come first whose sections have most left to ask about. Until enough conversations have all their turns,
    others are tried; shorter ones are taken where these are too few.
    """
    wanted, most = math.ceil(len(golden) / _QUESTIONS_EACH), config.turns - 1
    openings = [item for item in golden if item.id in author.asked.scene_of and _may_open(item)]
    left = sorted(openings, key=lambda item: (-_left_to_ask(item, author), item.id))[: LIMITS.llm_tries * wanted]
    later: dict[str, list[Item]] = {}
    taken = {item.id for item in golden}
    while left and (missing := wanted - sum(len(own) == most for own in later.values())) > 0:
        count = min(missing, LIMITS.scenes_at_once)
        batch, left = left[:count], left[count:]
        found = _Round(author, most, taken).go_on(batch)
        later |= found
        stage.update(len(found))
    longest = sorted(later, key=lambda opening: -len(later[opening]))[:wanted]  # of equal ones the first
    chosen = {opening: later[opening] for opening in longest}
    return [each for item in golden for each in (item, *chosen.get(item.id, ()))]


def _may_open(item: Item) -> bool:
    """Check whether people may go on from a question of an LLM: not from key words in a search box."""
    return item.answerable and STYLES[item.metadata["style"]].sentence


def _left_to_ask(item: Item, author: Author) -> int:
    """Return the letters of running text in the passages of a question besides its evidence."""
    evidence = [span for group in item.evidence for span in group]
    found = 0
    for passage in author.asked.scene_of[item.id].passages:
        for block in author.documents[passage.doc].blocks_in(passage.start, passage.end):
            place = author.documents[passage.doc].span(block.start, block.end)
            if block.kind in PROSE and not any(place.meets(span) for span in evidence):
                found += len(block.text)
    return found


class _Round:
    """Several conversations that go on at once; ``taken`` are the ids of the set."""

    def __init__(self, author: Author, most: int, taken: set[str]) -> None:
        self._author, self._most, self._taken = author, most, taken
        self._spoken: dict[str, Spoken] = {}  # id in the standalone form -> the turn, in the order of the conversations

    def go_on(self, openings: Sequence[Item]) -> dict[str, list[Item]]:
        """Return the accepted turns after each item that opens a conversation, if any."""
        rejected = self._author.asked.rejected
        before = len(rejected)
        left = self._write(openings)
        steps = (self._lean, self._author.screen, self._author.judge_alone, self._author.verify, self._take)
        for step in steps:
            left = step(left)
        found: dict[str, list[Item]] = {}
        for each in self._accept(left):
            spoken = self._spoken[each.item.id]
            found.setdefault(spoken.opening, []).append(spoken.said(each.item))
        self._author.asked.accepted += [item for own in found.values() for item in own]
        rejected[before:] = [(self._said(item), why) for item, why in rejected[before:]]
        return found

    def _said(self, item: Item) -> Item:
        """Return an item of this round in the form in which it is said."""
        return self._spoken[item.id].said(item) if item.id in self._spoken else item

    # ---- the steps ---------------------------------------------------------------------------------

    def _write(self, openings: Sequence[Item]) -> list[proof.Written]:
        """Return the turns of the LLM whose answers are proved, in their standalone form."""
        author, most = self._author, self._most + prompts.SPARE_TURNS
        scenes = [self._scene(item) for item in openings]
        author.asked.scenes += scenes
        personas = [str(item.metadata.get("persona") or "") for item in openings]
        requests = [
            prompts.turns_prompt(_turn(item), scene, most, persona, author.setting, author.context.knowledge)
            for item, scene, persona in zip(openings, scenes, personas, strict=True)
        ]
        proved = []
        replies = author.replies(requests, prompts.LaterTurns)
        asked = [() if isinstance(reply, Failure) else reply.turns[:most] for reply in replies]
        said = (text for own in asked for turn in own for text in (*turn.questions, *turn.standalones))
        author.context.ranking.expect(" ".join(text.split()) for text in said)
        for item, scene, persona, own in zip(openings, scenes, personas, asked, strict=True):
            history: tuple[Turn, ...] = (_turn(item),)
            manner = Manner("conversational", "short", persona, ())
            for turn in own:
                written, why, question = self._worded(turn, scene, manner)
                spoken = Spoken(item.id, question, history)
                as_said = spoken.said(written.item)
                history = (*history, spoken.turn(written.item))
                author.asked.written.append(as_said)
                if written.item.id in self._spoken:
                    author.is_rejected(as_said, _SAME)
                    continue
                self._spoken[written.item.id] = spoken
                if not author.is_rejected(written.item, why):
                    proved.append(written)
        return proved

    def _worded(
        self, turn: prompts.LaterTurn, scene: Scene, manner: Manner
    ) -> tuple[proof.Written, Rejection | None, str]:
        """Return a turn by its best standalone question, why it is rejected if it is, and its wording that leans."""
        author = self._author
        tried = [proof.prove(each, scene, manner, author.model.name, author.documents) for each in turn.proposals()]
        proved = {written.item.id: written for written, why in tried if why is None}
        if not proved:
            return (*tried[0], " ".join(" ".join(turn.questions[:1]).split()))
        best = verdicts.clearest([written.item for written in proved.values()], author.context)
        return proved[best.id], None, verdicts.barest(best, turn.questions[: prompts.WORDINGS], author.context)

    def _scene(self, item: Item) -> Scene:
        """Return the passages of a question and a few near them as the scene of the turns after it."""
        scene = self._author.asked.scene_of[item.id]
        near = passages_near(scene, self._author.context.knowledge, _PASSAGES_NEAR)
        return Scene("simple", prompts.FOLLOW_UP, (*scene.passages, *near), central=scene.central)

    def _lean(self, written: Sequence[proof.Written]) -> list[proof.Written]:
        context = self._author.context
        said = [self._spoken[each.item.id].question for each in written]
        context.ranking.expect([*said, *(each.item.question for each in written)])
        passed = []
        for each, question in zip(written, said, strict=True):
            verdict = verdicts.judge_leaning(each.item, question, context)
            if isinstance(verdict, Rejection):
                self._author.is_rejected(each.item, verdict)
            else:
                passed.append(replace(each, item=verdict))
        return passed

    def _take(self, written: Sequence[proof.Written]) -> list[proof.Written]:
        """Return as many turns of each conversation as are wanted, each understood after those before it.

        The next turn takes the place of one that is not understood.
        """
        left, passed = list(written), set[tuple[str, tuple[Turn, ...]]]()
        while True:
            chosen = self._first(left)
            heard = {each.item.id: (each.item.id, self._spoken[each.item.id].history) for each in chosen}
            new = [each for each in chosen if heard[each.item.id] not in passed]
            if not new:
                break
            understood_now = self._understand(new)
            passed |= {heard[each.item.id] for each in understood_now}
            left = [each for each in left if each not in new or each in understood_now]
        for each in left:
            if each not in chosen:
                self._author.is_rejected(each.item, verdicts.spare())
        return chosen

    def _first(self, written: Sequence[proof.Written]) -> list[proof.Written]:
        """Return the first turns of each conversation, as many as are wanted, each after those before it."""
        history: dict[str, tuple[Turn, ...]] = {}
        chosen = []
        for each in written:
            spoken = self._spoken[each.item.id]
            before = history.get(spoken.opening, spoken.history[:1])
            if len(before) <= self._most:
                self._spoken[each.item.id] = replace(spoken, history=before)
                history[spoken.opening] = (*before, spoken.turn(each.item))
                chosen.append(each)
        return chosen

    def _understand(self, written: Sequence[proof.Written]) -> list[proof.Written]:
        """Return the turns that an LLM understands after the earlier ones."""
        said, size = [self._said(each.item) for each in written], verdicts.TURNS_AT_ONCE
        batches = [said[start : start + size] for start in range(0, len(said), size)]
        replies = self._author.replies(
            [verdicts.understood_prompt(batch) for batch in batches], verdicts.UnderstoodReply
        )
        judged = [
            why
            for batch, reply in zip(batches, replies, strict=True)
            for why in verdicts.judge_understood(batch, reply)
        ]
        pairs = zip(written, judged, strict=True)
        return [each for each, why in pairs if not self._author.is_rejected(each.item, why)]

    def _accept(self, written: Sequence[proof.Written]) -> list[proof.Written]:
        """Return the turns that repeat no accepted question in their standalone form, and no id as they are said."""
        accepted: list[proof.Written] = []
        for each in written:
            said = self._said(each.item).id
            follows = len(self._unbroken([*accepted, each])) > len(accepted)
            same = _SAME if said in self._taken else None
            if follows and not self._author.is_rejected(each.item, same) and self._author.is_new(each.item):
                self._taken.add(said)
                accepted.append(each)
        return accepted

    def _unbroken(self, written: Sequence[proof.Written]) -> list[proof.Written]:
        """Return the turns that have all earlier turns of their conversation before them; reject the others."""
        length: dict[str, int] = {}
        kept = []
        for each in written:
            spoken = self._spoken[each.item.id]
            reached = length.get(spoken.opening, 1)
            if len(spoken.history) == reached:
                length[spoken.opening] = reached + 1
                kept.append(each)
            else:
                self._author.is_rejected(each.item, verdicts.cut_off())
        return kept


def _turn(item: Item) -> Turn:
    return Turn(item.question, item.golden_answers[0])
