"""Show characters that control a screen as symbols, so that no text of others can act on it or reorder what it says."""

from __future__ import annotations

import re

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
