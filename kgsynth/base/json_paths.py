"""JMESPath expressions, which point to a part of a JSON value."""

from __future__ import annotations

from collections.abc import Callable
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
