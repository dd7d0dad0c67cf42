"""How much or how many: X为/达/共/最多/至少 + a number with its measure word, to the end of the clause but for a noun.

Left out: 一 with a measure word ("一个系统"), ordinals, several figures in one clause, and figures inside a modifier.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from kgsynth.base.vocabulary import Flag, Role
from kgsynth.language.chinese.segmentation import tokens
from kgsynth.language.chinese.stated import Part, Split, Stated
from kgsynth.language.chinese.subjects import opening_time, points_out, subject_of

_WITH_DIGITS = r"\d+(?:,\d{3})*(?:\.\d+)?"
_HAN_DIGITS = r"[零〇一二两三四五六七八九十百千]+"
_WRITTEN_NUMBER = rf"(?:{_WITH_DIGITS}|{_HAN_DIGITS})(?:[多余几])?(?:\s?[十百千万亿]+)?(?:[多余])?"
_NUMBER_RANGE = rf"{_WRITTEN_NUMBER}(?:\s?(?:至|到|-|–|—|~|～)\s?{_WRITTEN_NUMBER})?"
UNIT = (
    r"(?:平方|立方)?(?:公里|千米|英里|海里|英尺|厘米|毫米|微米|纳米|米)|公顷|亩|吨|公斤|千克|毫克|克(?!拉)|毫升|立方|升|"
    r"个?工作日|个?小时|分钟|毫秒|微秒|秒钟?|个?星期|个多?月|个世纪|周年?|年|天|日|"
    r"[万亿]?(?:人民币|美元|欧元|日元|日圆|港元|港币|英镑|马克|卢布|韩元|新台币|元)|摄氏度|华氏度|度|%|％|[KMGTP]i?B(?!\w)|兆帕|帕|字节|像素|"
    r"千伏|伏特?|千瓦|兆瓦|瓦特?|赫兹|[kMG]?Hz|mm|cm|km|kg|ms|马力|安培|"
    r"人|名|位|个|台|座|家|所|部|条|次|种|枚|辆|架|艘|匹|只|头|张|本|册|篇|首|集|期|届|层楼?|间|户|句|款|项|份|套|块|颗|根|株|片|对|组|队|场|站|"
    r"段|章|节|门|岁|倍|票|分|球|村|棵|字|页|行|笔|批|卷|幅|桶|箱|节|组|回合|轮|公尺|步|圈|杆|发"
)
_QUANTITY = re.compile(
    rf"(?P<percent>百分之(?:{_WRITTEN_NUMBER}))|(?P<about>大?约|近|约为)?(?P<number>{_NUMBER_RANGE})\s?(?P<unit>{UNIT})(?!\w*世纪)"
)
_STATES_FIGURE = re.compile(
    r"(?:现|总|均|仅|只|一般|平均|目前|已|曾|也|都|大|可|就|能|需要?|应|不得|不能|会)*"
    r"(?:为|是|达到?了?|高达|长达|共计?有?|总[共计]有?|合计|共[分设收建占]?[为有]?|设有|拥有|[下内辖]?[设有]有?|最[多少大高长低小]为?|至[多少]|不[超多少低高]过?于?|"
    r"超过|收费|收取|等于|全?[长高宽深重]|历时|持续|容纳|占地?|海拔|保[留存]|支[持付]|需|要|返还|补[贴助])(?:了|为|有|到)?"
)
_LIMITED = re.compile(
    r"[^，,]{0,8}?(?:最[多少长高大低早晚快]|至[多少]|不[超]过|不少于|不低于|不高于|一?共|总共|多达)[^，,\d一二三四五六七八九十]{0,6}?"
)
_TAIL = re.compile(r"的?[\u3400-\u9fffA-Za-z ]{0,8}(?:（[^（）]*）)?")
_BEFORE_ORDINAL = re.compile(r"(?:第|[年月日号\d.]|每)$")


class Amount(NamedTuple):
    """A figure with its measure word in a text, and where the number inside it ends."""

    start: int
    end: int
    unit: str


def amounts(text: str) -> list[Amount]:
    """Return the figures of a text that count or measure something; no dates, ordinals or 一 with a measure word.

    Example:
        >>> text = "2018年共有约3万名员工，占百分之五，是一个第3台"
        >>> [text[a.start : a.end] for a in amounts(text)]
        ['约3万名', '百分之五']
    """
    found = []
    for match in _QUANTITY.finditer(text):
        number, unit = match["number"] or "", match["unit"] or ""
        dated = unit in {"年", "日"} and re.fullmatch(r"[\d〇零一二三四五六七八九]{4}", number)
        if dated or number == "一" or _BEFORE_ORDINAL.search(text[: match.start()]):
            continue
        found.append(Amount(match.start(), match.end(), unit))
    return found


def value_facts(split: Split) -> Iterator[Stated]:
    """Yield the quantities that the clauses of a sentence give for their own subjects.

    Example:
        >>> text = "一台网关最多可以接入64台传感器。"
        >>> [text[p.start : p.end] for fact in value_facts(Split(text, ((0, 16),))) for p in fact.parts]
        ['一台网关', '64台', '传感器']
    """
    for number, (start, end) in enumerate(split.clauses):
        time = split.clauses[number - 1] if number and _is_time(split.clause(number - 1)) else None
        found = value_in(split, start, end)
        if found is not None:
            if number and not time and not _is_specific(found.parts[0].flags):
                continue  # 有效期 after the first clause is that of its subject
            parts = found.parts if time is None else (Part(Role.TIME, *time), *found.parts)
            yield found._replace(parts=parts)


def _is_specific(flags: frozenset[Flag]) -> bool:
    return bool(flags & {Flag.NAMED, Flag.MODIFIED})


def _is_time(text: str) -> bool:
    return len(text) > 1 and opening_time(text) == len(text)


def value_in(split: Split, start: int, end: int) -> Stated | None:
    """Return the quantity that one clause gives, None for none."""
    text = split.text[start:end]
    opened = opening_time(text)
    subject = subject_of(text[opened:], split.known)
    figures = [each for each in amounts(text) if subject and each.start >= opened + subject.end]
    if subject is None or len(figures) != 1 or points_out(text) or Flag.LOOSE in subject.flags:
        return None
    figure, reached = figures[0], opened + subject.end
    middle, tail = text[opened + subject.predicate : figure.start].rstrip(), text[figure.end :]
    if not (_STATES_FIGURE.fullmatch(middle) or _LIMITED.fullmatch(middle)) or not _is_noun(tail):
        return None
    parts = [
        Part(Role.SUBJECT, start + opened, start + reached, subject.flags),
        Part(Role.ATTRIBUTE, start + figure.start, start + figure.end, frozenset({Flag.NOMINAL, Flag.NUMBER})),
    ]
    if opened:
        parts.insert(0, Part(Role.TIME, start, start + opened))
    if tail:
        parts.append(Part(Role.OTHER, start + figure.end, end))
    return Stated(tuple(parts), middle, start + reached)


def _is_noun(tail: str) -> bool:
    """Check whether what follows a figure in its clause is nothing but the noun that is counted."""
    words = [each for each in tokens(tail) if each.text.strip()]
    return (
        tail != "的"
        and bool(_TAIL.fullmatch(tail))
        and all(
            (
                each.tag[:1] in "nvljbaxgk"
                and each.text not in {"以上", "以下"}
                and (each.tag[:1] != "v" or each.tag == "vn")
            )
            or each.tag in {"eng", "s", "i", "uj"}
            for each in words
        )
    )
