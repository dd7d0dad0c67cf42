"""Find a secret in a text from outside, also where it is encoded or its characters are escaped."""

from __future__ import annotations

import base64
import re


def spellings(secret: str) -> re.Pattern[str]:
    r"""Return a pattern that matches a secret, each character of it plain or escaped, or all of it in hex or base64.

    Characters may be escaped as JSON, JavaScript, URLs (also twice), HTML, Python and C do. In base64 it may be part of
    a longer text, as in the header of basic authentication.

    Example:
        >>> pattern = spellings("sk-1/a")
        >>> [bool(pattern.fullmatch(text)) for text in ("sk-1/a", r"\u0073k-1\/a", "sk%2D1/a", "sk-2/a")]
        [True, True, True, False]
    """
    encoded = secret.encode("utf-8", "replace")
    whole = [f"(?i:{encoded.hex()})", *(_base64(encoded, before) for before in range(3))] if len(encoded) > 7 else []
    return re.compile("|".join(["".join(map(_character, secret)), *whole]))


def _base64(encoded: bytes, before: int) -> str:
    """Return the pattern of base64 after so many other bytes, without the digits that depend on its neighbours."""
    digits = base64.b64encode(b"\0" * before + encoded).decode()
    digits = digits[-(-before * 8 // 6) : (before + len(encoded)) * 8 // 6]
    return digits.replace("+", "[+-]").replace("/", "[/_]")


def without_password(url: str) -> str:
    """Return a URL, or what was meant to be one, without user, password and query.

    Example:
        >>> without_password("http://ada:pass/word@localhost/ask?key=5")
        'http://localhost/ask'
    """
    return re.sub(r"^(.*?//)?.*@", r"\1", url.partition("?")[0])


def _character(character: str) -> str:
    encoded = character.encode("utf-16-be", "surrogatepass")
    units = [encoded[at : at + 2].hex() for at in range(0, len(encoded), 2)]
    forms = [
        re.escape(character),
        r"\\+" + re.escape(character),
        "".join(rf"\\+u{unit}" for unit in units),
        "".join(f"%(?:25)*{byte:02x}" for byte in character.encode("utf-8", "replace")),
        rf"&\#x0*{ord(character):x};",
        rf"&\#0*{ord(character)};",
        rf"\\+u\{{0*{ord(character):x}\}}",
    ]
    if not character.isalnum():
        forms.append(r"&[a-z]+;")
    if ord(character) < 0x100:
        forms += [rf"\\+x{ord(character):02x}", rf"\\+{ord(character):03o}"]
    plain, *escaped = forms
    return rf"(?:{plain}|(?i:{'|'.join(escaped)}))"
