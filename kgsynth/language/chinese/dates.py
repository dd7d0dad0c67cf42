"""Dates in Chinese text: 2018年3月5日, 2018年第三季度, 2018-03-05. Left out: dates without a year or before our era."""

from __future__ import annotations

import datetime
import re

from kgsynth.base.quantity import Quantity, TimeUnit

_YEAR = r"(?:(?:公元|西元)(?P<old>\d{3,4})年|(?P<year>1[1-9]\d\d|20\d\d|10(?!00)\d\d)年度?)"
_WEEKDAY = r"(?:\(?(?:星期|周|礼拜)[一二三四五六日天]\)?)?"
_YEAR_PART = r"(?:初期?|中期?|末期?|底|上半年|下半年|年初|年中|年底|年末|[春夏秋冬][天季]?)?"
_DATES = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{_YEAR}(?P<month>\d{{1,2}})月(?P<day>\d{{1,2}})[日号]{_WEEKDAY}",
        rf"{_YEAR}(?P<month>\d{{1,2}})月份?(?:[初中末底]|[上中下]旬)?",
        rf"{_YEAR}第?(?P<quarter>[1-4])季度",
        rf"{_YEAR}{_YEAR_PART}",
        r"(?P<year>[12]\d{3})(?P<mark>[-/.])(?P<month>\d{1,2})(?P=mark)(?P<day>\d{1,2})",
        r"(?P<year>1[1-9]\d\d|20\d\d)",
    )
)
_DATE_OPENING = re.compile(r"(?:在|于|从|自从|自|到|至|直到|直至)")
_AT_MOST = re.compile(r"截至|截止到?")
_ENDINGS = {
    "": "起 开始 以来 间 期间 时",
    "less than": "之前 以前 前",
    "more than": "之后 以后 后",
    "at most": "为止 止",
}
_ENDING = re.compile(f"({'|'.join(' '.join(_ENDINGS.values()).split())})$")
_DATE_BOUNDS = {word: bound for bound, line in _ENDINGS.items() for word in line.split()}


def read_date(text: str) -> Quantity | None:
    """Return the date that a plain text with its numbers as digits is, or None.

    Example:
        >>> read_date("2019年3月以后")
        Quantity(value=737119.0, dimension='date', unit='month', text='2019年3月以后', bound='more than', aspect='')
        >>> read_date("3月5日") is None
        True
    """
    bare, bound = text.replace(" ", ""), ""
    if opening := _AT_MOST.match(bare):
        bare, bound = bare[opening.end() :], "at most"
    elif opening := _DATE_OPENING.match(bare):
        bare = bare[opening.end() :]
    if ending := _ENDING.search(bare):
        bare, bound = bare[: ending.start()], bound or _DATE_BOUNDS[ending[1]]
    match = next((found for found in (date.fullmatch(bare) for date in _DATES) if found), None)
    if match is None:
        return None
    named = match.groupdict()
    month, day, quarter = (int(named.get(part) or 0) for part in ("month", "day", "quarter"))
    try:
        first = datetime.date(
            int(named.get("old") or named["year"]), month or 3 * quarter - 2 * bool(quarter) or 1, day or 1
        )
    except ValueError:
        return None
    unit = TimeUnit.DAY if day else TimeUnit.MONTH if month else TimeUnit.QUARTER if quarter else TimeUnit.YEAR
    return Quantity(float(first.toordinal()), "date", str(unit), text, bound)
