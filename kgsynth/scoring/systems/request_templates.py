"""Templates with ``${NAME}`` in them: the question, the id, and values of the environment, which are never shown.

A template is a string, or lists and tables of strings as TOML gives them; only strings are filled in, so a question
cannot break out of its place. Left out: where the templates come from.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping

ASKED = ("question", "id")
"""The names that stand for the item asked; every other one is a variable of the environment."""

_NAME = re.compile(r"\$\{(\w+)\}")
_LEAST = 6  # letters of a value that is hidden: a shorter one is no secret, and stands everywhere


def names(template: object) -> set[str]:
    """Return the names a template holds.

    Example:
        >>> sorted(names({"q": "${question}", "key": ["${KEY}"]}))
        ['KEY', 'question']
    """
    if isinstance(template, str):
        return set(_NAME.findall(template))
    parts: Iterable[object] = template.values() if isinstance(template, Mapping) else ()
    parts = template if isinstance(template, list) else parts
    return {name for part in parts for name in names(part)}


def fill(template: object, values: Mapping[str, str]) -> object:
    """Return the template with each name replaced by its value, those of ``values`` before the environment's.

    Example:
        >>> fill({"q": "${question}", "k": 5}, {"question": 'Who is "Ada"?'})
        {'q': 'Who is "Ada"?', 'k': 5}
    """
    if isinstance(template, str):
        return _NAME.sub(lambda match: values.get(match[1], os.environ.get(match[1], "")), template)
    if isinstance(template, Mapping):
        return {key: fill(part, values) for key, part in template.items()}
    return [fill(part, values) for part in template] if isinstance(template, list) else template


class Secrets:
    """The values that variables of the environment have, to be kept out of whatever is written.

    Example:
        >>> os.environ["DOCTEST_KEY"] = "sk-1234"
        >>> Secrets({"DOCTEST_KEY"}).hide("wrong key sk-1234")
        'wrong key ${DOCTEST_KEY}'
    """

    def __init__(self, variables: Iterable[str]) -> None:
        held = {os.environ.get(name, ""): f"${{{name}}}" for name in sorted(set(variables) - set(ASKED))}
        forms = {form: shown for value, shown in held.items() for form in (value, json.dumps(value)[1:-1])}
        # longest first, so that a value inside another does not leave the rest of it to be read
        self._forms = sorted(((v, s) for v, s in forms.items() if len(v) >= _LEAST), key=lambda form: -len(form[0]))

    def hide(self, text: str) -> str:
        """Return the text with every such value replaced by the name of its variable."""
        for value, shown in self._forms:
            text = text.replace(value, shown)
        return text
