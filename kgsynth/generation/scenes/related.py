"""Scenes of several passages that may belong to one decision, and the passages near a scene."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kgsynth.base.records import Span
from kgsynth.base.thresholds import LIMITS
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.scenes.passages import (
    Closeness,
    Reason,
    Scene,
    SectionPassage,
    SectionPassages,
    centralities,
    ends_open,
    passages_of,
)
from kgsynth.generation.scenes.relations import (
    PassageRelation,
    links,
    mentions_of_titles,
    parallel_headings,
    same_headings,
    shared_entities,
    siblings,
    similar,
)
from kgsynth.generation.scenes.section import RatedScene, about_one, headings_around
from kgsynth.language.sentence_ends import sentence_spans
from kgsynth.language.text_words import is_part_of_text

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Scenes of several passages that may belong to one decision: parts of one matter, a link, a thing that both are
# about.
#
# Relations of several kinds are found first; a pair is worth as much as its relations say together, times how close
# its texts are and how much each adds to the other. Left out are passages that one chunk or a passage of a common
# size holds, those that say the same, and those of a sentence. Most pairs share no task that a person has, so each is
# shown with the passages related to it, and the model chooses which of them one question takes.

RELATIONS: tuple[Callable[[Knowledge, SectionPassages], Iterator[PassageRelation]], ...] = (
    siblings,
    same_headings,
    parallel_headings,
    links,
    mentions_of_titles,
    shared_entities,
    similar,
)

_LEAST_STRENGTH = 0.15  # of the strongest relation of a pair
_LEAST_WORTH = 0.045  # of a pair: below, it has one weak relation between texts far apart
_OTHER_DOCUMENT = 1.25  # factor for passages of several documents, which a person has to bring together
_PERIPHERAL = 0.25  # what a pair is worth besides how central it is
_OPENING = 0.6  # factor for a passage that opens or closes a text: it repeats the others or leads up to them
_WITHOUT_COMPLEMENT = 0.5  # of the worth of passages that hardly add to each other
_SIMILAR_ALONE = 0.6  # factor for passages that nothing else joins than that their texts are similar
_LONG_ENOUGH = 60  # words of a passage that says something in one sentence or in a list
_PAIRS_OF_PASSAGE = 6  # best pairs of a passage
_MOST_PASSAGES = 5  # of a scene, of which a question takes those that belong together
_MOST_WORDS = 1200  # of all passages, which small models can read too


_WORDS = "words"  # the first word of the topic of passages with nothing in common but words


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two passages with their relations, those that have a topic first, the strongest first."""

    numbers: tuple[int, int]
    worth: float
    relations: tuple[PassageRelation, ...]


@dataclass(frozen=True, slots=True)
class _Gathering:
    """A pair and the passages around it, what the pair is worth, and the relations by which each came in."""

    numbers: tuple[int, ...]
    worth: float
    relations: tuple[PassageRelation, ...]


def related_scenes(knowledge: Knowledge) -> list[RatedScene]:
    """Return the scenes of related passages, the best pair of each first, with what that pair is worth."""
    passages = knowledge.derived(passages_of)
    pairs = _pairs(knowledge, passages, knowledge.derived(centralities))
    gathered = _gathered(passages, knowledge.derived(Closeness.of), pairs)
    return [_rated(knowledge, passages, each) for each in gathered]


def apart(passages: SectionPassages, one: int, other: int) -> bool:
    """Check that no chunk has a part of both passages, and no passage of a common size holds the middle of both."""
    first, second = passages[one].span, passages[other].span
    if passages.chunks[one] & passages.chunks[other]:
        return False
    distance = abs(first.start + first.end - second.start - second.end) / 2
    return first.doc != second.doc or distance > LIMITS.passage_characters


# ---- pairs ---------------------------------------------------------------------------------------------


def _pairs(knowledge: Knowledge, passages: SectionPassages, central: NDArray[np.float64]) -> list[_Pair]:
    """Return the pairs that are worth asking about, sorted by their numbers, a few of each passage."""
    found: dict[tuple[int, int], list[PassageRelation]] = defaultdict(list)
    for find in RELATIONS:
        for relation in find(knowledge, passages):
            found[relation.pair].append(relation)
    closeness = knowledge.derived(Closeness.of)
    rated: list[_Pair] = []
    telling = [_says_something(passage) for passage in passages]
    for numbers, relations in sorted(found.items()):
        weak = max(relation.strength for relation in relations) < _LEAST_STRENGTH
        if weak or not all(telling[number] for number in numbers):
            continue
        relations.sort(key=lambda relation: (not relation.topic, -relation.strength, relation.reason))
        close = closeness.between(*numbers)
        relations = [_named(relation, closeness) for relation in relations]
        joined = 1.0
        for kind in _one_of_each_kind(relations):
            joined *= 1 - kind.strength
        other_document = passages[numbers[0]].span.doc != passages[numbers[1]].span.doc
        worth = (1 - joined) * close * (_PERIPHERAL + float(central[list(numbers)].mean()))
        worth *= _OTHER_DOCUMENT if other_document else 1.0
        worth *= _OPENING if any(_is_opening(passages[number]) for number in numbers) else 1.0
        if worth >= _LEAST_WORTH:
            worth *= _WITHOUT_COMPLEMENT + (1 - _WITHOUT_COMPLEMENT) * closeness.complement(*numbers)
            worth *= 1.0 if any(_tells_why(relation) for relation in relations) else _SIMILAR_ALONE
            rated.append(_Pair(numbers, worth, tuple(relations)))
    return _best(passages, closeness, rated)


