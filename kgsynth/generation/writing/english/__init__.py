"""English questions and golden answers from scenarios, by grammar: one writer for each subtype.

Left out: whether a question is good enough. The filters decide that; the penalty given here only ranks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from kgsynth.base.records import Scenario
from kgsynth.base.vocabulary import Role
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.writing.english import comparison, conditional, multi_context, reasoning, simple, unanswerable
from kgsynth.generation.writing.english.drafts import QuestionDraft, is_cut_off
from kgsynth.generation.writing.english.rephrasing import reworded
from kgsynth.generation.writing.english.style import loss

WRITERS: dict[str, Callable[[Scenario, Knowledge], Iterator[QuestionDraft]]] = {
    "factoid": simple.factoid,
    "definition": simple.definition,
    "cause": reasoning.cause,
    "purpose": reasoning.purpose,
    "comparison": comparison.comparison,
    "arithmetic": comparison.arithmetic,
    "temporal_order": comparison.comparison,
    "aggregation": reasoning.aggregation,
    "bridge": multi_context.bridge,
    "intersection": multi_context.intersection,
    "cross_document_comparison": comparison.comparison,
    "compound": multi_context.compound,
    "side_by_side": multi_context.side_by_side,
    "explicit": conditional.explicit,
    "scoped": conditional.scoped_value,
    "swapped_entity": unanswerable.swapped,
    "swapped_relation": unanswerable.swapped,
    "out_of_scope": unanswerable.out_of_scope,
}
"""Subtype of question -> the function that writes it."""


def asks_vaguely(question: str) -> bool:
    """Check whether a question opens with a question word that says nothing about what is asked for.

    Example:
        >>> asks_vaguely("What stores data?"), asks_vaguely("Which logger stores data?")
        (True, False)
    """
    return question.split()[0].lower() == "what"


def write(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the questions that English allows for a scenario, the plainest first, then the same in other words."""
    writer = WRITERS[scenario.subtype]
    plain = [draft for draft in writer(scenario, knowledge) if _is_complete(scenario, draft)]
    other = reworded(scenario, knowledge) if plain else None
    again = writer(other, knowledge) if other is not None else ()
    for draft in plain:
        yield draft._replace(penalty=loss(scenario, knowledge, draft))
    for draft, first in zip(again, plain, strict=False):
        changed = draft.question != first.question and draft.answers == first.answers
        if changed and draft.question.split()[0] == first.question.split()[0]:  # "Who founded", not "What established"
            yield draft._replace(penalty=loss(scenario, knowledge, draft), plain=first.question)


def _is_complete(scenario: Scenario, draft: QuestionDraft) -> bool:
    """Check that the answer is not cut off and no "only" is lost, without which the question would be wrong."""
    said = f"{draft.question} {' '.join(draft.answers)}".lower()
    only = any(p.role == Role.MANNER and p.text.lower() == "only" for fact in scenario.facts for p in fact.phrases)
    return not any(map(is_cut_off, draft.answers[:1])) and (not only or "only" in said)
