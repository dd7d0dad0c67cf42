"""unanswerable / out_of_scope: a thing the corpus describes, asked about on a topic that no document covers."""

from __future__ import annotations

from collections.abc import Iterator

from kgsynth.base.records import Scenario
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import Flag
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions.swaps import kind_of


def walk(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for each named thing of a known kind, at the first fact with a phrase that is its name."""
    for ident, roles in sorted(knowledge.entities.roles.items()):
        entity = knowledge.entities[ident]
        if len(entity.mentions) < LIMITS.topic_min_mentions or not kind_of(knowledge, entity):
            continue
        for role in roles:
            single = not role.phrase.flags & {Flag.PLURAL, Flag.COORDINATED, Flag.POSSESSIVE, Flag.INDEFINITE}
            if role.whole and single:
                link = (ident, role.place, role.place)
                yield Scenario("unanswerable", "out_of_scope", (role.fact,), role.place, (link,), rivals=(role.fact,))
                break
