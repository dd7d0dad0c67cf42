"""What the metadata of an item may gain on its way."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Unpack, cast

from kgsynth.base.records import FilterScores, Item, content_id

ORIGIN = "origin"
"""The key of the metadata that says which set an item comes from."""


def with_scores(item: Item, **scores: Unpack[FilterScores]) -> Item:
    """Return the item with more scores in its metadata, rounded to four digits.

    Example:
        >>> with_scores(Item("q-1", "Who?", ("Ada",), "simple", "", "en", ()), rank=1).scores
        {'rank': 1.0}
    """
    rounded = {name: round(float(value), 4) for name, value in cast(dict[str, float], scores).items()}
    return replace(item, metadata={**item.metadata, "scores": {**item.scores, **rounded}})


def set_id(items: Iterable[Item]) -> str:
    """Return the name of a set: a hash of the ids of its items, which are hashes of their content; order is ignored.

    Example:
        >>> one, other = (Item(name, "Who?", ("Ada",), "simple", "", "en", ()) for name in ("q-1", "q-2"))
        >>> set_id([one, other]) == set_id([other, one]), set_id([one])
        (True, 's-8a3e90ba8a51')
    """
    return content_id("s", *sorted(item.id for item in items))


def with_origin(items: Iterable[Item], version: str = "") -> list[Item]:
    """Return the items with the name of their set, and the ``version`` of kgsynth that wrote it, in their metadata.

    An item that has an origin keeps it.

    Example:
        >>> with_origin([Item("q-1", "Who?", ("Ada",), "simple", "", "en", ())], "0.1.0")[0].metadata
        {'origin': {'set': 's-8a3e90ba8a51', 'kgsynth': '0.1.0'}}
    """
    items = list(items)
    origin = {"set": set_id(items)} | ({"kgsynth": version} if version else {})
    return [replace(item, metadata={ORIGIN: origin, **item.metadata}) for item in items]
