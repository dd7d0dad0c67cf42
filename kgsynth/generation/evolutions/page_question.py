"""simple / page_question: what a heading asks, answered by the section below it.

"Archiving a channel" asks how you archive a channel. The section must be short enough to be an answer, and have no
sections of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kgsynth.base.records import Scenario, StructureFact
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import StructureKind
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.language.words import length_in_words


def walk(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for each heading that asks, whose section answers."""
    for fact in knowledge.structure:
        if fact.kind == StructureKind.ANSWERS and is_answer(fact, knowledge):
            yield Scenario("simple", "page_question", (), structure=(fact,))


def is_answer(fact: StructureFact, knowledge: Knowledge) -> bool:
    """Check whether what stands below a heading is all of its section, and of the length of an answer."""
    sections = knowledge.documents[fact.doc].sections
    following = sections[fact.section + 1] if fact.section + 1 < len(sections) else None
    text = fact.values[0].text
    if text.endswith((":", "：")) or re.match(r"(?i)(?:see|refer to)\b", text):
        return False
    whole = following is None or following.level <= sections[fact.section].level
    return whole and LIMITS.passage_min_words <= length_in_words(fact.values[0].text) <= LIMITS.passage_max_words
