"""Words beside a value that make it another one: 不到62公斤, 62公斤的一半, 1至62公斤, 62万.

In doubt a word changes nothing: 约, 最多 and 至少 are often left out of a golden answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from kgsynth.language.chinese.characters import plain
from kgsynth.language.chinese.stated_values import value_places

_NUMERAL_CHARACTER = r"[\d零〇一二两三四五六七八九十百千万亿]"
_UP_TO = r"少于|低于|小于|以下|以内|之内|不到|不足|至多|最多|不超过|未满|<"
_FROM = r"超|多于|高于|大于|以上|至少|最少|逾|不少于|>"
_TO = r"(?:到|至|[-–—~～])"
_RANGE_EXCUSE = rf"{_NUMERAL_CHARACTER}\D{{0,3}}{_TO}"
_DIRECTLY_BEFORE = {
    "less": (r"(?:不到|不足|少于|低于|小于|未满|不满)", _UP_TO),
    "more": (r"(?<!不)(?:超过|多于|高于|大于|逾)", _FROM),
    "near": (r"(?:将近|接近|几乎|差一点到)", r"近|约|左右|大概|差不多"),
}
"""Kind of change -> the words directly before a value that make it, and the words of a source that excuse them."""
_BEFORE_NUMBER = {
    "minus": (r"(?:零下|负|[-−])", r"零下|负|-|−"),
    "range": (rf"{_NUMERAL_CHARACTER}(?:个|年|天|人|公斤|米|元)?{_TO}", _RANGE_EXCUSE),
}
"""The same for values that open with a figure or a numeral."""
_DIRECTLY_AFTER = {
    "part": (rf"的(?:一半|{_NUMERAL_CHARACTER}+分之{_NUMERAL_CHARACTER}+|[\d.]+%)", r"半|分之|%"),
    "times": (rf"的{_NUMERAL_CHARACTER}+倍", r"倍"),
    "less": (r"(?:以下|以内|之内)", _UP_TO),
    "more": (r"(?:以上|之上)", _FROM),
}
_AFTER_DATE = {
    "earlier": (r"(?:以前|之前|前)", r"以前|之前|前|截至|早于"),
    "later": (r"(?:以后|之后|后)", r"以后|之后|后|起|自|从"),
}
"""The same after a date."""
_DATE = re.compile(r"\d{4}年|[月日号]$")
_BOUNDS = (r"至多|最多|最高|不超过|上限", r"至少|最少|最低|不少于|起码|下限")
_AFTER_NUMBER = {"scale": (r"[万亿千百]", r"[万亿千百]"), "range": (rf"{_TO}{_NUMERAL_CHARACTER}", _RANGE_EXCUSE)}


def changed(
    answer: str, asked: str, golden: Sequence[str], evidence: Iterable[str], passages: Iterable[str] = ()
) -> bool:
    """Check whether an answer changes a golden answer wherever it states it; False if it states it nowhere.

    Words of the same kind in the question, a golden answer or the evidence excuse that; in ``passages`` only the same
    words beside the same value.

    Example:
        >>> changed("62公斤的两倍", "有多重？", ["62公斤"], []), changed("2至62公斤", "有多重？", ["62公斤"], [])
        (True, True)
        >>> changed("不到62公斤", "有多重？", ["62公斤"], ["重量低于62公斤。"])
        False
    """
    answer, sources = plain(answer), plain(" ".join([asked, *golden, *evidence]))
    read = ["".join(plain(text).split()) for text in passages]
    known = [bool(re.search(bound, sources)) for bound in _BOUNDS]
    for bound, exchanged in zip(_BOUNDS, ([False, True], [True, False]), strict=True):
        before = rf"(?:{bound})(?:为|是|只能|可以?|能|控制)*$"
        places = [place for text in golden for place in value_places(answer, plain(text), asked)]
        if known == exchanged and any(re.search(before, answer[:start]) for start, _ in places):
            return True
    changes = [
        [phrase for phrase, excuse in _changes(answer, place) if not re.search(excuse, sources, re.I)]
        for text in golden
        for place in value_places(answer, plain(text), asked)
    ]
    return bool(changes) and all(
        any(not any("".join(phrase.split()) in text for text in read) for phrase in phrases) for phrases in changes
    )


def _changes(answer: str, place: tuple[int, int]) -> Iterator[tuple[str, str]]:
    """Yield each phrase of the value at a place and words that change it, with the words that excuse it."""
    start, end = place
    opens, ends = (bool(re.match(_NUMERAL_CHARACTER, answer[at : at + 1])) for at in (start, end - 1))
    for words, excuse in {**_DIRECTLY_BEFORE, **(_BEFORE_NUMBER if opens else {})}.values():
        if match := re.search(rf"{words}\s*[$€£¥]?$", answer[:start]):
            yield answer[match.start() : end], excuse
    for words, excuse in [
        *_DIRECTLY_AFTER.values(),
        *(_AFTER_DATE.values() if _DATE.search(answer[start:end]) else ()),
        *(_AFTER_NUMBER.values() if ends else ()),
        *([_AFTER_NUMBER["range"]] if opens else ()),
    ]:
        if match := re.match(rf"\s*{words}", answer[end:]):
            yield answer[start : end + match.end()], excuse
