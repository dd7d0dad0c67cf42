"""Read one cell of a table: a text, or a list that was written as JSON or as Python prints it."""

from __future__ import annotations

import ast
import io
import math
import re
import tokenize
import warnings
from collections.abc import Mapping
from typing import Any

from kgsynth.base.json_reading import JsonError, parse_json

_FORMULA_START = re.compile("'*[=+\\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")
"""How a cell begins that a spreadsheet takes for a formula, also in full-width letters, or that is marked as one."""

_TEXT_KEYS = ("text", "content", "page_content", "passage", "value", "answer")


def text(value: object) -> str:
    """Return a cell as text; "" for null and NaN.

    Example:
        >>> text(" Ada "), text(None), text(float("nan")), text(2005), text({"text": "Ada"})
        ('Ada', '', '', '2005', 'Ada')
    """
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, Mapping):
        return text(next((value[key] for key in _TEXT_KEYS if value.get(key) is not None), None))
    return _without_half_pairs(str(value)).strip()


def _without_half_pairs(text: str) -> str:
    """Return a text with each half of a surrogate pair replaced, since it could not be written as UTF-8."""
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def guarded(text: str) -> str:
    """Return the text of a cell of CSV, marked if a spreadsheet would run it as a formula: documents are not trusted.

    Example:
        >>> guarded("=1+1"), guarded("'tis"), guarded("1+1"), unguarded(guarded("'=1+1"))
        ("'=1+1", "'tis", '1+1', "'=1+1")
    """
    return f"'{text}" if _FORMULA_START.match(text) else text


def unguarded(text: str) -> str:
    """Return the text of a cell without the mark of ``guarded``."""
    return text[1:] if text[:1] == "'" and _FORMULA_START.match(text) else text


def as_list(value: object) -> list[Any]:
    """Return a list unchanged, and an empty list for any other value.

    Example:
        >>> as_list([1]), as_list("ab"), as_list(None)
        ([1], [], [])
    """
    return value if isinstance(value, list) else []


def as_object(value: object) -> Mapping[str, Any]:
    """Return an object unchanged, and an empty one for any other value.

    Example:
        >>> as_object({"a": 1}), as_object("ab")
        ({'a': 1}, {})
    """
    return value if isinstance(value, Mapping) else {}


def to_json_value(value: object) -> Any:
    """Return a value that can be written as JSON: null for NaN, texts without half surrogate pairs.

    Example:
        >>> to_json_value({"a": [float("nan"), 1]})
        {'a': [None, 1]}
    """
    if isinstance(value, Mapping):
        return {_without_half_pairs(str(key)): to_json_value(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [to_json_value(each) for each in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return _without_half_pairs(value) if isinstance(value, str) else value


def texts(value: object) -> tuple[str, ...]:
    """Return a cell as a tuple of texts, without empty ones.

    Example:
        >>> texts('["Ada", "Ada Low"]'), texts("['Ada', \\"Low's\\"]"), texts("Ada"), texts([])
        (('Ada', 'Ada Low'), ('Ada', "Low's"), ('Ada',), ())
    """
    value = parse_list(value)
    values = value if isinstance(value, list | tuple) else [value]
    return tuple(filter(None, map(text, values)))


def parse_list(value: object) -> Any:
    """Return the list or object written in a text as JSON, or as Python or numpy prints it; or the value unchanged.

    Example:
        >>> parse_list("['one' 'two']"), parse_list("[1] says so"), parse_list("['a', None]")
        (['one', 'two'], '[1] says so', ['a', None])
    """
    if not isinstance(value, str) or value.strip()[:1] not in ("[", "(", "{"):
        return value
    try:
        return parse_json(value, tolerant=True)
    except JsonError:
        pass
    try:
        return _parse_python(value.strip())
    except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError, tokenize.TokenError):
        return value


def _parse_python(source: str) -> Any:
    """Parse a Python literal; texts side by side are members of a numpy array, which Python would join."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)  # "\d" in a text
        tree = ast.parse(source, mode="eval")
        tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
        strings = [token.string for token in tokens if token.type == tokenize.STRING]
        constants = sum(isinstance(node, ast.Constant) and isinstance(node.value, str) for node in ast.walk(tree))
        if len(strings) > constants:
            return [ast.literal_eval(string) for string in strings]
        return ast.literal_eval(tree)
