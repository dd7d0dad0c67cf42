"""Request templates with ``${NAME}`` placeholders: the question, the id, and environment variables, which stay secret.

A template is a string, or lists and tables of strings as in TOML. Only strings are filled in, so a question cannot
change the structure of a request.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping

from kgsynth.base.masking import spellings
from kgsynth.base.records import Item

TURNS = ("history", "messages")
"""The placeholders for the earlier turns of a conversation: as pairs, or with the question as chat messages."""
ASKED = ("question", "id", *TURNS)
"""The placeholders for the item asked; every other name is an environment variable."""

_PLACEHOLDER = re.compile(r"\$\{(\w+)\}")
_MIN_SECRET_LETTERS = 6  # a shorter value is not a secret, and would be replaced in ordinary text


def names(template: object) -> set[str]:
    """Return the names of the placeholders in a template.

    Example:
        >>> sorted(names({"q": "${question}", "key": ["${KEY}"]}))
        ['KEY', 'question']
    """
    if isinstance(template, str):
        return set(_PLACEHOLDER.findall(template))
    parts: Iterable[object] = template.values() if isinstance(template, Mapping) else ()
    parts = template if isinstance(template, list) else parts
    return {name for part in parts for name in names(part)}


def fill(template: object, values: Mapping[str, object]) -> object:
    """Return the template with each placeholder replaced, by ``values`` first, otherwise from the environment.

    A value that is no text replaces a string that is nothing but its placeholder; within text it is written as JSON.

    Example:
        >>> fill({"q": "${question}", "k": 5}, {"question": 'Who is "Ada"?'})
        {'q': 'Who is "Ada"?', 'k': 5}
        >>> fill({"h": "${history}", "t": "After ${history}"}, {"history": [1]})
        {'h': [1], 't': 'After [1]'}
    """
    if isinstance(template, str):
        whole = _PLACEHOLDER.fullmatch(template)
        if whole and whole[1] in values:
            return values[whole[1]]
        return _PLACEHOLDER.sub(lambda match: _text(values.get(match[1], os.environ.get(match[1], ""))), template)
    if isinstance(template, Mapping):
        return {key: fill(part, values) for key, part in template.items()}
    return [fill(part, values) for part in template] if isinstance(template, list) else template


def chat_messages(item: Item) -> list[dict[str, str]]:
    """Return the earlier turns and the question as messages of a chat.

    Example:
        >>> from kgsynth.base.records import Turn
        >>> item = Item("q", "And in York?", (), "simple", "", "en", (), history=(Turn("Who leads it?", "Ada."),))
        >>> [message["role"] for message in chat_messages(item)]
        ['user', 'assistant', 'user']
    """
    earlier = [
        {"role": role, "content": text}
        for turn in item.history
        for role, text in (("user", turn.question), ("assistant", turn.answer))
    ]
    return [*earlier, {"role": "user", "content": item.question}]


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


class Secrets:
    """The values of environment variables, which must not appear in any output.

    Example:
        >>> os.environ["DOCTEST_KEY"] = "sk-1234"
        >>> Secrets({"DOCTEST_KEY"}).hide("wrong key sk-1234")
        'wrong key ${DOCTEST_KEY}'
    """

    def __init__(self, variables: Iterable[str]) -> None:
        secrets = {os.environ.get(name, ""): f"${{{name}}}" for name in sorted(set(variables) - set(ASKED))}
        # longest first, so that a value inside another does not leave the rest of the other readable
        kept = sorted((value for value in secrets if len(value) >= _MIN_SECRET_LETTERS), key=len, reverse=True)
        self._forms = [(spellings(value), secrets[value]) for value in kept]

    def hide(self, text: str) -> str:
        """Return the text with every secret value, however it is escaped, replaced by the name of its variable."""
        for pattern, name in self._forms:
            text = pattern.sub(name, text)  # a name has no backslash
        return text
