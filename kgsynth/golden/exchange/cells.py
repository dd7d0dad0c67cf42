"""What stands in one cell of a table: a text, or a list that was written as JSON or as Python prints it."""

from __future__ import annotations

import ast
import io
import json
import math
import tokenize
import warnings
from collections.abc import Mapping
from typing import Any


def text(value: object) -> str:
    """Return a cell as a text, "" for what stands for nothing (null, NaN).

    Example:
        >>> text(" Ada "), text(None), text(float("nan")), text(2005), text({"text": "Ada"})
        ('Ada', '', '', '2005', 'Ada')
    """
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, Mapping):
        return text(next((value[key] for key in _TEXTS if value.get(key) is not None), None))
    return _whole(str(value)).strip()


def _whole(text: str) -> str:
    """Return a text with a sign in place of half a surrogate pair, which no file could hold."""
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def listed(value: object) -> list[Any]:
    """Return a list as it is, and nothing for what is none.

    Example:
        >>> listed([1]), listed("ab"), listed(None)
        ([1], [], [])
    """
    return value if isinstance(value, list) else []


def plain(value: object) -> Any:
    """Return a value with null for NaN, so that it can be written as JSON.

    Example:
        >>> plain({"a": [float("nan"), 1]})
        {'a': [None, 1]}
    """
    if isinstance(value, Mapping):
        return {_whole(str(key)): plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return _whole(value) if isinstance(value, str) else value


_TEXTS = ("text", "content", "page_content", "passage", "value", "answer")


def texts(value: object) -> tuple[str, ...]:
    """Return a cell as a list of texts, without empty ones.

    Example:
        >>> texts('["Ada", "Ada Low"]'), texts("['Ada', \\"Low's\\"]"), texts("Ada"), texts([])
        (('Ada', 'Ada Low'), ('Ada', "Low's"), ('Ada',), ())
    """
    value = unfolded(value)
    values = value if isinstance(value, list | tuple) else [value]
    return tuple(filter(None, map(text, values)))


def unfolded(value: object) -> Any:
    """Return the list or object that a text holds, written as JSON or as Python or numpy prints it; else the value.

    Example:
        >>> unfolded("['one' 'two']"), unfolded("[1] says so"), unfolded("['a', None]")
        (['one', 'two'], '[1] says so', ['a', None])
    """
    if not isinstance(value, str) or value.strip()[:1] not in ("[", "(", "{"):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        pass
    try:
        return _python(value.strip())
    except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError, tokenize.TokenError):
        return value


def _python(source: str) -> Any:
    """Read a Python literal; texts side by side are members of a numpy array, which Python would join."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)  # "\d" in a text
        tree = ast.parse(source, mode="eval")
        written = list(tokenize.generate_tokens(io.StringIO(source).readline))
        strings = [token.string for token in written if token.type == tokenize.STRING]
        constants = sum(isinstance(node, ast.Constant) and isinstance(node.value, str) for node in ast.walk(tree))
        if len(strings) > constants:
            return [ast.literal_eval(string) for string in strings]
        return ast.literal_eval(tree)
