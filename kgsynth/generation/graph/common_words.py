"""Find the one-word mentions that are common words: pronouns, verbs, adjectives, nouns at the start of a sentence.

The parser takes a capital at the start of a sentence, sentences in capitals and rare words for names. What the whole
corpus writes decides: a name has a capital inside sentences too. A word that the corpus writes as code is a name.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from kgsynth.base.records import Analysis
from kgsynth.base.thresholds import LIMITS
from kgsynth.language import Language

_WRITTEN = re.compile(r"(?<![\w./@#:-])[^\W\d_][\w-]*(?![@/]|\.\w)")  # a word, and no part of an address or a path
_OPENS_SENTENCE = frozenset('.:!?(["“*•–—-')  # before a word that has a capital wherever a sentence begins


class WrittenWords:
    """How often the corpus writes each word with a capital inside a sentence, and in lower case."""

    def __init__(self, analyses: Iterable[Analysis]) -> None:
        self._inside: Counter[str] = Counter()
        self._lower: Counter[str] = Counter()
        self._code: set[str] = set()
        for analysis in analyses:
            self._code.update(mention.text.lower() for mention in analysis.mentions if mention.label == "CODE")
            for sentence in analysis.sentences:
                shouts = sentence.text.isupper()
                for match in _WRITTEN.finditer(sentence.text):
                    word = match.group()
                    if word[0].islower():
                        self._lower[word] += 1
                    elif not (shouts and word.isupper()) and not _opens(sentence.text, match.start()):
                        self._inside[word] += 1

    def is_common(self, name: str, own: Language) -> bool:
        """Check whether a one-word name of the language ``own`` is a common word, and not the name of anything."""
        lower = name.lower()
        if lower in self._code or not own.is_common_word(lower):
            return False
        if name == lower:
            return True
        if name.isupper():
            return own.is_emphasis(lower) or (not self._inside[name] and self._lower[lower] > 0)
        if not name[1:].islower():
            return False  # "DiffID" is a name
        return 0 < self._lower[lower] >= LIMITS.common_word_ratio * self._inside[name]


def _opens(text: str, start: int) -> bool:
    """Check whether a sentence, or a part of it that is written like one, begins at ``start``."""
    before = text[:start].rstrip()
    return not before or before[-1] in _OPENS_SENTENCE


def is_fragment(name: str) -> bool:
    """Check whether a text cannot be a name: it has no letter, or is cut off in an optional plural.

    Example:
        >>> [is_fragment(name) for name in ("-200", "License(s", "fetch()", "rsync(1")]
        [True, True, False, False]
    """
    return not any(map(str.isalpha, name)) or name.endswith(("(s", "(es"))
