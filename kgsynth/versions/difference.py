"""What changed from one version of a golden set to another, item by item."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kgsynth.base.records import Item
from kgsynth.golden.item_json import to_json
from kgsynth.golden.metadata import ORIGIN
from kgsynth.golden.spans import evidence_spans, location, placed
from kgsynth.show.wording import with_history
from kgsynth.versions.matching import ItemPair, NamedSet, evidence_key, match

CHANGE_KINDS = {
    "added": "only the new set has it",
    "gone": "only the old set has it",
    "answer changed": "other golden answers",
    "reworded": "another question",
    "evidence changed": "other evidence texts",
    "re-anchored": "the same evidence texts at other offsets or in another document",
    "metadata only": "other types, scores, hard negatives or metadata",
    "unchanged": "the same, apart from its origin",
}
"""Kind of change -> its meaning; an item with several changes is counted by the first of them."""

_KIND_OF_PART = {
    "answers": "answer changed",
    "question": "reworded",
    "evidence": "evidence changed",
    "places": "re-anchored",
    "metadata": "metadata only",
}


@dataclass(frozen=True, slots=True)
class ItemChange:
    """One item: its kind of change, all ``parts`` that changed, and by what the two versions were paired."""

    kind: str
    old: Item | None
    new: Item | None
    parts: tuple[str, ...] = ()
    matched_by: str = ""

    @property
    def item(self) -> Item:
        """The item as it is now, or as it was before it was gone."""
        found = self.new or self.old
        assert found is not None
        return found

    def to_json(self) -> dict[str, Any]:
        """Return the change as an object."""
        old, new = (to_json(item) if item else None for item in (self.old, self.new))
        return {"kind": self.kind, "parts": list(self.parts), "matched_by": self.matched_by, "old": old, "new": new}


@dataclass(frozen=True, slots=True)
class SetDifference:
    """The changes from the set ``old`` to the set ``new``, in the order of ``CHANGE_KINDS``, then of the sets."""

    old: str
    new: str
    changes: tuple[ItemChange, ...]

    @property
    def counts(self) -> Mapping[str, int]:
        """The number of items of each kind of change."""
        found = Counter(change.kind for change in self.changes)
        return {kind: found[kind] for kind in CHANGE_KINDS}

    @property
    def changed(self) -> Sequence[ItemChange]:
        """The items that are not the same in both sets."""
        return [change for change in self.changes if change.kind != "unchanged"]

    def to_json(self) -> dict[str, Any]:
        """Return the difference as one object; unchanged items are only counted."""
        changed = [change.to_json() for change in self.changed]
        return {"old": self.old, "new": self.new, "counts": self.counts, "changes": changed}


def diff(old: NamedSet, new: NamedSet) -> SetDifference:
    """Return what changed from one set to another.

    Example:
        >>> from kgsynth.golden.dataset import Dataset
        >>> sets = [Dataset([Item("q", "Who leads it?", (name,), "simple", "", "en", ())]) for name in ("Ada", "Bea")]
        >>> [change.kind for change in diff(NamedSet("1", sets[0]), NamedSet("2", sets[1])).changes]
        ['answer changed']
    """
    found = match([*old.dataset], [*new.dataset])
    changes = [
        *(ItemChange("added", None, item) for item in found.added),
        *(ItemChange("gone", item, None) for item in found.gone),
        *map(_change, found.pairs),
    ]
    order = list(CHANGE_KINDS)
    return SetDifference(old.name, new.name, tuple(sorted(changes, key=lambda change: order.index(change.kind))))


def _change(pair: ItemPair) -> ItemChange:
    parts = tuple(_changed_parts(pair.old, pair.new))
    kind = _KIND_OF_PART[parts[0]] if parts else "unchanged"
    return ItemChange(kind, pair.old, pair.new, parts, pair.matched_by)


def _changed_parts(old: Item, new: Item) -> Iterator[str]:
    """Yield the parts of an item that changed, in the order of ``_KIND_OF_PART``."""
    if _answers(old) != _answers(new):
        yield "answers"
    if _question(old) != _question(new):
        yield "question"
    moved = placed(old.evidence) != placed(new.evidence)
    if moved:
        yield "places" if evidence_key(old) == evidence_key(new) else "evidence"
    if _rest(old) != _rest(new) or (old.derivation != new.derivation and not moved):
        yield "metadata"


def _answers(item: Item) -> tuple[object, ...]:
    return item.golden_answers, item.answerable, item.answer_kind, item.claims


def _question(item: Item) -> tuple[object, ...]:
    return item.question, item.standalone, item.history


def _rest(item: Item) -> dict[str, Any]:
    """Return what is left of an item, without its origin, which always differs, and its derivation."""
    known = to_json(item)
    for key in ("id", "question", "golden_answers", "answerable", "answer_kind", "claims", "history", "standalone"):
        known.pop(key, None)
    for key in ("evidence", "derivation"):
        known.pop(key)
    known["metadata"] = {key: value for key, value in known["metadata"].items() if key != ORIGIN}
    return known


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
