"""The difference of two sets, and what a merge did, as text for a terminal. Nothing is printed here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, takewhile

from kgsynth.show.tables import aligned
from kgsynth.show.wording import cut, many
from kgsynth.versions.changed_texts import answers, side_by_side
from kgsynth.versions.difference import CHANGE_KINDS, ItemChange, SetDifference
from kgsynth.versions.merging import DROP_REASONS, MergedSet

_VERSION_WIDTH = 56  # characters of a text in the column of a version
_SHOWN = 20  # items of each kind


def terminal(found: SetDifference) -> str:
    """Return the number of items of each kind of change, then the changed items, old and new side by side."""
    rows = [[kind, f"{number:,}", CHANGE_KINDS[kind]] for kind, number in found.counts.items()]
    parts = [sentence(found), aligned(["change", "items", ""], rows)]
    for kind, group in groupby(found.changed, key=lambda change: change.kind):
        changes = list(group)
        parts.append("\n".join([f"{kind}: {len(changes):,}", *_shown(changes)]))
    return "\n\n".join(parts)


def sentence(found: SetDifference) -> str:
    """Return how many items changed, in one sentence."""
    counts = found.counts
    kept = sum(counts.values()) - counts["added"] - counts["gone"]
    changed = kept - counts["unchanged"]
    return (
        f"{many(counts['added'], 'item')} added, {counts['gone']:,} gone, {changed:,} changed and "
        f"{counts['unchanged']:,} unchanged from {found.old} to {found.new}"
    )


def _shown(changes: Sequence[ItemChange]) -> Iterator[str]:
    for change in changes[:_SHOWN]:
        ids = dict.fromkeys(each.id for each in (change.old, change.new) if each)
        yield f"  {' → '.join(ids)}  {cut(change.item.question, 2 * _VERSION_WIDTH)}"
        if change.old is None or change.new is None:
            yield f"    {cut(answers(change.item), 2 * _VERSION_WIDTH)}"
        else:
            rows = [[f"    {name}", *_around_change(old, new)] for name, old, new in side_by_side(change) if old != new]
            yield aligned(["", "old", "new"], rows)
    if len(changes) > _SHOWN:
        yield f"  and {len(changes) - _SHOWN:,} more, which --json and the page list"


def _around_change(old: str, new: str) -> tuple[str, str]:
    """Return both texts on one line each, shortened so that their first difference is in what is left.

    Example:
        >>> _around_change("a " * 60 + "b", "a " * 60 + "c")
        ('…a a a a a a a a a b', '…a a a a a a a a a c')
    """
    old, new = (" ".join(text.split()) for text in (old, new))
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False)))
    start = same - _VERSION_WIDTH // 3 if max(len(old), len(new)) > _VERSION_WIDTH and same > _VERSION_WIDTH // 2 else 0
    return cut("…" * (start > 0) + old[start:], _VERSION_WIDTH), cut("…" * (start > 0) + new[start:], _VERSION_WIDTH)


def merge_text(made: MergedSet) -> str:
    """Return how many items each set gave, how many were left out and why, and every conflict."""
    rows = [[name, f"{read:,}", f"{kept:,}"] for name, (read, kept) in made.counts.items()]
    parts = [aligned(["set", "items", "kept"], rows)]
    reasons = [[reason, f"{number:,}", DROP_REASONS[reason]] for reason, number in made.reasons.items() if number]
    if reasons:
        parts.append(aligned(["left out", "items", ""], reasons))
    for conflict in made.conflicts[:_SHOWN]:
        lines = [f"conflict: {cut(conflict[0].item.question, 2 * _VERSION_WIDTH)}"]
        lines += [f"  {each.set}: {each.item.id}  {cut(answers(each.item), _VERSION_WIDTH)}" for each in conflict]
        parts.append("\n".join(lines))
    if len(made.conflicts) > _SHOWN:
        parts.append(f"and {len(made.conflicts) - _SHOWN:,} more conflicts")
    if made.renamed:
        parts.append(f"{many(made.renamed, 'item')} got another id, since another item has theirs")
    return "\n\n".join(parts)
