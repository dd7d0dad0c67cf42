"""Entity resolution: the mentions of the whole corpus, grouped into entities, each with one type.

All mentions with the same name are one entity, whatever type the parser gave each. Names that differ in letter case,
number, abbreviation or first name are then joined. Coreference, spelling mistakes and different things with the same
name are not handled.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from networkx.utils import UnionFind

from kgsynth.base.records import Analysis, Entity, Mention, content_id
from kgsynth.base.thresholds import LIMITS
from kgsynth.language import Language, nearest_language

# Find the one-word mentions that are common words: pronouns, verbs, adjectives, nouns at the start of a sentence.
#
# The parser takes a capital at the start of a sentence, sentences in capitals and rare words for names. What the
# whole corpus writes decides: a name has a capital inside sentences too. A word that the corpus writes as code is a
# name.

_WRITTEN = re.compile(r"(?<![\w./@#:-])[^\W\d_][\w-]*(?![@/]|\.\w)")  # a word, and no part of an address or a path
_OPENS_SENTENCE = frozenset('.:!?(["“*•–—-')  # before a word that has a capital wherever a sentence begins


class WrittenWords:
    """How often the corpus writes each word with a capital inside a sentence, and in lower case."""

    def __init__(self, analyses: Iterable[Analysis]) -> None:
        self._inside: Counter[str] = Counter()
        self._lower: Counter[str] = Counter()
        self._code: set[str] = set()
        for analysis in analyses:
            self._code.update(mention.text.lower() for mention in analysis.mentions if mention.label == "CODE")
            for sentence in analysis.sentences:
                shouts = sentence.text.isupper()
                for match in _WRITTEN.finditer(sentence.text):
                    word = match.group()
                    if word[0].islower():
                        self._lower[word] += 1
                    elif not (shouts and word.isupper()) and not _opens(sentence.text, match.start()):
                        self._inside[word] += 1

    def is_common(self, name: str, own: Language) -> bool:
        """Check whether a one-word name of the language ``own`` is a common word, and not the name of anything."""
        lower = name.lower()
        if lower in self._code or not own.is_common_word(lower):
            return False
        if name == lower:
            return True
        if name.isupper():
            return own.is_emphasis(lower) or (not self._inside[name] and self._lower[lower] > 0)
        if not name[1:].islower():
            return False  # "DiffID" is a name
        return 0 < self._lower[lower] >= LIMITS.common_word_ratio * self._inside[name]


def _opens(text: str, start: int) -> bool:
    """Check whether a sentence, or a part of it that is written like one, begins at ``start``."""
    before = text[:start].rstrip()
    return not before or before[-1] in _OPENS_SENTENCE


def is_fragment(name: str) -> bool:
    """Check whether a text cannot be a name: it has no letter, or is cut off in an optional plural.

    Example:
        >>> [is_fragment(name) for name in ("-200", "License(s", "fetch()", "rsync(1")]
        [True, True, False, False]
    """
    return not any(map(str.isalpha, name)) or name.endswith(("(s", "(es"))


_GENERIC_LABELS = frozenset({"TERM", "CODE"})  # they say how something is written, not what it is

_CODE_SHAPE = re.compile(r"[_:/\\]|\w\.\w|[a-z][A-Z]|\(\)$|^--?\w")  # written as code, with or without the marks

_Votes = dict[str, Counter[str]]  # name -> label -> mentions


def resolve_entities(analyses: Iterable[Analysis]) -> list[Entity]:
    """Return the entities of the corpus, sorted by name: each mention of a name belongs to exactly one.

    A name is a mention without leading article, title and possessive. Two names are one entity when

    - they have several words, or are code, and differ only in case; or are terms and differ only in case or number. One
      word in capitals is never joined to the same letters in lower case: "US" is not "us";
    - the corpus gives one as the short form of the other and of nothing else;
    - one is a surname, often read as a person, and the other is the only full name with it.

    The type is the most frequent one of all mentions; those of several words have more votes.
    """
    mentions: dict[str, list[Mention]] = defaultdict(list)
    pairs: set[tuple[str, str]] = set()
    analyses = list(analyses)
    for analysis in analyses:
        bare_name = nearest_language(analysis.language).bare_name
        for mention in analysis.mentions:
            if name := bare_name(mention.text):
                mentions[name].append(mention)
        pairs.update(bare_aliases(analysis))
    languages = _languages(analyses)
    mentions = _without_common_words(analyses, mentions, languages)
    for mention in _unmarked(analyses, mentions):
        mentions[mention.text].append(mention)
    votes = {name: Counter(mention.label for mention in mentions[name]) for name in sorted(mentions)}
    aliased = sorted({name for pair in pairs for name in pair if name} - votes.keys())
    groups = UnionFind(sorted([*votes, *aliased]))
    _join_spellings(groups, votes, languages)
    _join_aliases(groups, pairs)
    _join_surnames(groups, votes)
    entities = [_entity(names, mentions, votes) for names in groups.to_sets() if any(name in votes for name in names)]
    return sorted(entities, key=lambda entity: (entity.name.casefold(), entity.name))


def _without_common_words(
    analyses: Sequence[Analysis], mentions: Mapping[str, list[Mention]], languages: Mapping[str, Language]
) -> dict[str, list[Mention]]:
    """Leave out what names nothing: fragments, and single common words, except where they are inline code."""
    written = WrittenWords(analyses)
    left = {}
    for name, found in mentions.items():
        common = is_fragment(name) or (" " not in name and written.is_common(name, languages[name]))
        if kept := [mention for mention in found if mention.label == "CODE" or not common]:
            left[name] = kept
    return left


def _unmarked(analyses: Iterable[Analysis], known: Mapping[str, Sequence[Mention]]) -> list[Mention]:
    """Return the phrases that are a name known from elsewhere, letter for letter, and are not mentions yet.

    At the start of a sentence the parser takes a name for a common noun; the rest of the corpus corrects it.
    """
    taken = {(mention.doc, mention.end) for mentions in known.values() for mention in mentions}
    found: dict[tuple[str, int], Mention] = {}
    for analysis in analyses:
        for fact in analysis.facts:
            for phrase in fact.phrases:
                text = phrase.text[phrase.nouns[0][1] :] if phrase.nouns else ""
                place = (analysis.doc, phrase.end)
                if (
                    text[:1].isupper()
                    and text in known
                    and place not in taken
                    and phrase.start <= phrase.end - len(text)
                ):
                    found[place] = Mention(text, known[text][0].label, analysis.doc, phrase.end - len(text), phrase.end)
    return [found[place] for place in sorted(found)]


def _languages(analyses: Iterable[Analysis]) -> dict[str, Language]:
    """Return the language of the first document with each name."""
    found: dict[str, Language] = {}
    for analysis in analyses:
        own = nearest_language(analysis.language)
        for name in chain((own.bare_name(mention.text) for mention in analysis.mentions), *bare_aliases(analysis)):
            found.setdefault(name, own)
    return found


def bare_aliases(analysis: Analysis) -> Iterator[tuple[str, str]]:
    """Yield the pairs (long form, short form) of a document as bare names."""
    bare_name = nearest_language(analysis.language).bare_name
    yield from ((bare_name(long), bare_name(short)) for long, short in analysis.aliases)


def _elected_label(names: Iterable[str], votes: Mapping[str, Mapping[str, int]]) -> str:
    """Return the label with the most votes over ``names``; of equals one that is not generic, then by alphabet."""
    total: Counter[str] = Counter()
    for name in names:
        weight = LIMITS.full_name_votes if " " in name else 1
        for label, count in votes.get(name, {}).items():
            total[label] += weight * count
    return min(total, key=lambda label: (-total[label], label in _GENERIC_LABELS, label))


def _join_spellings(groups: UnionFind, votes: _Votes, languages: Mapping[str, Language]) -> None:
    first: dict[tuple[str, str], str] = {}
    for name in sorted({*votes, *(name for names in groups.to_sets() for name in names)}):
        for key in _spellings(name, votes, languages[name]):
            groups.union(first.setdefault(key, name), name)


def _spellings(name: str, votes: _Votes, own: Language) -> Iterable[tuple[str, str]]:
    """Yield the keys that ``name`` shares with its other spellings."""
    words = name.split()
    label = _elected_label([name], votes) if name in votes else "TERM"
    if _CODE_SHAPE.search(name) or label == "CODE":
        yield "code", name.casefold().removesuffix("()")
    if len(words) > 1:
        yield "name", name.casefold()
    if label == "TERM":
        last = own.singular(words[-1])
        capitals = len(words) == 1 and last.isupper()
        yield "term", last if capitals else " ".join([*words[:-1], last]).casefold()


def _join_aliases(groups: UnionFind, pairs: set[tuple[str, str]]) -> None:
    longs: dict[str, set[str]] = defaultdict(set)
    for long, short in pairs:
        if long and short and groups[long] != groups[short]:
            longs[groups[short]].add(groups[long])
    for short, roots in sorted(longs.items()):
        if len(roots) == 1:  # a short form of two names is neither
            groups.union(min(roots), short)


def _join_surnames(groups: UnionFind, votes: _Votes) -> None:
    full: dict[str, set[str]] = defaultdict(set)
    persons = {
        groups[min(names)]
        for names in groups.to_sets()
        if any(name in votes for name in names) and _elected_label(names, votes) == "PERSON"
    }
    for name in votes:
        if " " in name and name[0].isupper() and groups[name] in persons:  # "type String" is not a person
            full[name.split()[-1]].add(groups[name])
    for name, labels in votes.items():
        roots = full.get(name, set())
        if len(roots) == 1 and labels["PERSON"] >= LIMITS.surname_person_share * labels.total():
            groups.union(min(roots), name)


def _entity(names: Iterable[str], mentions: Mapping[str, list[Mention]], votes: _Votes) -> Entity:
    label = _elected_label(names, votes)

    def rank(name: str) -> tuple[bool, int, int, str]:
        full = label == "PERSON" and " " in name  # a person is called by the full name
        return not full, -votes.get(name, Counter[str]()).total(), -len(name), name

    forms = tuple(sorted(names, key=rank))
    found = sorted(
        (mention for name in names for mention in mentions.get(name, ())),
        key=lambda mention: (mention.doc, mention.start, mention.end, mention.text, mention.label),
    )
    return Entity(content_id("e", forms[0], label), forms[0], label, forms, tuple(found))
