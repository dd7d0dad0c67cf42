"""Replace personal data in a text by placeholders such as ``[email]``, by rule; rules do not find everything.

Numbers that have a check digit (cards, IBAN, Chinese identity numbers) are replaced only if it is right.
"""

from __future__ import annotations

import ipaddress
import re
from collections import Counter
from collections.abc import Callable, Mapping
from typing import NamedTuple

from kgsynth.language.turn_words import own_names

_SECRET_KEYS = (
    r"(?:api[_-]?key|access[_-]?token|auth|token|secret|signature|sig|password|passwd|pwd|session(?:id)?|key|code)"
)


class MaskedText(NamedTuple):
    """A text without the personal data that was found, and how many of each kind were replaced."""

    text: str
    counts: Mapping[str, int]


class _Kind(NamedTuple):
    name: str
    pattern: re.Pattern[str]
    holds: Callable[[str], bool] = lambda found: True


def mask(text: str) -> MaskedText:
    """Return a text with personal data replaced.

    Example:
        >>> mask("I'm Ada Low (ada@low.org, +47 912 34 567). Where is my badge?")
        MaskedText(text="I'm [name] ([email], [phone]). Where is my badge?", counts={'email': 1, 'phone': 1, 'name': 1})
    """
    counts: Counter[str] = Counter()
    for kind in _PERSONAL_DATA:

        def placeholder(match: re.Match[str], kind: _Kind = kind) -> str:
            if not kind.holds(match.group()):
                return match.group()
            counts[kind.name] += 1
            return f"[{kind.name}]"

        text = kind.pattern.sub(placeholder, text)
    for start, end in sorted(own_names(text), reverse=True):
        counts["name"] += 1
        text = f"{text[:start]}[name]{text[end:]}"
    return MaskedText(text, dict(counts))


def _digits(text: str) -> list[int]:
    return [int(each) for each in text if each.isdigit()]


def _is_card(text: str) -> bool:
    """Check the last digit of a card number (Luhn).

    Example:
        >>> _is_card("4111 1111 1111 1111"), _is_card("4111 1111 1111 1112")
        (True, False)
    """
    doubled = [
        digit if place % 2 == 0 else sum(divmod(2 * digit, 10)) for place, digit in enumerate(_digits(text)[::-1])
    ]
    return 13 <= len(doubled) <= 19 and sum(doubled) % 10 == 0


def _is_iban(text: str) -> bool:
    """Check the check digits of an IBAN.

    Example:
        >>> _is_iban("GB82 WEST 1234 5698 7654 32"), _is_iban("GB83 WEST 1234 5698 7654 32")
        (True, False)
    """
    bare = re.sub(r"\s", "", text).upper()
    moved = bare[4:] + bare[:4]
    return 15 <= len(bare) <= 34 and int("".join(str(int(letter, 36)) for letter in moved)) % 97 == 1


def _is_chinese_identity(text: str) -> bool:
    """Check the last character of a Chinese identity number.

    Example:
        >>> _is_chinese_identity("11010519491231002X"), _is_chinese_identity("110105194912310021")
        (True, False)
    """
    total = sum(int(digit) * 2 ** (17 - place) for place, digit in enumerate(text[:17]))
    return "10X98765432"[total % 11] == text[17].upper()


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


def _is_phone(text: str) -> bool:
    return 8 <= len(_digits(text)) <= 15


_PERSONAL_DATA = (
    _Kind(
        "url",
        re.compile(
            rf"\b[a-z][a-z0-9+.-]*://(?:[^\s/@]+:[^\s/@]+@\S+|[^\s，。]*[?&#;]{_SECRET_KEYS}=[^\s，。]*)", re.IGNORECASE
        ),
    ),
    _Kind("email", re.compile(r"(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+", re.ASCII)),
    _Kind(
        "key",
        re.compile(
            r"\b(?:sk|pk|rk|ghp|gho|ghs|glpat|xox[abprs]|hf|npm|AKIA|ASIA|AIza|eyJ)[-_]?[A-Za-z0-9][\w.-]{14,}"
            r"|(?i:bearer)\s+[\w.~+/-]{16,}=*|-----BEGIN [A-Z ]+-----[\s\S]*?(?:-----END [A-Z ]+-----|$)"
        ),
    ),
    _Kind("iban", re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b"), _is_iban),
    _Kind("national id", re.compile(r"(?<!\d)\d{17}[\dXx](?![\dA-Za-z])"), _is_chinese_identity),
    _Kind("national id", re.compile(r"(?<![\d-])(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\d-])")),
    _Kind("card", re.compile(r"(?<!\d)[2-6]\d{3}(?:[ -]?\d){9,15}(?!\d)"), _is_card),
    _Kind(
        "ip",
        re.compile(r"(?<![\w.:])(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-fA-F]{0,4}(?::[0-9a-fA-F]{0,4}){3,7})(?![\w:]|\.\d)"),
        _is_address,
    ),
    _Kind(
        "phone",
        re.compile(
            r"(?<![\w+])(?:\+\d{1,3}[ .()-]{0,2}(?:\d[ .()-]{0,2}){6,12}\d|(?:\(\d{3}\) ?|\d{3}[-. ])\d{3}[-. ]\d{4}|"
            r"1[3-9]\d[ -]?\d{4}[ -]?\d{4}|0\d{1,4}[ /-]\d{3,4}[ -]?\d{3,5})(?!\d)",
            re.ASCII,
        ),
        _is_phone,
    ),
    _Kind(
        "id",
        re.compile(
            r"\b[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\b|(?<![\w])(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{24,}(?![\w])"
        ),
    ),
)
"""Each kind of personal data, in the order in which it is looked for: what has more structure comes first."""

PLACEHOLDER = re.compile(rf"\[(?:{'|'.join(sorted({'name', *(kind.name for kind in _PERSONAL_DATA)}))})\]")
"""What personal data is replaced by."""
