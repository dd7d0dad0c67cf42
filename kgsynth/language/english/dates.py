"""Dates in English text: "12 March 2019", "early 2019". Left out: dates without a year, and "12/03/2019"."""

from __future__ import annotations

import datetime
import re

from kgsynth.base.quantity import Quantity, TimeUnit

_MONTH_NAMES = "january february march april may june july august september october november december".split()
MONTHS = {name[:length]: n for n, name in enumerate(_MONTH_NAMES, 1) for length in (3, len(name))} | {"sept": 9}
"""Name of a month, in full or short, in lower case -> its number."""

_MONTH = "(?P<month>" + "|".join(sorted(MONTHS, key=len, reverse=True)) + r")\b\.?"
_YEAR = r"(?P<year>[12]\d{3})"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_WEEKDAY = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day,? (?:the )?)?"
_PART = r"(?:(?:early|mid|late)[- ])?"
_DATES = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{_WEEKDAY}(?:the )?{_DAY}(?: of)? {_MONTH},? {_YEAR}",
        rf"{_WEEKDAY}{_MONTH} {_DAY},? {_YEAR}",
        rf"{_YEAR}-(?P<digits>\d\d)-(?P<day>\d\d)",
        rf"{_PART}{_MONTH},?(?: of)? {_YEAR}",
        rf"{_PART}(?:the year )?{_YEAR}",
    )
)


def bound_words(table: dict[str, str]) -> tuple[dict[str, str], re.Pattern[str]]:
    """Return a bound for each of the words that may open a quantity, and the pattern that finds them.

    ``table`` maps each bound to its words, separated by blanks, with "_" for the blanks inside.
    """
    bounds = {words.replace("_", " "): bound for bound, line in table.items() for words in line.split()}
    longest_first = "|".join(re.escape(words) for words in sorted(bounds, key=len, reverse=True))
    return bounds, re.compile(rf"({longest_first})(?:\s+|(?<=\W))")


_DATE_BOUNDS, _DATE_OPENING = bound_words(
    {
        "": " in on since from during of",
        "at most": "by until till up_to through no_later_than",
        "less than": "before prior_to",
        "more than": "after",
    }
)


def read_date(text: str) -> Quantity | None:
    """Return the date that the lower-case ``text`` is, or None.

    Example:
        >>> read_date("after march 2019")
        Quantity(value=737119.0, dimension='date', unit='month', text='march 2019', bound='more than', aspect='')
    """
    opening = _DATE_OPENING.match(text)
    bound, text = (_DATE_BOUNDS[opening[1]], text[opening.end() :]) if opening else ("", text)
    match = next((found for found in (date.fullmatch(text) for date in _DATES) if found), None)
    if match is None:
        return None
    named = match.groupdict()
    month = MONTHS.get(named.get("month") or "") or int(named.get("digits") or 0)
    try:
        day = datetime.date(int(named["year"]), month or 1, int(named.get("day") or 1))
    except ValueError:
        return None
    unit = TimeUnit.DAY if named.get("day") else TimeUnit.MONTH if month else TimeUnit.YEAR
    return Quantity(float(day.toordinal()), "date", str(unit), text, bound)
