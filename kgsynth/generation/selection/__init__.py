"""Select the best ``n`` valid items, with quotas by question type, spread over documents and sections.

The scarcest question type is filled first. ``greedy`` chooses the items of a type.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kgsynth.base.choices import Difficulty
from kgsynth.base.config import Config
from kgsynth.base.records import Document, Item, placed_id
from kgsynth.base.shares import apportion
from kgsynth.base.thresholds import LIMITS
from kgsynth.generation.selection.greedy import Floats, GreedyPicker
from kgsynth.generation.selection.places import fill_places, free_places, without_repeats
from kgsynth.golden.subtypes import types_without_kinds

__all__ = ["Shortage", "TypeCount", "choose", "fill_places", "select"]

if TYPE_CHECKING:
    from kgsynth.generation.filters.context import FilterContext


@dataclass(frozen=True, slots=True)
class TypeCount:
    """One question type: its quota, its valid candidates, how many the set has, and how many are below ``min_keep``.

    ``kept`` of those that the set has were in it before.
    """

    question_type: str
    quota: int
    valid: int
    chosen: int
    below: int = 0
    kept: int = 0


@dataclass(frozen=True, slots=True)
class Shortage:
    """How a selection of ``n`` items met its quotas; no kind of the types that are ``turned_off`` was asked.

    ``way`` says how a language model was used if it could not both write and judge.
    """

    n: int
    types: tuple[TypeCount, ...]
    turned_off: tuple[str, ...] = ()
    min_keep: float = 0.0
    way: str = ""

    @property
    def missing(self) -> int:
        """The number of items that were wanted but not chosen."""
        return self.n - sum(count.chosen for count in self.types)

    @property
    def short(self) -> tuple[TypeCount, ...]:
        """The types that did not fill their quota."""
        return tuple(count for count in self.types if count.chosen < count.quota)

    def lines(self, funnel: Mapping[str, Mapping[str, int]] | None = None) -> list[str]:
        """Return the way, and a sentence for each short type; ``funnel`` has the rejected candidates by type and rule.

        Example:
            >>> Shortage(5, (TypeCount("simple", 5, 2, 2),)).lines({"simple": {"leaking": 7}})
            ['simple: 5 asked for, 2 chosen of 2 valid among 9 candidates (rejected: leaking 7)']
            >>> Shortage(5, (TypeCount("simple", 5, 2, 4, kept=3),)).lines()
            ['simple: 5 asked for, 3 kept, 1 chosen of 2 valid']
        """
        way = [self.way] if self.way else []
        return [*way, *(self._line(count, (funnel or {}).get(count.question_type, {})) for count in self.short)]

    def _line(self, count: TypeCount, rejected: Mapping[str, int]) -> str:
        if count.question_type in self.turned_off:
            return f"{count.question_type}: {count.quota} asked for, but kinds names no kind of this type"
        kept = f"{count.kept} kept, " if count.kept else ""
        new = f"{count.chosen - count.kept} chosen of {count.valid} valid"
        line = f"{count.question_type}: {count.quota} asked for, {kept}{new}"
        if count.below:
            line += f", {count.below} of them below --min-keep {self.min_keep:g}"
        if not rejected:
            return line
        rules = ", ".join(f"{rule} {number}" for rule, number in sorted(rejected.items(), key=lambda r: (-r[1], r[0])))
        return f"{line} among {count.valid + sum(rejected.values())} candidates (rejected: {rules})"


def choose(
    valid: Sequence[Item], context: FilterContext, config: Config, kept: Sequence[Item] = ()
) -> tuple[list[Item], Shortage]:
    """Select the questions that a run adds to those it keeps; the later turns of conversations do not count.

    A hard set also takes questions that are a little less likely to be kept, ``LIMITS.hard_keep`` below ``min_keep``.
    """
    kept = [item for item in kept if not item.history]
    valid = without_repeats(valid, kept, context)
    lower = LIMITS.hard_keep if config.difficulty == "hard" else 0.0
    items, shortage = select(
        valid,
        config.n,
        config.mix,
        vectors=context.vectors.rows([item.question for item in (*kept, *valid)]),
        documents=context.knowledge.documents,
        rng=random.Random(config.seed),
        min_keep=0.0 if config.fill else round(max(0.0, config.min_keep - lower), 2),
        kept=kept,
        difficulty=config.difficulty,
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
    min_keep: float = 0.0,
    kept: Sequence[Item] = (),
    difficulty: Difficulty = "natural",
) -> tuple[list[Item], Shortage]:
    """Select up to ``n`` of ``items``, by type in the order of the mix and the best first; return how quotas were met.

    ``kept`` are in the set already: they count in ``n``, in the quotas and in the penalties, and are not returned.
    ``vectors`` are the normalised embeddings of the questions, one row for each of ``kept`` and then of ``items``;
    without them, similar questions get no penalty. ``documents`` give the sections. If a type is short, the others fill
    its places in proportion to the mix; a type without a share is never selected. Items whose
    ``keep`` is below ``min_keep`` are not selected. Ties go to the lower ``placed_id``, or ``rng`` breaks them. No
    two selected items ask the same fact for the same span.
    """
    shares = {each: share for each, share in mix.items() if share > 0}
    order = sorted(range(len(items)), key=lambda place: placed_id(items[place]))
    if rng is not None:
        rng.shuffle(order)
    order = [place for place in order if items[place].question_type in shares]
    valid = Counter(items[place].question_type for place in order)
    order = [place for place in order if items[place].scores.get("keep", 1.0) >= min_keep]
    rows = [*range(len(kept)), *(place + len(kept) for place in order)]
    pool, own = [*kept, *(items[place] for place in order)], None if vectors is None else vectors[rows]
    picker = GreedyPicker(pool, own, documents or {}, difficulty)
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
        wanted = apportion(missing, left) if left else {}
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
