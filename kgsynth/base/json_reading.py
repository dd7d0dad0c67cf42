"""Parse JSON of others within limits, and find a part of it by a JMESPath expression."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator
from typing import Any

import jmespath
from jmespath.exceptions import JMESPathError


def expression(text: str) -> Callable[[object], Any]:
    """Return a function that finds what ``text`` points to in a JSON value, None if there is nothing.

    Raises:
        ValueError: ``text`` is not an expression. The function raises it if the expression fails on a value.

    Example:
        >>> expression("hits[].text")({"hits": [{"text": "Ada"}, {"text": "Tim"}]})
        ['Ada', 'Tim']
    """
    try:
        compiled = jmespath.compile(text)
    except JMESPathError as error:
        raise ValueError(f"{text!r} is not a JMESPath expression ({str(error).splitlines()[0]})") from None

    def find(value: object) -> Any:
        try:
            return compiled.search(value)
        except JMESPathError as error:
            raise ValueError(f"{text!r} fails on it ({error})") from None

    return find


# Parse JSON: the only module that does, so that no file and no reply can bring in what nothing else can hold.
#
# Refused are bytes that are not UTF-8, NaN and infinite numbers, halves of characters (lone surrogates), integers of
# more than ``MAX_DIGITS`` digits, and values nested deeper than ``MAX_DEPTH``.

MAX_DEPTH = 100
"""Levels of lists and objects; Python gives up at a thousand, and code that handles the value nests as well."""

MAX_DIGITS = 100
"""Digits of an integer; a float cannot hold more than 308, and Python does not read more than 4,300."""

_MAX_BITS = (10**MAX_DIGITS).bit_length() - 1
_LONE_SURROGATE = re.compile(r"[\ud800-\udfff]")
_TOO_DEEP = f"not JSON that can be read (nested more than {MAX_DEPTH} levels deep)"
_DECODER = json.JSONDecoder()
_SHORTENING = json.JSONDecoder(parse_int=lambda digits: int(digits[: MAX_DIGITS + 2]))
_FORGIVING = json.JSONDecoder(strict=False)


class JsonError(ValueError):
    """A text is not JSON, or holds a value that is refused; the message names the key.

    ``line`` is the line of the text at which it stops being JSON, counted from 1; 0 for other causes.
    """

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.line = line


def parse_json(text: str | bytes, *, tolerant: bool = False) -> Any:
    """Return the value of a JSON text; bytes must be UTF-8, with or without a byte order mark.

    Other tools write NaN for an empty cell and cut texts inside a character: with ``tolerant``, NaN, infinite numbers
    and lone surrogates are returned for the caller to replace.

    Raises:
        JsonError: the text is not JSON, or holds a value that is refused.

    Example:
        >>> parse_json('{"a": [1, 2]}')
        {'a': [1, 2]}
        >>> parse_json('{"a": [1, NaN]}')
        Traceback (most recent call last):
        kgsynth.base.json_reading.JsonError: a.1 is nan, not a finite number
    """
    if isinstance(text, bytes):
        try:
            text = text.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise JsonError(f"not UTF-8 (byte {error.start})") from None
    try:
        value = _decoded(text)
    except RecursionError:
        raise JsonError(_TOO_DEEP) from None
    except json.JSONDecodeError as error:
        raise JsonError(f"not JSON ({error})", error.lineno) from None
    # a text without escapes and without lone surrogates has none in its strings
    check_value(
        value,
        tolerant=tolerant,
        strings="\\u" in text or (not text.isascii() and _LONE_SURROGATE.search(text) is not None),
    )
    return value


def _decoded(text: str) -> Any:
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError:
        raise
    except ValueError:  # an integer that Python does not read; cut, it is still too long, and its key can be named
        return _SHORTENING.decode(text)


def check_value(value: Any, *, tolerant: bool = False, strings: bool = True) -> None:
    """Check a value that was parsed elsewhere; its ``strings`` only on request.

    Raises:
        JsonError: it holds a value that ``parse_json`` refuses.
    """
    if not _acceptable(value, tolerant, strings and not tolerant):
        for path, each in _with_paths(value):
            if problem := _problem(each, tolerant):
                raise JsonError(f"{'.'.join(path[:6]) or 'the value'} {problem}")
        raise JsonError(_TOO_DEEP)


def value_at(text: str, place: int) -> tuple[Any, int]:
    """Return the JSON value that begins at ``place`` of a text, and where it ends.

    Raises:
        JsonError: there is none.

    Example:
        >>> value_at('["q-1",5]', 1)
        ('q-1', 6)
    """
    try:
        return _DECODER.raw_decode(text, place)
    except (ValueError, RecursionError) as error:
        raise JsonError(f"not JSON ({error})") from None


def objects_in(text: str) -> Iterator[Any]:
    """Yield the JSON objects of a text from left to right, without those inside another; they are not checked.

    Example:
        >>> list(objects_in('Sure! {"grade": 4} or {"grade": 5}.'))
        [{'grade': 4}, {'grade': 5}]
    """
    place = text.find("{")
    while place >= 0:
        try:
            found, end = _FORGIVING.raw_decode(text, place)
            yield found
        except ValueError:
            end = place + 1
        except RecursionError:  # nothing useful follows thousands of open brackets
            return
        place = text.find("{", end)


def _acceptable(value: Any, tolerant: bool, strings: bool) -> bool:
    """Check all values level by level, without their places, which keeps this fast."""
    level = [value]
    for _ in range(MAX_DEPTH + 1):
        below: list[Any] = []
        for each in level:
            kind = type(each)
            if kind is dict:
                below.extend(each.values())
                if strings:
                    below.extend(each)
            elif kind is list:
                below.extend(each)
            elif kind is int:
                if each.bit_length() > _MAX_BITS:
                    return False
            elif (kind is float or (strings and kind is str)) and _problem(each, tolerant):
                return False
        if not below:
            return True
        level = below
    return False


def _problem(value: Any, tolerant: bool) -> str:
    """Return what is wrong with one value, "" if nothing is."""
    if isinstance(value, int) and value.bit_length() > _MAX_BITS:
        return f"has more than {MAX_DIGITS} digits"
    if tolerant:
        return ""
    if isinstance(value, float) and not math.isfinite(value):
        return f"is {value}, not a finite number"
    if isinstance(value, str) and _LONE_SURROGATE.search(value):
        return "contains half of a character (a lone surrogate)"
    return ""


def _with_paths(value: Any) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield every value and key with its path, in the order of the text."""
    stack: list[tuple[tuple[str, ...], Any]] = [((), value)]
    while stack:
        path, each = stack.pop()
        yield path, each
        if len(path) > MAX_DEPTH:
            continue
        entries = each.items() if isinstance(each, dict) else enumerate(each) if isinstance(each, list) else ()
        for key, part in reversed(list(entries)):
            name = ascii(key)[1:-1] if isinstance(key, str) else str(key)
            stack.append(((*path, name), part))
            if isinstance(key, str):
                stack.append(((*path, name), key))
