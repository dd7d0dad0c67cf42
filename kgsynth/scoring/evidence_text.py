"""Find which part of a piece of evidence is in the text of a passage, without the documents.

Both are compared by their letters and digits. A part counts if it is a run that is not there by chance; evidence of a
few letters counts only as a whole, between the edges of words.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from kgsynth.base.records import Span
from kgsynth.documents.text_index import (
    MIN_DISTINCTIVE_LENGTH,
    Place,
    cuts_word,
    letter_count,
    letters_with_origins,
)

_KEPT = 500  # texts whose letters are kept: those of the passages and evidence of the last questions


class _Run(NamedTuple):
    """Letters ``start`` to ``end`` of the evidence are letters ``at`` and following of the passage."""

    start: int
    end: int
    at: int


def held_places(text: str, span: Span) -> list[Place]:
    """Return the places of a span's document that the text of a passage repeats, [] if the text has too little of it.

    What lies between two runs that follow each other in the passage, such as the target of a link, counts too.

    Example:
        >>> span = Span("a.md", 100, 128, "Ada **Low** leads the kilns.")
        >>> held_places("Since May Ada Low leads the kilns of Leeds.", span), held_places("Ada Low is old.", span)
        ([Place(doc='a.md', start=100, end=127)], [])
    """
    wanted, origins = _letters(span.text)
    found, places = _letters(text)
    if not wanted or not found:
        return []
    size = -(-MIN_DISTINCTIVE_LENGTH * len(wanted) // letter_count(span.text))  # half as many if they are Chinese
    if len(wanted) < 2 * size:
        whole = _is_whole(text, found, places, wanted, distinctive=len(wanted) >= size)
        return [Place(span.doc, span.start + origins[0], span.start + origins[-1] + 1)] if whole else []
    runs = _joined(list(_runs(wanted, found, size)), size)
    if sum(run.end - run.start for run in runs) < 2 * size:
        return []
    return [Place(span.doc, span.start + origins[run.start], span.start + origins[run.end - 1] + 1) for run in runs]


@lru_cache(maxsize=_KEPT)
def _letters(text: str) -> tuple[str, list[int]]:
    return letters_with_origins(text)


def _is_whole(text: str, found: str, places: list[int], wanted: str, *, distinctive: bool) -> bool:
    """Check whether a text has all letters of short evidence in a row; few letters must not begin or end in a word."""
    at = found.find(wanted)
    while at >= 0:
        start, end = places[at], places[at + len(wanted) - 1] + 1
        if distinctive or not (cuts_word(text, start) or cuts_word(text, end)):
            return True
        at = found.find(wanted, at + 1)
    return False


def _runs(wanted: str, found: str, size: int) -> Iterator[_Run]:
    """Yield the runs of at least ``size`` letters that both have, in the order of ``wanted``.

    Every ``size``-th piece of ``wanted`` and the last one are looked for, and extended to both sides.
    """
    done, follows = 0, 0
    for piece in (*range(0, len(wanted) - size + 1, size), len(wanted) - size):
        start = max(piece, done)
        if start + size > len(wanted):
            return
        at = found.find(wanted[start : start + size], follows)
        at = at if at >= 0 else found.find(wanted[start : start + size])
        if at < 0:
            continue
        end, stop = start + size, at + size
        while end < len(wanted) and stop < len(found) and wanted[end] == found[stop]:
            end, stop = end + 1, stop + 1
        while start > done and at and wanted[start - 1] == found[at - 1]:
            start, at = start - 1, at - 1
        yield _Run(start, end, at)
        done, follows = end, stop


def _joined(runs: list[_Run], gap: int) -> list[_Run]:
    """Join the runs between which the passage has at most ``gap`` letters."""
    joined: list[_Run] = []
    stop = 0
    for run in runs:
        if joined and 0 <= run.at - stop <= gap:
            joined[-1] = joined[-1]._replace(end=run.end)
        else:
            joined.append(run)
        stop = run.at + run.end - run.start
    return joined
