"""simple / page_question: what a heading asks, answered by the section below it.

"Archiving a channel" asks how you archive a channel. The section must be short enough to have one answer, and have no
sections of its own; the writer finds the sentences in it that answer. Questions for a reason are ``page_reason``, those
on a case ``page_condition``.
"""

from __future__ import annotations

from collections.abc import Iterator

from kgsynth.base.records import Document, Scenario, StructureFact
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import StructureKind
from kgsynth.documents.structure.lost_text import has_lost_text
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.language.lengths import length_in_words
from kgsynth.language.passage_words import asks_condition, asks_reason, is_set_aside, points_on


def walk(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for each heading that asks, whose section answers."""
    return scenarios(knowledge, "page_question", "simple")


def scenarios(knowledge: Knowledge, subtype: str, question_type: str) -> Iterator[Scenario]:
    """Yield the scenarios of one of the subtypes of questions that headings ask."""
    for fact in knowledge.structure:
        if fact.kind == StructureKind.ANSWERS and _subtype(fact, knowledge) == subtype and _may_answer(fact, knowledge):
            yield Scenario(question_type, subtype, (), structure=(fact,))


def _subtype(fact: StructureFact, knowledge: Knowledge) -> str:
    asked = fact.name or knowledge.statements.language_of(fact.doc).heading_question(fact.subject.text)
    question = asked or fact.subject.text
    if asks_reason(question):
        return "page_reason"
    return "page_condition" if asks_condition(question) else "page_question"


def _may_answer(fact: StructureFact, knowledge: Knowledge) -> bool:
    """Check whether the text below a heading is complete, and short enough for a part of it to be the answer."""
    words = length_in_words(fact.values[0].text)
    return LIMITS.passage_min_words <= words <= LIMITS.answered_max_words and _is_complete(fact, knowledge)


def is_answer(fact: StructureFact, knowledge: Knowledge) -> bool:
    """Check whether the text below a heading is the whole section, is complete, and has the length of an answer."""
    usual = LIMITS.passage_min_words <= length_in_words(fact.values[0].text) <= LIMITS.passage_max_words
    return usual and _is_complete(fact, knowledge)


def _is_complete(fact: StructureFact, knowledge: Knowledge) -> bool:
    """Check whether a text is the whole section and lacks nothing."""
    document, passage = knowledge.documents[fact.doc], fact.values[0]
    following = document.sections[fact.section + 1] if fact.section + 1 < len(document.sections) else None
    whole = following is None or following.level <= document.sections[fact.section].level
    return (
        whole
        and len(fact.values) == 1
        and not points_on(passage.text)
        and not any(map(is_set_aside, document.sections[fact.section].path))
        and not _announces_what_is_gone(fact, document)
        and not has_lost_text(document, passage.start, passage.end)
    )


_ANNOUNCED = frozenset({"item", "code", "cell", "quote"})


def _announces_what_is_gone(fact: StructureFact, document: Document) -> bool:
    """Check whether a block ends in a colon and nothing follows that it could announce: the code was included."""
    passage = fact.values[0]
    blocks = [block for block in document.blocks_from(passage.start, passage.end) if block.text]
    for block, after in zip(blocks, [*blocks[1:], None], strict=True):
        if block.text.rstrip("🤓✨😎🎉🚀 ").endswith((":", "：")) and (after is None or after.kind not in _ANNOUNCED):
            return True
    return False
