"""What all comparisons share: things that a sentence or an entry speaks of by name, and which of them belong together.

Two things belong together if the text somewhere sets their names side by side ("lists and sets"), or if their names end
in one word and both are the same kind of thing ("a set", "a sorted set").
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations, pairwise
from math import log

from kgsynth.base.records import Block, Document, Excerpt, Scenario, StructureFact, content_id
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import StructureKind
from kgsynth.documents.structure.outline import COLONS
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.language import Language, language
from kgsynth.language.lengths import length_in_words
from kgsynth.language.sentence_ends import sentence_spans
from kgsynth.language.words import CJK

_LETTER = rf"[^\W{CJK}]"
_NAME_PART = re.compile(rf"[{CJK}]|{_LETTER}(?:(?:{_LETTER}|[./+#'’-])*{_LETTER})?")
"""A part of a name: a word, or one character of Chinese, Japanese or Korean."""
CODE_KIND = "()"
"""The kind that ``Language.definition`` gives a thing in code whose description begins with a verb."""

_FIRST_LETTERS = 40  # of a detail, by which it is found in its block
_FIELD_OF_A_SECTION = re.compile(r"[\w ]{1,20}: \S[^\n]{0,60}$")
"""A line such as "Default: 300.", which comes before the description."""
_TOLD = frozenset({"paragraph", "item"})


@dataclass(frozen=True, slots=True)
class NamedThing:
    """A thing, and the sentence that speaks of it.

    ``own`` if that is the first sentence under its own heading, or if the thing is an ``entry`` of a list.
    """

    name: str
    kind: str
    fact: StructureFact
    own: bool
    entry: bool = False

    def key(self, reader: Language) -> str:
        """Return the form in which names are compared."""
        return " ".join(map(reader.singular, _NAME_PART.findall(reader.name_form(self.name))))


Read = Callable[[Language, str, str], tuple[str, str]]


def pairs(knowledge: Knowledge, subtype: str, read: Read) -> Iterator[Scenario]:
    """Yield a scenario for each two things that belong together and are described in two passages.

    ``read`` returns what a sentence, with its heading, speaks of, and as what kind of thing.
    """
    things = _unique(knowledge, read)
    together = {
        pair: places[0]
        for pair, places in _side_by_side(knowledge, things).items()
        if _are_of_one_kind(*(things[key] for key in pair)) or len(places) >= LIMITS.side_by_side_min
    }
    alike: dict[tuple[str, str], list[str]] = defaultdict(list)
    for key, thing in things.items():
        alike[key.split()[-1], thing.kind].append(key)
    for (_, kind), keys in sorted(alike.items()):
        if kind and 1 < len(keys) <= LIMITS.siblings_max:
            for pair in combinations(sorted(keys), 2):
                together.setdefault(pair, f"both are named and defined as {kind!r}")
    for pair, place in _siblings(knowledge, things):
        together.setdefault(pair, f"both have a place of their own in {place!r}")
    for (one, other), reason in sorted(together.items()):
        facts = tuple(sorted((things[one].fact, things[other].fact), key=lambda fact: (fact.doc, fact.values[0].start)))
        if not _alike_in_code(things[one], things[other]):
            continue
        if apart(knowledge, *facts) and _independent(knowledge, things[one], things[other]):
            yield Scenario("multi_context", subtype, (), structure=facts, scope=reason)


def _siblings(knowledge: Knowledge, things: Mapping[str, NamedThing]) -> Iterator[tuple[tuple[str, str], str]]:
    """Yield each two things of one kind that have sections side by side, with the heading or folder above them.

    Of things in code, and of entries, there are many in one place: each goes with the one that is most like it.
    """
    places: dict[tuple[tuple[str, ...], str], list[str]] = defaultdict(list)
    for key, thing in sorted(things.items()):
        if thing.own and thing.kind:
            places[_place(knowledge, thing), thing.kind].append(key)
    folders = Counter[tuple[str, ...]]((doc.rpartition("/")[0],) for doc in knowledge.documents)
    for (place, kind), keys in sorted(places.items()):
        if len(keys) < LIMITS.folder_share * folders[place]:
            continue  # three plants among the articles of an encyclopedia do not belong together
        if kind == CODE_KIND or any(things[key].entry for key in keys):
            yield from ((pair, place[-1]) for pair in _nearest(knowledge, things, keys))
        elif len(keys) <= LIMITS.siblings_max:
            yield from ((pair, place[-1]) for pair in combinations(keys, 2))


def _place(knowledge: Knowledge, thing: NamedThing) -> tuple[str, ...]:
    """Return the headings above a thing: of an entry those of its section, of the first section the folder."""
    doc, path = thing.fact.doc, knowledge.documents[thing.fact.doc].sections[thing.fact.section].path
    if thing.entry:
        return (doc, *path)
    return (doc, *path[:-1]) if len(path) > 1 else (doc.rpartition("/")[0],)


def _nearest(knowledge: Knowledge, things: Mapping[str, NamedThing], keys: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield each of these things with the one of a similar name whose description shares most with its own.

    What all names begin with does not make two of them similar, and rare words weigh more than common ones.
    """
    prefix = _common_start(min(keys), max(keys))
    said = {}
    for key in keys:
        reader = language(knowledge.documents[things[key].fact.doc].language)
        said[key] = set(reader.content_stems(things[key].fact.values[0].text))
    often = Counter(word for words in said.values() for word in words)

    def weight(words: set[str]) -> float:
        return sum(log((1 + len(keys)) / often[word]) for word in sorted(words))

    for one in keys:
        alike = [other for other in keys if other != one and _alike(one[prefix:], other[prefix:])]
        shared = {other: weight(said[one] & said[other]) / weight(said[one] | said[other]) for other in alike}
        best = max(alike, key=lambda other: shared[other], default="")
        if best and shared[best] >= LIMITS.described_alike:
            yield min(one, best), max(one, best)


