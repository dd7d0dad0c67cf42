"""Scenes of one section: for a fact, for what follows from it, and for what holds in a case."""

from __future__ import annotations

import heapq
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

from kgsynth.base.vocabulary import StructureKind
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.scenes.passages import Scene, SectionPassage, SectionPassages, centralities, passages_of
from kgsynth.language.text_words import count_conditions

_JITTER = 0.1  # by which chance may move a scene: the seed decides between scenes that matter alike


@dataclass(frozen=True, slots=True)
class RatedScene:
    """A scene, how much it is worth asking about, and what it is about: documents, sections, topics.

    What is about the same comes later.
    """

    scene: Scene
    worth: float
    about: tuple[Hashable, ...]


def spread(rated: Sequence[RatedScene], rng: random.Random) -> list[Scene]:
    """Return the scenes, each once, the worthiest first; each one taken makes those about the same worth less.

    The worth of a scene is divided by ``1 + n`` for each thing it is about that ``n`` scenes before it are about. It
    only falls, so that a heap finds the best one without looking at all of them.

    Example:
        >>> def scene(doc): return Scene("simple", "section_fact", (Span(doc, 0, 9, ""),))
        >>> from kgsynth.base.records import Span
        >>> first, second, third = (scene(doc) for doc in "abc")
        >>> rated = [RatedScene(first, 1, "p"), RatedScene(second, 0.9, "p"), RatedScene(third, 0.6, "q")]
        >>> [scene.passages[0].doc for scene in spread(rated, random.Random(0))]
        ['a', 'c', 'b']
    """
    unique = list({each.scene.id: each for each in rated}.values())
    worth = [each.worth * (1 + _JITTER * rng.random()) for each in unique]
    taken: Counter[Hashable] = Counter()
    heap = [(-_now(each, value, taken), number) for number, (each, value) in enumerate(zip(unique, worth, strict=True))]
    heapq.heapify(heap)
    found = []
    while heap:
        _, number = heapq.heappop(heap)
        now = -_now(unique[number], worth[number], taken)
        if heap and (now, number) > heap[0]:
            heapq.heappush(heap, (now, number))
            continue
        found.append(unique[number].scene)
        taken.update(unique[number].about)
    return found


def _now(rated: RatedScene, worth: float, taken: Counter[Hashable]) -> float:
    for thing in rated.about:
        worth /= 1 + taken[thing]
    return worth


_SIBLINGS_SHOWN = 4  # headings before and after a passage
_REASONED_WORDS = 150  # words of a passage from which something follows: one sentence gives no inference
_FULL_CONDITIONS = 3  # conditions and notes of a passage that is about cases
_WITHOUT_CONDITION = 0.2  # of the worth of a passage that names no condition


def fact_scenes(knowledge: Knowledge) -> list[RatedScene]:
    """Return a scene for each passage, for a question on what it says."""
    return _scenes(knowledge, "simple", "section_fact", lambda number, passage: 1.0)


def reasoning_scenes(knowledge: Knowledge) -> list[RatedScene]:
    """Return a scene for each passage, for a question on what follows from it; longer ones are worth more."""
    return _scenes(
        knowledge, "reasoning", "section_reasoning", lambda number, passage: min(1.0, passage.words / _REASONED_WORDS)
    )


def case_scenes(knowledge: Knowledge) -> list[RatedScene]:
    """Return a scene for each passage, for a question on a case; conditions and notes make it worth more."""
    passages = knowledge.derived(passages_of)
    cases = Counter({number: count_conditions(passage.text) for number, passage in enumerate(passages)})
    for fact in knowledge.structure:
        if fact.kind == StructureKind.WARNING:
            start, end = fact.values[0].start, fact.values[-1].end
            cases.update(passages.within(fact.doc, start, end))

    def worth(number: int, passage: SectionPassage) -> float:
        return _WITHOUT_CONDITION + (1 - _WITHOUT_CONDITION) * min(1.0, cases[number] / _FULL_CONDITIONS)

    return _scenes(knowledge, "conditional", "section_case", worth)


def headings_around(knowledge: Knowledge, passages: SectionPassages, numbers: Sequence[int]) -> tuple[str, ...]:
    """Return the headings above some passages, and those beside them, which show what else the documents hold."""
    beside = knowledge.derived(_beside)
    found: dict[str, None] = {}
    for number in numbers:
        passage = passages[number]
        for title in (*passage.path[:-1], *beside[passage.span.doc, passage.section]):
            found[title] = None
    own = {title for number in numbers for title in passages[number].titles}
    return tuple(title for title in found if title and title not in own)


def about_one(passages: SectionPassages, number: int) -> tuple[str, ...]:
    """Return what a passage is about, for ``spread``: its document, which counts twice, the part of it, its title."""
    passage = passages[number]
    doc = passage.span.doc
    return doc, doc, f"{doc} {' > '.join(passage.path[:3])}", f"title {passage.title}"


def _scenes(
    knowledge: Knowledge, question_type: str, subtype: str, worth: Callable[[int, SectionPassage], float]
) -> list[RatedScene]:
    passages = knowledge.derived(passages_of)
    central = knowledge.derived(centralities)
    found = []
    for number, passage in enumerate(passages):
        value = round(float(central[number]), 4)
        around = headings_around(knowledge, passages, [number])
        scene = Scene(question_type, subtype, (passage.span,), (), value, around)
        found.append(RatedScene(scene, value * worth(number, passage), about_one(passages, number)))
    return found


def _beside(knowledge: Knowledge) -> dict[tuple[str, int], list[str]]:
    """Return for each section the titles of a few sections before and after it under the same heading."""
    found: dict[tuple[str, int], list[str]] = defaultdict(list)
    for document in knowledge.documents.values():
        families: dict[tuple[str, ...], list[int]] = defaultdict(list)
        for number, section in enumerate(document.sections):
            families[section.path[:-1]].append(number)
        for members in families.values():
            for place, number in enumerate(members):
                low, high = max(0, place - _SIBLINGS_SHOWN), place + _SIBLINGS_SHOWN + 1
                near = [*members[low:place], *members[place + 1 : high]]
                found[document.id, number] = [document.sections[each].title for each in near]
    return found
