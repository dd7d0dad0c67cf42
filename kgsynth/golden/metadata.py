"""What the metadata of an item may gain on its way."""

from __future__ import annotations

from dataclasses import replace

from kgsynth.base.records import Item


def with_scores(item: Item, **scores: float) -> Item:
    """Return the item with more scores in its metadata, rounded to four digits.

    Example:
        >>> with_scores(Item("q-1", "Who?", ("Ada",), "simple", "", "en", ()), rank=1).metadata["scores"]
        {'rank': 1.0}
    """
    known = dict(item.metadata.get("scores", {}))
    known.update({name: round(float(value), 4) for name, value in scores.items()})
    return replace(item, metadata={**item.metadata, "scores": known})
