"""What a file made elsewhere gives as evidence, and the documents do not have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kgsynth.base.records import Document, Finding
from kgsynth.golden.dataset import Dataset

_NONE_FOUND = "give the documents the set was made from with --docs, or delete the item"
_NO_CONTEXT = "add a column of contexts; without evidence the item is scored by its answer alone"


def not_found(dataset: Dataset, documents: Mapping[str, Document]) -> Iterator[Finding]:
    """Yield the items with a context that stands in no document (an error), or without one and without a sure place."""
    for item in dataset:
        lost = [entry for entry in item.metadata.get("not_found") or () if isinstance(entry, Mapping)]
        contexts = [entry for entry in lost if "context" in entry]
        if contexts:
            first = contexts[0]
            message = f"the context {_first_words(first['context'])} is not found: {first.get('why')}"
            message += f"; nor are {len(contexts) - 1} more of its contexts" if len(contexts) > 1 else ""
            yield Finding("not_found", "error" if item.answerable else "warning", item.id, message, _NONE_FOUND)
        elif lost:
            message = f"{_first_words(item.question)}: {lost[0].get('why')}"
            yield Finding("not_found", "warning", item.id, message, _NO_CONTEXT)


def _first_words(text: object) -> str:
    shown = " ".join(str(text).split())
    return repr(shown if len(shown) <= 60 else f"{shown[:60]}…")
