"""Find which part of a piece of evidence is in the text of a passage, without the documents.

Both are compared by their letters and digits. A part counts if it is a run that is not there by chance; evidence of a
few letters counts only as a whole, between the edges of words.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from kgsynth.base.records import Span
from kgsynth.documents.text_index import (
    MIN_DISTINCTIVE_LENGTH,
    Place,
    cuts_word,
    letter_count,
    letters_with_origins,
)

_KEPT = 500  # texts whose letters are kept: those of the passages and evidence of the last questions


def held_places(text: str, span: Span) -> list[Place]:
    """Return the places of a span's document that the text of a passage repeats, [] if the text has too little of it.

    A short difference between two runs that follow each other, such as the target of a link, counts as held.

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
    runs = list(_runs(wanted, found, size))
    if sum(end - start for start, end in runs) < min(2 * size, len(wanted) / 2):
        return []
    return [Place(span.doc, span.start + origins[start], span.start + origins[end - 1] + 1) for start, end in runs]


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


def _runs(wanted: str, found: str, size: int) -> Iterator[tuple[int, int]]:
    """Yield the parts of ``wanted`` that ``found`` repeats, of at least ``size`` letters, in order.

    Every ``size``-th piece of ``wanted`` and the last one are looked for, and extended to both sides.
    """
    done = 0
    for piece in (*range(0, len(wanted) - size + 1, size), len(wanted) - size):
        start = max(piece, done)
        at = found.find(wanted[start : start + size]) if start + size <= len(wanted) else -1
        if at >= 0:
            back = _extended(wanted[done:start][::-1], found[max(0, at - 2 * len(wanted)) : at][::-1], size)
            on = _extended(wanted[start + size :], found[at + size : at + size + 2 * len(wanted)], size)
            done, begin = start + size + on, start - back
            yield begin, done


def _extended(wanted: str, found: str, size: int) -> int:
    """Return how far ``found`` repeats ``wanted`` from its beginning.

    A difference of up to ``size`` letters does not end it if half of ``size`` letters in a row agree after it.
    """
    half = size // 2
    end = at = 0
    while True:
        while end < len(wanted) and at < len(found) and wanted[end] == found[at]:
            end, at = end + 1, at + 1
        for again in range(end, min(end + size, len(wanted) - half) + 1):
            there = found.find(wanted[again : again + half], at, at + size + half)
            if there >= 0:
                end, at = again + half, there + half
                break
        else:
            return end
