"""Words and sentence ends without a parser: for metrics, BM25, lengths and duplicates, in any language.

A word is a run of letters and digits; a Chinese, Japanese or Korean character is a word by itself. Parsing
proper is the business of the language modules.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from kgsynth.base.records import PROSE, Document

KANA, HANGUL = "\u3040-\u30ff", "\uac00-\ud7af"
HAN, HAN_EXTENSION, HAN_COMPATIBILITY = "\u4e00-\u9fff", "\u3400-\u4dbf", "\uf900-\ufaff"
CJK = KANA + HAN_EXTENSION + HAN + HANGUL + HAN_COMPATIBILITY
"""The letters of Chinese, Japanese and Korean, as ranges for use inside ``[...]`` of a regular expression."""
CJK_SYMBOLS = "\u2e80-\u303f\u4dc0-\u4dff"
"""Radicals, CJK punctuation and hexagrams, which are not in ``CJK``; also for use inside ``[...]``."""

_WORD = re.compile(rf"[{CJK}]|[^\W_{CJK}]+(?:['’][^\W_{CJK}]+)?")
_ANY_CJK = re.compile(f"[{CJK}]")
_END = re.compile(r"(?<=[.!?])[\"'”’)\]]*\s+(?=[\"'“‘(\[]?[A-Z0-9`*_])|(?<=[。！？])[”’」』）]*\s*|\n\s*\n")
_ABBREVIATION = re.compile(r"(?:\b(?:Mr|Mrs|Ms|Dr|Prof|St|vs|etc|e\.g|i\.e|cf|No|Fig|approx|Inc|Ltd|Co)|\b[A-Z])\.$")


def words(text: str) -> list[str]:
    """Return the words of ``text`` in order, lower-cased, after NFKC.

    Example:
        >>> words("The GPT4 model’s 模型")
        ['the', 'gpt4', "model's", '模', '型']
    """
    return [word.replace("’", "'") for word in _WORD.findall(unicodedata.normalize("NFKC", text).lower())]


def has_cjk(text: str) -> bool:
    """Say whether ``text`` holds a Chinese, Japanese or Korean character.

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
    return sum(1 for _ in _WORD.finditer(text))


LONG = 150
"""Words of prose from which on a document is worth a question."""


def shingles(text: str) -> frozenset[str]:
    """Return the pairs of words side by side in a text, by which near duplicates are known; of one word that word.

    Example:
        >>> sorted(shingles("Who leads the depot?"))
        ['leads the', 'the depot', 'who leads']
    """
    tokens = words(text)
    return frozenset(" ".join(tokens[n : n + 2]) for n in range(max(1, len(tokens) - 1)))


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    """Return the share of what either holds that both hold, 0 when neither holds anything.

    Example:
        >>> jaccard(frozenset("abc"), frozenset("bcd"))
        0.5
    """
    return len(one & other) / len(one | other) if one or other else 0.0


def is_long(document: Document) -> bool:
    """Say whether a document has words of prose enough that one expects a question on it."""
    return sum(count_words(block.text) for block in document.blocks if block.kind in PROSE) >= LONG


def sentence_spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield the offsets of the sentences of ``text``, white space outside; an empty line ends one too.

    Example:
        >>> [("Dr. Lee came. He left."[a:b]) for a, b in sentence_spans("Dr. Lee came. He left.")]
        ['Dr. Lee came.', 'He left.']
    """
    start = 0
    for match in _END.finditer(text):
        before = text[start : match.start()]
        if _ABBREVIATION.search(before) or not before.strip():
            continue
        yield _trim(text, start, match.start() + len(match.group().rstrip()))
        start = match.end()
    if text[start:].strip():
        yield _trim(text, start, len(text))


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), end - (len(piece) - len(piece.rstrip()))
