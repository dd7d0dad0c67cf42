"""The HTML report of ``diff``: the number of items of each kind of change, and each changed item old beside new."""

from __future__ import annotations

from collections.abc import Sequence

from kgsynth.base.version import __version__
from kgsynth.golden.spans import evidence_spans
from kgsynth.show.pages import render
from kgsynth.show.question_list import MAX_QUESTIONS_LISTED, ListedQuestion, filters
from kgsynth.show.report import Report
from kgsynth.show.word_changes import word_changes
from kgsynth.versions.changed_texts import answers, side_by_side
from kgsynth.versions.difference import CHANGE_KINDS, ItemChange, SetDifference
from kgsynth.versions.text import sentence

_CHANGE_FILTERS = {"change": "Change", "type": "Type"}


def page(found: SetDifference, notes: Sequence[str] = ()) -> Report:
    """Return the report of a difference; it has no plots."""
    rows = [_row(change) for change in found.changed[:MAX_QUESTIONS_LISTED]]
    html = render(
        "versions/page.html",
        kind="Difference",
        title=sentence(found),
        lead=f"Every changed item of {found.new} beside what it was in {found.old}.",
        version=__version__,
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
