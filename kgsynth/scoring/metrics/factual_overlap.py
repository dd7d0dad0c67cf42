"""Find expected key words, names and numbers in a text, without a parser or a model.

Words are compared by stem if kgsynth supports the language, otherwise unchanged. Irregular forms ("began") have other
stems than their verb, so key word coverage is a lower bound. Names are recognised by capitals, so in Chinese only names
in Latin letters are found. Numbers are compared by value, with the units of the language.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from kgsynth.base.quantity import TimeUnit
from kgsynth.language import LANGUAGES, Language, language, nearest_language
from kgsynth.language.words import has_cjk, words

_NUMERAL = re.compile(r"\d+(?:\.\d+)?")
_EDGE_PUNCTUATION = "\"'“”‘’()[]{}<>,;:!?*_`。，、；：！？「」『』（）《》"
_LATIN_OR_NUMBER = re.compile(r"[A-Za-z][A-Za-z0-9_'’.+#-]*|\d[\d,.]*")
_LONGEST_QUANTITY = 12
"""The most characters read as one quantity in a language without blanks."""
_MAX_QUANTITY_WORDS = 5
"""The most words read as one quantity: "the 3rd of March 2019" has five."""


def content_words(text: str, code: str) -> list[str]:
    """Return the stems of the content words of ``text``, or its words if kgsynth does not support the language.

    Example:
        >>> content_words("The claims were approved.", "en"), content_words("北京", "ja")
        (['claim', 'approve'], ['北', '京'])
    """
    return language(code).content_stems(text) if code in LANGUAGES else words(text)


def keyword_coverage(keywords: Sequence[str], texts: Iterable[str], code: str = "en") -> float:
    """Return the share of ``keywords`` that occur in any of ``texts``.

    Example:
        >>> keyword_coverage(["approve", "canada", "claim"], ["Claims are approved weekly."])
        0.6666666666666666
    """
    present = {word for text in texts for word in content_words(text, code)} if keywords else set()
    wanted = [content_words(keyword, code) or words(keyword) for keyword in keywords]
    return sum(set(stems) <= present for stems in wanted) / len(wanted) if wanted else 0.0


class StatedNumber(NamedTuple):
    """A number in a text: its value in the base unit of ``dimension``, and the numerals it is written with.

    The dimension is that of ``quantities``, "" for a count and for a number without a unit.
    """

    dimension: str
    value: float
    numerals: frozenset[float]
    unit: str = ""

    def matches(self, wanted: StatedNumber) -> bool:
        """Check whether this number equals ``wanted``; if either has no unit, their numerals are compared."""
        if self.dimension == wanted.dimension and math.isclose(self.value, wanted.value, rel_tol=1e-6):
            return True
        if self.dimension == wanted.dimension == "date" and wanted.unit == TimeUnit.YEAR:
            return wanted.numerals <= self.numerals
        return "" in (self.dimension, wanted.dimension) and self.numerals == wanted.numerals


class NamesAndNumbers(NamedTuple):
    """The names of a text, each as the set of its words, and its numbers."""

    names: frozenset[frozenset[str]]
    numbers: frozenset[StatedNumber]


def names_and_numbers(text: str, code: str = "en") -> NamesAndNumbers:
    """Return the words of ``text`` that are names, recognised by their capitals, and its numbers.

    In a text that ends like a sentence, the first word is a name only if it has a capital after its first letter.

    Example:
        >>> found = names_and_numbers("Ada Low weighed sixty-two grams in Leeds")
        >>> sorted(sorted(name) for name in found.names), [number.value for number in found.numbers]
        ([['ada'], ['leeds'], ['low']], [0.062])
    """
    own = nearest_language(code)
    tokens = _parted(own.digits(text), own).split()
    names: set[frozenset[str]] = set()
    numbers: set[StatedNumber] = set()
    at = 0
    while at < len(tokens):
        number, used = _longest_quantity(tokens[at : at + _MAX_QUANTITY_WORDS], own)
        token = tokens[at].strip(_EDGE_PUNCTUATION)
        starts_sentence = at == 0 and bool(re.search(r"[.!?。！？]\s*$", text))
        if number:
            numbers.add(number)
        elif any(map(str.isupper, token[1:] if starts_sentence else token)) and own.content_stems(token):
            names.add(frozenset(words(token)))
        else:
            values = map(float, _NUMERAL.findall(token))
            numbers |= {StatedNumber("", value, frozenset({value})) for value in values}
        at += max(used, 1)
    return NamesAndNumbers(frozenset(names), frozenset(numbers))


def _parted(text: str, own: Language) -> str:
    """Return a text without blanks between its words with blanks around Latin words and numbers with their units."""
    if not has_cjk(text):
        return text
    text = unicodedata.normalize("NFKC", text)
    out, place = [], 0
    for match in _LATIN_OR_NUMBER.finditer(text):
        if match.start() < place:
            continue
        ends = range(min(len(text), match.start() + _LONGEST_QUANTITY), match.end(), -1)
        read = (end for end in ends if match[0][0].isdigit() and own.quantity(text[match.start() : end]))
        end = next(read, match.end())
        out += [text[place : match.start()], text[match.start() : end]]
        place = end
    return " ".join([*out, text[place:]])


def _words_as_parted(text: str, code: str) -> set[str]:
    """Return the words of a text, and those into which its names are parted where words have no blanks between."""
    own = nearest_language(code)
    return {*words(text), *(words(_parted(own.digits(text), own)) if has_cjk(text) else ())}


def _longest_quantity(tokens: Sequence[str], own: Language) -> tuple[StatedNumber | None, int]:
    """Return the longest quantity at the start of the tokens, and how many tokens it takes.

    One of its first two tokens must hold a numeral.
    """
    if not any(_NUMERAL.search(token) for token in tokens[:2]):
        return None, 0
    readings = [_quantity(tokens[:used], own) for used in range(1, len(tokens) + 1)]
    used = max((at for at, reading in enumerate(readings, 1) if reading), default=0)
    if not used:
        return None, 0
    number = readings[used - 1]
    while used > 1 and readings[used - 2] == number:  # "62 grams in Leeds" is the same quantity as "62 grams"
        used -= 1
    return number, used


def _quantity(tokens: Sequence[str], own: Language) -> StatedNumber | None:
    text = " ".join(tokens).strip(_EDGE_PUNCTUATION + ".")
    found = own.quantity(text) if _NUMERAL.search(text) else None
    if found is None or re.match("count:.", found.dimension):  # the words counted may be names
        return None
    numerals = frozenset(map(float, _NUMERAL.findall(text.replace(",", ""))))
    return StatedNumber(found.dimension.removeprefix("count:"), found.value, numerals, found.unit)


def factual_overlap(answer: str, golden: Sequence[str], code: str = "en") -> float | None:
    """Return the share of the golden answer's names and numbers that are in the answer.

    With several golden answers, the best share counts. Return None when any of them has neither names nor numbers,
    since a correct answer then needs none.

    Example:
        >>> factual_overlap("It lasts 14 days, says Ada.", ["two weeks, after Ada Low"])
        0.6666666666666666
        >>> factual_overlap("yes", ["carriers"]) is None
        True
    """
    expected = [names_and_numbers(text, code) for text in golden]
    if not expected or not all(names or numbers for names, numbers in expected):
        return None
    answer_words, answer_numbers = _words_as_parted(answer, code), names_and_numbers(answer, code).numbers
    shares = []
    for names, numbers in expected:
        found = sum(name <= answer_words for name in names)
        found += sum(any(number.matches(wanted) for number in answer_numbers) for wanted in numbers)
        shares.append(found / (len(names) + len(numbers)))
    return max(shares)
