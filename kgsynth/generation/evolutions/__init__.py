"""Evolutions: traversals of the graph that yield scenarios, each what one question could be about.

A traversal reads records and indexes only, never raw text, so it works for
every language that has facts.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import islice, zip_longest

from kgsynth.base.records import Scenario
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions import layout, prose, records, unanswerable
from kgsynth.golden.subtypes import SUBTYPES, chosen_kinds
from kgsynth.language import LANGUAGES

EVOLUTIONS: dict[str, Callable[[Knowledge], Iterator[Scenario]]] = {
    "factoid": prose.walk_factoid,
    "page_question": layout.walk_page_question,
    "topic": layout.walk_topic,
    "listing": layout.walk_listing,
    "look_up": layout.walk_look_up,
    "figure": records.walk_figure,
    "term": layout.walk_term,
    "definition": prose.walk_definition,
    "use": prose.walk_use,
    "page_reason": layout.walk_page_reason,
    "cause": prose.walk_cause,
    "purpose": prose.walk_purpose,
    "change": records.walk_change,
    "members": records.walk_members,
    "page_condition": layout.walk_page_condition,
    "explicit": prose.walk_explicit,
    "scoped": prose.walk_scoped,
    "swapped_entity": unanswerable.walk_swapped_entity,
    "swapped_relation": unanswerable.walk_swapped_relation,
    "out_of_scope": unanswerable.walk_out_of_scope,
}
"""Subtype of question -> the traversal that finds its scenarios, in the order of ``SUBTYPES``."""


def evolve(
    knowledge: Knowledge,
    *,
    types: Collection[str],
    limit: int,
    rng: random.Random,
    kinds: Sequence[str] = ("all",),
    on_topic: Callable[[Scenario], bool] = lambda _: True,
) -> Iterator[Scenario]:
    """Yield the scenarios of the wanted types and subtypes that are ``on_topic``, at most ``limit`` for each subtype.

    They are spread evenly over the documents. Documents in a language without a package have none.
    """
    wanted, knowledge = chosen_kinds(kinds), knowledge.in_languages(LANGUAGES)
    for name, walk in EVOLUTIONS.items():
        if name in wanted and not set(types).isdisjoint(SUBTYPES[name].question_types):
            found = (scenario for scenario in walk(knowledge) if scenario.question_type in types)
            yield from draw(list(filter(on_topic, found)), limit, rng)


def draw(scenarios: Sequence[Scenario], limit: int, rng: random.Random) -> list[Scenario]:
    """Return at most ``limit`` of the scenarios: a random one from each document in turn."""
    if len(scenarios) <= limit:
        return list(scenarios)
    by_doc: dict[str, list[Scenario]] = defaultdict(list)
    for scenario in scenarios:
        by_doc[scenario.doc].append(scenario)
    for doc in sorted(by_doc):
        rng.shuffle(by_doc[doc])
    turns = zip_longest(*(by_doc[doc] for doc in sorted(by_doc)))
    return list(islice((scenario for turn in turns for scenario in turn if scenario is not None), limit))