def _best(passages: SectionPassages, closeness: Closeness, pairs: Sequence[_Pair]) -> list[_Pair]:
    """Return the best pairs of each passage that are apart and no copies, sorted by their numbers."""
    kept: list[_Pair] = []
    count: Counter[int] = Counter()
    for pair in sorted(pairs, key=lambda pair: (-pair.worth, pair.numbers)):
        one, other = pair.numbers
        if max(count[one], count[other]) < _PAIRS_OF_PASSAGE and _adds(passages, closeness, one, (other,)):
            kept.append(pair)
            count[one] += 1
            count[other] += 1
    return sorted(kept, key=lambda pair: pair.numbers)


def _one_of_each_kind(relations: Sequence[PassageRelation]) -> Iterator[PassageRelation]:
    """Yield the strongest relation of each kind: many entities in common are no more than one matter in common."""
    seen = set()
    for relation in relations:
        kind = relation.topic.partition(" ")[0] if relation.topic else relation.reason
        if kind not in seen:
            seen.add(kind)
            yield relation


def _named(relation: PassageRelation, closeness: Closeness) -> PassageRelation:
    """Return a relation that rests on the texts as a whole with the words that they have in common as its reason."""
    shared = closeness.shared_words(*relation.pair) if not relation.topic else []
    if not shared:
        return relation
    listed = ", ".join(map(repr, shared))
    return replace(relation, reason=f"{relation.reason}, with words such as {listed}", topic=f"{_WORDS} {shared[0]}")


def _tells_why(relation: PassageRelation) -> bool:
    """Check whether a relation rests on something that can be named, and not on the texts as a whole."""
    return bool(relation.topic) and not relation.topic.startswith(_WORDS)


def _says_something(passage: SectionPassage) -> bool:
    """Check whether a passage says more than a sentence, which no question needs, and does not lead into others."""
    several = len(list(sentence_spans(passage.text))) > 1
    return passage.words >= _LONG_ENOUGH or (several and not ends_open(passage.text))


def _is_opening(passage: SectionPassage) -> bool:
    """Check whether a passage stands below the title of its document, or its heading names a part of a text."""
    return len(passage.path) < 2 or is_part_of_text(passage.title)


# ---- passages around a pair ----------------------------------------------------------------------------


def _gathered(passages: SectionPassages, closeness: Closeness, pairs: Sequence[_Pair]) -> list[_Gathering]:
    """Return each pair with the passages best paired with one of it, as many as one can read, each set once."""
    partners: dict[int, dict[int, _Pair]] = defaultdict(dict)
    for pair in pairs:
        one, other = pair.numbers
        partners[one][other] = partners[other][one] = pair
    found: dict[frozenset[int], _Gathering] = {}
    for pair in sorted(pairs, key=lambda pair: (-pair.worth, pair.numbers)):
        relations = [pair.relations[0]]
        group = [relations[0].one, relations[0].other]
        near = [each for number in pair.numbers for each in partners[number].items() if each[0] not in pair.numbers]
        words = sum(passages[number].words for number in group)
        for number, joint in sorted(near, key=lambda each: (-each[1].worth, each[0])):
            fits = len(group) < _MOST_PASSAGES and words + passages[number].words <= _MOST_WORDS
            if fits and number not in group and _adds(passages, closeness, number, group):
                group.append(number)
                words += passages[number].words
                relations.append(joint.relations[0])
        found.setdefault(frozenset(group), _Gathering(tuple(group), pair.worth, tuple(relations)))
    return list(found.values())


def _adds(passages: SectionPassages, closeness: Closeness, number: int, group: Sequence[int]) -> bool:
    """Check that a passage is apart from all of a group and copies none of them."""
    return all(apart(passages, number, each) and not closeness.says_the_same(number, each) for each in group)


# ---- scenes --------------------------------------------------------------------------------------------


def _rated(knowledge: Knowledge, passages: SectionPassages, gathering: _Gathering) -> RatedScene:
    central = knowledge.derived(centralities)
    numbers, pair = gathering.numbers, gathering.numbers[:2]
    scene = Scene(
        "multi_context",
        "related_sections",
        tuple(passages[number].span for number in numbers),
        tuple(_reasons(gathering)),
        round(float(central[list(pair)].mean()), 4),
        headings_around(knowledge, passages, numbers),
    )
    documents = {passages[number].span.doc for number in pair}
    first = gathering.relations[0]
    about = (*sorted(documents), *(f"passage {number}" for number in numbers), first.topic or first.reason)
    return RatedScene(scene, gathering.worth, about)


def _reasons(gathering: _Gathering) -> Iterator[Reason]:
    """Yield why the passages may belong together, by the number that each has in the scene."""
    place = {number: position for position, number in enumerate(gathering.numbers, 1)}
    for relation in gathering.relations:
        yield Reason(place[relation.one], place[relation.other], relation.reason)


# The passages around a scene that a conversation may go on to: those related to its own, then the most similar.

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


# Scenes for questions without an answer: a section, and what similar sections elsewhere say.
#
# What the neighbours hold is shown, so that nobody asks for something that the corpus does answer.

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
            scene = Scene("unanswerable", subtype, (passage.span,), (), value, around)
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
