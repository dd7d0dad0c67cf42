"""Numbers and lists in the words of a page ("1,200 queries", "a, b and c"), and texts of others made harmless."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kgsynth.base.records import Turn

FEW = 5
"""Shares of fewer are grey on all pages: one more or less would change them much."""


def many(number: int, one: str, more: str = "") -> str:
    """Return a number with its noun in the singular or plural.

    Example:
        >>> many(1, "question"), many(1200, "query", "queries")
        ('1 question', '1,200 queries')
    """
    return f"{number:,} {one if number == 1 else more or one + 's'}"


def cut(text: str, max_chars: int) -> str:
    """Return a text on one line, shortened to ``max_chars`` characters.

    Example:
        >>> cut("one two  three", 8)
        'one two…'
    """
    line = " ".join(text.split())
    return line if len(line) <= max_chars else line[: max_chars - 1] + "…"


def with_history(question: str, history: Sequence[Turn]) -> str:
    """Return a question below the earlier turns of its conversation.

    Example:
        >>> with_history("And in York?", [Turn("Who leads the desk in Oslo?", "Ada.")])
        'Who leads the desk in Oslo? – Ada.\\nAnd in York?'
    """
    return "\n".join([*(f"{turn.question} – {turn.answer}" for turn in history), question])


def joined(parts: Sequence[str]) -> str:
    """Return the parts as a list in a sentence.

    Example:
        >>> joined(["a", "b", "c"])
        'a, b and c'
    """
    return " and ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))


# Characters that control a screen are shown as symbols, so that no text of others can act on it or reorder its words.

_ACTS_ON_SCREEN = (
    "\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f"  # C0 but tab and newline, delete, C1
    "\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069"  # marks that change the direction of text
    "\\u2028\\u2029\\ufff9-\\ufffb\\ud800-\\udfff"  # line separators, annotations, halves of surrogate pairs
)
_CONTROL_CHARACTER = re.compile(f"[{_ACTS_ON_SCREEN}]")
_SYMBOLS, _DELETE_SYMBOL, _DELETE = 0x2400, "␡", 0x7F


def visible(text: str) -> str:
    r"""Return ``text`` with control characters and marks of direction as symbols; tabs and line ends stay.

    Example:
        >>> visible("a\x1b[2J\u202eb\r\nc\rd")
        'a␛[2J«U+202E»b\nc␍d'
    """
    return _CONTROL_CHARACTER.sub(lambda match: _symbol(match.group()), text.replace("\r\n", "\n"))


def visible_json(text: str) -> str:
    r"""Return JSON, in which control characters stand only inside strings, with these as escapes: the data is the same.

    Example:
        >>> visible_json('{"a": "\u202e"}')
        '{"a": "\\u202e"}'
    """
    return _CONTROL_CHARACTER.sub(lambda match: f"\\u{ord(match.group()):04x}", text)


def _symbol(character: str) -> str:
    code = ord(character)
    if code < ord(" "):
        return chr(_SYMBOLS + code)
    return _DELETE_SYMBOL if code == _DELETE else f"«U+{code:04X}»"
