"""Find which part of a piece of evidence is in the text of a passage, without the documents.

Both are compared by their letters and digits, with and without the targets of links and tags. The letters have to be
the same up to the ends of the evidence or of the passage: "in Leeds 9 kilns" is not evidence for "in York 8 kilns".
"""

from __future__ import annotations

import re
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
_TARGET = re.compile(r"(?<=\])\([^()\n]*\)|<[^<>\n]+>")


def held_place(text: str, span: Span) -> Place | None:
    """Return the place of a span's document that the text of a passage repeats, None if the text has too little of it.

    That is the whole span, or the part of it with which the passage begins or ends, or in which all of the passage is.

    Example:
        >>> span = Span("a.md", 100, 128, "Ada **Low** leads the kilns.")
        >>> held_place("Since May Ada Low leads the kilns of Leeds.", span), held_place("Ada Low is old.", span)
        (Place(doc='a.md', start=100, end=127), None)
    """
    for bare in (False, True):
        wanted, origins = _letters(span.text, bare)
        found, places = _letters(text, bare)
        part = _shared(wanted, found, -(-MIN_DISTINCTIVE_LENGTH * len(wanted) // max(1, letter_count(span.text))))
        if part == (0, len(wanted)) and not _stands_alone(text, found, places, wanted):
            part = None
        if part:
            return Place(span.doc, span.start + origins[part[0]], span.start + origins[part[1] - 1] + 1)
    return None


@lru_cache(maxsize=_KEPT)
def _letters(text: str, bare: bool) -> tuple[str, list[int]]:
    """Return the letters of a text and where they are; if ``bare``, without the targets of links and tags."""
    return letters_with_origins(_TARGET.sub(lambda match: " " * len(match[0]), text) if bare else text)


def _shared(wanted: str, found: str, size: int) -> tuple[int, int] | None:
    """Return the part of ``wanted`` that is in ``found``: all of it, or ``size`` letters and more at one end.

    Evidence of fewer than twice ``size`` letters has to be there as a whole.
    """
    if not wanted or wanted in found:
        return (0, len(wanted)) if wanted else None
    if len(wanted) < 2 * size or len(found) < size:
        return None
    if found in wanted:
        return wanted.index(found), wanted.index(found) + len(found)
    for length in range(min(len(wanted), len(found)) - 1, size - 1, -1):
        if found.endswith(wanted[:length]):
            return 0, length
        if found.startswith(wanted[-length:]):
            return len(wanted) - length, len(wanted)
    return None


def _stands_alone(text: str, found: str, places: list[int], wanted: str) -> bool:
    """Check whether evidence is in a text by more than chance: it has many letters, or begins and ends with a word."""
    at = found.find(wanted)
    while at >= 0:
        start, end = places[at], places[at + len(wanted) - 1] + 1
        if letter_count(wanted) >= MIN_DISTINCTIVE_LENGTH or not (cuts_word(text, start) or cuts_word(text, end)):
            return True
        at = found.find(wanted, at + 1)
    return False
