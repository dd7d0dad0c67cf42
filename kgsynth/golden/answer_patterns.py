"""Golden answers that are regular expressions, ``re:…``: for an answer of which any of several forms will do."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

REGEX = "re:"
"""What such an answer begins with."""


@cache
def pattern(golden: str) -> re.Pattern[str] | None:
    """Return the regular expression that a golden answer ``re:…`` is, letter case aside; None for a plain one.

    Raises:
        re.error: what follows ``re:`` is none.

    Example:
        >>> pattern("re:v?3[.]1").pattern, pattern("3.1")
        ('v?3[.]1', None)
    """
    return re.compile(golden[len(REGEX) :].strip(), re.IGNORECASE) if golden.startswith(REGEX) else None


def plain(golden: Sequence[str]) -> tuple[str, ...]:
    """Return the golden answers that are no regular expressions.

    Example:
        >>> plain(["3.1", "re:v?3[.]1"])
        ('3.1',)
    """
    return tuple(text for text in golden if pattern(text) is None)


def fault(golden: str) -> str:
    """Return what is wrong with a golden answer that should be a regular expression, "" for nothing.

    Example:
        >>> fault("re:(3"), fault("(3")
        ("the golden answer 're:(3' is no regular expression: missing ), unterminated subpattern", '')
    """
    try:
        pattern(golden)
    except re.error as error:
        return f"the golden answer {golden!r} is no regular expression: {error.msg}"
    return ""
