"""The old and the new text of each part of an item that changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from kgsynth.base.records import Item
from kgsynth.golden.metadata import ORIGIN
from kgsynth.golden.spans import evidence_spans, location
from kgsynth.show.wording import with_history
from kgsynth.versions.difference import ItemChange

_FIELDS = ("question_type", "subtype", "difficulty", "language", "hard_negatives")


def side_by_side(change: ItemChange) -> list[tuple[str, str, str]]:
    """Return the question of a changed item and the parts that changed, each as its name, old and new text."""
    assert change.old is not None and change.new is not None
    texts: dict[str, Callable[[Item], str]] = {
        "question": lambda item: with_history(item.question, item.history),
        "answers": answers,
        "evidence": lambda item: "\n".join(span.text for span in evidence_spans(item)),
        "places": lambda item: "\n".join(map(location, evidence_spans(item))),
    }
    names = [name for name in texts if name == "question" or name in change.parts]
    found = [(name, texts[name](change.old), texts[name](change.new)) for name in names]
    return [*found, *_metadata(change)] if "metadata" in change.parts else found


def answers(item: Item) -> str:
    """Return the golden answers of an item as one text.

    Example:
        >>> answers(Item("q", "Who?", ("Ada", "Ada Low"), "simple", "", "en", ()))
        'Ada | Ada Low'
    """
    if not item.answerable:
        return "no answer in the documents"
    return " | ".join(item.golden_answers) or "no golden answer"


def _metadata(change: ItemChange) -> list[tuple[str, str, str]]:
    """Return what changed in the fields and metadata of an item."""
    assert change.old is not None and change.new is not None
    old, new = dict(_values(change.old)), dict(_values(change.new))
    if not {"evidence", "places"} & set(change.parts):  # otherwise its derivation moved with its evidence
        old["derivation"], new["derivation"] = str(change.old.derivation), str(change.new.derivation)
    names = [*old, *(name for name in new if name not in old)]
    return [(name, old.get(name, "–"), new.get(name, "–")) for name in names if old.get(name) != new.get(name)]


def _values(item: Item) -> Iterator[tuple[str, str]]:
    """Yield name and text of each field and each value of the metadata that is not empty."""
    for name in _FIELDS:
        value = getattr(item, name)
        yield name, "; ".join(map(location, value)) if isinstance(value, tuple) else str(value)
    for name, value in item.metadata.items():
        if isinstance(value, Mapping) and name != ORIGIN:
            yield from ((f"{name}.{key}", str(each)) for key, each in value.items())
        elif value not in (None, "", []) and name != ORIGIN:
            yield name, str(value)