def _alike_in_code(one: NamedThing, other: NamedThing) -> bool:
    """Check that two things, if one is in code, are both in code and have names that are alike."""
    if CODE_KIND not in (one.kind, other.kind):
        return True
    if one.kind != other.kind:
        return False
    return _alike(one.name, other.name)


def _alike(one: str, other: str) -> bool:
    """Check whether two names have half of the letters of the longer one in common, at the beginning and the end."""
    first, second = one.lower(), other.lower()
    shortest, longest = sorted((len(first), len(second)))
    head = _common_start(first, second)
    tail = next((n for n in range(shortest - head) if first[-1 - n] != second[-1 - n]), shortest - head)
    return 2 * (head + tail) >= longest


def _common_start(one: str, other: str) -> int:
    """Return how many letters two names begin with in common."""
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def apart(knowledge: Knowledge, one: StructureFact, other: StructureFact) -> bool:
    """Check whether no passage of a common size, and no chunk, holds both facts."""
    if one.doc == other.doc:
        low, high = sorted((one, other), key=lambda fact: fact.values[0].start)
        if high.values[-1].end - low.values[0].start <= LIMITS.passage_characters:
            return False
    places = [
        set(knowledge.chunks.overlapping(fact.doc, fact.values[0].start, fact.values[-1].end)) for fact in (one, other)
    ]
    return not places[0] & places[1]


def _unique(knowledge: Knowledge, read: Read) -> dict[str, NamedThing]:
    """Return by its name each thing that one sentence speaks of, or one under a heading of its own."""
    found: dict[str, list[NamedThing]] = defaultdict(list)
    said = (thing for document in knowledge.documents.values() for thing in _things(document, knowledge, read))
    for thing in chain(said, _entries(knowledge, read)):
        found[thing.key(language(knowledge.documents[thing.fact.doc].language))].append(thing)
    unique = {}
    for key, things in found.items():
        own = [thing for thing in things if thing.own] or things
        if key and len({thing.fact.values[0].text for thing in own}) == 1:
            unique[key] = own[0]
    return unique


def _entries(knowledge: Knowledge, read: Read) -> Iterator[NamedThing]:
    """Yield the terms that an entry of a list explains, each with the first sentence of its entry."""
    for fact in knowledge.structure:
        if fact.kind is StructureKind.DEFINITION and not fact.heads:
            document, detail = knowledge.documents[fact.doc], fact.values[0]
            blocks = document.blocks_in(detail.start, detail.start + 1)
            if blocks and (offset := blocks[0].text.find(detail.text[:_FIRST_LETTERS])) >= 0:
                block, text = blocks[0], blocks[0].text[offset:]
                start, end = next(sentence_spans(text), (0, 0))
                term = fact.subject.text.strip(" :*")
                reader = language(document.language)
                name, kind = read(reader, text[start:end], term)
                if kind != CODE_KIND:
                    name, kind = read(reader, f"{term}: {text[start:end]}", "")
                if name and kind and _is_short(text[start:end]):
                    thing = _thing(document, block, (offset + start, offset + end), name, kind, True)
                    yield replace(thing, entry=True)


