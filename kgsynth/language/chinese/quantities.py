"""Quantities in Chinese text: dates, durations, measures, money, shares and counts."""

from __future__ import annotations

import datetime
import re
from dataclasses import replace
from functools import lru_cache

from kgsynth.base.quantity import Quantity, TimeUnit
from kgsynth.language.chinese.lexicon import WORDS
from kgsynth.language.chinese.numbers import digits, leading_number
from kgsynth.language.chinese.segmentation import tokens
from kgsynth.language.chinese.units import CURRENCIES, UNITS

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
_DATE_ENDING = re.compile(f"({'|'.join(' '.join(_ENDINGS.values()).split())})$")
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
    if ending := _DATE_ENDING.search(bare):
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


_BOUNDS_BEFORE = {
    "about": "约 大约 约为 约有 大概 将近 接近 近 差不多 上下 ~ ≈",
    "at least": "至少 起码 最少 最低 不少于 不低于 不小于 >= ≥",
    "at most": "至多 最多 最高 不超过 不多于 不高于 不大于 <= ≤",
    "more than": "超过 多于 高于 大于 逾 超 >",
    "less than": "少于 低于 小于 不足 不到 未满 <",
    "": "共有 总共 一共 合计 共计 共 有 为 达到 达 长达 高达 仅有 仅为 仅 只有 恰好 正好 刚好 整整 其中",
}
_BOUNDS_AFTER = {
    "about": "左右 上下",
    "at least": "以上 及以上 或以上",
    "at most": "以内 之内 内 以下 及以下 或以下",
    "more than": "之上 开外",
}
_BOUND_OF = {
    word: bound for table in (_BOUNDS_BEFORE, _BOUNDS_AFTER) for bound, line in table.items() for word in line.split()
}


def _pattern(table: dict[str, str]) -> str:
    return "|".join(map(re.escape, sorted(" ".join(table.values()).split(), key=len, reverse=True)))


_OPENING, _ENDING = re.compile(_pattern(_BOUNDS_BEFORE)), re.compile(f"({_pattern(_BOUNDS_AFTER)})$")
_CURRENCY_SIGN = re.compile("|".join(map(re.escape, sorted(CURRENCIES, key=len, reverse=True))))
_UNIT = re.compile("|".join(map(re.escape, sorted(UNITS, key=len, reverse=True))))
_CLASSIFIER = re.compile("|".join(sorted(WORDS["classifiers"], key=len, reverse=True)))
_EACH = re.compile(r"(?:每|/)(?:一|1)?(小时|分钟|秒钟|秒|个?月|天|日|周|年|晚|次|人|台|亩|户|s|h|min)")
_WORKDAYS = re.compile(r"个?(工作日|交易日|自然日)")
_HALF = re.compile(r"半(?:个)?(?=年|月|天|小时|钟头|世纪|周)")
_AND_A_HALF = re.compile(r"个?半(?=小时|钟头|月|世纪|星期)")
_RANGE = re.compile(r"\d\s*(?:[-–—~到至、]|或)+\s*\d")
_ZERO_POINTS = {"degree Celsius": 273.15, "degree Fahrenheit": 459.67 * 5 / 9}
_PERIODS = {"日": "天", "月": "个月", "个月": "个月"}


@lru_cache(maxsize=1 << 14)
def quantity(text: str) -> Quantity | None:
    """Return the one quantity that ``text`` states, or None when it states none, several, or a vague one.

    Example:
        >>> quantity("约两周")
        Quantity(value=1209600.0, dimension='duration', unit='week', text='约两周', bound='about', aspect='')
        >>> quantity("３８名員工").dimension, quantity("3.5亿美元").value, quantity("半年内").bound
        ('count:员工', 350000000.0, 'at most')
        >>> quantity("三到五天") is None, quantity("几十个人") is None
        (True, True)
    """
    folded = digits(text).lower().strip(" \"'“”‘’《》.,;:。!")
    if _RANGE.search(folded):
        found = read_date(folded)
    else:
        found = read_date(folded) or _measure(re.sub(r"(?<=\d)\s+|\s+(?=\d)", "", folded))
    return replace(found, text=text) if found else None


