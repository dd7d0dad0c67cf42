"""A set made anew for documents that have changed: every span is put where its text stands now.

An item is kept when each group of its evidence has a span left, and when its derivation can be carried over and yields
its answer again. Others are left out, each with the reason. Hard negatives that are gone are dropped.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from kgsynth.auditing.drift import Drift, carried, grounds
from kgsynth.base.errors import KgsynthError
from kgsynth.base.records import Document, Item, Span, item_id
from kgsynth.evidence.derivation import DerivationError, recompute, same_answer
from kgsynth.golden.dataset import Dataset, distinct


@dataclass(frozen=True, slots=True)
class Fixed:
    """The set made anew: how many items moved, of how many only hard negatives did, and those left out.

    ``left_out`` are the items as they were, each with the reason.
    """

    dataset: Dataset
    moved: int
    touched: int
    left_out: tuple[tuple[Item, str], ...]

    def to_text(self) -> str:
        """Return what was done, in a line, and one more for each item left out."""
        kept = len(self.dataset) - self.moved
        lines = [f"{self.moved} items re-anchored, {kept} in their places, {len(self.left_out)} left out"]
        lines[0] += f"; of {self.touched} in their places a hard negative moved or went" if self.touched else ""
        return "\n".join([*lines, *(f"  {item.id} {item.question[:60]!r}: {why}" for item, why in self.left_out)])


class _LostError(KgsynthError):
    """An item that cannot be kept; the message says why."""


def fix(dataset: Dataset, documents: Mapping[str, Document]) -> Fixed:
    """Return ``dataset`` with every span where it stands in ``documents`` now.

    A new id is given where the old one was the hash of the content; ``previous_id`` of the metadata keeps it.
    """
    drift = Drift(dataset, documents)
    kept, left_out = [], []
    moved = touched = 0
    for item in dataset:
        try:
            now = _anchored(item, drift, documents)
        except _LostError as error:
            left_out.append((item, str(error)))
            continue
        kept.append(now)
        same = (now.evidence, now.derivation) == (item.evidence, item.derivation)
        moved += not same
        touched += same and now is not item
    return Fixed(distinct(kept), moved, touched, tuple(left_out))


def _anchored(item: Item, drift: Drift, documents: Mapping[str, Document]) -> Item:
    """Return an item whose spans stand, itself when they do already.

    Raises:
        _LostError: a group of its evidence is lost, or its derivation.
    """
    evidence = tuple(_group(group, drift) for group in item.evidence)
    negatives = dict.fromkeys(_now(span, drift) for span in item.hard_negatives)
    derivation = _carry(item.derivation, item, drift, documents)
    hard = tuple(span for span in negatives if span is not None)
    if (evidence, hard, derivation) == (item.evidence, item.hard_negatives, item.derivation):
        return item
    now = replace(item, evidence=evidence, hard_negatives=hard, derivation=derivation)
    _prove(now, documents)
    old, new = (item_id(each.question, each.golden_answers, each.evidence) for each in (item, now))
    if new == old or item.id != old:
        return now
    return replace(now, id=new, metadata={**item.metadata, "previous_id": item.id})


def _group(group: tuple[Span, ...], drift: Drift) -> tuple[Span, ...]:
    left = dict.fromkeys(_now(span, drift) for span in group)
    left.pop(None, None)
    if group and not left:
        raise _LostError(drift.fate(group[0]).told)
    return tuple(span for span in left if span is not None)


def _now(span: Span, drift: Drift) -> Span | None:
    fate = drift.fate(span)
    return fate.span if fate.code in ("stands", "moved") else None


def _carry(value: Any, item: Item, drift: Drift, documents: Mapping[str, Document]) -> Any:
    """Return a derivation, or a part of it, with every span where it stands now."""
    if isinstance(value, Mapping) and value.keys() >= {"doc", "start", "end"}:
        return _carried(value, item, drift, documents)
    if isinstance(value, Mapping):
        return {key: _carry(part, item, drift, documents) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_carry(part, item, drift, documents) for part in value]
    return value


def _carried(
    place: Mapping[str, Any], item: Item, drift: Drift, documents: Mapping[str, Document]
) -> Mapping[str, Any]:
    """Return one span of a derivation, which has no text of its own: it goes where the span goes that holds it."""
    doc, start, end = place["doc"], place["start"], place["end"]
    if not (isinstance(doc, str) and type(start) is int and type(end) is int):
        return place  # no place at all, which the audit tells
    own = (s for s in (*grounds(item), *item.hard_negatives) if s.doc == doc and s.start <= start and end <= s.end)
    holders = [*own, *filter(None, [drift.covering(doc, start, end)])]
    for holder in holders:
        now = _now(holder, drift)
        there = carried(start, end, holder, now) if now else None
        if there:
            return {**place, "doc": there.doc, "start": there.start, "end": there.end}
    if not holders and doc in documents and not drift.moved_in(doc):
        return place  # nobody knows what stood there, but nothing in that document has moved
    raise _LostError(f"its derivation rests on {doc} [{start}, {end}), which cannot be found again")


def _prove(item: Item, documents: Mapping[str, Document]) -> None:
    if not item.derivation:
        return
    try:
        answers = recompute(item.derivation, documents)
    except DerivationError as error:
        raise _LostError(f"the documents no longer prove it: {error}") from error
    if (answers or item.golden_answers) and not any(
        same_answer(answer, golden, item.language) for answer in answers for golden in item.golden_answers
    ):
        raise _LostError(f"its derivation yields {', '.join(answers) or 'no answer'} now")
