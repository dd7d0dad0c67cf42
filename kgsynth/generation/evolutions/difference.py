"""multi_context / difference: how two things differ that people choose between, each from the section on it.

Two sections are about such things when they stand under one heading and their titles end in the same word ("unit
tests", "integration tests"), or both are names in code.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations

from kgsynth.base.records import Scenario, StructureFact
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import StructureKind
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.language import language
from kgsynth.language.words import length_in_words


def walk(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for each pair of sections that stand side by side and whose titles differ in kind only."""
    siblings: dict[tuple[str, tuple[str, ...]], list[StructureFact]] = defaultdict(list)
    for fact in knowledge.structure:
        if fact.kind == StructureKind.TOPIC and length_in_words(fact.values[0].text) <= LIMITS.compared_max_words:
            path = knowledge.documents[fact.doc].sections[fact.section].path
            siblings[fact.doc, path[:-1]].append(fact)
    for (doc, _), facts in siblings.items():
        stems = language(knowledge.documents[doc].language).content_stems
        for one, other in combinations(facts[: LIMITS.siblings_max], 2):
            if _alike(stems(one.subject.text), stems(other.subject.text)) and _apart(knowledge, one, other):
                yield Scenario("multi_context", "difference", (), structure=(one, other))


def _alike(one: list[str], other: list[str]) -> bool:
    """Check whether two titles name things of one kind."""
    return bool(one and other) and set(one) != set(other) and one[-1] == other[-1] and max(len(one), len(other)) > 1


def _apart(knowledge: Knowledge, one: StructureFact, other: StructureFact) -> bool:
    """Check whether no chunk holds a part of both."""
    if (
        abs(one.values[0].start - other.values[0].end)
        < LIMITS.passage_characters
        > abs(other.values[0].start - one.values[0].end)
    ):
        return False
    places = [knowledge.chunks.overlapping(fact.doc, fact.values[0].start, fact.values[0].end) for fact in (one, other)]
    return not set(places[0]) & set(places[1])
