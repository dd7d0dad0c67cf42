"""How long a text and a document are, in words of any language."""

from __future__ import annotations

import re
from collections.abc import Collection

from kgsynth.base.records import READ, Document
from kgsynth.base.thresholds import LIMITS
from kgsynth.language.words import CJK, count_words

_CJK_CHARACTER = re.compile(f"[{CJK}]")


def length_in_words(text: str) -> int:
    """Return the length of a text in words between blanks; two Chinese, Japanese or Korean characters count as one.

    Example:
        >>> length_in_words("a 14-month trial"), length_in_words("试用期为14个月")
        (3, 4)
    """
    spaced, characters = _CJK_CHARACTER.subn(" ", text)
    return len(spaced.split()) + (characters + 1) // 2


def is_long(document: Document, kinds: Collection[str] = READ) -> bool:
    """Check whether a document has so many words in blocks of some kinds that one expects a question about it."""
    words = sum(count_words(block.text) for block in document.blocks if block.kind in kinds)
    return words >= LIMITS.long_document_words
