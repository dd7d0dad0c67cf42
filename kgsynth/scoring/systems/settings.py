"""How a system outside kgsynth is called: the TOML file given with ``--rag-config``, and its request templates."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, NonNegativeFloat, NonNegativeInt, PositiveFloat, PositiveInt

from kgsynth.base.bounded_http import spellings
from kgsynth.base.records import Item
from kgsynth.base.settings import known_names, problems_of, raise_problems, read_toml, table_of, unknown_settings
from kgsynth.scoring.systems.reply_reader import REPLY_PARTS, ReplyPaths

# ---- request templates ---------------------------------------------------------------------------
#
# A template is a string, or lists and tables of strings as in TOML. Only strings are filled in, so a question cannot
# change the structure of a request.

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


# ---- the file of settings ------------------------------------------------------------------------
#
# Variables of the environment, written ``${NAME}``, are not replaced by their values here.

EXEC_SETTINGS = ("timeout", "max_reply_mb", "reply")
MCP_SETTINGS = ("timeout", "headers")
"""The settings of a process, and of an MCP server; a service has all settings."""


def _no_variables(query: Mapping[str, str]) -> Mapping[str, str]:
    if variables := [f"${{{name}}}" for name in sorted(names(query) - set(ASKED))]:
        raise ValueError(f"it contains {', '.join(variables)}, but URLs appear in logs; send secrets in a header")
    return query


def _variables_set(template: Mapping[str, Any]) -> Mapping[str, Any]:
    if missing := [f"${{{name}}}" for name in sorted(names(template) - set(ASKED)) if name not in os.environ]:
        raise ValueError(f"it needs {', '.join(missing)}, which the environment does not have; export it")
    return template


def _writable_as_json(body: Mapping[str, Any]) -> Mapping[str, Any]:
    try:
        json.dumps(body, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise ValueError(f"it cannot be sent as JSON ({error}); write the value as text") from None
    return body


def _sendable(headers: Mapping[str, str]) -> Mapping[str, str]:
    sent = {name: str(fill(template, dict.fromkeys(ASKED, ""))) for name, template in headers.items()}
    if wrong := [name for name, text in sent.items() if not re.fullmatch(r"[!-~]*(?:[ \t]+[!-~]+)*", text)]:
        raise ValueError(f"{', '.join(wrong)} would contain a line break or a character beyond ASCII; remove it")
    return headers


def _expressions(reply: Mapping[str, str]) -> Mapping[str, str]:
    ReplyPaths({name: text for name, text in reply.items() if name in REPLY_PARTS})
    return reply


@dataclass(frozen=True, slots=True)
class SystemSettings:
    """How a system is called; times in seconds, ``per_second`` 0 for no limit. A reply of more than ``max_reply_mb``
    (2**20 bytes each, after decompression) is a failure.

    ``query`` (the part of the URL after ?), ``headers`` and ``body`` (sent as JSON) are templates with ``${question}``,
    ``${id}``, ``${history}`` (the earlier turns of a conversation), ``${messages}`` (these and the question, as a chat)
    and, except in the URL, ``${NAME}`` of the environment. Without query and body, the question is sent in the body, or
    with GET in the query, with the history if there is any. ``reply`` says where in the reply the answer is (see
    ``Reply``).
    """

    method: Literal["POST", "GET", "PUT", "PATCH"] = "POST"
    timeout: PositiveFloat = 60.0
    retries: NonNegativeInt = 3
    backoff: NonNegativeFloat = 0.5
    longest_wait: NonNegativeFloat = 60.0
    max_reply_mb: Annotated[int, Field(ge=1, le=2**20)] = 64
    at_once: PositiveInt = 4
    per_second: NonNegativeFloat = 0.0
    headers: Annotated[Mapping[str, str], AfterValidator(_variables_set), AfterValidator(_sendable)] = field(
        default_factory=dict
    )
    query: Annotated[Mapping[str, str], AfterValidator(_no_variables)] = field(default_factory=dict)
    body: Annotated[Mapping[str, Any], AfterValidator(_variables_set), AfterValidator(_writable_as_json)] = field(
        default_factory=dict
    )
    reply: Annotated[Mapping[str, str], known_names(REPLY_PARTS), AfterValidator(_expressions)] = field(
        default_factory=dict
    )

    def request(self, *, history: bool = False) -> tuple[Mapping[str, object], Mapping[str, object]]:
        """Return the templates of query and body: one has the question, and the ``history`` if there is any."""
        if self.query or self.body:
            return self.query, self.body
        question = {"question": "${question}"} | ({"history": "${history}"} if history else {})
        return (question, {}) if self.method == "GET" else ({}, question)

    @property
    def takes_history(self) -> bool:
        """Whether the request has the earlier turns of a conversation: a template may leave them out."""
        return not (self.query or self.body) or not names([self.query, self.body]).isdisjoint(TURNS)

    def fingerprint(self) -> str:
        """Return a hash of what is sent and how it is read, with the names of variables instead of their values.

        Timeouts and the like are not part of it, so that a failed question can be asked again with more time.
        """
        parts = [self.method, self.headers, *self.request(), self.reply]
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:16]


SYSTEM_SETTINGS = tuple(entry.name for entry in fields(SystemSettings))
"""The names of the settings."""


def read_system_settings(path: Path | None, known: Collection[str] = SYSTEM_SETTINGS) -> SystemSettings:
    """Read the settings in ``path``, or in its table ``[score.rag_config]`` if it has one; None for the defaults.

    Raises:
        ConfigError: the file cannot be read, or a setting is wrong or not in ``known``.
    """
    given, table = table_of(read_toml(path, "--rag-config"), "score", "rag_config")

    def place(_: str) -> str:
        return f" in {table}{path}"

    values = {key: value for key, value in given.items() if key in known}
    raise_problems(unknown_settings(given, known, place) + problems_of(SystemSettings, values, place, secret=True))
    return SystemSettings(**values)
