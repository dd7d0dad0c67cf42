"""The difference of two sets, and what a merge did, as text and as a page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import chain, groupby, pairwise, takewhile

from kgsynth.golden.spans import evidence_spans
from kgsynth.language.words import CJK
from kgsynth.show.evidence_view import Piece
from kgsynth.show.pages import Report, render
from kgsynth.show.questions import MAX_QUESTIONS_LISTED, ListedQuestion, filters
from kgsynth.show.tables import aligned
from kgsynth.show.wording import cut, many
from kgsynth.versions.difference import CHANGE_KINDS, ItemChange, SetDifference, answers, side_by_side
from kgsynth.versions.merging import DROP_REASONS, MergedSet

_WORD_OR_MARK = re.compile(rf"\s+|[{CJK}]|[^\W{CJK}]+|[^\w\s]")
_MAX_COMPARED = 4000
"""Longer texts are marked as a whole: the time to compare two texts grows with the square of their length."""


def word_changes(old: str, new: str) -> tuple[list[Piece], list[Piece]]:
    """Return both texts in pieces; those that the other text does not have are marked "changed".

    Example:
        >>> old, new = word_changes("Who leads the depot?", "Who runs the depot?")
        >>> [(piece.text, piece.mark) for piece in new]
        [('Who ', ''), ('runs', 'changed'), (' the depot?', '')]
    """
    before, after = _WORD_OR_MARK.findall(old), _WORD_OR_MARK.findall(new)
    if old == new or len(before) + len(after) > _MAX_COMPARED:
        mark = "" if old == new else "changed"
        return [Piece(old, mark)], [Piece(new, mark)]
    blocks = SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks()
    return _pieces(before, [(a, a + n) for a, _, n in blocks]), _pieces(after, [(b, b + n) for _, b, n in blocks])


def _pieces(tokens: list[str], same: list[tuple[int, int]]) -> list[Piece]:
    """Return tokens as pieces; those outside the ranges that are the ``same`` in both texts are marked."""
    cuts = [0, *chain.from_iterable(same), len(tokens)]
    texts = ("".join(tokens[a:b]) for a, b in pairwise(cuts))
    return [Piece(text, "" if number % 2 else "changed") for number, text in enumerate(texts) if text]


# The difference of two sets, and what a merge did, as text for a terminal. Nothing is printed here.

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


# The HTML report of ``diff``: the number of items of each kind of change, and each changed item old beside new.

_CHANGE_FILTERS = {"change": "Change", "type": "Type"}


def page(found: SetDifference, notes: Sequence[str] = ()) -> Report:
    """Return the report of a difference; it has no plots."""
    rows = [_row(change) for change in found.changed[:MAX_QUESTIONS_LISTED]]
    html = render(
        "versions/page.html",
        kind="Difference",
        title=sentence(found),
        lead=f"Every changed item of {found.new} beside what it was in {found.old}.",
        pictures=(),
        counts=found.counts,
        kinds=CHANGE_KINDS,
        notes=notes,
        rows=rows,
        total=len(found.changed),
        choices=filters(rows, _CHANGE_FILTERS),
    )
    return Report(html, ())


def _row(change: ItemChange) -> ListedQuestion:
    item = change.item
    both = change.old is not None and change.new is not None
    parts = [(name, *word_changes(old, new)) for name, old, new in side_by_side(change)] if both else []
    ids = dict.fromkeys(each.id for each in (change.old, change.new) if each)
    return ListedQuestion(
        item.id,
        item.question,
        answers(item),
        (change.kind, *(f"paired by {change.matched_by}" for _ in parts[:1] if change.matched_by != "id")),
        {"change": [change.kind], "type": [item.question_type]},
        more={"parts": parts, "evidence": [*evidence_spans(item)], "ids": " → ".join(ids)},
    )
