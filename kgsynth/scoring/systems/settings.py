"""How a system outside is called: the file given with ``--rag-config``, in TOML, read and checked.

All faults are collected and told at once. Values of the environment, written ``${NAME}``, stay names here.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import math
import os
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from kgsynth.base.errors import ConfigError
from kgsynth.base.toml_file import read_toml
from kgsynth.scoring.systems.reply_paths import DEFAULTS, ReplyPaths
from kgsynth.scoring.systems.request_templates import ASKED, fill, names

METHODS = ("POST", "GET", "PUT", "PATCH")
EXEC_KEYS = ("timeout", "reply")
"""The settings a process has; a service has all of them."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How a system is called; times in seconds, ``per_second`` 0 for as fast as it goes.

    ``query`` (the part of the URL after ?), ``headers`` and ``body`` (sent as JSON) are templates with ``${question}``,
    ``${id}``, and, not in the URL, ``${NAME}`` of the environment. Without query and body the question goes into the
    body, or with GET into the query. ``reply`` says where the answer stands (see ``ReplyPaths``).
    """

    method: str = "POST"
    timeout: float = 60.0
    retries: int = 3
    backoff: float = 0.5
    longest_wait: float = 60.0
    at_once: int = 4
    per_second: float = 0.0
    headers: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, str] = field(default_factory=dict)
    body: Mapping[str, object] = field(default_factory=dict)
    reply: Mapping[str, str] = field(default_factory=dict)

    def asking(self) -> tuple[Mapping[str, object], Mapping[str, object]]:
        """Return the templates of query and body, the question in one of them."""
        if self.query or self.body:
            return self.query, self.body
        question = {"question": "${question}"}
        return (question, {}) if self.method == "GET" else ({}, question)

    def fingerprint(self) -> str:
        """Return a hash of what is sent and read, as it is written: the names of variables and not their values.

        Time limits and the like are no part of it, so that a failed question can be asked again with more time.
        """
        told = [self.method, self.headers, *self.asking(), self.reply]
        return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:16]


KEYS = tuple(entry.name for entry in fields(Settings))


def read_settings(path: Path | None, known: Collection[str] = KEYS) -> Settings:
    """Read the settings from a file; the defaults for None.

    Raises:
        ConfigError: the file cannot be read, or with everything that is wrong in it.
    """
    if path is None:
        return Settings()
    given = read_toml(path, "--rag-config")
    faults = [_unknown(key, known) for key in given if key not in known]
    faults += [fault for key, value in given.items() if key in known for fault in CHECKS[key](key, value)]
    if faults:
        raise ConfigError(f"--rag-config {path}: {'; '.join(faults)}")
    return Settings(**given)


# ---- the checks: each returns its faults as sentences -------------------------------------------------

Check = Callable[[str, Any], list[str]]


def _method(key: str, value: Any) -> list[str]:
    return [] if value in METHODS else [f"{key} is {value!r}, not one of {', '.join(METHODS)}"]


def _number(low: float, *, beyond: bool = False, whole: bool = False) -> Check:
    def check(key: str, value: Any) -> list[str]:
        fits = isinstance(value, int if whole else int | float) and not isinstance(value, bool)
        if fits and math.isfinite(value) and (value > low if beyond else value >= low):
            return []
        return [f"{key} is {value!r}, not a {'whole ' * whole}number {'above' if beyond else 'from'} {low:g}"]

    return check


def _texts(key: str, value: Any) -> list[str]:
    if isinstance(value, dict) and all(isinstance(each, str) for each in value.values()):
        return []
    return [f"{key} is not a table of strings"]


def _query(key: str, value: Any) -> list[str]:
    variables = sorted(names(value) - set(ASKED))
    secret = [f"{key} holds ${{{name}}}, and URLs end up in logs: send it in a header" for name in variables]
    return _texts(key, value) or secret


def _headers(key: str, value: Any) -> list[str]:
    faults = _texts(key, value) or _not_set(key, value)
    if faults:
        return faults
    sent = fill(value, dict.fromkeys(ASKED, ""))
    assert isinstance(sent, dict)
    wrong = [name for name, text in sent.items() if not re.fullmatch(r"[!-~]*(?:[ \t]+[!-~]+)*", text)]
    return [f"the header {name} holds what no header may (line breaks, letters beyond ASCII)" for name in wrong]


def _body(key: str, value: Any) -> list[str]:
    return _not_set(key, value) if isinstance(value, dict) else [f"{key} is not a table"]


def _not_set(key: str, value: Any) -> list[str]:
    missing = sorted(name for name in names(value) - set(ASKED) if name not in os.environ)
    return [f"{key} needs ${{{name}}}, which the environment does not have: export it" for name in missing]


def _reply(key: str, value: Any) -> list[str]:
    faults = _texts(key, value) or [_unknown(f"{key}.{name}", DEFAULTS) for name in value if name not in DEFAULTS]
    if faults:
        return faults
    try:
        ReplyPaths(value)
    except ValueError as error:
        return [f"{key}.{error}"]
    return []


CHECKS: dict[str, Check] = {
    "method": _method,
    "timeout": _number(0, beyond=True),
    "retries": _number(0, whole=True),
    "backoff": _number(0),
    "longest_wait": _number(0),
    "at_once": _number(1, whole=True),
    "per_second": _number(0),
    "headers": _headers,
    "query": _query,
    "body": _body,
    "reply": _reply,
}
"""What each setting must be."""


def _unknown(key: str, known: Collection[str]) -> str:
    near = difflib.get_close_matches(key.rpartition(".")[2], known, n=1)
    return f"unknown setting {key}, " + (f"did you mean {near[0]}?" if near else f"known are {', '.join(known)}")
