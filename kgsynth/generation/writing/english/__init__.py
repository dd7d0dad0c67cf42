"""English questions and golden answers from scenarios, by grammar: one writer for each subtype."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from kgsynth.base.records import Scenario
from kgsynth.base.vocabulary import Role
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.writing.draft import QuestionDraft, UnwrittenError, Why
from kgsynth.generation.writing.english import layout, page_questions, prose, records, tables, unanswerable
from kgsynth.generation.writing.english.drafts import is_cut_off
from kgsynth.generation.writing.english.scope import framed as framed
from kgsynth.generation.writing.english.worth import is_worth_asking as is_worth_asking

SUBTYPE_WRITERS: dict[str, Callable[[Scenario, Knowledge], Iterator[QuestionDraft]]] = {
    "factoid": prose.factoid,
    "definition": prose.definition,
    "use": prose.use,
    "page_question": page_questions.page_question,
    "page_condition": page_questions.page_question,
    "page_reason": page_questions.page_question,
    "topic": page_questions.topic,
    "listing": layout.listing,
    "look_up": tables.look_up,
    "figure": records.figure,
    "term": layout.term,
    "cause": prose.cause,
    "purpose": prose.purpose,
    "change": records.changed,
    "members": records.members,
    "explicit": prose.explicit,
    "scoped": prose.scoped_value,
    "swapped_entity": unanswerable.swapped,
    "swapped_relation": unanswerable.swapped,
    "out_of_scope": unanswerable.out_of_scope,
}
"""Subtype -> the function that writes its questions."""


def write(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the questions for a scenario in the words of its facts."""
    writer = SUBTYPE_WRITERS[scenario.subtype]
    if scenario.structure:
        yield from writer(scenario, knowledge)
        return
    written = list(writer(scenario, knowledge))
    complete = [draft for draft in written if _is_complete(scenario, draft)]
    if written and not complete:
        raise UnwrittenError(Why.ANSWER)
    yield from complete


def _is_complete(scenario: Scenario, draft: QuestionDraft) -> bool:
    """Check that the answer is not cut off, and that an "only" of the facts is in the question or its answer."""
    written = f"{draft.question} {' '.join(draft.answers)}".lower()
    only = any(p.role == Role.MANNER and p.text.lower() == "only" for fact in scenario.facts for p in fact.phrases)
    return not any(map(is_cut_off, draft.answers[:1])) and (not only or "only" in written)
