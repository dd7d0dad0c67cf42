"""Chinese questions and golden answers from scenarios: one writer for each subtype.

The question word stands where the answer stands in the statement, so most questions are the clause of the fact with
谁, 什么, 哪一年 or 多少 in the answer's place. A subtype without a writer is not asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from kgsynth.base.records import Scenario
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.writing.chinese import layout, prose, records
from kgsynth.generation.writing.chinese.prose import framed as framed
from kgsynth.generation.writing.chinese.prose import is_worth_asking as is_worth_asking
from kgsynth.generation.writing.draft import QuestionDraft, UnwrittenError, Why

SUBTYPE_WRITERS: dict[str, Callable[[Scenario, Knowledge], Iterator[QuestionDraft]]] = {
    "factoid": prose.factoid,
    "definition": prose.definition,
    "cause": prose.cause,
    "purpose": prose.purpose,
    "explicit": prose.explicit,
    "listing": layout.listing,
    "look_up": layout.look_up,
    "members": records.members,
    "term": layout.term,
    "topic": layout.topic,
    "page_question": layout.page_question,
    "page_condition": layout.page_question,
    "page_reason": layout.page_question,
}
"""Subtype -> the function that writes its questions."""


def write(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the questions for a scenario.

    Raises:
        UnwrittenError: its subtype is not written in Chinese, or it has no question.
    """
    writer = SUBTYPE_WRITERS.get(scenario.subtype)
    if writer is None:
        raise UnwrittenError(Why.LANGUAGE)
    yield from writer(scenario, knowledge)
