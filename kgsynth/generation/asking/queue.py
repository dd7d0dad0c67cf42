"""Which scenes an LLM is asked about next: new ones, those to be mended, and at last those that gave a question."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from kgsynth.base.records import Item, Rejection, Span
from kgsynth.base.thresholds import LIMITS
from kgsynth.generation.scenes.passages import Scene
from kgsynth.generation.selection import Shortage

Rejected = list[tuple[Item, Rejection]]


@dataclass
class Asked:
    """What was asked of an LLM: the scenes, the questions it wrote, those accepted, the set, and what was rejected.

    ``proposed`` has each question with its scene, accepted or not; ``scene_of`` the scenes of the accepted
    questions by id; ``way`` is why the LLM did not both write and judge, "" if it did. None
    has the later turns of conversations.
    """

    scenes: list[Scene] = field(default_factory=list)
    written: list[Item] = field(default_factory=list)
    proposed: list[tuple[Scene, Item]] = field(default_factory=list)
    accepted: list[Item] = field(default_factory=list)
    rejected: Rejected = field(default_factory=list)
    golden: list[Item] = field(default_factory=list)
    scene_of: dict[str, Scene] = field(default_factory=dict)
    way: str = ""
    shortage: Shortage = field(default_factory=lambda: Shortage(0, ()))


_AT_LEAST = 4  # scenes of a round: ``at_once`` by default; the set must not depend on how many requests are in flight
_STANDS_IN = "simple"  # takes the places of types without scenes
_OFTEN, _MOST_OF_PASSAGE = 2, 4  # scenes on one passage alone: others come before it, and it is not asked about again


class SceneQueue:
    """The scenes left to ask about until each type of question has its goal; ``asked`` says what came of the others.

    A type is given up if hardly a scene gives such a question, or too many were tried.
    """

    def __init__(self, goals: Mapping[str, int], asked: Asked) -> None:
        self.goals, self._asked = goals, asked
        self._left: dict[str, list[Scene]] = {}
        self._tried = Counter[str]()
        self._tries = LIMITS.llm_tries
        self._unanswered = Counter[str]()  # scenes for whose prompt no reply came, by type
        self._declined: list[set[Span]] = []  # passages that gave no question together
        self._mendable: dict[str, Scene] = {}
        self._asked_twice: set[str] = set()

    def add(self, scenes: Mapping[str, Sequence[Scene]]) -> None:
        """Add scenes of each type, the best first."""
        for name, found in scenes.items():
            self._left[name] = [*self._left.get(name, ()), *found]

    def exchange(self, scenes: Mapping[str, Sequence[Scene]]) -> None:
        """Ask about other scenes, which are cheaper, so that more are tried, and only about their types."""
        self._left = {name: [*found] for name, found in scenes.items()}
        self._tried.clear()
        self._tries *= 2

    def missing(self, question_type: str, over: float = 1.0) -> int:
        """Return how many questions of a type are still to be accepted, with ``over`` times as many as are wanted.

        The places of types for which nothing is left to ask about go to simple questions.
        """
        missing = math.ceil(over * self.goals[question_type]) - self._found(question_type)
        if question_type == _STANDS_IN:
            others = (name for name in self.goals if name != _STANDS_IN)
            missing += sum(self.missing(name) for name in others if not self._left.get(name) or self._is_given_up(name))
        return max(0, missing)

    def next(self, over: float = 1.0) -> list[Scene]:
        """Take as many scenes as questions are missing, of each type, and those that can be mended.

        ``over`` times as many as are wanted, if no other questions of the scenes before are left to choose from.
        At least as many are taken as are asked about at the same time, so that no single request is waited for.

        A scene is asked about once more if a question worth asking failed by its answer, beside new ones, so that a
        page on which every answer fails takes no place of others. Few passages belong together, so scenes of several
        that gave a question are asked for another one in the end.
        """
        chosen: list[Scene] = []
        open_types = sum(self.missing(name, over) > 0 for name in self.goals)
        for name, goal in self.goals.items():
            missing = self.missing(name, over) and max(self.missing(name, over), -(-_AT_LEAST // open_types))
            chosen += self._to_mend(name) if missing else []
            self._left[name] = self._left.get(name) or self._once_more(name)
            if not self._is_given_up(name):
                most = self._tries * goal - self._tried[name]
                if name == _STANDS_IN:
                    most = self._tries * sum(self.goals.values()) - self._tried.total()
                taken = self._take(name, min(missing, most), chosen)
                self._tried[name] += len(taken)
                chosen += taken
        return list({scene.id: scene for scene in chosen}.values())

    def mark_declined(self, scene: Scene) -> None:
        """Remember that an LLM has nothing to ask about the passages of a scene together."""
        if len(scene.passages) > 1:
            self._declined.append(set(scene.passages))

    def mark_unanswered(self, scene: Scene) -> None:
        """Remember that no reply came: the scene does not count among those that gave no question."""
        self._unanswered[scene.question_type] += 1

    def mark_mendable(self, scene: Scene) -> None:
        """Remember that a question about a scene would pass with another answer, or if it were narrower."""
        self._mendable[scene.id] = scene

    def _is_given_up(self, question_type: str) -> bool:
        answered = self._tried[question_type] - self._unanswered[question_type]
        return answered >= LIMITS.llm_patience and self._found(question_type) * LIMITS.llm_patience < answered

    def _found(self, question_type: str) -> int:
        return sum(item.question_type == question_type for item in self._asked.accepted)

    def _take(self, question_type: str, most: int, chosen: Sequence[Scene]) -> list[Scene]:
        """Take up to ``most`` scenes from the front, without those whose passages were mostly declined together.

        Passages that were asked about often, or are ``chosen`` for it, come last or not at all. Scenes with mostly the
        same passages go one by one.
        """
        taken, later = list[Scene](), list[Scene]()
        asked = Counter[tuple[Span, ...]](
            each.passages for each in (*self._asked.scenes, *chosen) if len(each.passages) == 1
        )
        left = sorted(self._left[question_type], key=lambda scene: asked[scene.passages] >= _OFTEN)
        while left and len(taken) < most:
            scene = left.pop(0)
            if _mostly_in(scene, [set(each.passages) for each in taken]):
                later.append(scene)
            elif not _mostly_in(scene, self._declined) and asked[scene.passages] < _MOST_OF_PASSAGE:
                taken.append(scene)
        self._left[question_type] = [*later, *left]
        return taken

    def _to_mend(self, question_type: str) -> list[Scene]:
        """Return the scenes without an accepted question that can be mended, each only once."""
        given = {scene.id for scene in self._asked.scene_of.values()}
        found = [
            each for key, each in self._mendable.items() if each.question_type == question_type and key not in given
        ]
        return self._not_yet_twice(found)

    def _once_more(self, question_type: str) -> list[Scene]:
        """Return the scenes of several passages with an accepted question of a type, each only once."""
        given = {each.id: each for each in self._asked.scene_of.values() if each.question_type == question_type}
        return self._not_yet_twice([each for each in given.values() if len(each.passages) > 1])

    def _not_yet_twice(self, scenes: Sequence[Scene]) -> list[Scene]:
        found = [scene for scene in scenes if scene.id not in self._asked_twice]
        self._asked_twice |= {scene.id for scene in found}
        return found


def _mostly_in(scene: Scene, others: Iterable[set[Span]]) -> bool:
    """Check whether a scene shares most passages with any of some others."""
    own = set(scene.passages)
    return any(2 * len(each & own) > min(len(each), len(own)) for each in others)
