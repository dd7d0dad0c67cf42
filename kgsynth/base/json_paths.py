"""Expressions that say where in a JSON value something stands (JMESPath), read once and asked often."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jmespath
from jmespath.exceptions import JMESPathError


def expression(text: str) -> Callable[[object], Any]:
    """Return the function that finds what ``text`` points to in a JSON value, None where there is nothing.

    Raises:
        ValueError: it is no expression; the function raises it too when the expression fails on a value.

    Example:
        >>> expression("hits[].text")({"hits": [{"text": "Ada"}, {"text": "Tim"}]})
        ['Ada', 'Tim']
    """
    try:
        compiled = jmespath.compile(text)
    except JMESPathError as error:
        raise ValueError(f"{text!r} is no JMESPath expression ({str(error).splitlines()[0]})") from None

    def find(value: object) -> Any:
        try:
            return compiled.search(value)
        except JMESPathError as error:
            raise ValueError(f"{text!r} fails on it ({error})") from None

    return find
