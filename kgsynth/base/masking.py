"""Find a secret in a text from outside, also where its characters are escaped as JSON, URLs, HTML or Python do."""

from __future__ import annotations

import re


def spellings(secret: str) -> re.Pattern[str]:
    r"""Return a pattern that matches a secret, each character of it plain or escaped.

    Example:
        >>> pattern = spellings("sk-1/a")
        >>> [bool(pattern.fullmatch(text)) for text in ("sk-1/a", r"\u0073k-1\/a", "sk%2D1/a", "sk-2/a")]
        [True, True, True, False]
    """
    return re.compile("".join(map(_character, secret)))


def _character(character: str) -> str:
    encoded = character.encode("utf-16-be", "surrogatepass")
    units = [encoded[at : at + 2].hex() for at in range(0, len(encoded), 2)]
    forms = [
        re.escape(character),
        r"\\+" + re.escape(character),
        "".join(rf"\\+u{unit}" for unit in units),
        "".join(f"%{byte:02x}" for byte in character.encode("utf-8", "replace")),
        rf"&\#x0*{ord(character):x};",
        rf"&\#0*{ord(character)};",
    ]
    if ord(character) < 0x100:
        forms.append(rf"\\+x{ord(character):02x}")
    plain, *escaped = forms
    return rf"(?:{plain}|(?i:{'|'.join(escaped)}))"
