"""How a system outside kgsynth is called: the TOML file given with ``--rag-config``, read and checked.

Variables of the environment, written ``${NAME}``, are not replaced by their values here.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, NonNegativeFloat, NonNegativeInt, PositiveFloat, PositiveInt

from kgsynth.base.settings import known_names, problems_of, raise_problems, read_toml, unknown_settings
from kgsynth.base.settings_file import table_of
from kgsynth.scoring.systems.reply_paths import REPLY_PARTS, ReplyPaths
from kgsynth.scoring.systems.request_templates import ASKED, TURNS, fill, names

EXEC_SETTINGS = ("timeout", "max_reply_mb", "reply")
"""The settings of a process; a service has all settings."""


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
    raise_problems(unknown_settings(given, known, place) + problems_of(SystemSettings, values, place))
    return SystemSettings(**values)
