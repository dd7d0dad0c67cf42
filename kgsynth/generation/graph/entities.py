"""Who is who: the mentions of the whole corpus, grouped into entities, each with one type.

Names are the unit: every mention with the same name is the same entity, whatever type it was given where it
stands. Names are then joined by letter case, plural, abbreviation and surname. Left out: coreference, spelling
mistakes, and two things of one name, which stay one entity.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from networkx.utils import UnionFind

from kgsynth.base.records import Analysis, Entity, Mention, content_id
from kgsynth.language import Language, language

GENERIC = frozenset({"TERM", "CODE"})
"""Labels that say how something is written, not what it is: they lose a tied vote."""

_CODE_SHAPE = re.compile(r"[_:/\\]|\w\.\w|[a-z][A-Z]|\(\)$|^--?\w")  # written as code, with or without the marks
_MULTIWORD_WEIGHT = 3  # "Nikola Tesla" is better evidence of a type than "Tesla"
_SURNAME_SHARE = 1 / 3  # a lone surname is read as a person's when at least so many of its mentions are

_Votes = dict[str, Counter[str]]  # name -> label -> mentions


def settle(analyses: Iterable[Analysis]) -> list[Entity]:
    """Return the entities of the corpus, sorted by name: each mention belongs to exactly one.

    A name is a mention without leading article, title and possessive. Two names are one entity when

    - they have several words, or are code, and differ only in case; or are terms and differ only in case or number. One
      word in capitals is never joined to the same letters in lower case: "US" is not "us";
    - one was given as the other's short form, and as nobody else's anywhere in the corpus;
    - one is the last word of the other, which is the only full name of a person with it, and is itself used of persons.

    The type is the one most mentions of all its names were given, those of several words counting three times.
    """
    mentions: dict[str, list[Mention]] = defaultdict(list)
    pairs: set[tuple[str, str]] = set()
    analyses = list(analyses)
    for analysis in analyses:
        bare_name = language(analysis.language).bare_name
        for mention in analysis.mentions:
            if name := bare_name(mention.text):
                mentions[name].append(mention)
        pairs.update(bare_aliases(analysis))
    for mention in _unmarked(analyses, mentions):
        mentions[mention.text].append(mention)
    votes = {name: Counter(mention.label for mention in mentions[name]) for name in sorted(mentions)}
    aliased = sorted({name for pair in pairs for name in pair if name} - votes.keys())
    groups = UnionFind(sorted([*votes, *aliased]))
    _join_spellings(groups, votes, _languages(analyses))
    _join_aliases(groups, pairs)
    _join_surnames(groups, votes)
    entities = [_entity(names, mentions, votes) for names in groups.to_sets() if any(name in votes for name in names)]
    return sorted(entities, key=lambda entity: (entity.name.casefold(), entity.name))


def _unmarked(analyses: Iterable[Analysis], known: Mapping[str, Sequence[Mention]]) -> list[Mention]:
    """Return the phrases that are letter for letter a name known from elsewhere, where none was marked.

    A name that opens a sentence looks like a common noun to the parser; the rest of the corpus knows better.
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
    """Return for each name the language of the first document that has it."""
    found: dict[str, Language] = {}
    for analysis in analyses:
        own = language(analysis.language)
        for name in chain((own.bare_name(mention.text) for mention in analysis.mentions), *bare_aliases(analysis)):
            found.setdefault(name, own)
    return found


def bare_aliases(analysis: Analysis) -> Iterator[tuple[str, str]]:
    """Yield the pairs (long form, short form) of a document as bare names."""
    bare_name = language(analysis.language).bare_name
    yield from ((bare_name(long), bare_name(short)) for long, short in analysis.aliases)


def vote(names: Iterable[str], votes: Mapping[str, Mapping[str, int]]) -> str:
    """Return the label with the most weight over ``names``; of equals the more telling, then the first by letter."""
    total: Counter[str] = Counter()
    for name in names:
        weight = _MULTIWORD_WEIGHT if " " in name else 1
        for label, count in votes.get(name, {}).items():
            total[label] += weight * count
    return min(total, key=lambda label: (-total[label], label in GENERIC, label))


def _join_spellings(groups: UnionFind, votes: _Votes, languages: Mapping[str, Language]) -> None:
    first: dict[tuple[str, str], str] = {}
    for name in sorted({*votes, *(name for names in groups.to_sets() for name in names)}):
        for key in _spellings(name, votes, languages[name]):
            groups.union(first.setdefault(key, name), name)


def _spellings(name: str, votes: _Votes, own: Language) -> Iterable[tuple[str, str]]:
    """Yield the keys under which ``name`` meets its other spellings."""
    words = name.split()
    label = vote([name], votes) if name in votes else "TERM"
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
        if len(roots) == 1:  # a short form with two long ones tells neither
            groups.union(min(roots), short)


def _join_surnames(groups: UnionFind, votes: _Votes) -> None:
    full: dict[str, set[str]] = defaultdict(set)
    persons = {
        groups[min(names)]
        for names in groups.to_sets()
        if any(name in votes for name in names) and vote(names, votes) == "PERSON"
    }
    for name in votes:
        if " " in name and name[0].isupper() and groups[name] in persons:  # "type String" is nobody
            full[name.split()[-1]].add(groups[name])
    for name, labels in votes.items():
        roots = full.get(name, set())
        if len(roots) == 1 and labels["PERSON"] >= _SURNAME_SHARE * labels.total():
            groups.union(min(roots), name)


def _entity(names: Iterable[str], mentions: Mapping[str, list[Mention]], votes: _Votes) -> Entity:
    label = vote(names, votes)

    def rank(name: str) -> tuple[bool, int, int, str]:
        full = label == "PERSON" and " " in name  # a person is called by the full name
        return not full, -votes.get(name, Counter[str]()).total(), -len(name), name

    forms = tuple(sorted(names, key=rank))
    found = sorted(
        (mention for name in names for mention in mentions.get(name, ())),
        key=lambda mention: (mention.doc, mention.start, mention.end, mention.text, mention.label),
    )
    return Entity(content_id("e", forms[0], label), forms[0], label, forms, tuple(found))
