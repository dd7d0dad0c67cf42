"""Relations that the layout of the documents shows: parts of one heading, equal and parallel headings, links."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from kgsynth.base.thresholds import LIMITS
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.scenes.passages import SectionPassages
from kgsynth.generation.scenes.relation import PassageRelation
from kgsynth.language import nearest_language
from kgsynth.language.part_words import is_part_of_text, member_name
from kgsynth.language.words import has_cjk, words

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
