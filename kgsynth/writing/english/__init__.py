"""Scenario to question and golden answer, in English, by grammar: one small writer per subtype.

Left out: whether a question is good enough to keep. The filters decide that, and the penalty here only ranks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from kgsynth.knowledge import Knowledge
from kgsynth.language.english.lexicon import LIGHT_VERBS
from kgsynth.records import Scenario
from kgsynth.writing.english import comparing, conditional, multi_context, reasoning, simple
from kgsynth.writing.english.rewording import reworded
from kgsynth.writing.english.shared import Draft

WRITERS: dict[str, Callable[[Scenario, Knowledge], Iterator[Draft]]] = {
    "factoid": simple.factoid,
    "definition": simple.definition,
    "cause": reasoning.cause,
    "purpose": reasoning.purpose,
    "comparison": comparing.comparison,
    "arithmetic": comparing.arithmetic,
    "temporal_order": comparing.comparison,
    "aggregation": reasoning.aggregation,
    "bridge": multi_context.bridge,
    "intersection": multi_context.intersection,
    "cross_document_comparison": comparing.comparison,
    "side_by_side": multi_context.side_by_side,
    "explicit": conditional.explicit,
    "scoped": conditional.scoped_value,
}
"""Subtype of question -> the function that writes it."""


def write(scenario: Scenario, knowledge: Knowledge) -> Iterator[Draft]:
    """Yield the phrasings of a scenario that English allows, the plainest first, each in other words too."""
    writer = WRITERS[scenario.subtype]
    plain = list(writer(scenario, knowledge))
    other = reworded(scenario, knowledge) if plain else None
    again = writer(other, knowledge) if other is not None else ()
    for draft in plain:
        yield draft._replace(penalty=_penalty(scenario, knowledge, draft))
    for draft, first in zip(again, plain, strict=False):
        if draft.question != first.question and draft.answers == first.answers:
            yield draft._replace(penalty=_penalty(scenario, knowledge, draft), plain=first.question)


def _penalty(scenario: Scenario, knowledge: Knowledge, draft: Draft) -> float:
    """Return what a phrasing loses for style: a heading hung on, a verb that says little, an answer everybody knows."""
    fact = scenario.facts[-1]
    asked = fact.phrases[scenario.asked] if scenario.asked < len(fact.phrases) else None
    entity = knowledge.entity_of(fact, asked) if asked is not None else None
    loss = 0.15 * (draft.question.startswith(("For ", "When ")) and scenario.subtype not in {"scoped", "explicit"})
    loss += 0.15 * (fact.verb.lemma in LIGHT_VERBS and " what " in f" {draft.question.lower()}")
    loss += 0.3 * (entity is not None and knowledge.is_common(entity))
    loss += 0.2 * (asked is not None and asked.has("first"))
    return loss + 0.1 * (fact.kind == "outcome") + 0.1 * draft.question.lower().count(" that ")
