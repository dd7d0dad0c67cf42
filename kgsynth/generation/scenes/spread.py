"""Order scenes so that the first ones, however many are taken, are spread over the corpus and matter most."""

from __future__ import annotations

import heapq
import random
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from kgsynth.generation.scenes.scene import Scene

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
