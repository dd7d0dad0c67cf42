"""Scenes for questions without an answer: a section, and what similar sections elsewhere say.

What the neighbours hold is shown, so that nobody asks for something that the corpus does answer.
"""

from __future__ import annotations

from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.scenes.centrality import centralities
from kgsynth.generation.scenes.passages import SectionPassage, passages_of
from kgsynth.generation.scenes.scene import Scene
from kgsynth.generation.scenes.section import about_one, headings_around
from kgsynth.generation.scenes.spread import RatedScene
from kgsynth.generation.scenes.word_relations import similar
from kgsynth.language.sentence_ends import sentence_spans

_NEIGHBOURS = 4  # similar passages that are shown
_SHOWN_CHARACTERS = 300  # of each
_WITHOUT_NEIGHBOUR = 0.4  # of the worth of a section that nothing is similar to: anything about it is out of scope
_SUBTYPES = ("near_miss", "false_premise")


def near_miss_scenes(knowledge: Knowledge) -> list[RatedScene]:
    """Return a scene of each kind for each passage, with the openings of the passages similar to it."""
    passages = knowledge.derived(passages_of)
    central = knowledge.derived(centralities)
    near: dict[int, list[tuple[float, int]]] = {number: [] for number in range(len(passages))}
    for relation in similar(knowledge, passages):
        for own, other in ((relation.one, relation.other), (relation.other, relation.one)):
            near[own].append((-relation.strength, other))
    found = []
    for number, passage in enumerate(passages):
        shown = tuple(_opening(passages[other]) for _, other in sorted(near[number])[:_NEIGHBOURS])
        value = round(float(central[number]), 4)
        around = (*shown, *headings_around(knowledge, passages, [number]))
        for subtype in _SUBTYPES:
            scene = Scene("unanswerable", subtype, passage.spans, (), value, around)
            worth = value * (1.0 if shown else _WITHOUT_NEIGHBOUR)
            found.append(RatedScene(scene, worth, about_one(passages, number)))
    return found


def _opening(passage: SectionPassage) -> str:
    """Return the headings of a passage and its first sentences, as long as a glance."""
    end = 0
    for _, stop in sentence_spans(passage.text):
        if end and stop > _SHOWN_CHARACTERS:
            break
        end = stop
    return f"{' > '.join(passage.path)}: {passage.text[: min(end, 2 * _SHOWN_CHARACTERS)]}"
