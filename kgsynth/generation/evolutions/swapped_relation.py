"""unanswerable / swapped_relation: a fact about an entity, with the predicate that another of its kind has."""

from __future__ import annotations

from collections.abc import Iterator

from kgsynth.base.records import Scenario
from kgsynth.base.vocabulary import Flag
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions.swaps import Swap, looks_like, swaps


def walk(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for each swap whose other entity has a fact of the same form with another predicate."""
    for swap in knowledge.derived(swaps):
        own = own_fact_like(knowledge, swap)
        if own is not None:
            yield own.scenario("swapped_relation")


def own_fact_like(knowledge: Knowledge, swap: Swap) -> Swap | None:
    """Return the swap with the first fact about the other entity that has the same form, or None."""
    if not swap.role.whole:
        return None
    for role in knowledge.entities.roles[swap.ident]:
        with_own = swap._replace(other=role)
        fits = role.whole and role.phrase.role == swap.role.phrase.role and role.fact.id != swap.role.fact.id
        fits = fits and not role.phrase.flags & {Flag.PLURAL, Flag.COORDINATED, Flag.POSSESSIVE, Flag.DEICTIC}
        if fits and any(looks_like(with_own, n) for n in range(len(role.fact.phrases)) if n != role.place):
            return with_own
    return None
