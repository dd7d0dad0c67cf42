"""The cells of a sheet: how a value is shown, and which values are numbers or dates."""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta
from typing import NamedTuple

_CELL_VALUE = re.compile(
    r"[-+(]?\s?(?:[$€£¥₹]\s?)?\d[\d.,'’ \u00a0\u202f]*(?:[eE][-+]?\d+)?\s?[%‰$€£¥₹]?\)?"
    r"|\d{4}-\d\d?(?:-\d\d?)?(?:[T ]\d\d?:\d\d(?::\d\d(?:\.\d+)?)?Z?)?|\d\d?[/.]\d\d?[/.]\d{2,4}|\d\d?:\d\d(?::\d\d)?"
    r"|true|false",
    re.IGNORECASE,
)
_HEAD_YEAR = re.compile(r"(?:19|20)\d\d")
_EXACT_DIGITS = 1e15  # above it, a float does not hold every integer


class Sheet(NamedTuple):
    """The text of each cell by row and column ("" for an empty one), and the reach of the merged ones.

    ``top`` and ``left`` are the place of its first cell in the file, from 0.
    """

    name: str
    rows: list[list[str]]
    merged: dict[tuple[int, int], tuple[int, int]]
    top: int = 0
    left: int = 0


def shown(value: object, percent_digits: int | None = None) -> str:
    """Return a value as text: a date as ISO 8601, a number in the shortest way, white space folded.

    ``percent_digits`` are the decimals of a cell that is shown in percent, None for any other.

    Example:
        >>> shown(1500.0), shown(0.1 + 0.2), shown(0.25, 0), shown(date(2024, 1, 5)), shown(" a\\n b ")
        ('1500', '0.3', '25%', '2024-01-05', 'a b')
    """
    if isinstance(value, str):
        return " ".join(value.split())
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, int | float):
        return _number(value) if percent_digits is None else f"{value * 100:.{percent_digits}f}%"
    if isinstance(value, datetime):
        if value.time() == time():
            return value.date().isoformat()
        return value.isoformat(" ", "seconds" if value.second else "minutes")
    if isinstance(value, time):
        return value.isoformat("seconds" if value.second else "minutes")
    if isinstance(value, timedelta):
        minutes, seconds = divmod(round(value.total_seconds()), 60)
        hours, minutes = divmod(minutes, 60)
        return f"{hours}:{minutes:02}" + (f":{seconds:02}" if seconds else "")
    return value.isoformat() if isinstance(value, date) else "" if value is None else str(value)


def _number(value: float) -> str:
    if isinstance(value, int) or (value.is_integer() and abs(value) < _EXACT_DIGITS):
        return str(int(value))
    return f"{value:.15g}"


def is_value(text: str) -> bool:
    """Check whether a cell holds a number, an amount, a date, a time or a truth value, and no words.

    Example:
        >>> [is_value(text) for text in ("$1,500.00", "25 %", "2024-01-05", "TRUE", "5 ms", "Q1")]
        [True, True, True, True, False, False]
    """
    return _CELL_VALUE.fullmatch(text) is not None


def is_year(text: str) -> bool:
    """Check whether a cell holds a year, which is a number that can be a head."""
    return _HEAD_YEAR.fullmatch(text) is not None
