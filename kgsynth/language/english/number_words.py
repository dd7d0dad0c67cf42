"""Numbers in English text, in words or figures: "twenty-four", "1,200", "3.5 million", "half a"."""

from __future__ import annotations

import re
from functools import lru_cache

from text_to_num import text2num

from kgsynth.language.english.units import UNITS

SCALES = {"dozen": 12.0, "hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
"""Words that multiply the number before them."""
SCALE = re.compile(rf"[ -]({'|'.join(SCALES)})\b")

_SUFFIXES = {"k": 1e3, "m": 1e6, "mn": 1e6, "bn": 1e9, "b": 1e9}
"""Letters that multiply a sum of money."""
_FIGURES = re.compile(r"[+-]?(?:\d{1,3}(?:[, ]\d{3})+|\d+)(?:\.\d+)?(?![\d.,/:⁄–-]*\d)")
_FRACTION = re.compile(r"(?:(\d+)\s+)?(\d)⁄([1-9])")
_LETTERS = re.compile(r"[a-z]+")
_MAX_NUMBER_WORDS = 8


def digits(text: str) -> str:
    """Return ``text`` with its numbers as plain digits; the other words stay.

    Example:
        >>> digits("twenty-four hours, 1,200 people, two million")
        '24 hours, 1200 people, 2000000'
    """
    tokens = re.sub(r"(?<=\d),(?=\d{3}\b)", "", text).split()
    out, index = [], 0
    while index < len(tokens):
        value, used = spelled_number(tokens[index : index + _MAX_NUMBER_WORDS])
        last = tokens[index + max(used, 1) - 1]
        tail = last[len(last.rstrip(".,;:!?)")) :]
        out.append(tokens[index] if value is None else f"{value:.0f}{tail}")
        index += max(used, 1)
    scaled = r"\b(\d+(?:\.\d+)?)" + SCALE.pattern
    return re.sub(scaled, lambda m: f"{float(m[1]) * SCALES[m[2].lower()]:.0f}", " ".join(out), flags=re.IGNORECASE)


def spelled_number(tokens: list[str]) -> tuple[float | None, int]:
    """Return the number that the first tokens spell, and how many tokens it takes; the longest run counts.

    Example:
        >>> spelled_number(["twenty", "five", "rooms"]), spelled_number(["rooms"])
        ((25.0, 2), (None, 0))
    """
    first = _LETTERS.match(tokens[0].casefold()) if tokens else None
    if first is None or not _opens_number(first[0]):
        return None, 0
    for used in range(min(len(tokens), _MAX_NUMBER_WORDS), 0, -1):
        run = " ".join(tokens[:used]).casefold().rstrip(".,;:!?)")
        if re.fullmatch(r"[a-z]+(?:[ -][a-z]+)*", run) and run not in SCALES:
            try:
                return float(text2num(run, "en")), used
            except ValueError:
                continue
    return None, 0


@lru_cache(maxsize=4096)
def _opens_number(word: str) -> bool:
    """Check whether a number in words can open with a word: most texts are words that none opens with."""
    for form in (word, f"{word} five"):  # "o five"
        try:
            text2num(form, "en")
        except ValueError:
            continue
        return True
    return False


def leading_number(text: str, money: bool = False) -> tuple[float | None, str]:
    """Return the number that the lower-case ``text`` opens with, None when it opens with none, and the rest.

    Example:
        >>> leading_number("1,200 seats"), leading_number("3.5bn", money=True), leading_number("half a year")
        ((1200.0, ' seats'), (3500000000.0, ''), (0.5, ' year'))
    """
    value: float | None
    text = re.sub(r"^an? (?=\w+-[a-z])", "", text)  # "a 14-month probation"
    if match := _FRACTION.match(text):
        value, rest = int(match[1] or 0) + int(match[2]) / int(match[3]), text[match.end() :]
    elif match := _FIGURES.match(text):
        value, rest = float(re.sub("[, ]", "", match.group())), text[match.end() :]
    else:
        tokens = text.split(" ")
        value, used = _article_number(tokens) or spelled_number(tokens)
        rest = "".join(" " + token for token in tokens[used:])
        if value is None and (match := re.match(r"([a-z]+)(?=-)", text)):  # "two-week"
            value, rest = spelled_number([match[1]])[0], text[match.end() :]
    if value is None:
        return None, text
    if money and (match := re.match(r"(mn|bn|[kmb])\b", rest)):
        value, rest = value * _SUFFIXES[match[1]], rest[match.end() :]
    while match := SCALE.match(rest):
        value, rest = value * SCALES[match[1]], rest[match.end() :]
    if match := re.match(r" and a half\b", rest):
        value, rest = value + 0.5, rest[match.end() :]
    return value, rest


def _article_number(tokens: list[str]) -> tuple[float, int] | None:
    """Read an article that stands for a number: "a year", "half an hour", "a hundred"."""
    first, second = (*tokens, "", "")[:2]
    if first == "half" and second in ("a", "an"):
        return 0.5, 2
    if first in ("a", "an") and second in SCALES:
        return SCALES[second], 2
    dimension = UNITS.get(second, ("", "", 0.0))[0]
    return (1.0, 1) if first in ("a", "an") and dimension.startswith(("duration", "money")) else None
