"""The values an English answer states, and whether one is the golden answer in another form."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from kgsynth.base.quantity import Quantity, TimeUnit
from kgsynth.language.english.dates import MONTHS
from kgsynth.language.english.lexicon import WORDS
from kgsynth.language.english.morphology import singular
from kgsynth.language.english.number_words import digits, spelled_number
from kgsynth.language.english.quantities import quantity
from kgsynth.language.english.question_checks import answer_kind, content_stems
from kgsynth.language.english.spellings import spelled_alike
from kgsynth.language.english.units import KRONER
from kgsynth.language.words import words

_MAX_WORDS = 7
"""The most words that are read as one quantity."""
_EDGES = "\"'“”‘’()[]{}<>,;:!?*_`."
_STATED_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
_FURTHER_MEMBER = re.compile(r",?\s*(?:and|or|plus)\b")
_RANGE_WORD = re.compile(r"\s*(?:(?:to|and|or)\b|[-–])\s*[-\d]")


def same_value(answer: str, golden: str, question: str = "") -> bool:
    """Check whether an answer states the quantities or dates that a golden answer is, in whatever form.

    A number without a unit counts if the question names the unit. What follows a value that the question asks for is
    not needed.

    Example:
        >>> same_value("It weighs 62,000 grams.", "62 kg"), same_value("less than 62 kg", "62 kg")
        (True, False)
        >>> same_value("28", "28 days", "How many days?"), same_value("28", "28 days", "How long?")
        (True, False)
        >>> same_value("-30°C to 60°C", "−30 to +60 °C"), same_value("NOK 1,900 per night", "1,900 kroner a night")
        (True, True)
        >>> same_value("once a year", "every 12 months, at sea", "How often?"), same_value("at sea", "a year at sea")
        (True, False)
    """
    wanted = _golden_values(golden, question)
    found = (each for *_, each in stated_quantities(spelled_alike(answer)))
    return bool(wanted) and all(any(_equal(each, value, question) for each in found) for value in wanted)


def value_places(answer: str, golden: str, question: str = "") -> list[tuple[int, int]]:
    """Return where an answer has a golden answer, in its words or as the same value.

    Example:
        >>> value_places("62 kg are 62,000 g", "62 kg")
        [(0, 5), (10, 18)]
    """
    words_of_it = re.finditer(rf"(?<!\w){re.escape(golden.strip())}(?!\w)", answer, re.I) if golden.strip() else ()
    return sorted({*(match.span() for match in words_of_it), *_same_value_places(answer, golden, question)})


def _same_value_places(answer: str, golden: str, question: str) -> Iterator[tuple[int, int]]:
    wanted = _golden_values(golden, question)
    for start, end, found in stated_quantities(answer) if len(wanted) == 1 else ():
        if _equal(found, wanted[0], question):
            stated = [word for word in re.finditer(r"\S+", answer[start:end]) if is_number(word[0])]
            yield start + (stated[0].start() if stated else 0), start + len(answer[start:end].rstrip(_EDGES))


@lru_cache(maxsize=1 << 10)
def _golden_values(golden: str, question: str) -> tuple[Quantity, ...]:
    """Return the quantities of a golden answer that is nothing else, or that opens with one that is asked for."""
    golden = spelled_alike(golden)
    places = list(stated_quantities(golden))
    if not places:
        return ()
    opening, rest, at = golden[: places[0][0]], "", places[0][0]
    for start, end, _ in places:
        rest, at = f"{rest} {golden[at:start]}", end
    asked = {*content_stems(question), *words(question)}
    if set(content_stems(opening)) - asked - WORDS["frequency"] or _FURTHER_MEMBER.match(golden[at:]):
        return ()
    if answer_kind(question) not in ("number", "time") and set(content_stems(f"{rest} {golden[at:]}")) - asked:
        return ()
    return tuple(found for *_, found in places)


def _equal(found: Quantity, wanted: Quantity, question: str) -> bool:
    dates = found.dimension == wanted.dimension == "date"
    if not _bounds_agree(found.bound, wanted.bound) or (dates and found.unit != wanted.unit):
        return False
    one, other = found.dimension, wanted.dimension
    if one == other or _may_be_one_currency(one, other):
        return math.isclose(found.value, wanted.value, rel_tol=1e-9)
    if "/" in f"{one}{other}" and not ("/" in one and "/" in other):  # one of them says per what
        per, bare = (found, wanted) if "/" in one else (wanted, found)
        base = replace(per, dimension=per.dimension.split("/")[0], unit=per.unit.split("/")[0])
        same = (
            base.unit == bare.unit
            or "" in (base.unit, bare.unit)
            or _may_be_one_currency(base.dimension, bare.dimension)
        )
        return same and _number(per) == _number(bare)
    if wanted.dimension == "date" and found.dimension == "count:":
        return wanted.unit == TimeUnit.YEAR and _number(found) == _number(wanted)  # "two thousand fourteen"
    bare, full = (found, wanted) if found.dimension == "count:" else (wanted, found)
    asked = {singular(word) for word in words(question)}
    return bare.dimension == "count:" and full.unit in asked and _number(bare) == _number(full)


def _may_be_one_currency(one: str, other: str) -> bool:
    """Check whether one of two dimensions is in kroner of an unnamed country, and the other of a country with them."""
    pairs = {(one.partition("/")[2], one.partition("/")[0]), (other.partition("/")[2], other.partition("/")[0])}
    return len(dict(pairs)) == 1 and {name for _, name in pairs} <= KRONER and any(n == "money:krone" for _, n in pairs)


def _bounds_agree(found: str, wanted: str) -> bool:
    """Check whether two bounds may be of one value; "at least" and "about" are often left out or added."""
    return found == wanted or ({found, wanted} <= WORDS["loose_bounds"] and {found, wanted} != {"at least", "at most"})


def _number(stated: Quantity) -> str:
    """Return the numeral that a quantity is written with, whatever its unit."""
    found = _STATED_NUMBER.search(digits(stated.text))
    return found[0] if found else ""


def stated_quantities(text: str) -> Iterator[tuple[int, int, Quantity]]:
    """Yield the quantities and dates that a text states, each with where it starts and ends.

    The first value of a range has the unit of the second.

    Example:
        >>> [found.text for *_, found in stated_quantities("It cost about €45, in June 2020, for seven people.")]
        ['about €45', 'in June 2020', 'for seven people']
    """
    places = list(_stated(text))
    for at, (start, end, found) in enumerate(places):
        after = places[at + 1] if at + 1 < len(places) else None
        if after and found.dimension == "count:" and _RANGE_WORD.match(text, end):
            unit = re.sub(r"^.*?\d[\d.,]*", "", digits(after[2].text))
            found = replace(quantity(f"{text[start:end]} {unit.strip()}") or found, bound="")
        yield start, end, found


def _stated(text: str) -> Iterator[tuple[int, int, Quantity]]:
    tokens = list(re.finditer(r"\S+", text))
    at = 0
    while at < len(tokens):
        used, found = 0, None
        for length in range(1, min(_MAX_WORDS, len(tokens) - at) + 1):
            read = _read(text[tokens[at].start() : tokens[at + length - 1].end()])
            if length > 1 and tokens[at + length - 2][0][-1] in ";:!?":
                break
            if read and (found is None or read[:2] != found[:2]):
                found, used = read, length
        if found:
            yield tokens[at].start(), tokens[at + used - 1].end(), found[2]
        at += max(used, 1)


@lru_cache(maxsize=1 << 12)
def _read(text: str) -> tuple[tuple[float, str, str], str, Quantity] | None:
    """Return a quantity after what tells it apart from others, None for a text that is none or names no number."""
    if not any(map(is_number, text.split()[:4])):
        return None
    bare = text.strip(_EDGES)
    found = quantity(bare.removeprefix("±"))
    if found and bare[0] == "±":
        found = replace(found, bound="±")
    return ((found.value, found.dimension, found.bound), found.aspect, found) if found else None


@lru_cache(maxsize=1 << 12)
def is_number(word: str) -> bool:
    """Check whether a word is a number or has a figure, or is the name of a month.

    Example:
        >>> [is_number(word) for word in ("$310", "seven", "June", "red")]
        [True, True, True, False]
    """
    bare = word.strip(f"{_EDGES}±").lower()
    return any(map(str.isdigit, bare)) or bare in MONTHS or bare == "half" or spelled_number([bare])[0] is not None
