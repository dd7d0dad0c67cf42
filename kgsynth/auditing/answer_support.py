"""Does the evidence hold the answer? As far as can be known without a model.

A number, a date or a name has to stand in the evidence or to be computed from it: where it does not, the answer or the
evidence is wrong. Of an answer in a sentence most words should stand there; where they do not, somebody has to look.
Left out: whether what stands there is said of what the question asks; yes and no, which stand nowhere.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from itertools import combinations

from kgsynth.auditing.case import AuditCase, telling
from kgsynth.base.records import Finding, Item
from kgsynth.golden.answer_patterns import fault, pattern
from kgsynth.language import LANGUAGES, language, nearest_language
from kgsynth.language.shared_words import has_scale_word, says_yes_or_no
from kgsynth.language.words import words

SHORT = 6
"""Words up to which an answer of names and numbers is nothing else."""

_HELD = 0.5  # share of a longer answer's content words that its evidence should hold
_MOST = 40  # numbers of the evidence that are set off against one another
_FIGURE = re.compile(r"(?<![\w.,])\d+(?:,\d{3})*(?:\.\d+)?(?!\w*[.,]?\d)|\d+")
_NAME = re.compile(r"\b[^\W\d_][\w’'-]*")
_KINDS = frozenset({"number", "time", "person"})


def answered(case: AuditCase) -> Iterator[Finding]:
    """Yield the items without a derivation whose evidence does not hold the answer."""
    for item in case.dataset:
        if item.derivation or not item.evidence or not item.golden_answers:
            continue
        answers = [answer for answer in item.golden_answers if not fault(answer)]
        text = " ".join(dict.fromkeys((case.told(item), *(s.text for group in item.evidence for s in group))))
        if any(_stands(answer, text, item.language) for answer in answers) or (
            answers and _given(answers[0], item, text)
        ):
            continue
        first = answers[0] if answers else item.golden_answers[0]
        missing = _missing(first, text, item.language)
        if missing and len(words(first)) <= SHORT:
            message = (
                f"{first!r} is given as the answer, and {', '.join(map(repr, missing))} stands nowhere in the evidence"
            )
            yield Finding("evidence", "error", item.id, message, "mend the answer or the evidence, or delete the item")
        elif _share(first, text, item.language) < _HELD or missing:
            message = f"no golden answer stands in the evidence: {first[:60]!r}"
            yield Finding("evidence", "warning", item.id, message, "check that the evidence is enough to answer")


def kind(case: AuditCase) -> Iterator[Finding]:
    """Yield the items whose answer is of another kind than the question asks for: a name for "how many"."""
    for item in case.dataset:
        if not item.golden_answers or item.language not in LANGUAGES or pattern(item.golden_answers[0]):
            continue
        reader = language(item.language)
        wanted = reader.answer_kind(item.question)
        if wanted in _KINDS and not any(
            reader.fits_kind(wanted, reader.digits(answer)) for answer in item.golden_answers
        ):
            message = f"{item.question!r} asks for a {wanted}, the answer is {item.golden_answers[0]!r}"
            yield Finding("kind", "warning", item.id, message, "mend the answer, or ask for what it is")


def _stands(answer: str, text: str, code: str) -> bool:
    """Say whether an answer stands in a text, word for word; numbers count in any form."""
    if regex := pattern(answer):
        return bool(regex.search(text))
    digits = nearest_language(code).digits
    forms = ((answer, text), (digits(answer.lower()), digits(text.lower())))
    return any(f" {' '.join(words(a))} " in f" {' '.join(words(t))} " for a, t in forms)


def _given(answer: str, item: Item, text: str) -> bool:
    """Say whether an answer need not stand in the evidence: yes or no, one of several named, a number computed."""
    if says_yes_or_no(answer) or (words(answer) and _stands(answer, item.question, item.language)):
        return True
    wanted, told = (_numbers(each, item.language) for each in (answer, text))
    if len(wanted) != 1 or not _of_unit(answer, f"{item.question} {text}", item.language):
        return False
    number = wanted[0]
    if len(item.evidence) > 1 and number == len(item.evidence):
        return True
    pairs = combinations(dict.fromkeys(told[:_MOST]), 2)
    return any(math.isclose(number, found) for one, other in pairs for found in (abs(one - other), one + other))


def _of_unit(answer: str, text: str, code: str) -> bool:
    """Say whether a number is one of something that a text speaks of, or a length of time, which may be computed."""
    own = nearest_language(code)
    unit = [word for word in telling(own.digits(answer.lower()), code) if not word[0].isdigit()]
    quantity = own.quantity(answer)
    return set(unit) <= set(telling(text, code)) or (quantity is not None and quantity.dimension == "duration")


def _missing(answer: str, text: str, code: str) -> list[str]:
    """Return the numbers of an answer that a text does not hold, or its names when it holds none of them.

    Nothing is known of numbers and names in a language that is not read.
    """
    if code not in LANGUAGES:
        return []
    numbers = set(_numbers(text, code))
    figures = [number for number in dict.fromkeys(_numbers(answer, code)) if number not in numbers]
    if figures and not has_scale_word(f"{answer} {text}"):
        return [f"{number:g}" for number in figures]
    names = _NAME.findall(answer)
    if not names or not all(map(_is_name, _as_written(answer, code))):
        return []
    bare = language(code).bare_name
    held = {bare(word) for word in words(text)}
    return [] if any(bare(word) in held for name in names for word in words(name)) else names


def _as_written(answer: str, code: str) -> list[str]:
    """Return the content words of an answer as they are written.

    Example:
        >>> _as_written("the Osprey kiln", "en")
        ['Osprey', 'kiln']
    """
    return [word for word in re.findall(r"[\w’'-]+", answer) if telling(word, code)]


def _is_name(word: str) -> bool:
    return word[:1].isupper() or word[:1].isdigit()


def _share(answer: str, text: str, code: str) -> float:
    digits = nearest_language(code).digits
    wanted, held = (telling(digits(each.lower()), code) for each in (answer, text))
    return sum(word in held for word in wanted) / len(wanted) if wanted else 1.0


def _numbers(text: str, code: str) -> list[float]:
    """Return the numbers of a text, written in words or figures.

    Example:
        >>> _numbers("nine of the 1,200 seats", "en")
        [9.0, 1200.0]
    """
    return [float(match.replace(",", "")) for match in _FIGURE.findall(nearest_language(code).digits(text.lower()))]
