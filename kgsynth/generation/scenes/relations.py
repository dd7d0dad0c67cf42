"""Relations between two passages, by which they may belong to one question: in the layout, or in their words."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import StructureKind
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.scenes.passages import SectionPassages
from kgsynth.language import nearest_language
from kgsynth.language.text_words import is_part_of_text, member_name
from kgsynth.language.words import has_cjk, words


@dataclass(frozen=True, slots=True)
class PassageRelation:
    """Two passages, by number, in the order of the reason, and how strongly it joins them, from 0 to 1.

    ``reason`` ends the sentence "these passages belong together because …", in plain English. ``topic`` is the same for
    all relations that rest on one thing: the same heading, the same entity; "" for none.
    """

    one: int
    other: int
    strength: float
    reason: str
    topic: str = ""

    @property
    def pair(self) -> tuple[int, int]:
        """The two passages, the lower number first."""
        return min(self.one, self.other), max(self.one, self.other)


# Relations that the layout of the documents shows: parts of one heading, equal and parallel headings, links.

_SIBLING, _MEMBER, _SAME_HEADING, _PARALLEL, _LINK = 0.25, 0.45, 0.5, 0.45, 0.6
_NEAREST = 3  # siblings, or sections with one heading, that a section is paired with
_LARGE_FAMILY = 400  # sections with one heading above; of more, those close by are compared
_TELLING_LETTERS = 3  # of a word of headings; a shorter one, in an alphabet, is "of" or "to"
_MOST_WITH_ONE_HEADING = 24  # more sections with one heading are a form that every document fills in


def siblings(knowledge: Knowledge, passages: SectionPassages) -> Iterator[PassageRelation]:
    """Yield the nearest pairs of sections directly below one heading."""
    families: dict[tuple[str, tuple[str, ...]], list[int]] = defaultdict(list)
    for number, passage in enumerate(passages):
        if len(passage.path) > 1:
            families[passage.span.doc, passage.path[:-1]].append(number)
    for (doc, path), members in sorted(families.items()):
        for low in range(0, len(members), _LARGE_FAMILY):
            for one, other in _nearest(passages, members[low : low + _LARGE_FAMILY]):
                if passages[one].path != passages[other].path:
                    reason = f"both are parts of {path[-1]!r}"
                    strength = _MEMBER if len(path) > 1 and len(members) <= LIMITS.siblings_max else _SIBLING
                    yield PassageRelation(one, other, strength, reason, f"parts {doc}: {' > '.join(path)}")


def same_headings(knowledge: Knowledge, passages: SectionPassages) -> Iterator[PassageRelation]:
    """Yield the nearest pairs of sections with the same heading, under different ones or in different documents."""
    named: dict[str, list[int]] = defaultdict(list)
    for number, passage in enumerate(passages):
        name = member_name(passage.title).casefold()
        if passage.section and name and not is_part_of_text(passage.title):
            named[name].append(number)
    for name, members in sorted(named.items()):
        if 1 < len(members) <= _MOST_WITH_ONE_HEADING:
            for one, other in _nearest(passages, members):
                where = [_whose(passages, number, knowledge) for number in (one, other)]
                if where[0] != where[1]:
                    reason = f"both are headed {passages[one].title!r}, in {where[0]!r} and in {where[1]!r}"
                    yield PassageRelation(one, other, _SAME_HEADING, reason, f"heading {name}")


def parallel_headings(knowledge: Knowledge, passages: SectionPassages) -> Iterator[PassageRelation]:
    """Yield the nearest pairs of sections of a document with a word in common in headings that differ.

    They are mostly kinds of one thing, or ways to do one: "Warm shutdown" and "Cold shutdown".
    """
    having: dict[tuple[str, str], list[int]] = defaultdict(list)
    for number, passage in enumerate(passages):
        content = nearest_language(knowledge.documents[passage.span.doc].language).content_stems
        for word in sorted(set(words(passage.title))):
            if content(word) and (len(word) >= _TELLING_LETTERS or has_cjk(word)):
                having[passage.span.doc, word].append(number)
    for (doc, word), members in sorted(having.items()):
        if 1 < len(members) <= LIMITS.siblings_max:
            for one, other in _nearest(passages, members):
                if member_name(passages[one].title) != member_name(passages[other].title):
                    reason = f"their headings have the word {word!r} in common"
                    yield PassageRelation(one, other, _PARALLEL, reason, f"parallel {doc} {word}")


def links(knowledge: Knowledge, passages: SectionPassages) -> Iterator[PassageRelation]:
    """Yield each passage with one that it links to: the section, or of a whole document its nearest passage."""
    of_document: dict[str, list[int]] = defaultdict(list)
    of_section: dict[str, list[int]] = defaultdict(list)
    for number, passage in enumerate(passages):
        of_document[passage.span.doc].append(number)
        sections = knowledge.documents[passage.span.doc].sections
        of_section[sections[passage.section].id].append(number)
    found = set()
    for source, target, data in knowledge.graph.edges(data=True):
        if data["kind"] != "see" or not data["spans"]:
            continue
        start, end = data["spans"][-1]
        for one in passages.within(data["doc"], start, end):
            others = of_section.get(target) or of_document.get(target) or []
            near = [other for other in others if other != one and source != target]
            if near:
                other = max(near, key=lambda other: (float(passages.vectors[one] @ passages.vectors[other]), -other))
                found.add((one, other))
    for one, other in sorted(found):
        yield PassageRelation(one, other, _LINK, "the first links to the second", f"link {one} {other}")


def _nearest(passages: SectionPassages, members: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield each passage with the few that are nearest to it, each pair once."""
    import numpy as np

    vectors = passages.vectors[list(members)]
    cosines = np.round(vectors @ vectors.T, 4)
    np.fill_diagonal(cosines, -1)
    pairs: set[tuple[int, int]] = set()
    for row in range(len(members)):
        order = np.argsort(-cosines[row], kind="stable")[:_NEAREST]
        pairs.update((min(row, int(column)), max(row, int(column))) for column in order if int(column) != row)
    yield from ((members[one], members[other]) for one, other in sorted(pairs))


def _whose(passages: SectionPassages, number: int, knowledge: Knowledge) -> str:
    """Return the heading above a passage, or the title of its document if that is the one above."""
    passage = passages[number]
    return passage.path[-2] if len(passage.path) > 2 else knowledge.documents[passage.span.doc].title


# Relations that the words of the passages show: the title of another, an entity of both, similar chunks.
#
# No parser is needed for titles and similar chunks; entities are those of the graph.

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
