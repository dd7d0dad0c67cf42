"""Scenes of several passages that belong to one decision: parts of one matter, a link, a thing that both are about.

Relations of several kinds are found first; a pair is worth as much as its relations say together, times how close its
texts are. Left out are passages that one chunk or a passage of a common size holds, and those that say the same.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kgsynth.base.thresholds import LIMITS
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.scenes.centrality import centralities
from kgsynth.generation.scenes.layout_relations import links, same_headings, siblings
from kgsynth.generation.scenes.passages import SectionPassages, passages_of
from kgsynth.generation.scenes.relation import PassageRelation
from kgsynth.generation.scenes.scene import Scene
from kgsynth.generation.scenes.section import headings_around
from kgsynth.generation.scenes.spread import RatedScene
from kgsynth.generation.scenes.word_relations import mentions_of_titles, shared_entities, similar
from kgsynth.language.words import jaccard, shingles

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RELATIONS: tuple[Callable[[Knowledge, SectionPassages], Iterator[PassageRelation]], ...] = (
    siblings,
    same_headings,
    links,
    mentions_of_titles,
    shared_entities,
    similar,
)

_LEAST_CLOSE, _FULL_CLOSE = 0.15, 0.45  # of two texts, as ``_closeness`` measures it
_LEAST_WORTH = 0.12  # of a pair: below, it has one weak relation between texts far apart
_COPY_SHARE = 0.35  # of pairs of words in common: more say the same
_OTHER_DOCUMENT = 1.25  # factor for passages of several documents, which a person has to bring together
_PAIRS_OF_PASSAGE = 6  # best pairs of a passage
_THIRD_WORTH = 0.75  # of the weakest pair to the best one, for three or four passages
_GROUPS_OF_TOPIC = 3  # larger scenes on one topic
_MOST_PASSAGES = 4
_MOST_WORDS = 1100  # of all passages: nobody reads more for one question


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two passages with their relations, the strongest first."""

    numbers: tuple[int, int]
    worth: float
    relations: tuple[PassageRelation, ...]


def related_scenes(knowledge: Knowledge) -> list[RatedScene]:
    """Return the scenes of two to four passages, with what they are worth."""
    passages = knowledge.derived(passages_of)
    central = knowledge.derived(centralities)
    pairs = _pairs(knowledge, passages, central)
    groups = [(pair.numbers, pair.worth, pair.relations[0]) for pair in pairs]
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
    for relations in RELATIONS:
        for relation in relations(knowledge, passages):
            found[relation.pair].append(relation)
    expected = _expected_cosine(passages)
    rated: list[_Pair] = []
    for numbers, relations in sorted(found.items()):
        relations.sort(key=lambda relation: (-relation.strength, relation.reason))
        close = _closeness(passages, numbers, expected)
        joined = 1.0
        for kind in _one_of_each_kind(relations):
            joined *= 1 - kind.strength
        other_document = passages[numbers[0]].span.doc != passages[numbers[1]].span.doc
        worth = (1 - joined) * close * (0.5 + float(central[list(numbers)].mean()))
        worth *= _OTHER_DOCUMENT if other_document else 1.0
        if worth >= _LEAST_WORTH:
            rated.append(_Pair(numbers, worth, tuple(relations)))
    return _best(passages, rated)


def _best(passages: SectionPassages, pairs: Sequence[_Pair]) -> list[_Pair]:
    """Return the best pairs of each passage that are apart and no copies, sorted by their numbers."""
    kept, count = [], defaultdict(int)
    for pair in sorted(pairs, key=lambda pair: (-pair.worth, pair.numbers)):
        one, other = pair.numbers
        if max(count[one], count[other]) < _PAIRS_OF_PASSAGE and apart(passages, one, other):
            if jaccard(shingles(passages[one].text), shingles(passages[other].text)) <= _COPY_SHARE:
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


def _expected_cosine(passages: SectionPassages) -> float:
    """Return the mean cosine of two passages; in a language that the model does not know, all are alike."""
    mean = passages.vectors.mean(axis=0, dtype="float64")
    return min(0.95, float(mean @ mean))


def _closeness(passages: SectionPassages, numbers: tuple[int, int], expected: float) -> float:
    """Return how close two texts are beyond what is usual in the corpus, from 0 to 1."""
    cosine = float(passages.vectors[numbers[0]] @ passages.vectors[numbers[1]])
    beyond = (cosine - expected) / (1 - expected)
    return round(min(1.0, max(0.0, (beyond - _LEAST_CLOSE) / (_FULL_CLOSE - _LEAST_CLOSE))), 4)


# ---- three and four passages ---------------------------------------------------------------------------


def _larger(
    knowledge: Knowledge, passages: SectionPassages, pairs: Sequence[_Pair]
) -> list[tuple[tuple[int, ...], float, PassageRelation]]:
    """Return sets of three and four passages of which all pairs rest on one topic: one heading, one entity."""
    by_topic: dict[str, dict[tuple[int, int], tuple[_Pair, PassageRelation]]] = defaultdict(dict)
    for pair in pairs:
        for relation in pair.relations:
            if relation.topic:
                by_topic[relation.topic].setdefault(pair.numbers, (pair, relation))
    found: dict[tuple[int, ...], tuple[float, PassageRelation]] = {}
    for topic in sorted(by_topic):
        joined = {numbers: pair.worth for numbers, (pair, _) in by_topic[topic].items()}
        order = sorted(joined, key=lambda numbers: (-joined[numbers], numbers))
        for numbers in order[:_GROUPS_OF_TOPIC]:
            group = _grown(passages, numbers, joined)
            if len(group) > 2:
                _, relation = by_topic[topic][numbers]
                found.setdefault(group, (_THIRD_WORTH * joined[numbers], relation))
    return [(group, worth, relation) for group, (worth, relation) in sorted(found.items())]


def _grown(
    passages: SectionPassages, numbers: tuple[int, int], joined: Mapping[tuple[int, int], float]
) -> tuple[int, ...]:
    """Return a pair with the passages that are joined to all others of it, as long as one can read them together."""
    group = list(numbers)
    near = sorted({number for pair in joined if set(pair) & set(numbers) for number in pair} - set(numbers))

    def weakest(number: int) -> float:
        return min(joined.get((min(number, each), max(number, each)), 0.0) for each in group)

    while near and len(group) < _MOST_PASSAGES:
        best = max(near, key=lambda number: (weakest(number), -number))
        words = sum(passages[number].words for number in (*group, best))
        if not weakest(best) or words > _MOST_WORDS:
            break
        group.append(best)
        near.remove(best)
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
    reason = relation.reason if len(numbers) == 2 else _of_all(relation.reason)
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


def _of_all(reason: str) -> str:
    """Return the reason for two passages as one for more."""
    first, _, rest = reason.partition(" ")
    if first != "both":
        return reason
    return f"all {rest.partition(', in ')[0] if rest.startswith('are headed') else rest}"
