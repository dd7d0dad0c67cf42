"""Select the best ``n`` valid items, with quotas by question type, spread over documents and sections.

The scarcest question type is filled first. ``greedy`` chooses the items of a type; ``shortage`` reports unmet quotas.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kgsynth.base.config import Config
from kgsynth.base.quotas import apportion
from kgsynth.base.records import Document, Item, placed_id
from kgsynth.generation.renewal.places import free_places, without_repeats
from kgsynth.generation.selection.greedy import Floats, GreedyPicker
from kgsynth.generation.selection.shortage import Shortage, TypeCount
from kgsynth.golden.subtypes import types_without_kinds

if TYPE_CHECKING:
    from kgsynth.generation.filters.context import FilterContext

__all__ = ["Shortage", "TypeCount", "choose", "select"]


def choose(
    valid: Sequence[Item], context: FilterContext, config: Config, kept: Sequence[Item] = ()
) -> tuple[list[Item], Shortage]:
    """Select the questions that a run adds to those it keeps; the later turns of conversations do not count."""
    kept = [item for item in kept if not item.history]
    valid = without_repeats(valid, kept, context)
    items, shortage = select(
        valid,
        config.n,
        config.mix,
        vectors=context.vectors.rows([item.question for item in (*kept, *valid)]),
        documents=context.knowledge.documents,
        rng=random.Random(config.seed),
        min_keep=0.0 if config.fill else config.min_keep,
        kept=kept,
    )
    return items, replace(shortage, turned_off=tuple(types_without_kinds(config.mix, config.kinds)))


def select(
    items: Sequence[Item],
    n: int,
    mix: Mapping[str, float],
    *,
    vectors: Floats | NDArray[np.float32] | None = None,
    documents: Mapping[str, Document] | None = None,
    rng: random.Random | None = None,
    fill: bool = True,
    min_keep: float = 0.0,
    kept: Sequence[Item] = (),
) -> tuple[list[Item], Shortage]:
    """Select up to ``n`` of ``items``, by type in the order of the mix and the best first; return how quotas were met.

    ``kept`` are in the set already: they count in ``n``, in the quotas and in the penalties, and are not returned.
    ``vectors`` are the normalised embeddings of the questions, one row for each of ``kept`` and then of ``items``;
    without them, similar questions get no penalty. ``documents`` give the sections. If a type is short, the others fill
    its places in proportion to the mix, unless ``fill`` is False; a type without a share is never selected. Items whose
    ``keep`` is below ``min_keep`` are not selected. Ties go to the lower ``placed_id``, or ``rng`` breaks them. No
    two selected items ask the same fact for the same span.
    """
    shares = {each: share for each, share in mix.items() if share > 0}
    order = sorted(range(len(items)), key=lambda place: placed_id(items[place]))
    if rng is not None:
        rng.shuffle(order)
    order = [place for place in order if items[place].question_type in shares]
    valid = Counter(items[place].question_type for place in order)
    order = [place for place in order if items[place].metadata["scores"].get("keep", 1.0) >= min_keep]
    rows = [*range(len(kept)), *(place + len(kept) for place in order)]
    picker = GreedyPicker(
        [*kept, *(items[place] for place in order)], None if vectors is None else vectors[rows], documents or {}
    )
    picker.hold(range(len(kept)))
    members = {each: picker.members_of(each, beyond=len(kept)) for each in shares}
    quotas = apportion(n, shares)
    chosen: dict[str, list[int]] = {each: [] for each in shares}
    held = Counter(item.question_type for item in kept)
    wanted = free_places(n, shares, kept)
    while any(wanted.values()):
        scarce = sorted(wanted, key=lambda each: (len(members[each]) / max(wanted[each], 1), each))
        for each in scarce:
            chosen[each] += picker.pick(members[each], wanted[each])
        missing = max(0, n - len(kept) - sum(map(len, chosen.values())))
        left = {each: share for each, share in shares.items() if picker.has_free(members[each])}
        wanted = apportion(missing, left) if fill and left else {}
    counts = tuple(
        TypeCount(
            each,
            quotas.get(each, 0),
            valid[each],
            len(chosen.get(each, ())) + held[each],
            valid[each] - len(members.get(each, ())),
            held[each],
        )
        for each in dict.fromkeys((*shares, *sorted(held)))
    )
    return [picker.items[place] for place in chain.from_iterable(chosen.values())], Shortage(
        n, counts, min_keep=min_keep
    )
