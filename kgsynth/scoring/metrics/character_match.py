"""Compare answers in a language without blanks between words, by the evaluation of CMRC 2018.

Each Chinese, Japanese or Korean character is a token, and what lies between is cut as in the Penn Treebank. The marks
that CMRC drops are dropped, which joins what is beside them. Two texts share their longest common run of tokens. Unlike
in CMRC, letters and figures of full width are read as those of half width.
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from functools import lru_cache

from kgsynth.language.words import CJK

_DROPPED = str.maketrans(dict.fromkeys("-:_*^/\\~`+=，。：？！“”；’《》·、「」（）－～『』", None))
_HALF_WIDTH = str.maketrans({chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F) if chr(code).isalnum()})
_FINAL_STOP = r"\.(?=[\])}>\"']*\s*$)"
_SINGLE_MARK = r"\.{3}|[;@#$%&?!\[\](){}<>\"]|,(?!\d)|(?<=\S)'(?=\s|$)"
_TREEBANK_TOKEN = re.compile(rf"{_SINGLE_MARK}|{_FINAL_STOP}|(?:(?!{_SINGLE_MARK}|{_FINAL_STOP})\S)+")
_CLITIC = re.compile(r"(?<=\w)(?='(?:s|m|d|ll|re|ve)$)|(?<=\w)(?=n't$)")
_RUN_OR_CHARACTER = re.compile(rf"[{CJK}]|[^{CJK}]+")


def same_text(answer: str, golden: str) -> bool:
    """Check whether two texts are the same without the marks that are dropped and without letter case.

    Example:
        >>> same_text("「北京」。", "北京"), same_text("ＧＰＴ４", "gpt4")
        (True, True)
    """
    one, other = (text.translate(_HALF_WIDTH).lower().strip().translate(_DROPPED) for text in (answer, golden))
    return one == other


@lru_cache(maxsize=1 << 14)
def segments(text: str) -> tuple[str, ...]:
    """Return the tokens of a text.

    Example:
        >>> segments("约2cm（0.79英尺），FastAPI's")
        ('约', '2cm0.79', '英', '尺', 'fastapi', "'s")
    """
    found: list[str] = []
    for run in _RUN_OR_CHARACTER.findall(text.translate(_HALF_WIDTH).lower().translate(_DROPPED)):
        found += (piece for token in _TREEBANK_TOKEN.findall(run) for piece in _CLITIC.split(token))
    return tuple(found)


def shared_run(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    """Return the length of the longest run of tokens that both have.

    Example:
        >>> shared_run(("北", "京", "市"), ("在", "北", "京")), shared_run(("北", "京"), ("京", "北"))
        (2, 1)
    """
    return SequenceMatcher(None, one, other, autojunk=False).find_longest_match().size
