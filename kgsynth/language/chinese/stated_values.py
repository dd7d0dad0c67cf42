"""The values a Chinese answer states, and whether one is the golden answer in another form."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from functools import lru_cache

from kgsynth.base.quantity import Quantity
from kgsynth.language.chinese.characters import plain
from kgsynth.language.chinese.lexicon import PATTERNS, WORDS
from kgsynth.language.chinese.numbers import digits
from kgsynth.language.chinese.quantities import quantity
from kgsynth.language.chinese.segmentation import tokens
from kgsynth.language.chinese.text_forms import content_stems
from kgsynth.language.words import HAN, unaccented

_MAX_LENGTH = 14
"""The most characters that are read as one quantity."""
_RANGE_MARK = re.compile(r"\s*(?:到|至|[-–—~])\s*")
_BECAUSE = re.compile(r"(?:(?<!不)是)?(?:因为|由于|为了)|目的是")
_WEEKDAY = re.compile(r"(?:(?:每个?|逢)?(?:星期|礼拜)|每周)(?=[一二三四五六日天])")
_ONE_PIECE = re.compile(rf"(?<![\d.])1块(?=[{HAN}])(?!钱)")
"""A piece of something, not a sum of money."""
_ONE_BEFORE = re.compile(r"(?<![\d第])[一1](?=(?:晚|天|人|台|次|个月|年|小时)[^，,。；;]{0,2}\d)")
_STATED_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


def same_value(answer: str, golden: str, question: str = "") -> bool:
    """Check whether an answer states the quantity or date that a golden answer is, in whatever form.

    A number without a unit counts if the question names the unit.

    Example:
        >>> same_value("重量为六十二千克。", "62公斤"), same_value("不到62公斤", "62公斤")
        (True, False)
        >>> same_value("28", "28天", "一共有多少天？"), same_value("28", "28天", "有多长时间？")
        (True, False)
        >>> same_value("450元/晚", "每晚450元"), same_value("10天至20天", "10到20天")
        (True, True)
    """
    wanted = _golden_values(golden, question)
    found = (each for *_, each in stated_quantities(spelled_alike(answer)))
    return bool(wanted) and all(any(_equal(each, value, question) for each in found) for value in wanted)


def value_places(answer: str, golden: str, question: str = "") -> list[tuple[int, int]]:
    """Return where an answer has a golden answer, in its words or as the same value.

    Example:
        >>> value_places("62公斤就是62千克", "62公斤")
        [(0, 4), (6, 10)]
    """
    words = re.escape(golden.strip())
    found = re.finditer(rf"(?<!\d){words}(?!\d)", answer, re.I) if words else ()
    return sorted({*(match.span() for match in found), *_same_value_places(answer, golden, question)})


def _same_value_places(answer: str, golden: str, question: str) -> Iterator[tuple[int, int]]:
    wanted = _golden_values(golden, question)
    if len(wanted) == 1:
        exact = {"", "about", wanted[0].bound}
        same = (each for each in stated_quantities(answer) if each[2].bound in exact)
        yield from ((start, end) for start, end, found in same if _equal(found, wanted[0], question))


@lru_cache(maxsize=1 << 10)
def _golden_values(golden: str, question: str) -> tuple[Quantity, ...]:
    """Return the quantities of a golden answer that is nothing else."""
    golden = spelled_alike(golden)
    places = list(stated_quantities(golden))
    rest, at = "", 0
    for start, end, _ in places:
        rest, at = f"{rest} {golden[at:start]}", end
    if set(content_stems(f"{rest} {golden[at:]}")) - set(content_stems(question)):
        return ()
    return tuple(found for *_, found in places)


@lru_cache(maxsize=1 << 14)
def spelled_alike(text: str) -> str:
    """Return a text with one spelling for figures, rates and times of day, and without accents.

    Example:
        >>> spelled_alike("一晚四百五十块，下午三点半"), spelled_alike("早上9點")
        ('每晚450块,15:30', '9:00')
    """
    text = _WEEKDAY.sub("周", text)
    text = _ONE_PIECE.sub("", _BECAUSE.sub("因为", digits(unaccented(text).replace("−", "-"))))
    return PATTERNS["time_of_day"].sub(_time, _ONE_BEFORE.sub("每", text))


def _time(match: re.Match[str]) -> str:
    late = match["part"] in ("下午", "晚上", "傍晚") and int(match["hour"]) < 12
    minute = "30" if match["half"] else match["minute"] or "00"
    return f"{int(match['hour']) + 12 * late}:{minute:0>2}"


def _equal(found: Quantity, wanted: Quantity, question: str) -> bool:
    if not _bounds_agree(found.bound, wanted.bound) or (wanted.dimension == "date" and found.unit != wanted.unit):
        return False
    if found.dimension == wanted.dimension:
        return math.isclose(found.value, wanted.value, rel_tol=1e-9)
    one, other = found.dimension, wanted.dimension
    if "/" in f"{one}{other}" and not ("/" in one and "/" in other):  # one of them says per what
        return one.split("/")[0] == other.split("/")[0] and _number(found) == _number(wanted)
    bare, full = (found, wanted) if found.dimension == "count:" else (wanted, found)
    unit = digits(full.text).lstrip("0123456789,.")
    return bare.dimension == "count:" and bool(unit) and unit in plain(question) and _number(bare) == _number(full)


def _bounds_agree(found: str, wanted: str) -> bool:
    """Check whether two bounds may be of one value; 至少 and 约 are often left out or added."""
    return found == wanted or ({found, wanted} <= WORDS["loose_bounds"] and {found, wanted} != {"at least", "at most"})


def _number(stated: Quantity) -> str:
    """Return the numeral that a quantity is written with, whatever its unit."""
    found = _STATED_NUMBER.search(digits(stated.text))
    return found[0] if found else ""


@lru_cache(maxsize=1 << 12)
def _stated(text: str) -> tuple[tuple[int, int, Quantity], ...]:
    found: list[tuple[int, int, Quantity]] = []
    ends = [each.end for each in tokens(text)]
    at = 0
    while match := PATTERNS["opens_number"].search(text, at):
        start, at = match.start(), match.end()
        near = [end for end in ends if start < end <= start + _MAX_LENGTH]
        read = [(end, stated) for end in near if (stated := quantity(text[start:end]))]
        if read:
            at, longest = read[-1]
            end, stated = next((end, each) for end, each in read if _key(each) == _key(longest))
            found.append((start, end, stated))
    return tuple(found)


def _key(stated: Quantity) -> tuple[float, str, str]:
    return stated.value, stated.dimension, stated.bound


def stated_quantities(text: str) -> Iterator[tuple[int, int, Quantity]]:
    """Yield the quantities and dates that a text states, each with where it starts and ends.

    The first value of a range has the unit of the second.

    Example:
        >>> [found.text for *_, found in stated_quantities("2020年6月共花费约45欧元，七人参加。")]
        ['2020年6月', '约45欧元', '七人']
    """
    places = _stated(text)
    for at, (start, end, found) in enumerate(places):
        after = places[at + 1] if at + 1 < len(places) else None
        if after and found.dimension == "count:" and _RANGE_MARK.fullmatch(text, end, after[0]):
            found = quantity(text[start:end] + digits(after[2].text).lstrip("0123456789,.")) or found
        yield start, end, found
