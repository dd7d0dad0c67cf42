"""Golden answers that are regular expressions, ``re:…``, for a question with an answer that may take several forms."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

REGEX = "re:"
"""The prefix of such an answer."""


@cache
def pattern(golden: str) -> re.Pattern[str] | None:
    """Return the regular expression of a golden answer ``re:…``, which ignores letter case; None for a plain answer.

    Raises:
        re.error: the text after ``re:`` is not a valid regular expression.

    Example:
        >>> pattern("re:v?3[.]1").pattern, pattern("3.1")
        ('v?3[.]1', None)
    """
    return re.compile(golden[len(REGEX) :].strip(), re.IGNORECASE) if golden.startswith(REGEX) else None


def plain_answers(golden: Sequence[str]) -> tuple[str, ...]:
    """Return the golden answers that are not regular expressions.

    Example:
        >>> plain_answers(["3.1", "re:v?3[.]1"])
        ('3.1',)
    """
    return tuple(text for text in golden if pattern(text) is None)


def reference_answer(golden: Sequence[str]) -> str:
    """Return the first golden answer that is not a regular expression; if all are, the first; "" if there is none.

    Example:
        >>> reference_answer(["re:v?3[.]1", "3.1", "v3.1"]), reference_answer([])
        ('3.1', '')
    """
    return next(iter((*plain_answers(golden), *golden)), "")


def pattern_problem(golden: str) -> str:
    """Return what is wrong with the regular expression of a golden answer, or "".

    Example:
        >>> pattern_problem("re:(3"), pattern_problem("(3")
        ("the golden answer 're:(3' is not a valid regular expression: missing ), unterminated subpattern", '')
    """
    try:
        pattern(golden)
    except re.error as error:
        return f"the golden answer {golden!r} is not a valid regular expression: {error.msg}"
    return ""
