"""Update a golden set after its documents have changed: every span is set to where its text is now.

``fix`` updates the spans, ``settle`` audits the updated set and leaves out what is wrong in it.

An item is kept when each of its evidence groups still has a span, and its derivation can be updated and still yields
its answer. The others are left out, each with the reason. Hard negatives whose text is gone are dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from kgsynth.auditing.report import AuditReport
from kgsynth.base.errors import InputError, KgsynthError
from kgsynth.base.records import Document, Excerpt, Finding, Item, Span, fitting_id
from kgsynth.documents.structure import former_ids
from kgsynth.documents.text_index import same_span
from kgsynth.evidence.derivation import recompute, same_answer
from kgsynth.evidence.derivation_steps import DerivationError, Place, place_in
from kgsynth.golden.dataset import Dataset, with_unique_ids
from kgsynth.golden.span_tracking import SpanTracker
from kgsynth.golden.spans import excerpt, placed, supporting_spans
from kgsynth.show.wording import many


@dataclass(frozen=True, slots=True)
class FixedSet:
    """The updated set, and what was done to it.

    ``new`` has the warnings about its items that the set did not have before, and those about a name that no document
    has: it may have gone with a change. See ``settle``.

    ``moved`` counts the items whose evidence or derivation moved, ``negatives_changed`` the remaining items with a hard
    negative that moved or was dropped. ``left_out`` has the items that could not be kept, each with the reason.
    """

    dataset: Dataset
    moved: int
    negatives_changed: int
    left_out: tuple[tuple[Item, str], ...]
    new: tuple[Finding, ...] = ()

    def to_text(self) -> str:
        """Return a summary line, and one more line for each item left out."""
        unmoved = len(self.dataset) - self.moved
        summary = f"{many(self.moved, 'item')} updated, {unmoved:,} unchanged, {len(self.left_out):,} left out"
        if self.negatives_changed:
            summary += f" (in {self.negatives_changed:,} of the unchanged, hard negatives were moved or dropped)"
        lines = [summary, *(f"  {item.id} {excerpt(item.question)}: {why}" for item, why in self.left_out)]
        if self.new:
            lines.append(f"the updated set has {many(len(self.new), 'new warning')}; check these items")
        return "\n".join([*lines, *(f"  {found.code} {found.item}: {found.message}" for found in self.new)])


class ItemLostError(KgsynthError):
    """An item cannot be kept; the message says why."""


def fix(dataset: Dataset, documents: Mapping[str, Document]) -> FixedSet:
    """Return ``dataset`` with every span where its text is in ``documents`` now.

    An item keeps its id if the text of its evidence is the same. Otherwise it gets the id of its new content, and its
    metadata keep the old one as ``previous_id``.
    """
    tracker = SpanTracker(dataset, documents)
    kept, left_out = [], []
    moved = negatives_changed = 0
    for item in dataset:
        try:
            now = updated_item(item, tracker)
        except ItemLostError as error:
            left_out.append((item, str(error)))
            continue
        kept.append(now)
        unmoved = _unmoved(now.evidence, item) and now.derivation == item.derivation
        moved += not unmoved
        negatives_changed += unmoved and now is not item
    return FixedSet(with_unique_ids(kept), moved, negatives_changed, tuple(left_out))


def settle(before: AuditReport, check: Callable[[Dataset], AuditReport]) -> FixedSet:
    """Fix the set of a report, then leave out items with an error until no item has one, and note new warnings.

    ``check`` audits a set. Most checks need evidence that is in place, so an item that moved is checked by them for the
    first time here. Each round leaves out at least one item.

    Raises:
        InputError: no item is left.
    """
    made = fix(before.dataset, before.documents)
    originals = {item.id: item for item in before.dataset}
    while True:
        after = check(made.dataset)
        errors = {found.item: found for found in reversed(after.at_least("error")) if found.item}
        lost = [item for item in made.dataset if item.id in errors]
        if not lost:
            break
        out = [(item, f"{errors[item.id].code}: {errors[item.id].message}") for item in lost]
        made = replace(
            made,
            dataset=Dataset(item for item in made.dataset if item.id not in errors),
            moved=made.moved - sum(_has_moved(item, originals) for item in lost),
            left_out=(*made.left_out, *out),
        )
    if not len(made.dataset):
        first = f", first {made.left_out[0][0].id}: {made.left_out[0][1]}" if made.left_out else ""
        count = many(len(before.dataset), "item")
        raise InputError(f"--fix would keep none of {count}, so nothing was written{first}; check --docs")
    ids = {_earlier_id(item): item.id for item in made.dataset}
    known = {(found.code, ids.get(found.item)) for found in before.findings}
    new = (f for f in after.findings if f.item and (f.code == "unknown_name" or (f.code, f.item) not in known))
    return replace(made, new=tuple(new))


def _earlier_id(item: Item) -> str:
    return str(item.metadata.get("previous_id", item.id))


def _has_moved(item: Item, originals: Mapping[str, Item]) -> bool:
    old = originals.get(_earlier_id(item))
    return old is not None and not (_unmoved(item.evidence, old) and item.derivation == old.derivation)


def _unmoved(evidence: tuple[tuple[Span, ...], ...], item: Item) -> bool:
    """Check whether evidence equals that of ``item``, also in its places in the files, which ``==`` ignores."""
    return placed(evidence) == placed(item.evidence)


def updated_item(item: Item, tracker: SpanTracker) -> Item:
    """Return an item with all spans updated; the item itself when nothing moved.

    Raises:
        ItemLostError: an evidence group or the derivation is lost.
    """
    evidence = tuple(_updated_group(group, tracker) for group in item.evidence)
    negatives = _found(item.hard_negatives, tracker)
    derivation = _updated_derivation(item.derivation, item, tracker)
    if (
        _unmoved(evidence, item)
        and derivation == item.derivation
        and placed([negatives]) == placed([item.hard_negatives])
    ):
        return item
    now = replace(item, evidence=evidence, hard_negatives=negatives, derivation=derivation)
    _check_derivation(now, tracker.documents)
    new = fitting_id(now)
    if item.id == new or item.id != fitting_id(item):
        return now
    return replace(now, id=new, metadata={**item.metadata, "previous_id": item.id})


def _updated_group(group: tuple[Span, ...], tracker: SpanTracker) -> tuple[Span, ...]:
    found = _found(group, tracker)
    if group and not found:
        raise ItemLostError(tracker.status(group[0]).message)
    return found


def _found(spans: tuple[Span, ...], tracker: SpanTracker) -> tuple[Span, ...]:
    """Return where the text of spans is now, without duplicates and without those that are lost."""
    return tuple(filter(None, dict.fromkeys(tracker.status(span).span for span in spans)))


def _updated_derivation(value: Any, item: Item, tracker: SpanTracker) -> Any:
    """Return a derivation, or a part of it, with every place updated."""
    if isinstance(value, Mapping) and (place := place_in(value)):
        return _updated_place(value, place, item, tracker)
    if isinstance(value, Mapping) and isinstance(value.get("doc"), str) and isinstance(value.get("fact"), str):
        return _updated_fact(value, item, tracker)
    if isinstance(value, Mapping):
        return {key: _updated_derivation(part, item, tracker) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_updated_derivation(part, item, tracker) for part in value]
    return value


def _updated_place(value: Mapping[str, Any], place: Place, item: Item, tracker: SpanTracker) -> Mapping[str, Any]:
    """Return where a place of a derivation is now; it has no text of its own and moves with the span that contains it.

    Raises:
        ItemLostError: no span that contains the place can be found again.
    """
    doc, start, end = place
    spans = (*supporting_spans(item), *item.hard_negatives)
    containing = [span for span in spans if span.doc == doc and span.start <= start and end <= span.end]
    containing += filter(None, [tracker.covering(doc, start, end)])
    for old in containing:
        now = tracker.status(old).span
        found = now and same_span(old.text, now.text, start - old.start, end - old.start)
        if now and found:
            return {**value, "doc": now.doc, "start": now.start + found[0], "end": now.start + found[1]}
    if not containing and doc in tracker.documents and tracker.all_in_place(doc):
        return value  # its old text is unknown, but nothing in that document has moved
    raise ItemLostError(f"its derivation uses {doc} [{start}, {end}), which was not found again")


def _updated_fact(step: Mapping[str, Any], item: Item, tracker: SpanTracker) -> Mapping[str, Any]:
    """Return a step that names a fact of the layout with the id and document that the fact has now.

    Its id depends on the places of its excerpts. They move with the spans that contain them.
    """
    moves = [
        (old, now) for old in supporting_spans(item) if old.doc == step["doc"] and (now := tracker.status(old).span)
    ]
    if all((old.doc, old.start, old.text) == (now.doc, now.start, now.text) for old, now in moves):
        return step
    for doc in dict.fromkeys(now.doc for _, now in moves):
        inside = [(old, now) for old, now in moves if now.doc == doc]
        page = tracker.documents[doc]
        facts = former_ids(page, step["doc"], partial(_place_before, inside, page.text))
        if fact := facts.get(step["fact"]):
            return {**step, "doc": doc, "fact": fact.id}
    return step


def _place_before(moves: Sequence[tuple[Span, Span]], text: str, part: Excerpt) -> tuple[int, int] | None:
    """Return where an excerpt of a text was before the span that contains it moved, None if no span contains it.

    White space around an excerpt, as in the cell of a table, need not be in the span.
    """
    shown = text[part.start : part.end]
    before, after = len(shown) - len(shown.lstrip()), len(shown) - len(shown.rstrip())
    start, end = part.start + before, part.end - after
    for old, now in moves:
        if now.start <= start and end <= now.end:
            place = same_span(now.text, old.text, start - now.start, end - now.start)
            return (old.start + place[0] - before, old.start + place[1] + after) if place else None
    return None


def _check_derivation(item: Item, documents: Mapping[str, Document]) -> None:
    if not item.derivation:
        return
    try:
        answers = recompute(item.derivation, documents)
    except DerivationError as error:
        raise ItemLostError(f"the documents no longer prove it: {error}") from error
    if (answers or item.golden_answers) and not any(
        same_answer(answer, golden, item.language) for answer in answers for golden in item.golden_answers
    ):
        raise ItemLostError(f"its derivation now yields {', '.join(answers) or 'no answer'}")
