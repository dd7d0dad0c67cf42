"""Words in any language, without a parser: for metrics, BM25 and duplicates.

A word is a run of letters and digits; a Chinese, Japanese or Korean character is a word by itself.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

KANA, HANGUL = "\u3040-\u30ff", "\uac00-\ud7af"
HAN, HAN_EXTENSION, HAN_COMPATIBILITY = "\u4e00-\u9fff", "\u3400-\u4dbf", "\uf900-\ufaff"
CJK = KANA + HAN_EXTENSION + HAN + HANGUL + HAN_COMPATIBILITY
"""The letters of Chinese, Japanese and Korean, as ranges for use inside ``[...]`` of a regular expression."""
CJK_SYMBOLS = "\u2e80-\u303f\u4dc0-\u4dff"
"""Radicals, CJK punctuation and hexagrams, which are not in ``CJK``; also for use inside ``[...]``."""

_WORD = re.compile(rf"[{CJK}]|[^\W_{CJK}]+(?:['’][^\W_{CJK}]+)?")
_LATIN_LETTER = re.compile(r"LATIN (CAPITAL|SMALL) (?:LETTER|LIGATURE) (?:DOTLESS )?([A-Z]{1,2})(?: WITH .*)?")
"""The Unicode name of a Latin letter: "LATIN SMALL LETTER O WITH STROKE"."""
_UNSPACED = frozenset({"ja", "zh"})
_ANY_CJK = re.compile(f"[{CJK}]")


def words(text: str) -> list[str]:
    """Return the words of ``text`` in order, in lower case, after NFKC.

    Example:
        >>> words("The GPT4 model’s 模型")
        ['the', 'gpt4', "model's", '模', '型']
    """
    return _WORD.findall(unicodedata.normalize("NFKC", text).lower().replace("’", "'"))


def is_unspaced(code: str) -> bool:
    """Check whether a language is written without spaces between words, so that characters are compared.

    Example:
        >>> is_unspaced("zh"), is_unspaced("en")
        (True, False)
    """
    return code.partition("-")[0] in _UNSPACED


def has_cjk(text: str) -> bool:
    """Check whether ``text`` holds a Chinese, Japanese or Korean character.

    Example:
        >>> has_cjk("GPT4是模型"), has_cjk("café")
        (True, False)
    """
    return bool(_ANY_CJK.search(text))


def count_words(text: str) -> int:
    """Return how many words ``text`` holds.

    Example:
        >>> count_words("two words")
        2
    """
    return len(_WORD.findall(text))


def folded(text: str) -> str:
    """Return ``text`` without letter case, extra blanks and outer punctuation, after NFKC, to be compared.

    Example:
        >>> folded("  The Skua  3. ")
        'the skua 3'
    """
    text = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    return text.strip('"“”‘ ').rstrip(".,;:!?。，；：！？ ")


def between(text: str, places: Sequence[tuple[int, int]]) -> list[str]:
    """Return the parts of a text between ``places``, in order.

    Example:
        >>> between("red, blue", [(3, 4)])
        ['red', ' blue']
    """
    edges = [0, *(edge for place in places for edge in place), len(text)]
    return [text[start:end] for start, end in zip(edges[::2], edges[1::2], strict=True)]


def unaccented(text: str) -> str:
    """Return ``text`` after NFKC, with plain letters for Latin ones with marks: é, ø, ł, æ.

    Example:
        >>> unaccented("Blåmann, Łódź, Ærø, Straße"), unaccented("が, 北京")
        ('Blamann, Lodz, AEro, Strasse', 'が, 北京')
    """
    text = unicodedata.normalize("NFKC", text).replace("ß", "ss")
    return text if text.isascii() else "".join(map(_base_letter, text))


@lru_cache(maxsize=1 << 12)
def _base_letter(letter: str) -> str:
    match = _LATIN_LETTER.fullmatch(unicodedata.name(letter, "")) if not letter.isascii() else None
    return letter if match is None else match[2] if match[1] == "CAPITAL" else match[2].lower()


def shingles(text: str) -> frozenset[str]:
    """Return the pairs of neighbouring words in a text, by which near duplicates are found; one word alone stays one.

    Example:
        >>> sorted(shingles("Who leads the depot?"))
        ['leads the', 'the depot', 'who leads']
    """
    tokens = words(text)
    return frozenset(" ".join(tokens[n : n + 2]) for n in range(max(1, len(tokens) - 1)))


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    """Return the size of the intersection of two sets divided by that of their union, 0 when both are empty.

    Example:
        >>> jaccard(frozenset("abc"), frozenset("bcd"))
        0.5
    """
    return len(one & other) / len(one | other) if one or other else 0.0
