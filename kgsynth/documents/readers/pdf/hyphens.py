"""Decide what becomes of a hyphen at the end of a line: part of the word, or only of its break."""

from __future__ import annotations

import re
from collections.abc import Mapping

_LAST = re.compile(r"([^\W\d_]+)[-‐]$")
_FIRST = re.compile(r"^([^\W\d_]+)")
_MIN_HALF = 3  # letters of a half that may be a word


def is_word_break(before: str, after: str, words: Mapping[str, int]) -> bool:
    """Check whether the hyphen at the end of a line only breaks a word; ``words`` are those of the document.

    Example:
        >>> [is_word_break(*halves, {"well": 1, "known": 2}) for halves in (("docu-", "ments"), ("well-", "known"))]
        [True, False]
    """
    last, first = _LAST.search(before), _FIRST.match(after)
    if not last or not first or not first[1][0].islower():
        return False
    one, other = last[1].casefold(), first[1].casefold()
    if words.get(one + other):
        return True
    if words.get(f"{one}-{other}"):
        return False
    return not (min(len(one), len(other)) >= _MIN_HALF and words.get(one) and words.get(other))
