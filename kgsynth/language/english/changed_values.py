"""Words beside a value that make it another one: "less than 62 kg", "half of it", "1 to 62 kg", "62 thousand".

In doubt a word changes nothing: "over 90 minutes" may mean during, and "up to", "about" and "at least" are often left
out of a golden answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from kgsynth.language.english.stated_values import is_number, value_places

_PART_OF = r"(?:third|quarter|fifth|tenth)s?\s+of"
_BEFORE = {
    "less": (
        r"(?<!no )(?<!not )(?:less|fewer|lower|smaller)\s+than",
        r"less|fewer|under|below|at most|up to|within|max",
    ),
    "more": (r"(?<!no )(?<!not )(?:more|greater|higher|larger)\s+than", r"more|above|over|exceed|at least|min|beyond"),
    "near": (r"almost|nearly|close\s+to|not\s+quite", r"almost|nearly|about|around|approx|roughly|close|some|circa"),
    "part": (
        rf"half(?:\s+of)?|(?:an?|one|two|three)\s+{_PART_OF}|\d+\s*(?:%|percent|per\s+cent)\s+of",
        rf"half|{_PART_OF}|%",
    ),
    "times": (r"twice|double|triple|thrice|\w+\s+times|\d+\s*[x×]", r"twice|double|triple|thrice|times|×"),
}
"""Kind of change -> the words directly before a value that make it, and the words of a source that excuse them."""
_BEFORE_NUMBER = {
    "below": (r"under|below", r"less|fewer|under|below|at most|up to|within|max"),
    "above": (r"above", _BEFORE["more"][1]),
    "minus": (r"minus|−", r"minus|-|−|negative"),
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


def changes_value(before: str, after: str, sources: Iterable[str], *, number: bool) -> bool:
    """Check whether the words around a value make it another one, and no source has words like them.

    Example:
        >>> changes_value("It weighs less than ", ".", ["Weight: 62 kg"], number=True)
        True
        >>> changes_value("It weighs less than ", ".", ["It weighs under 62 kg."], number=True)
        False
    """
    text = " ".join(sources)
    opening = {**_BEFORE, **(_BEFORE_NUMBER if number else {})}
    found = [
        excuse for words, excuse in opening.values() if re.search(rf"(?<![\w-])(?:{words})\s*[$€£]?$", before, re.I)
    ]
    if number:
        found += [excuse for words, excuse in _AFTER_NUMBER.values() if re.match(rf"\s*(?:{words})", after, re.I)]
    return any(not re.search(excuse, text, re.I) for excuse in found)


def changed(answer: str, asked: str, golden: Sequence[str], evidence: Iterable[str]) -> bool:
    """Check whether an answer changes a golden answer wherever it states it; False if it states it nowhere.

    Example:
        >>> changed("twice 62 kg", "How heavy?", ["62 kg"], []), changed("2 to 62 kg", "How heavy?", ["62 kg"], [])
        (True, True)
        >>> changed("62 kg, less than 80 kg", "How heavy?", ["62 kg"], [])
        False
    """
    sources = [asked, *golden, *evidence]
    places = [
        (start, end, is_number((text.split() or [""])[0]))
        for text in golden
        for start, end in value_places(answer, text, asked)
    ]
    return bool(places) and all(
        changes_value(answer[:start], answer[end:], sources, number=number) for start, end, number in places
    )
