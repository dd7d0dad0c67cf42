"""Which places of a set are free beside the questions that stay, and how new ones get into them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from kgsynth.base.records import Document, Item
from kgsynth.base.shares import apportion
from kgsynth.base.version import __version__
from kgsynth.evidence.citing import with_headings
from kgsynth.generation.filters.context import AcceptedQuestions, FilterContext
from kgsynth.golden.dataset import Dataset, with_unique_ids
from kgsynth.golden.metadata import with_origin


def free_places(n: int, mix: Mapping[str, float], kept: Sequence[Item]) -> dict[str, int]:
    """Return how many questions of each type a set of ``n`` wants beside those that stay.

    Each type gets what it lacks, and less in proportion if others have more than their share. The later turns of
    conversations do not count.

    Example:
        >>> old = [Item(f"q-{n}", "Who?", ("Ada",), "simple", "", "en", ()) for n in range(3)]
        >>> free_places(10, {"simple": 0.5, "reasoning": 0.5}, old)
        {'simple': 2, 'reasoning': 5}
    """
    held = Counter(item.question_type for item in kept if not item.history)
    lacking = {name: max(0, quota - held[name]) for name, quota in apportion(n, mix).items()}
    return apportion(max(0, n - sum(held.values())), lacking)


def without_repeats(valid: Sequence[Item], kept: Sequence[Item], context: FilterContext) -> list[Item]:
    """Return the valid items that ask something else than the kept ones, by the measures of the rule ``duplicate``."""
    if not kept:
        return list(valid)
    asked = AcceptedQuestions(context.vectors, context.thresholds["duplicate"])
    context.vectors.add([item.full_question for item in kept])
    for item in kept:
        asked.add(item.full_question)
    ids = {item.id for item in kept}
    limits = ((asked.most_similar, "duplicate"), (asked.nearest, "paraphrase"))

    def repeats(item: Item) -> bool:
        found = ((find(item.question), context.thresholds[rule]) for find, rule in limits)
        return item.id in ids or any(near is not None and near[0] >= limit for near, limit in found)

    return [item for item in valid if not repeats(item)]


def fill_places(places: Sequence[Item | None], new: Sequence[Item], documents: Mapping[str, Document]) -> Dataset:
    """Return a set whose free places (None) have new items, in their order; those left over follow at the end.

    The new ones get the headings of their evidence from the ``documents``, and what has no origin that of this set.

    Example:
        >>> old, other = (Item(f"q-{n}", "Who?", ("Ada",), "simple", "", "en", ()) for n in "12")
        >>> [item.id for item in fill_places([None, old], [other], {})]
        ['q-2', 'q-1']
    """
    left = [with_headings(item, documents) for item in new]
    filled = [each if each is not None or not left else left.pop(0) for each in places]
    made = with_unique_ids([*(item for item in filled if item is not None), *left])
    return Dataset(with_origin(made, __version__))
