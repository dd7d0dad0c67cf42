"""Sentences that say what to do in a case: 如果密钥泄露，应当立即删除密钥。Only their form is read."""

from __future__ import annotations

import re
from typing import NamedTuple

from kgsynth.base.vocabulary import Flag
from kgsynth.language.chinese.characters import plain
from kgsynth.language.chinese.clauses import subject_of
from kgsynth.language.chinese.lexicon import PATTERNS
from kgsynth.language.chinese.segmentation import tokens
from kgsynth.language.chinese.text_forms import content_stems

_CASE = re.compile(r"^(?:如果|若是|若|假如|倘若|一旦|万一)(?P<case>[^，,。；;：:]{3,40})[，,]\s?")
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
    told = PATTERNS["tells_to"].match(read, match.end())
    if told is None or not _is_clear(match["case"]):
        return None
    start = told.end("ought")
    done = read[start:].rstrip("。.! ")
    points = PATTERNS["pointer"].match(done) or PATTERNS["outside_advice"].search(done)
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
    if match is None or not PATTERNS["tells_to"].match(text, match.end()) or not _is_clear(match["case"]):
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
        and not PATTERNS["outside_advice"].search(text)
        and not text.endswith((":", "?"))
    )


def _is_clear(case: str) -> bool:
    """Check whether a case names its subject, and is no wish of the reader."""
    subject = subject_of(case)
    if subject is None or Flag.LOOSE in subject.flags:
        return False
    return (
        not PATTERNS["wished_case"].match(case)
        and not PATTERNS["outside_advice"].search(case)
        and len(content_stems(case)) > 1
    )