def _measure(text: str) -> Quantity | None:
    bound, text = _bounds(text)
    if bound is None:
        return None
    rate = _EACH.match(text)
    if rate:
        text = text[rate.end() :]
    sign = _CURRENCY_SIGN.match(text)
    opening = text[sign.end() :] if sign else text
    half = _HALF.match(opening)
    below_zero = opening.startswith("零下")
    value, rest = (0.5, opening[half.end() :]) if half else leading_number(opening.removeprefix("零下"))
    if value is None or opening[:1] == "第":
        return None
    if half and rest[:1] in "月世":
        rest = f"个{rest}"
    if more := _AND_A_HALF.match(rest):
        value, rest = value + 0.5, ("个" if rest[more.end()] in "月世" else "") + rest[more.end() :]
    dimension, unit, factor, rest = _unit(f"{CURRENCIES[sign[0]]}{rest}" if sign and not rest else rest, bool(bound))
    if not dimension or (sign and not dimension.startswith("money")):
        return None
    value = -value if below_zero else value
    found = Quantity(value * factor + _ZERO_POINTS.get(unit, 0.0), dimension, unit, text, bound)
    return _with_ending(_per(found, rate[1]) if rate else found, rest)


def _bounds(text: str) -> tuple[str | None, str]:
    """Return the bound that a text opens or ends with and the rest; None when it has two different bounds."""
    found: set[str] = set()
    while match := _OPENING.match(text):
        found.add(_BOUND_OF[match.group()])
        text = text[match.end() :]
    while match := _ENDING.search(text):
        found.add(_BOUND_OF[match.group()])
        text = text[: match.start()]
    stated = found - {""}
    return (None if len(stated) > 1 else "".join(stated)), text


def _unit(rest: str, bounded: bool) -> tuple[str, str, float, str]:
    """Return the dimension ("" for none), name and factor of the unit that follows a number, and the rest."""
    if not rest:
        return "count:", "", 1.0, ""
    if days := _WORKDAYS.match(rest):
        return f"count:{days[1]}", days[1], 1.0, rest[days.end() :]
    if bounded and rest == "日":
        rest = "天"
    if (match := _UNIT.match(rest)) and not (
        match.group()[-1].isascii() and rest[match.end() : match.end() + 1].isalnum()
    ):
        return (*UNITS[match.group()], rest[match.end() :])
    match = _CLASSIFIER.match(rest)
    noun = rest[match.end() :] if match else rest
    if noun and not all(each.tag in WORDS["counted_tags"] for each in tokens(noun)):
        return "", "", 0.0, ""
    if noun and match:
        return f"count:{noun}", noun, 1.0, ""
    if match is None:
        return "", "", 0.0, ""
    name = "人" if match.group() in WORDS["people"] else match.group()
    return ("count:", "", 1.0, "") if name == "个" else (f"count:{name}", name, 1.0, "")


def _with_ending(found: Quantity, rest: str) -> Quantity | None:
    """Read what follows the unit: a half, a rate, a second part (30分)."""
    if not rest or rest == "整":
        return found
    if rest == "半" and found.dimension == "duration":
        return replace(found, value=found.value + next(f for _, u, f in UNITS.values() if u == found.unit) / 2)
    if (rate := _EACH.fullmatch(rest)) and "/" not in found.dimension:
        return _per(found, rate[1])
    value, after = leading_number(rest.removeprefix("零").removeprefix("又"))
    if value is None:
        return None
    after = "分钟" if after == "分" and found.unit == "hour" else after
    dimension, _, factor, after = _unit(after, False) if after else ("", "", 0.0, "")
    smaller = dimension == found.dimension and not dimension.startswith("count") and value * factor < found.value
    return replace(found, value=found.value + value * factor) if smaller and not after else None


def _per(found: Quantity, period: str) -> Quantity:
    """Return a quantity as a rate: per second for a unit of time, else per thing counted."""
    dimension, unit, factor = UNITS.get(_PERIODS.get(period, period), (period, period, 1.0))
    named = f"{found.unit}/{unit}"
    return replace(found, value=found.value / factor, dimension=f"{found.dimension}/{dimension}", unit=named)
