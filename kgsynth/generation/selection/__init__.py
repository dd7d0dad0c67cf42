"""Selection: the best set of ``n`` valid items, by quotas over the mix, spread over documents and sections.

The scarcest question type is filled first, each by the greedy choice of ``greedy``; ``shortage`` says which types
were short.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kgsynth.base.config import Config
from kgsynth.base.quotas import apportion
from kgsynth.base.records import Document, Item
from kgsynth.generation.selection.greedy import Floats, GreedyPicker
from kgsynth.generation.selection.shortage import Shortage, TypeCount

if TYPE_CHECKING:
    from kgsynth.generation.filters.context import FilterContext

__all__ = ["Shortage", "TypeCount", "choose", "select"]


def choose(valid: Sequence[Item], context: FilterContext, config: Config) -> tuple[list[Item], Shortage]:
    """Choose the set of a run from its valid items."""
    return select(
        valid,
        config.n,
        config.mix,
        vectors=context.vectors.rows([item.question for item in valid]),
        documents=context.knowledge.documents,
        rng=random.Random(config.seed),
    )


def select(
    items: Sequence[Item],
    n: int,
    mix: Mapping[str, float],
    *,
    vectors: Floats | NDArray[np.float32] | None = None,
    documents: Mapping[str, Document] | None = None,
    rng: random.Random | None = None,
    fill: bool = True,
) -> tuple[list[Item], Shortage]:
    """Choose ``n`` of ``items``, ordered by the mix and within a type the best first; return how quotas were met.

    ``vectors`` are the questions' normalised embeddings, one row an item; without them the questions are not set
    apart by meaning. ``documents`` give the sections. When a type is short, the others fill its places in proportion
    to the mix, unless ``fill`` is False; a type without a share is never chosen. Ties go to the lesser id, or at
    random with ``rng``. No two chosen items ask the same fact for the same span.
    """
    shares = {kind: share for kind, share in mix.items() if share > 0}
    places = [place for place in _order(items, rng) if items[place].question_type in shares]
    picker = GreedyPicker(
        [items[place] for place in places], None if vectors is None else vectors[places], documents or {}
    )
    members = {kind: picker.of_type(kind) for kind in shares}
    quotas = apportion(n, shares)
    chosen: dict[str, list[int]] = {kind: [] for kind in shares}
    wanted = dict(quotas)
    while any(wanted.values()):
        scarce = sorted(wanted, key=lambda kind: (len(members[kind]) / max(wanted[kind], 1), kind))
        for kind in scarce:
            chosen[kind] += picker.pick(members[kind], wanted[kind])
        missing = n - sum(map(len, chosen.values()))
        left = {kind: share for kind, share in shares.items() if picker.open(members[kind])}
        wanted = apportion(missing, left) if fill and left else {}
    counts = tuple(TypeCount(kind, quotas[kind], len(members[kind]), len(chosen[kind])) for kind in shares)
    return [picker.items[place] for place in chain.from_iterable(chosen.values())], Shortage(n, counts)


def _order(items: Sequence[Item], rng: random.Random | None) -> list[int]:
    """Return the places of the items by id, or shuffled: the first of equals is chosen."""
    order = sorted(range(len(items)), key=lambda place: items[place].id)
    if rng is not None:
        rng.shuffle(order)
    return order
