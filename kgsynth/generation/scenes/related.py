"""Scenes of several passages that belong to one decision: parts of one matter, a link, a thing that both are about.

Relations of several kinds are found first; a pair is worth as much as its relations say together, times how close its
texts are and how much each adds to the other. Left out are passages that one chunk or a passage of a common size
holds, those that say the same, and those of a sentence.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kgsynth.base.thresholds import LIMITS
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.scenes.centrality import centralities
from kgsynth.generation.scenes.closeness import Closeness
from kgsynth.generation.scenes.layout_relations import PARTS, links, parallel_headings, same_headings, siblings
from kgsynth.generation.scenes.passages import SectionPassage, SectionPassages, ends_open, passages_of
from kgsynth.generation.scenes.relation import PassageRelation
from kgsynth.generation.scenes.scene import Scene
from kgsynth.generation.scenes.section import headings_around
from kgsynth.generation.scenes.spread import RatedScene
from kgsynth.generation.scenes.word_relations import mentions_of_titles, shared_entities, similar
from kgsynth.language.part_words import is_part_of_text
from kgsynth.language.sentence_ends import sentence_spans

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

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
_LARGER_WORTH = 0.5  # of the worth of its best pair, for three or four passages, which are rarely all needed
_LEAST_CLOSE_OF_THIRD = 0.35  # to each of the others
_GROUPS_OF_TOPIC = 3  # larger scenes on one topic
_MOST_PASSAGES = 4
_MOST_WORDS = 1100  # of all passages: nobody reads more for one question


_WORDS = "words"  # the first word of the topic of passages with nothing in common but words
_Group = tuple[tuple[int, ...], float, PassageRelation]  # the passages, what they are worth, and what joins them


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two passages with their relations, those that have a topic first, the strongest first."""

    numbers: tuple[int, int]
    worth: float
    relations: tuple[PassageRelation, ...]


def related_scenes(knowledge: Knowledge) -> list[RatedScene]:
    """Return the scenes of two to four passages, with what they are worth."""
    passages = knowledge.derived(passages_of)
    central = knowledge.derived(centralities)
    pairs = _pairs(knowledge, passages, central)
    groups: list[_Group] = [(pair.numbers, pair.worth, pair.relations[0]) for pair in pairs]
    groups += _larger(knowledge, passages, pairs)
    return [_rated(knowledge, passages, central, *group) for group in groups]


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
        if max(count[one], count[other]) == _PAIRS_OF_PASSAGE or not apart(passages, one, other):
            continue
        if not closeness.says_the_same(one, other):
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


# ---- three and four passages ---------------------------------------------------------------------------


def _larger(knowledge: Knowledge, passages: SectionPassages, pairs: Sequence[_Pair]) -> list[_Group]:
    """Return sets of three and four parts of one heading; others are rarely all needed."""
    by_topic: dict[str, dict[tuple[int, int], tuple[_Pair, PassageRelation]]] = defaultdict(dict)
    for pair in pairs:
        for relation in pair.relations:
            if relation.topic.startswith(PARTS):
                by_topic[relation.topic].setdefault(pair.numbers, (pair, relation))
    closeness = knowledge.derived(Closeness.of)
    found: dict[tuple[int, ...], tuple[float, PassageRelation]] = {}
    for topic in sorted(by_topic):
        order = sorted(by_topic[topic], key=lambda numbers: (-by_topic[topic][numbers][0].worth, numbers))
        for numbers in order[:_GROUPS_OF_TOPIC]:
            pair, relation = by_topic[topic][numbers]
            group = _grown(passages, closeness, numbers, by_topic[topic])
            if len(group) > 2:
                found.setdefault(group, (_LARGER_WORTH * pair.worth, relation))
    return [(group, worth, relation) for group, (worth, relation) in sorted(found.items())]


def _grown(
    passages: SectionPassages, closeness: Closeness, numbers: tuple[int, int], pairs: Iterable[tuple[int, int]]
) -> tuple[int, ...]:
    """Return a pair with the passages that are paired with one of it and close to all, as long as one can read them."""
    group = list(numbers)
    near = {number for pair in pairs if set(pair) & set(numbers) for number in pair} - set(numbers)
    close = {number: min(closeness.between(number, each) for each in numbers) for number in near}
    for number in sorted(close, key=lambda number: (-close[number], number)):
        words = sum(passages[each].words for each in (*group, number))
        if len(group) == _MOST_PASSAGES or close[number] < _LEAST_CLOSE_OF_THIRD or words > _MOST_WORDS:
            break
        if all(apart(passages, number, each) and not closeness.says_the_same(number, each) for each in group):
            group.append(number)
    return tuple(sorted(group))


# ---- scenes --------------------------------------------------------------------------------------------


def _rated(
    knowledge: Knowledge,
    passages: SectionPassages,
    central: NDArray[np.float64],
    numbers: tuple[int, ...],
    worth: float,
    relation: PassageRelation,
) -> RatedScene:
    ordered = (relation.one, relation.other) if len(numbers) == 2 else numbers
    reason = relation.reason if len(numbers) == 2 else relation.reason.replace("both", "all", 1)
    scene = Scene(
        "multi_context",
        "related_sections",
        tuple(span for number in ordered for span in passages[number].spans),
        reason,
        round(float(central[list(numbers)].mean()), 4),
        headings_around(knowledge, passages, ordered),
    )
    documents = {passages[number].span.doc for number in numbers}
    about = (*sorted(documents), *(f"passage {number}" for number in numbers), relation.topic or relation.reason)
    return RatedScene(scene, worth, about)
