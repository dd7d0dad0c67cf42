"""Words beside a value that make it another one: "less than 62 kg", "half of it", "1 to 62 kg", "62 thousand".

In doubt a word changes nothing: "over 90 minutes" may mean during, and "up to", "about" and "at least" are often left
out of a golden answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from kgsynth.language.english.quantities import quantity
from kgsynth.language.english.stated_values import is_number, value_places

_SHARE_OF = r"(?:third|quarter|fifth|tenth)s?\s+of"
_RIGHT_BEFORE = {
    "less": (
        r"(?<!no )(?<!not )(?:less|fewer|lower|smaller)\s+than",
        r"less|fewer|under|below|at most|up to|within|max",
    ),
    "more": (r"(?<!no )(?<!not )(?:more|greater|higher|larger)\s+than", r"more|above|over|exceed|at least|min|beyond"),
    "near": (r"almost|nearly|close\s+to|not\s+quite", r"almost|nearly|about|around|approx|roughly|close|some|circa"),
    "part": (
        rf"half(?:\s+of)?|(?:an?|one|two|three)\s+{_SHARE_OF}|\d+\s*(?:%|percent|per\s+cent)\s+of",
        rf"half|{_SHARE_OF}|%",
    ),
    "times": (r"twice|double|triple|thrice|\w+\s+times|\d+\s*[x×]", r"twice|double|triple|thrice|times|×"),
}
"""Kind of change -> the words directly before a value that make it, and the words of a source that excuse them."""
_BEFORE_NUMBER = {
    "below": (r"under|below", r"less|fewer|under|below|at most|up to|within|max"),
    "above": (r"above", _RIGHT_BEFORE["more"][1]),
    "minus": (r"minus|[−-]", r"minus|-|−|negative"),
    "range": (
        r"\d[\d.,]*\s*(?:[a-z°%]+\s+)?(?:to|through|and)|\d[\d.,]*\s*[-–]",
        r"\d\s*(?:\w+ )?(?:to|through|and|-|–)",
    ),
}
"""The same for values that open with a figure or a number in words."""
_AFTER_NUMBER = {
    "scale": (r"(?:hundred|thousand|million|billion|trillion)\b", r"hundred|thousand|million|billion|trillion"),
    "range": (r"(?:to|through)\s+[$€£]?\d|[-–]\d", r"\d\s*(?:\w+ )?(?:to|through|-|–)"),
}
"""The same for words directly after the value."""
_BEFORE_DATE = {
    "earlier": (r"before|prior\s+to|earlier\s+than", r"before|prior|by|until|till|earlier|no later"),
    "later": (r"after|later\s+than", r"after|since|from|later|following"),
}
"""The same for words directly before a date."""
_OPPOSITE_BOUNDS = (
    (
        r"at\s+most|up\s+to|no\s+more\s+than|maximum|max\.?",
        r"at\s+least|no\s+(?:less|fewer)\s+than|minimum|min\.?",
    ),
    (r"until|till", r"since"),
)
"""Words before a value that make it an upper end, and those that make it a lower one."""


def changed(
    answer: str, asked: str, golden: Sequence[str], evidence: Iterable[str], passages: Iterable[str] = ()
) -> bool:
    """Check whether an answer changes a golden answer wherever it states it; False if it states it nowhere.

    Words of the same kind in the question, a golden answer or the evidence excuse that; in ``passages`` only the same
    words beside the same value.

    Example:
        >>> changed("twice 62 kg", "How heavy?", ["62 kg"], []), changed("2 to 62 kg", "How heavy?", ["62 kg"], [])
        (True, True)
        >>> changed("less than 62 kg", "How heavy?", ["62 kg"], ["It weighs under 62 kg."])
        False
    """
    sources = " ".join([asked, *golden, *evidence])
    read = [_spaced(text) for text in passages]
    if any(_is_other_bound(answer, place, sources) for text in golden for place in value_places(answer, text, asked)):
        return True
    changes = [
        [phrase for phrase, excuse in _changes(answer, place, number) if not re.search(excuse, sources, re.I)]
        for text in golden
        for number in [is_number((text.split() or [""])[0])]
        for place in value_places(answer, text, asked)
    ]
    return bool(changes) and all(
        any(not any(_spaced(phrase) in text for text in read) for phrase in phrases) for phrases in changes
    )


def _changes(answer: str, place: tuple[int, int], number: bool) -> Iterator[tuple[str, str]]:
    """Yield each phrase of the value at a place and words that change it, with the words that excuse it."""
    start, end = place
    date = quantity(answer[start:end])
    before_date = _BEFORE_DATE if date and date.dimension == "date" else {}
    for words, excuse in {**_RIGHT_BEFORE, **(_BEFORE_NUMBER if number else {}), **before_date}.values():
        if match := re.search(rf"(?<![\w-])(?:{words})\s*[$€£]?$", answer[:start], re.I):
            yield answer[match.start() : end], excuse
    for words, excuse in _AFTER_NUMBER.values() if number else ():
        if match := re.match(rf"\s*(?:{words})", answer[end:], re.I):
            yield answer[start : end + match.end()], excuse


def _is_other_bound(answer: str, place: tuple[int, int], sources: str) -> bool:
    """Check whether a value is a maximum in an answer and only a minimum in its sources, or the reverse."""
    opening = answer[: place[0]]
    for pair in _OPPOSITE_BOUNDS:
        said = [bool(re.search(rf"\b(?:{end})\s+(?:(?:of|is|an?|the)\s+)*[$€£]?$", opening, re.I)) for end in pair]
        known = [bool(re.search(rf"\b(?:{end})(?!\w)", sources, re.I)) for end in pair]
        if any(said) and said == known[::-1]:
            return True
    return False


def _spaced(text: str) -> str:
    return " ".join(text.casefold().split())
