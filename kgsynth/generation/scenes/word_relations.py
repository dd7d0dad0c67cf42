"""Relations that the words of the passages show: the title of another, an entity of both, similar chunks.

No parser is needed for titles and similar chunks; entities are those of the graph.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping

from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import StructureKind
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.scenes.passages import SectionPassages
from kgsynth.generation.scenes.relation import PassageRelation
from kgsynth.language.part_words import is_part_of_text, member_name
from kgsynth.language.words import has_cjk, words

_MENTION, _ROW, _ENTITY, _SIMILAR = 0.55, 0.5, 0.5, 0.4
_NAME_WORDS = 7  # of a title that others name; a longer one is a sentence
_NAME_CHARACTERS = 2  # at the least, of one in Chinese, Japanese or Korean
_OWNERS = 2  # passages that may have a title, for it to say which one is meant
_COMMON_SHARE = 0.03  # of the passages, that may name a thing which others are about …
_COMMON_LEAST = 4  # … or so many: in a small corpus the share is less than one
_COMMON_MOST = 30  # … and no more: each is paired with what it names
_ENTITY_PASSAGES = 6  # passages that name an entity most often, which are paired
_ENTITY_RARITY = 6.0  # rarity (log of the number of passages for each that names it) of an entity that counts in full
_DATES_AND_FIGURES = frozenset({"DATE", "TIME", "MONEY", "QUANTITY", "ORDINAL", "CARDINAL", "LANGUAGE", "NORP"})

_Name = tuple[str, ...]


def mentions_of_titles(knowledge: Knowledge, passages: SectionPassages) -> Iterator[PassageRelation]:
    """Yield each passage that names what another is about: its title, or a term or row of a table that it explains."""
    titled: dict[_Name, dict[int, str]] = defaultdict(dict)
    explained: dict[_Name, dict[int, str]] = defaultdict(dict)
    for number, passage in enumerate(passages):
        name = member_name(passage.title)
        if not is_part_of_text(name):
            titled[tuple(words(name))][number] = name
    for fact in knowledge.structure:
        if fact.kind in (StructureKind.CELL, StructureKind.DEFINITION):
            key = tuple(words(fact.subject.text))
            for number in passages.within(fact.doc, fact.subject.start, fact.subject.end):
                explained[key].setdefault(number, fact.subject.text)
    yield from _mentions(passages, titled, _MENTION, "which the second is about")
    yield from _mentions(passages, explained, _ROW, "which the second explains or has in a table")


def _mentions(
    passages: SectionPassages, owners: Mapping[_Name, Mapping[int, str]], strength: float, how: str
) -> Iterator[PassageRelation]:
    known = {name: found for name, found in owners.items() if len(found) <= _OWNERS and _is_telling(name)}
    most = _most_naming(passages)
    for name, naming in sorted(_naming(passages, known).items()):
        if len(naming) <= most:
            for owner, shown in sorted(known[name].items()):
                for number in sorted(naming.keys() - known[name].keys()):
                    if passages[owner].path == passages[number].path[: len(passages[owner].path)]:
                        continue  # of course it names the heading that it stands under
                    often = strength * (1.0 if len(name) > 1 else 0.7) * (1.0 if naming[number] > 1 else 0.8)
                    reason = f"the first speaks of {shown!r}, {how}"
                    yield PassageRelation(number, owner, often, reason, f"name {shown.casefold()}")


def _most_naming(passages: SectionPassages) -> int:
    """Return how many passages may name a thing before it says nothing of what they are about."""
    return min(_COMMON_MOST, max(_COMMON_LEAST, int(_COMMON_SHARE * len(passages))))


def _is_telling(name: _Name) -> bool:
    """Check whether words can name a thing: several, or one that is no number and no letter."""
    if not name or len(name) > (2 * _NAME_WORDS if has_cjk(name[0]) else _NAME_WORDS):
        return False
    if all(map(has_cjk, name)):
        return len(name) >= _NAME_CHARACTERS
    return any(len(word) > 2 and not word.isdigit() for word in name)


def _naming(passages: SectionPassages, known: Mapping[_Name, object]) -> dict[_Name, dict[int, int]]:
    """Return for each name the passages that hold it, with how often; of names within names the longest counts."""
    longest: dict[str, int] = defaultdict(int)
    for name in known:
        longest[name[0]] = max(longest[name[0]], len(name))
    found: dict[_Name, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    for number, passage in enumerate(passages):
        tokens = words(passage.text)
        place = 0
        while place < len(tokens):
            step = 1
            for length in range(min(longest.get(tokens[place], 0), len(tokens) - place), 0, -1):
                name = tuple(tokens[place : place + length])
                if name in known:
                    found[name][number] += 1
                    step = length
                    break
            place += step
    return found


def shared_entities(knowledge: Knowledge, passages: SectionPassages) -> Iterator[PassageRelation]:
    """Yield the pairs of passages that name one entity most, if few others do."""
    most = _most_naming(passages)
    for entity in sorted(knowledge.entities.values(), key=lambda entity: entity.id):
        if entity.label in _DATES_AND_FIGURES or entity.name[:1].isdigit() or knowledge.entities.is_common(entity):
            continue
        often: dict[int, int] = defaultdict(int)
        for mention in entity.mentions:
            for number in passages.within(mention.doc, mention.start, mention.end):
                often[number] += 1
        if not 1 < len(often) <= most:
            continue
        rarity = min(1.0, math.log(len(passages) / len(often)) / _ENTITY_RARITY)
        first = sorted(often, key=lambda number: (-often[number], number))[:_ENTITY_PASSAGES]
        for place, one in enumerate(sorted(first)):
            for other in sorted(first)[place + 1 :]:
                strength = _ENTITY * rarity * min(1.0, (1 + min(often[one], often[other])) / 3)
                yield PassageRelation(one, other, strength, f"both are about {entity.name!r}", f"entity {entity.id}")


def similar(knowledge: Knowledge, passages: SectionPassages) -> Iterator[PassageRelation]:
    """Yield the passages of chunks that are similar by their vectors."""
    places = {chunk.id: chunk for chunk in knowledge.chunks}
    best: dict[tuple[int, int], float] = {}
    for source, target, data in knowledge.graph.edges(data=True):
        if data["kind"] != "similar":
            continue
        one, other = (places[each] for each in (source, target))
        for first in passages.within(one.doc, one.start, one.end):
            for second in passages.within(other.doc, other.start, other.end):
                if first != second:
                    pair = (min(first, second), max(first, second))
                    best[pair] = max(best.get(pair, 0.0), data["weight"])
    for (one_number, other_number), weight in sorted(best.items()):
        strength = _SIMILAR * min(1.0, (weight - LIMITS.similar_cosine) / (0.8 - LIMITS.similar_cosine) + 0.25)
        yield PassageRelation(one_number, other_number, strength, "they are about closely related matters")
