"""multi_context / two_scopes: the same asked of two documents, under a heading that both have."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations

from kgsynth.base.records import Scenario, StructureFact
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import StructureKind
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.language.words import length_in_words


def walk(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for pairs of short sections with one title, in documents of one folder."""
    same: dict[tuple[str, str], list[StructureFact]] = defaultdict(list)
    for fact in knowledge.structure:
        if fact.kind in (StructureKind.TOPIC, StructureKind.ANSWERS):
            words = length_in_words(fact.values[0].text)
            if LIMITS.passage_min_words <= words <= LIMITS.compared_max_words:
                same[fact.doc.rpartition("/")[0], fact.subject.text.casefold().strip(" ?.:")].append(fact)
    for key in sorted(same):
        facts = same[key]
        if len({fact.doc for fact in facts}) == len(facts) <= LIMITS.siblings_max:
            for one, other in combinations(facts, 2):
                yield Scenario("multi_context", "two_scopes", (), structure=(one, other))
