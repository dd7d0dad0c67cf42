"""The values a Chinese answer states: is one the golden answer in another form, or another value beside it?

In doubt nothing is found: a number is another value only where the answer asserts it (是80公斤), of the
same kind, and no source of the question has it. Left out: another name in place of a name.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from kgsynth.base.quantity import Quantity
from kgsynth.base.thresholds import LIMITS
from kgsynth.language.chinese.characters import plain
from kgsynth.language.chinese.numbers import digits
from kgsynth.language.chinese.quantities import quantity
from kgsynth.language.chinese.segmentation import tokens
from kgsynth.language.chinese.text_forms import content_stems
from kgsynth.language.lengths import length_in_words

_MAX_LENGTH = 14
"""The most characters that are read as one quantity."""
_OPENS_NUMBER = re.compile(
    r"(?<![\d.,])\d|[零〇一二两三四五六七八九十百半](?<![第几数].)|[$€£¥￥](?=\d)|(?:约|近|至少|至多|超过|不到|不足|少于|多于)(?=\d)"
)
_STATED_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
_CORRECTED_TO = re.compile(
    r"(?:正确|实际|真正|准确)(?:的|地说)?(?:答案|数值|数字|值|结果|数量|说法)?(?:是|为|应为|应是|应该是)|应为|其实是|应当是|更正为"
)
_SUBJECT = r"(?:它|这|那|其|该|答案|数值|数字|结果|总数|一共|总共)"
_ASSERTS = r"(?:是|为|有|共有|达|达到|约为|就是|等于|[:：])\s*$"


def same_value(answer: str, golden: str, question: str = "") -> bool:
    """Check whether an answer states the quantity or date that a golden answer is, in whatever form.

    A number without a unit counts if the question names the unit.

    Example:
        >>> same_value("重量为六十二千克。", "62公斤"), same_value("不到62公斤", "62公斤")
        (True, False)
        >>> same_value("28", "28天", "一共有多少天？"), same_value("28", "28天", "有多长时间？")
        (True, False)
    """
    return any(_same_value_places(answer, golden, question))


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
    wanted = quantity(golden)
    if wanted:
        yield from ((a, b) for a, b, found in stated_quantities(answer) if _equal(found, wanted, question))


def _equal(found: Quantity, wanted: Quantity, question: str) -> bool:
    if found.bound != wanted.bound or (wanted.dimension == "date" and found.unit != wanted.unit):
        return False
    if found.dimension == wanted.dimension:
        return math.isclose(found.value, wanted.value, rel_tol=1e-9)
    bare, full = (found, wanted) if found.dimension == "count:" else (wanted, found)
    unit = digits(full.text).lstrip("0123456789,.")
    return bare.dimension == "count:" and bool(unit) and unit in plain(question) and _number(bare) == _number(full)


def _number(stated: Quantity) -> str:
    """Return the numeral that a quantity is written with, whatever its unit."""
    found = _STATED_NUMBER.search(digits(stated.text))
    return found[0] if found else ""


@lru_cache(maxsize=1 << 12)
def _stated(text: str) -> tuple[tuple[int, int, Quantity], ...]:
    found: list[tuple[int, int, Quantity]] = []
    ends = [each.end for each in tokens(text)]
    at = 0
    while match := _OPENS_NUMBER.search(text, at):
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

    Example:
        >>> [found.text for *_, found in stated_quantities("2020年6月共花费约45欧元，七人参加。")]
        ['2020年6月', '约45欧元', '七人']
    """
    yield from _stated(text)


def other_value(answer: str, asked: str, golden: Sequence[str], sources: Sequence[str]) -> bool:
    """Check whether an answer asserts another value than the golden answers, of the same kind and in no source.

    ``answer`` is without what it denies, ``sources`` are the evidence and the passages.

    Example:
        >>> other_value("62公斤。它的重量是80公斤。", "重量是多少？", ["62公斤"], ["重量 | 62公斤"])
        True
        >>> other_value("62公斤（137磅），截至2024年", "重量是多少？", ["62公斤"], ["重量 | 62公斤"])
        False
    """
    if all(length_in_words(text) > LIMITS.alternative_words for text in golden):
        return False
    known = {
        each.replace(",", "") for text in (asked, *golden, *sources) for each in _STATED_NUMBER.findall(digits(text))
    }
    candidates = _asserted(answer, asked, golden)
    return any(_number(each) and _number(each) not in known for each in candidates)


def _asserted(answer: str, asked: str, golden: Sequence[str]) -> Iterator[Quantity]:
    """Yield the quantities that an answer asserts and that are of the kind of a golden answer, but not equal to it."""
    wanted = [found for found in map(quantity, golden) if found]
    topic = "|".join(re.escape(word) for word in _nouns(asked)) or "(?!)"
    asserted = re.compile(rf"(?:{_SUBJECT}|{topic})[^，,。！？；;\d]{{0,4}}{_ASSERTS}")
    for start, _, found in stated_quantities(answer):
        before = plain(answer[:start])
        corrected = any(match.end() == len(before.rstrip()) for match in _CORRECTED_TO.finditer(before.rstrip()))
        if not corrected and not asserted.search(before):
            continue
        if any(_of_kind(found, each) for each in wanted) and not any(_near(found, each) for each in wanted):
            yield found


def _nouns(asked: str) -> list[str]:
    return list(dict.fromkeys(word for word in content_stems(asked) if len(word) > 1))


def _of_kind(found: Quantity, wanted: Quantity) -> bool:
    """Check whether two quantities are of one kind; a number without a unit may be of any."""
    return found.dimension in ("count:", wanted.dimension)


def _near(found: Quantity, wanted: Quantity) -> bool:
    """Check whether a quantity is another in its own unit, or one that was rounded when it was converted."""
    if found.dimension != wanted.dimension:
        return _number(found) == _number(wanted)
    rounding = 1e-9 if found.unit == wanted.unit else LIMITS.conversion_rounding
    return math.isclose(found.value, wanted.value, rel_tol=rounding)
