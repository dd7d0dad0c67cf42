"""Sentences that say what to do in a case: 如果密钥泄露，应当立即删除密钥。Only their form is read."""

from __future__ import annotations

import re
from typing import NamedTuple

from kgsynth.base.vocabulary import Flag
from kgsynth.language.chinese.characters import plain
from kgsynth.language.chinese.clauses import subject_of
from kgsynth.language.chinese.segmentation import tokens
from kgsynth.language.chinese.text_forms import content_stems

_CASE = re.compile(r"^(?:如果|若是|若|假如|倘若|一旦|万一)(?P<case>[^，,。；;：:]{3,40})[，,]\s?")
_TELLS_TO = re.compile(
    r"(?:那么|则|就)?(?:[你您](?:们)?)?(?:就|都|也)?(?P<ought>应该|应当|必须|务必|需要|须|应|请)(?:先|立即|马上|尽快|首先)?(?=.)"
)
_WISHED_CASE = re.compile(
    r"^(?:[你您](?:们)?)?(?:还|也|更|只|正|仍|一直)*(?:想|计划|偏[好爱]|考虑|尝试|习惯|希望|打算|要(?!求)|需要|愿意|喜欢|对|有(?:任何|其他|疑问|问题|兴趣|需要|时间)|正在(?:使用|寻找|找)|"
    r"没有?(?:问题|兴趣)|使用|选择|可能|必要|不确定|熟悉|已经(?:知道|了解|熟悉))"
)
_OUTSIDE_ADVICE = re.compile(
    r"[它他她其该此]|这(?!么)|那(?!么)|上述|以上|以下|下[面列述]|如下|前面|上面|我们?|同样|前者|后者|否则|(?<![文版样脚])本[文章节页](?!件)"
)
_POINTER = re.compile(
    r"^(?:立即|先)?(?:请)?(?:参[见阅考照看]|决定|牢记|查看|阅读|看|见|访问|点击这里|注意|记住|继续|回到|跳过|了解|考虑|放心|忽略|学习)"
)
_ORDER = re.compile(r"^(?:请|不要|不得|不能|切勿|务必|必须|然后|接着|再|并|应当|应该|禁止|同时请)")
_SHORTEST_ADVICE, _LONGEST_ADVICE = 6, 120
_ASKS_ADVICE = "应该怎么做"


class CaseAdvice(NamedTuple):
    """Where in a sentence the case and what to do stand, and the words that ask for it."""

    opening: str
    case: tuple[int, int]
    done: tuple[int, int]


def advice(sentence: str) -> CaseAdvice | None:
    """Return what a sentence says to do in a case, None if it does not, or if the case is not clear by itself.

    Example:
        >>> advice("如果密钥泄露，应当立即删除密钥。")
        CaseAdvice(opening='应该怎么做', case=(0, 6), done=(9, 16))
        >>> advice("如果它失败，请重启网关。")
    """
    read = plain(sentence)
    match = _CASE.match(read)
    if match is None or len(read) != len(sentence) or read.rstrip().endswith((":", "?")):
        return None
    told = _TELLS_TO.match(read, match.end())
    if told is None or not _is_clear(match["case"]):
        return None
    start = told.end("ought")
    done = read[start:].rstrip("。.! ")
    points = _POINTER.match(done) or _OUTSIDE_ADVICE.search(done)
    if points or not _SHORTEST_ADVICE <= len(done) <= _LONGEST_ADVICE or tokens(done)[0].tag == "r":
        return None
    return CaseAdvice(_ASKS_ADVICE, (0, match.end("case")), (start, len(sentence)))


def advice_lead(sentence: str) -> str:
    """Return the question for a list that a case leads into, "" for none.

    Example:
        >>> advice_lead("如果密钥泄露，请按以下步骤操作：")
        '如果密钥泄露，应该怎么做？'
    """
    text = plain(sentence).rstrip(" :")
    match = _CASE.match(text)
    if match is None or not _TELLS_TO.match(text, match.end()) or not _is_clear(match["case"]):
        return ""
    return f"{sentence[: match.end('case')]}，{_ASKS_ADVICE}？"


def is_further_advice(sentence: str) -> bool:
    """Check whether a sentence goes on with advice: it is an order that names no case of its own.

    Example:
        >>> is_further_advice("请不要重启网关。"), is_further_advice("如果下雨，请停机。")
        (True, False)
    """
    text = plain(sentence)
    return (
        bool(_ORDER.match(text))
        and not _CASE.match(text)
        and not _OUTSIDE_ADVICE.search(text)
        and not text.endswith((":", "?"))
    )


def _is_clear(case: str) -> bool:
    """Check whether a case names its subject, and is no wish of the reader."""
    subject = subject_of(case)
    if subject is None or Flag.LOOSE in subject.flags:
        return False
    return not _WISHED_CASE.match(case) and not _OUTSIDE_ADVICE.search(case) and len(content_stems(case)) > 1
