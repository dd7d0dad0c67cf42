"""Decide what becomes of a hyphen at the end of a line: part of the word, or only of its break."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

_LAST = re.compile(r"([^\W\d_]+)[-‐]$")
_FIRST = re.compile(r"^([^\W\d_]+)")
_MIN_HALF = 3  # letters of a half that may be a word
_MIN_SHARE = 0.015  # of the lines end in a hyphen where words are broken; fewer are compounds that met the end
_AROUND = ".,;:!?()[]“”\"'"


@dataclass(slots=True)
class KnownWords:
    """The words of a document, and how many of its lines end in a hyphen."""

    counts: Counter[str] = field(default_factory=Counter)
    lines: int = 0
    hyphens: int = 0

    def add(self, line: str, hyphen: bool) -> None:
        """Count the words of a line; the two halves at its ends count too."""
        self.counts.update(word.strip(_AROUND).casefold() for word in line.split())
        self.lines += 1
        self.hyphens += hyphen

    def is_one_word(self, before: str, after: str) -> bool:
        """Check whether a word was broken without a hyphen, as in narrow cells: elsewhere only the whole word occurs.

        Example:
            >>> known = KnownWords()
            >>> known.add("set MAX_RETRIES to the", False)
            >>> known.is_one_word("MAX_RETR", "IES"), known.is_one_word("set", "MAX_RETRIES")
            (True, False)
        """
        last, first = (before.split() or [""])[-1].casefold(), (after.split() or [""])[0].casefold()
        return bool(self.counts[last + first]) and self.counts[last] <= 1

    def is_break(self, before: str, after: str) -> bool:
        """Check whether the hyphen at the end of a line only breaks a word.

        Example:
            >>> known = KnownWords()
            >>> known.add("a well of known docu-", True)
            >>> [known.is_break(*halves) for halves in (("docu-", "ments"), ("well-", "known"))]
            [True, False]
        """
        last, first = _LAST.search(before), _FIRST.match(after)
        if not last or not first or not first[1][0].islower():
            return False
        one, other = last[1].casefold(), first[1].casefold()
        if self.counts[one + other]:
            return True
        if self.counts[f"{one}-{other}"] or self.hyphens < _MIN_SHARE * self.lines:
            return False
        return not (min(len(one), len(other)) >= _MIN_HALF and self.counts[one] and self.counts[other])
