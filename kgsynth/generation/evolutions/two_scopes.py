"""multi_context / two_scopes: how one matter differs between two subjects, each with a section on it.

The subjects are sections side by side, or documents with the same headings, with a word in both titles, or that are
named together.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping

from kgsynth.base.records import Document, Scenario, StructureFact
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import StructureKind
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions.named_things import apart
from kgsynth.generation.evolutions.page_question import is_answer
from kgsynth.language import language
from kgsynth.language.lengths import length_in_words
from kgsynth.language.part_words import is_part_of_text


def walk(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for each short section and the nearest of those with its title under a subject like its own."""
    same: dict[str, dict[tuple[str, int], StructureFact]] = defaultdict(dict)
    asked = {(fact.doc, fact.section) for fact in knowledge.structure if fact.kind is StructureKind.ANSWERS}
    for fact in knowledge.structure:
        place = fact.doc, fact.section
        if fact.kind is StructureKind.ANSWERS or (fact.kind is StructureKind.TOPIC and place not in asked):
            title = (fact.name or fact.subject.text).casefold().strip(" ?.:…")
            if _is_short(fact, knowledge):
                same[title].setdefault(place, fact)
    for title in sorted(same):
        for facts in _groups(list(same[title].values())):
            for one, other in _nearest(facts, knowledge):
                reason = f"both have a section {one.subject.text!r}"
                yield Scenario("multi_context", "two_scopes", (), structure=(one, other), scope=reason)


def _groups(facts: list[StructureFact]) -> Iterator[list[StructureFact]]:
    """Yield the facts that are compared with one another: all of them, or those of each folder if they are many."""
    by_folder: dict[str, list[StructureFact]] = defaultdict(list)
    for fact in facts:
        by_folder["" if len(facts) <= LIMITS.siblings_max else fact.doc.rpartition("/")[0]].append(fact)
    yield from (group for group in by_folder.values() if 1 < len(group) <= LIMITS.siblings_max)


def _nearest(facts: list[StructureFact], knowledge: Knowledge) -> Iterator[tuple[StructureFact, StructureFact]]:
    """Yield each fact with the kin that shares most words with it, each pair once, in the order of the facts."""
    nearest = set()
    for number, fact in enumerate(facts):
        kin = [place for place, other in enumerate(facts) if place != number and _kin(fact, other, knowledge)]
        shared = {place: _shared(fact, facts[place], knowledge) for place in kin}
        best = max(kin, key=lambda place: shared[place], default=-1)
        if best >= 0 and shared[best]:
            nearest.add((min(number, best), max(number, best)))
    yield from ((facts[one], facts[other]) for one, other in sorted(nearest))


def scope_title(fact: StructureFact, other: StructureFact, documents: Mapping[str, Document]) -> str:
    """Return the title that tells the subject of a section from that of another: of its document, or section above."""
    path = documents[fact.doc].sections[fact.section].path
    if fact.doc != other.doc:
        return documents[fact.doc].title
    return path[-2] if len(path) > 1 else ""


def _is_short(fact: StructureFact, knowledge: Knowledge) -> bool:
    """Check whether a section is short, is complete, and has more prose than code."""
    passage = fact.values[0]
    blocks = knowledge.documents[fact.doc].blocks_from(passage.start, passage.end)
    code = sum(length_in_words(block.text) for block in blocks if block.kind == "code")
    words = length_in_words(passage.text)
    return (
        LIMITS.passage_min_words <= words <= LIMITS.compared_max_words
        and 2 * code < words
        and is_answer(fact, knowledge)
    )


def _shared(one: StructureFact, other: StructureFact, knowledge: Knowledge) -> float:
    """Return the share of words that two sections have in common; 0 if they stand together or say the same.

    Two answers to one question are about one matter, whatever their words.
    """
    stems = language(knowledge.documents[one.doc].language).content_stems
    first, second = set(stems(one.values[0].text)), set(stems(other.values[0].text))
    common = (first & second) - set(stems(one.subject.text))
    alike = len(first & second) / max(1, min(len(first), len(second)))
    asked = one.kind is other.kind is StructureKind.ANSWERS
    if not (common or asked) or alike > LIMITS.compared_max_alike or not apart(knowledge, one, other):
        return 0.0
    return (len(common) + asked) / len(first | second)


def _kin(one: StructureFact, other: StructureFact, knowledge: Knowledge) -> bool:
    """Check whether two sections are about subjects of one sort.

    These are sections under one heading, or documents with the same headings, or whose titles share a word or are named
    together.
    """
    documents = knowledge.documents
    paths = [documents[fact.doc].sections[fact.section].path for fact in (one, other)]
    if one.doc == other.doc:
        return len(paths[0]) == len(paths[1]) > 2 and paths[0][:-2] == paths[1][:-2] and paths[0] != paths[1]
    stems = language(documents[one.doc].language).content_stems
    above = [[stems(title) for title in path[1:-1]] for path in paths]
    heads = [set(stems(documents[fact.doc].title)) for fact in (one, other)]
    if above[0] != above[1] or heads[0] == heads[1]:
        return False
    headings = knowledge.derived(_headings)
    if len(headings[one.doc] & headings[other.doc]) >= LIMITS.parallel_min:
        return True
    return bool(heads[0] & heads[1]) or _named_together(documents[one.doc].title, documents[other.doc].title, knowledge)


def _headings(knowledge: Knowledge) -> Mapping[str, frozenset[str]]:
    """Return the headings of each document that name no part of a text, such as an introduction."""
    return {
        doc: frozenset(s.title.casefold() for s in document.sections[1:] if not is_part_of_text(s.title))
        for doc, document in knowledge.documents.items()
    }


def _named_together(one: str, other: str, knowledge: Knowledge) -> bool:
    """Check whether a chunk names the subjects of two documents."""
    titles = first, second = one.casefold(), other.casefold()
    both = [text for text in knowledge.derived(_folded) if first in text and second in text]
    patterns = [re.compile(rf"\b{re.escape(title)}\b") for title in titles]
    return any(all(pattern.search(text) for pattern in patterns) for text in both)


def _folded(knowledge: Knowledge) -> list[str]:
    return [chunk.text.casefold() for chunk in knowledge.chunks]
