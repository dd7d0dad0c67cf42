"""unanswerable / swapped_relation: a thing's own fact, its predicate swapped for one told of others of its kind."""

from __future__ import annotations

from collections.abc import Iterator

from kgsynth.base.records import Scenario
from kgsynth.base.vocabulary import Flag
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions.swaps import Swap, akin, swaps


def walk(knowledge: Knowledge) -> Iterator[Scenario]:
    """Yield a scenario for each swap with a thing of which something alike is told in another predicate."""
    for swap in knowledge.derived(swaps):
        own = own_alike(knowledge, swap)
        if own is not None:
            yield own.scenario("swapped_relation")


def own_alike(knowledge: Knowledge, swap: Swap) -> Swap | None:
    """Return the swap beside the thing's own fact that looks most like it, or None when it has none."""
    if not swap.role.whole:
        return None
    for role in knowledge.entities.roles[swap.ident]:
        beside = swap._replace(other=role)
        fits = role.whole and role.phrase.role == swap.role.phrase.role and role.fact.id != swap.role.fact.id
        fits = fits and not role.phrase.flags & {Flag.PLURAL, Flag.COORDINATED, Flag.POSSESSIVE, Flag.DEICTIC}
        if fits and any(akin(beside, n) for n in range(len(role.fact.phrases)) if n != role.place):
            return beside
    return None