def _things(document: Document, knowledge: Knowledge, read: Read) -> Iterator[NamedThing]:
    reader = language(document.language)
    opened: set[int] = set()
    for block in document.blocks:
        if block.kind not in _TOLD:
            continue
        first = block.section not in opened and block.kind == "paragraph"
        if _FIELD_OF_A_SECTION.match(block.text):
            continue
        opened.add(block.section)
        title = _as_written(document, document.sections[block.section].title) if first else ""
        for number, (start, end) in enumerate(sentence_spans(block.text)):
            text = block.text[start:end]
            if _is_short(text) and not text.endswith(COLONS):
                name, kind = read(reader, text, title if number == 0 else "")
                own = bool(title) and number == 0
                if name and (own or _says_enough(name, knowledge, reader)) and not _leads_out(block, start, name):
                    yield _thing(document, block, (start, end), name, kind, own)


def _thing(document: Document, block: Block, place: tuple[int, int], name: str, kind: str, own: bool) -> NamedThing:
    start, end = block.locate(*place)
    ident = content_id("t", document.id, "sentence", start, end)
    sentence = Excerpt(document.plain(start, end), start, end)
    subject = Excerpt(name, start, start)
    fact = StructureFact(ident, StructureKind.TOPIC, document.id, block.section, subject, (sentence,))
    return NamedThing(name, kind, fact, own)


def _is_short(text: str) -> bool:
    return LIMITS.passage_min_words <= length_in_words(text) <= LIMITS.compared_max_words


def _says_enough(name: str, knowledge: Knowledge, reader: Language) -> bool:
    """Check whether a name that no heading has is more than one ordinary word."""
    words = _NAME_PART.findall(reader.bare_name(name))
    return len(words) > 1 or (bool(words) and (words[0] in knowledge.statements.names or not words[0].islower()))


def _as_written(document: Document, title: str) -> str:
    """Return a title as the text below it writes it: the name of a file is in lower case."""
    if len(title.split()) > 2 or document.sections[0].title != title:
        return title
    found = Counter(re.findall(rf"(?i)\b{re.escape(title)}\b", document.text))
    return max(sorted(found), key=lambda form: found[form], default=title)


def _leads_out(block: Block, start: int, name: str) -> bool:
    """Check whether a name is a link to another site: the sentence describes a resource there."""
    end = start + len(name)
    return any(low < end and start < high and "://" in target for low, high, target in block.links)


def _independent(knowledge: Knowledge, one: NamedThing, other: NamedThing) -> bool:
    """Check whether neither sentence speaks of the other thing, so that each is needed."""
    reader = language(knowledge.documents[one.fact.doc].language)
    keys, texts = [], []
    for thing in (one, other):
        keys.append(thing.key(reader))
        texts.append(" ".join(map(reader.singular, _NAME_PART.findall(thing.fact.values[0].text.lower()))))
    if (
        f" {keys[0]} " in f" {texts[1].replace(keys[1], '#')} "
        or f" {keys[1]} " in f" {texts[0].replace(keys[0], '#')} "
    ):
        return False
    said = [set(reader.content_stems(text.replace(key, ""))) for key, text in zip(keys, texts, strict=True)]
    return said[0] != said[1]


def _are_of_one_kind(one: NamedThing, other: NamedThing) -> bool:
    return one.kind == other.kind or _last_word(one) == _last_word(other)


def _last_word(thing: NamedThing) -> str:
    return str(_NAME_PART.findall(thing.name.lower())[-1])


def _side_by_side(knowledge: Knowledge, things: dict[str, NamedThing]) -> dict[tuple[str, str], list[str]]:
    """Return the pairs of names that the text sets side by side, each with where it does so."""
    heads: dict[str, list[str]] = defaultdict(list)
    for key in sorted(things, key=lambda key: -len(key)):
        heads[key.split()[0]].append(key)
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    for document in knowledge.documents.values():
        reader = language(document.language)
        for block in document.blocks:
            if block.kind not in _TOLD:
                continue
            hits = list(_hits(block.text, heads, reader))
            for (_, end, one), (start, _, other) in pairwise(hits):
                pair = (min(one, other), max(one, other))
                if one != other and reader.beside(block.text[end:start]):
                    found[pair].append(f"{document.id}: {block.text[max(0, end - 60) : start + 60].strip()}")
    return found


def _hits(text: str, heads: dict[str, list[str]], reader: Language) -> Iterator[tuple[int, int, str]]:
    """Yield ``(start, end, key)`` of each name in a text, the longest at each place."""
    tokens: Sequence[re.Match[str]] = list(_NAME_PART.finditer(text))
    words = [reader.singular(match.group().lower()) for match in tokens]
    place = 0
    while place < len(words):
        for key in heads.get(words[place], ()):
            parts = key.split()
            if words[place : place + len(parts)] == parts:
                yield tokens[place].start(), tokens[place + len(parts) - 1].end(), key
                place += len(parts) - 1
                break
        place += 1
