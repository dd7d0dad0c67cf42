"""simple / page_question: what a heading asks, answered by the section below it.

"Archiving a channel" asks how you archive a channel. The section must be short enough to be an answer, and have no
sections of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kgsynth.base.records import Document, Scenario, StructureFact
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
    """Check whether what stands below a heading is all of its section, complete, and of the length of an answer."""
    document, passage = knowledge.documents[fact.doc], fact.values[0]
    following = document.sections[fact.section + 1] if fact.section + 1 < len(document.sections) else None
    whole = following is None or following.level <= document.sections[fact.section].level
    usual = LIMITS.passage_min_words <= length_in_words(passage.text) <= LIMITS.passage_max_words
    return whole and usual and not _POINTS_ELSEWHERE.match(passage.text) and not _announces_what_is_gone(fact, document)


_POINTS_ELSEWHERE = re.compile(r"(?i)(?:see|refer to|for more|read)\b")
_ANNOUNCED = frozenset({"item", "code", "cell", "quote"})


def _announces_what_is_gone(fact: StructureFact, document: Document) -> bool:
    """Check whether a block ends in a colon and nothing follows that it could announce: the code was included."""
    passage = fact.values[0]
    blocks = [block for block in document.blocks if passage.start <= block.start < passage.end and block.text]
    for block, after in zip(blocks, [*blocks[1:], None], strict=True):
        if block.text.endswith((":", "：")) and (after is None or after.kind not in _ANNOUNCED):
            return True
    return False
