"""Key words, names and numbers: which of those expected a text holds. Words alone, no parser and no model.

Words are compared by their stems where kgsynth reads the language, else as they are. Names are told by capitals, so
in Chinese only names in Latin letters are seen; numbers are compared by value, with the units of the language.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from kgsynth.base.quantity import TimeUnit
from kgsynth.language import LANGUAGES, Language, language, nearest_language
from kgsynth.language.words import words

_FIGURE = re.compile(r"\d+(?:\.\d+)?")
_EDGE = "\"'“”‘’()[]{}<>,;:!?*_`。，、；：！？「」『』（）《》"
_LONGEST = 5
"""Words of the longest quantity looked for: "on the 3rd of March 2019" has its figures within five."""


def content_words(text: str, code: str) -> list[str]:
    """Return the stems of the content words of ``text``; its words, where kgsynth does not read the language.

    Example:
        >>> content_words("The claims were approved.", "en"), content_words("北京", "zh")
        (['claim', 'approve'], ['北', '京'])
    """
    return language(code).content_stems(text) if code in LANGUAGES else words(text)


def keyword_coverage(keywords: Sequence[str], texts: Iterable[str], code: str = "en") -> float:
    """Return the share of ``keywords`` that stand in ``texts``, taken together.

    Example:
        >>> keyword_coverage(["approve", "canada", "claim"], ["Claims are approved weekly."])
        0.6666666666666666
    """
    held = {word for text in texts for word in content_words(text, code)} if keywords else set()
    wanted = [content_words(keyword, code) or words(keyword) for keyword in keywords]
    return sum(set(stems) <= held for stems in wanted) / len(wanted) if wanted else 0.0


class Number(NamedTuple):
    """A number in a text: its value in the base unit of ``dimension``, and the figures it is written with.

    The dimension is that of ``quantities``, "" for a count and for a number without a unit.
    """

    dimension: str
    value: float
    figures: frozenset[float]
    unit: str = ""

    def meets(self, wanted: Number) -> bool:
        """Say whether this number states the one ``wanted``; one without a unit does when the figures are equal."""
        if self.dimension == wanted.dimension and math.isclose(self.value, wanted.value, rel_tol=1e-6):
            return True
        year = self.dimension == wanted.dimension == "date" and wanted.unit == TimeUnit.YEAR
        bare = "" in (self.dimension, wanted.dimension)
        return wanted.figures <= self.figures if year else bare and self.figures == wanted.figures


class Facts(NamedTuple):
    """The names, each as the set of its words, and the numbers of a text."""

    names: frozenset[frozenset[str]]
    numbers: frozenset[Number]


def facts(text: str, code: str = "en") -> Facts:
    """Return the words of ``text`` that are names, by their capitals, and its numbers.

    The first word of a sentence with a full stop is a name only if it has a capital or digit further in.

    Example:
        >>> found = facts("Ada Low weighed sixty-two grams in Leeds")
        >>> sorted(sorted(name) for name in found.names), [number.value for number in found.numbers]
        ([['ada'], ['leeds'], ['low']], [0.062])
    """
    own = nearest_language(code)
    tokens = own.digits(text).split()
    names: set[frozenset[str]] = set()
    numbers: set[Number] = set()
    at = 0
    while at < len(tokens):
        number, used = _number(tokens[at : at + _LONGEST], own)
        token = tokens[at].strip(_EDGE)
        opens = at == 0 and bool(re.search(r"[.!?。！？]\s*$", text))
        if number:
            numbers.add(number)
        elif any(letter.isupper() for letter in (token[1:] if opens else token)) and own.content_stems(token):
            names.add(frozenset(words(token)))
        else:
            numbers |= {Number("", float(figure), frozenset({float(figure)})) for figure in _FIGURE.findall(token)}
        at += max(used, 1)
    return Facts(frozenset(names), frozenset(numbers))


def _number(tokens: Sequence[str], own: Language) -> tuple[Number | None, int]:
    """Read the longest quantity the tokens open with, and how many of them it takes; a figure is in the first two."""
    if not any(_FIGURE.search(token) for token in tokens[:2]):
        return None, 0
    readings = [_reading(tokens[:used], own) for used in range(1, len(tokens) + 1)]
    used = max((at for at, reading in enumerate(readings, 1) if reading), default=0)
    if not used:
        return None, 0
    number = readings[used - 1]
    while used > 1 and readings[used - 2] == number:  # "62 grams in Leeds" says no more than "62 grams"
        used -= 1
    return number, used


def _reading(tokens: Sequence[str], own: Language) -> Number | None:
    text = " ".join(tokens).strip(_EDGE + ".")
    found = own.quantity(text) if _FIGURE.search(text) else None
    if found is None or re.match("count:.", found.dimension):  # what is counted may hold names
        return None
    figures = frozenset(float(figure) for figure in _FIGURE.findall(text.replace(",", "")))
    return Number(found.dimension.removeprefix("count:"), found.value, figures, found.unit)


def factual_overlap(answer: str, golden: Sequence[str], code: str = "en") -> float | None:
    """Return the share of the golden answer's names and numbers that the answer holds; None when it has none.

    Of several golden answers the best counts; where one of them has none, right answers need none, and it is None too.

    Example:
        >>> factual_overlap("It lasts 14 days, says Ada.", ["two weeks, after Ada Low"])
        0.6666666666666666
        >>> factual_overlap("yes", ["carriers"]) is None
        True
    """
    expected = [facts(text, code) for text in golden]
    if not expected or not all(names or numbers for names, numbers in expected):
        return None
    said, told = set(words(answer)), facts(answer, code).numbers
    shares = []
    for names, numbers in expected:
        held = sum(name <= said for name in names) + sum(any(n.meets(each) for n in told) for each in numbers)
        shares.append(held / (len(names) + len(numbers)))
    return max(shares)
