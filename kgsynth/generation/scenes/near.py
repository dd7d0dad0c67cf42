"""The passages around a scene that a conversation may go on to: those related to its own, then the most similar."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from kgsynth.base.records import Span
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.scenes.passages import passages_of
from kgsynth.generation.scenes.related import related_scenes
from kgsynth.generation.scenes.scene import Scene

_MOST_SIMILAR = 8  # passages looked at; of a long scene the most similar ones are its own


def passages_near(scene: Scene, knowledge: Knowledge, count: int) -> list[Span]:
    """Return up to ``count`` passages that share no character with those of a scene, the nearest first."""
    found: dict[Span, None] = {}
    for span in (*_related(scene, knowledge), *_similar(scene, knowledge)):
        if not any(span.meets(own) for own in (*scene.passages, *found)):
            found[span] = None
        if len(found) == count:
            break
    return list(found)


def _related(scene: Scene, knowledge: Knowledge) -> Iterator[Span]:
    """Yield the passages that belong to one decision with a passage of the scene, the best pairs first."""
    partners = knowledge.derived(_partners)
    for span in scene.passages:
        yield from partners.get(span, ())


def _partners(knowledge: Knowledge) -> dict[Span, list[Span]]:
    found: dict[Span, list[Span]] = defaultdict(list)
    for rated in sorted(related_scenes(knowledge), key=lambda rated: (-rated.worth, rated.scene.id)):
        for span in rated.scene.passages:
            found[span] += [other for other in rated.scene.passages if other != span]
    return found


def _similar(scene: Scene, knowledge: Knowledge) -> Iterator[Span]:
    """Yield the passages with the vectors most like those of the scene's own."""
    import numpy as np

    passages = knowledge.derived(passages_of)
    own = sorted({n for span in scene.passages for n in passages.within(span.doc, span.start, span.end)})
    if own:
        cosines = np.round(passages.vectors[own].sum(axis=0) @ passages.vectors.T, 6)
        for number in np.argsort(-cosines, kind="stable")[: _MOST_SIMILAR + len(own)].tolist():
            yield passages[number].span
