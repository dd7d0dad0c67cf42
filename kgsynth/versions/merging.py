"""Make one golden set of several: what two of them have is kept once, what they contradict each other on is left out.

Only items of different sets are compared; what is wrong within one set is for ``audit`` to find. Nothing is left out
without a record.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from kgsynth.base.errors import ConfigError
from kgsynth.base.records import Item
from kgsynth.base.thresholds import DEFAULT_THRESHOLDS
from kgsynth.evidence.near_duplicates import NearDuplicates
from kgsynth.evidence.question_checks import answers_agree, names_and_numbers
from kgsynth.golden.dataset import Dataset, with_unique_ids, write_lines
from kgsynth.golden.item_json import to_json
from kgsynth.golden.metadata import with_origin
from kgsynth.versions.matching import NamedSet, question_key

DROP_REASONS = {
    "duplicate": "the question and an answer of an item of an earlier set",
    "near_duplicate": "nearly the words, and an answer, of an item of an earlier set",
    "conflict": "the question of an item of another set, but another answer",
}
"""Reason for leaving an item out -> its meaning."""


class SourceItem(NamedTuple):
    """An item and the name of its set."""

    item: Item
    set: str


class DroppedItem(NamedTuple):
    """An item that was left out, the reason, and the item that it repeats or contradicts."""

    dropped: SourceItem
    reason: str
    other: SourceItem

    def to_json(self) -> dict[str, Any]:
        """Return the item as in golden.jsonl, with why it was left out."""
        why = {"reason": self.reason, "set": self.dropped.set, "other": self.other.item.id, "other_set": self.other.set}
        return to_json(self.dropped.item) | {"dropped": why}


@dataclass(frozen=True, slots=True)
class MergedSet:
    """The merged set, and what was left out of it; ``conflicts`` has the items with one question, by question.

    ``counts`` has the number of items of each set, and how many of them were kept; ``renamed`` counts the items whose
    id another item has too.
    """

    dataset: Dataset
    counts: Mapping[str, tuple[int, int]]
    dropped: tuple[DroppedItem, ...] = ()
    conflicts: tuple[tuple[SourceItem, ...], ...] = ()
    renamed: int = 0

    @property
    def reasons(self) -> Mapping[str, int]:
        """The number of items left out for each reason."""
        found = Counter(each.reason for each in self.dropped)
        return {reason: found[reason] for reason in DROP_REASONS}

    def to_json(self) -> dict[str, Any]:
        """Return what was done as one object, with every item that was left out."""
        conflicts = [[{"set": each.set, "id": each.item.id} for each in conflict] for conflict in self.conflicts]
        return {
            "items": len(self.dataset),
            "sets": [{"set": name, "items": read, "kept": kept} for name, (read, kept) in self.counts.items()],
            "left_out": dict(self.reasons),
            "renamed": self.renamed,
            "conflicts": conflicts,
            "dropped": [each.to_json() for each in self.dropped],
        }


def merge(sets: Sequence[NamedSet], *, keep_first: bool = False) -> MergedSet:
    """Return one set of all, in the order of the sets and their items.

    Items with the same question and no answer in common are left out, all of them; with ``keep_first`` that of the
    first set is kept. An item without an origin gets the name of its set as one.

    Raises:
        ConfigError: two sets have the same name.

    Example:
        >>> one, other = (Dataset([Item(name, "Who?", (name,), "simple", "", "en", ())]) for name in ("Ada", "Bea"))
        >>> made = merge([NamedSet("1", one), NamedSet("2", other)])
        >>> len(made.dataset), [each.reason for each in made.dropped]
        (0, ['conflict', 'conflict'])
    """
    counted = Counter(each.name for each in sets)
    if repeated := [name for name, count in counted.items() if count > 1]:
        raise ConfigError(f"{repeated[0]} is given twice; give each set once")
    conflicts = {key: group for key, group in _by_question(sets).items() if _conflicting(group)}
    work = _Merge()
    for each in sets:
        for item in with_origin(each.dataset):
            source, group = SourceItem(item, each.name), conflicts.get(question_key(item), [])
            if group and not (keep_first and _goes_with(group[0], source)):
                others = [other for other in group if not _goes_with(other, source)]
                others = others or [other for other in group if other.set != source.set]
                work.dropped.append(DroppedItem(source, "conflict", others[0]))
            else:
                work.add(source)
        work.close()
    kept = Counter(source.set for source in work.kept)
    dataset = with_unique_ids(source.item for source in work.kept)
    renamed = sum(new.id != source.item.id for new, source in zip(dataset, work.kept, strict=True))
    counts = {each.name: (len(each.dataset), kept[each.name]) for each in sets}
    return MergedSet(dataset, counts, tuple(work.dropped), tuple(map(tuple, conflicts.values())), renamed)


def _by_question(sets: Iterable[NamedSet]) -> dict[str, list[SourceItem]]:
    groups: dict[str, list[SourceItem]] = defaultdict(list)
    for each in sets:
        for item in each.dataset:
            groups[question_key(item)].append(SourceItem(item, each.name))
    return groups


def _conflicting(group: Sequence[SourceItem]) -> bool:
    """Check whether an item of a set has another answer than one of another set to the same question."""
    return any(not _goes_with(one, other) for number, one in enumerate(group) for other in group[:number])


def _goes_with(one: SourceItem, other: SourceItem) -> bool:
    """Check whether two items are of one set or agree on the answer; one without an answer contradicts none."""
    if one.set == other.set or answers_agree(one.item, other.item):
        return True
    answerable = one.item.answerable and other.item.answerable
    return answerable and not (one.item.golden_answers and other.item.golden_answers)


@dataclass(slots=True)
class _Merge:
    """The items kept so far; those of the set at hand are searched only when it is closed."""

    kept: list[SourceItem] = field(default_factory=list)
    dropped: list[DroppedItem] = field(default_factory=list)
    _exact: dict[str, SourceItem] = field(default_factory=dict)
    _near: NearDuplicates = field(default_factory=lambda: NearDuplicates(DEFAULT_THRESHOLDS["duplicate"]))
    _searched: int = 0

    def add(self, source: SourceItem) -> None:
        """Keep an item, or leave it out if an earlier set has it."""
        if (same := self._exact.get(question_key(source.item))) is not None:
            self.dropped.append(DroppedItem(source, "duplicate", same))
        elif (near := self._nearest(source.item)) is not None:
            self.dropped.append(DroppedItem(source, "near_duplicate", near))
        else:
            self.kept.append(source)

    def close(self) -> None:
        """Make the items of a set known to the sets after it."""
        for source in self.kept[self._searched :]:
            self._exact.setdefault(question_key(source.item), source)
            self._near.add(source.item.full_question)
        self._searched = len(self.kept)

    def _nearest(self, item: Item) -> SourceItem | None:
        found = []
        for similarity, number in self._near.alike(item.full_question):
            other = self.kept[number].item
            if names_and_numbers(other) == names_and_numbers(item) and answers_agree(other, item):
                found.append((-similarity, number))
        return self.kept[min(found)[1]] if found else None


def dropped_path(out: Path) -> Path:
    """Return the file of the items that were left out, beside the merged set.

    Example:
        >>> dropped_path(Path("merged.jsonl")).name
        'merged.dropped.jsonl'
    """
    return out.with_name(f"{out.stem}.dropped.jsonl")


def write_merged(made: MergedSet, out: Path) -> None:
    """Write the merged set to ``out``, and what was left out beside it."""
    write_lines((each.to_json() for each in made.dropped), dropped_path(out))
    made.dataset.save(out)
