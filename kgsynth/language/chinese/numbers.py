"""Numbers in Chinese text, in characters or figures: 二〇一八, 三百二十, 3万, 1亿5000万, 百分之五."""

from __future__ import annotations

import re
from functools import lru_cache

from kgsynth.language.chinese.characters import plain
from kgsynth.language.chinese.lexicon import WORDS
from kgsynth.language.chinese.segmentation import tokens
from kgsynth.language.chinese.units import UNITS

_DIGITS = {char: value for value, char in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_POWERS = {"十": 10, "百": 100, "千": 1000}
SCALES = {"万": 10**4, "亿": 10**8}
"""Characters that multiply all of the number before them."""

_NUMERALS = "".join(_DIGITS) + "".join(_POWERS) + "".join(SCALES)
_NUMERAL_RUN = re.compile(f"[{_NUMERALS}]+")
_NO_PREFIX = "(?![米克瓦卡兆帕焦伏赫字])"
"""百 and 千 before these are a part of the unit: 千米, 百帕."""
_SCALED = rf"(?:[十百千]{_NO_PREFIX})?[万亿]|[百千]{_NO_PREFIX}"
_FIGURES = r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?"
_ONE_FIGURE = re.compile(rf"[+-]?{_FIGURES}(?![.,/:⁄]?\d)")
_SCALED_FIGURES = re.compile(rf"(?<![\d.,])(?:{_FIGURES}\s?(?:{_SCALED})+)+(?!\d)")
_SCALED_PART = re.compile(rf"({_FIGURES})\s?((?:{_SCALED})+)")
_PERCENT = re.compile(rf"百分之\s?({_FIGURES}|[{_NUMERALS}点]+)")
_SHARE = re.compile(rf"([{_NUMERALS}]+)分之([{_NUMERALS}]+)")
_UNIT_NAMES = sorted({*UNITS, *WORDS["classifiers"], *WORDS["calendar_units"]}, key=len, reverse=True)
_UNIT_NEXT = re.compile("|".join(map(re.escape, (name for name in _UNIT_NAMES if not name.isascii()))))
_DECIMAL = re.compile(rf"([{_NUMERALS}]+)点([零一二三四五六七八九]+)(?={_UNIT_NEXT.pattern}|[万亿])")
_EXACT_UNITS = {*(name for name in UNITS if not name.isascii()), "月", "日", "号"}
_POSITIONAL = 3
"""From how many digits in a row, without 十 or 百, characters are read like figures: 二〇一八."""


def number(run: str) -> float | None:
    """Return the value of a numeral in Chinese characters, None for a text that is none.

    Example:
        >>> number("三百二十"), number("二〇一八"), number("一万二"), number("三四"), number("十万五千")
        (320.0, 2018.0, 12000.0, None, 105000.0)
    """
    if not run or not set(run) <= set(_NUMERALS):
        return None
    if set(run) <= set(_DIGITS):
        read = len(run) == 1 or len(run) >= _POSITIONAL or "〇" in run
        return float("".join(str(_DIGITS[char]) for char in run)) if read else None
    total = section = 0.0
    digit: int | None = None
    last = 1
    for at, char in enumerate(run):
        if char in _DIGITS:
            if digit:
                return None
            digit = _DIGITS[char]
        elif char in _POWERS:
            if not digit and (char != "十" or (at and run[at - 1] not in "零百千万亿")):
                return None
            section, digit, last = section + (digit or 1) * _POWERS[char], None, _POWERS[char]
        else:
            section += digit or 0
            if not section and not total:
                return None
            total, section = ((total + section) * SCALES[char], 0.0) if char == "亿" else (total + section * 10**4, 0.0)
            digit, last = None, SCALES[char]
    if digit and run[-2] in "百千万亿":  # 一万二 is 12,000
        digit = digit * last // 10
    return total + section + (digit or 0)


def leading_number(text: str) -> tuple[float | None, str]:
    """Return the number that a plain text opens with, None when it opens with none, and the rest.

    Example:
        >>> leading_number("3.5万元"), leading_number("两百人"), leading_number("3千米"), leading_number("约五")
        ((35000.0, '元'), (200.0, '人'), (3.0, '千米'), (None, '约五'))
    """
    if match := _SCALED_FIGURES.match(text):
        return _scaled(match.group()), text[match.end() :].lstrip()
    if match := _ONE_FIGURE.match(text):
        return float(match.group().replace(",", "")), text[match.end() :].lstrip()
    run = _NUMERAL_RUN.match(text)
    if run is None:
        return None, text
    for end in range(run.end(), 0, -1):  # 三千 of 三千米 belongs to the number, 千 of 五千瓦 only if it must
        value = number(text[:end])
        if value is not None and not (text[end - 1] in "百千" and not re.match(_NO_PREFIX, text[end:])):
            return value, text[end:]
    return None, text


def _scaled(text: str) -> float:
    """Return the value of figures with scales: 1亿5000万."""
    total = 0.0
    for figures, scale in _SCALED_PART.findall(text):
        value = float(figures.replace(",", ""))
        for char in scale:
            value *= SCALES.get(char) or _POWERS[char]
        total += value
    return total


@lru_cache(maxsize=1 << 14)
def digits(text: str) -> str:
    """Return a text with its numbers as plain digits, in simplified characters and half-width letters and figures.

    A character such as 一 is a number before a unit or a measure word only, and 一 not before 个 or 种, where it is an
    article; in names and phrases (三亚, 统一, 十分) it stays.

    Example:
        >>> digits("二〇一八年，三亚有１.５亿元、三十二名員工和一个港口")
        '2018年,三亚有150000000元、32名员工和一个港口'
        >>> digits("占百分之五，十分重要"), digits("第三季度"), digits("两周内")
        ('占5%,十分重要', '第3季度', '2周内')
    """
    text = plain(text)
    text = re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", text)
    text = _PERCENT.sub(_percent, text)
    text = _SCALED_FIGURES.sub(lambda match: _written(_scaled(match.group())), text)
    if not _NUMERAL_RUN.search(text):
        return text
    text = _SHARE.sub(_share, text)
    text = _DECIMAL.sub(_decimal, text)
    out, place = [], 0
    for run in _NUMERAL_RUN.finditer(text):
        value, rest = leading_number(text[run.start() : run.end() + 1])
        end = run.end() + 1 - len(rest)
        if value is not None and _is_number(text, run.start(), end):
            out += [text[place : run.start()], _written(value)]
            place = end
    return "".join([*out, text[place:]])


def _is_number(text: str, start: int, end: int) -> bool:
    """Check whether the numeral at ``[start, end)`` is a number in its text and not a part of a word."""
    run, before = text[start:end], text[start - 1 : start]
    if (before and before in "几数") or text[end : end + 1] == "几":
        return False
    word = next((each for each in tokens(text) if each.start <= start < each.end), None)
    if word is not None and word.start < start and before not in "第约共近" and not before.isdigit():
        return False
    unit = _UNIT_NEXT.match(text, end)
    counted = bool(unit and word and unit.end() == word.end and word.tag == "n")  # 四所 is no name
    if word is not None and word.tag in WORDS["naming_tags"] and word.end > end and before != "第" and not counted:
        return False
    if run == "一":
        return before == "第" or bool(unit and unit.group() in _EXACT_UNITS)
    if before == "第" or unit:
        return not (run == "十" and text[end : end + 1] == "分")
    if set(run) & {*_POWERS, *SCALES}:
        return len(run) > 1
    return len(run) > _POSITIONAL


def _percent(match: re.Match[str]) -> str:
    whole, _, part = match[1].partition("点")
    value = number(whole) if whole[0] in _NUMERALS else float(whole.replace(",", ""))
    decimals = "".join(str(_DIGITS[char]) for char in part if char in _DIGITS)
    return match[0] if value is None else f"{_written(value)}{'.' + decimals if decimals else ''}%"


def _decimal(match: re.Match[str]) -> str:
    whole = number(match[1])
    return match[0] if whole is None else f"{whole:.0f}.{''.join(str(_DIGITS[char]) for char in match[2])}"


def _share(match: re.Match[str]) -> str:
    below, above = number(match[1]), number(match[2])
    return match[0] if below is None or above is None else f"{_written(above)}/{_written(below)}"


def _written(value: float) -> str:
    return f"{value:.0f}" if value == int(value) else f"{value:g}"
