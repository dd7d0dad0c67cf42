"""Settings from options, kgsynth.toml and the environment, checked by pydantic, with errors in one sentence."""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Any, get_type_hints

from pydantic import AfterValidator, ConfigDict, Field, FilePath, StringConstraints, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from kgsynth.base.errors import ConfigError
from kgsynth.base.json_reading import check_value
from kgsynth.base.names import suggestion

# Settings are frozen dataclasses whose type hints, read by pydantic, say what each value must be.
#
# Here they are read from TOML files and checked; all problems are collected and reported together.

Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
ExistingFile = Annotated[FilePath, Field(strict=False)]

_TOML_WORDS = {
    "a valid integer": "an integer",
    "a valid number": "a number",
    "a valid string": "a string",
    "a valid boolean": "true or false",
    "a valid dictionary": "a table",
    "a valid tuple": "a list",
    "Path does not point to a file": "there is no such file, check the path",
}
"""Words in the messages of pydantic -> words for users who write TOML."""

_STRICT = ConfigDict(strict=True, allow_inf_nan=False)


def one_of(known: Sequence[str]) -> AfterValidator:
    """Return a validator of a name that must be one of ``known``."""

    def check(name: str) -> str:
        if name not in known:
            raise ValueError(f"it must be {', '.join(map(repr, known[:-1]))} or {known[-1]!r}")
        return name

    return AfterValidator(check)


def known_names(known: Collection[str]) -> AfterValidator:
    """Return a validator of a mapping that rejects keys outside ``known``."""

    def check(values: Mapping[str, object]) -> Mapping[str, object]:
        if unknown := _unknown(values, known):
            raise ValueError("; ".join(unknown))
        return values

    return AfterValidator(check)


def shares_of(known: Collection[str]) -> AfterValidator:
    """Return a validator of a mapping from names in ``known`` to shares that sum to 1."""

    def check(shares: Mapping[str, float]) -> Mapping[str, float]:
        wrong = _unknown(shares, known)
        if abs(math.fsum(shares.values()) - 1) > 1e-6:
            wrong.append(f"the shares sum to {math.fsum(shares.values()):.6g}, not to 1")
        if wrong:
            raise ValueError("; ".join(wrong))
        return shares

    return AfterValidator(check)


def _unknown(names: Iterable[str], known: Collection[str]) -> list[str]:
    return [f"{name!r} is unknown, {suggestion(name, known)}" for name in names if name not in known]


def read_toml(path: Path | None, option: str) -> dict[str, Any]:
    """Return the content of the file that ``option`` names, without settings if ``path`` is None.

    Raises:
        ConfigError: the file cannot be read, or is not valid TOML.
    """
    if path is None:
        return {}
    try:
        return parse_toml(path.read_bytes())
    except OSError as error:
        raise ConfigError(f"{option} {path} cannot be read ({error.strerror}); check the path") from None
    except ValueError as error:
        raise ConfigError(f"{option} {path} is not valid TOML ({error}); correct it") from None


def parse_toml(content: bytes) -> dict[str, Any]:
    """Return the content of a TOML file.

    Raises:
        ValueError: it is not valid TOML, or holds a value that ``parse_json`` would refuse.
    """
    try:
        values = tomllib.loads(content.decode("utf-8-sig"))
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    check_value(values, tolerant=True)  # infinite numbers are reported where a setting forbids them
    return values


def unknown_settings(given: Collection[str], known: Collection[str], place: Callable[[str], str]) -> list[str]:
    """Return a sentence for each name in ``given`` that is not the name of a setting."""
    return [f"unknown setting {key}{place(key)}; {suggestion(key, known)}" for key in given if key not in known]


def problems_of(
    kind: type, values: Mapping[str, object], place: Callable[[str], str] = lambda _: "", *, secret: bool = False
) -> list[str]:
    """Return a sentence for each value that the dataclass ``kind`` does not allow for the field of that name.

    ``place`` returns where a setting was given, such as " in kgsynth.toml". A ``secret`` value of a wrong type is
    named by its type, since a key may be in it.
    """
    problems = []
    for key, value in values.items():
        try:
            _adapters(kind)[key].validate_python(value)
        except ValidationError as error:
            problems += [_sentence(key, each, place(key), secret) for each in error.errors(include_url=False)]
    return problems


def raise_problems(problems: Sequence[str]) -> None:
    """Raise one ``ConfigError`` with all problems, if there are any."""
    if len(problems) > 1:
        raise ConfigError("\n  - ".join([f"{len(problems)} settings are wrong:", *problems]))
    if problems:
        raise ConfigError(problems[0])


@cache
def _adapters(kind: type) -> dict[str, TypeAdapter[Any]]:
    hints = get_type_hints(kind, include_extras=True)
    return {name: TypeAdapter(hint, config=_STRICT) for name, hint in hints.items()}


def _named_by_type(value: object) -> str:
    """Return a number as it is, and any other value by its type."""
    kinds: dict[type, str] = {str: "a string", list: "a list", dict: "a table"}
    return repr(value) if isinstance(value, int | float) else kinds.get(type(value), "a date or time")


def _sentence(key: str, error: ErrorDetails, place: str, secret: bool) -> str:
    name, value = ".".join(map(str, (key, *error["loc"]))), error["input"]
    reason = re.sub(r"^(?:Input|String) should\b", "it must", error["msg"].removeprefix("Value error, "))
    for theirs, ours in _TOML_WORDS.items():
        reason = reason.replace(theirs, ours)
    if isinstance(value, Mapping):
        return f"{name}{place}: {reason}"
    if secret and error["type"].endswith("_type"):
        return f"{name} is {_named_by_type(value)}{place}; {reason}"
    return f"{name} is {str(value) if isinstance(value, Path) else value!r}{place}; {reason}"


# kgsynth.toml: one settings file for all commands, with a table for each, and tables that several commands share.
#
# In ``[generate]`` the keys are those of ``Config`` and the options of the command; in every other table of a command
# they are its options. Keys of ``Config`` above the first table belong to ``[generate]``.

COMMAND_TABLES = (
    *("generate", "estimate", "audit", "review", "score"),
    *("compare", "calibrate", "graph", "history", "cache", "rank", "export"),
    *("harvest", "diff", "merge"),
)
"""The commands that may have a table."""

SHARED_TABLES = {"llm": None, "embedding": ("model",)}
"""The tables that several commands share -> their keys, None if their own reader checks them."""


@dataclass(frozen=True, slots=True)
class SettingsFile:
    """The tables of a settings file; ``top`` are the keys above the first table, which belong to ``[generate]``."""

    path: Path
    tables: Mapping[str, Mapping[str, Any]]
    top: Mapping[str, Any]

    def entries(self, table: str) -> Iterator[tuple[str, Any, str]]:
        """Yield each key of a table with its value, and its place in words, such as `` in [score] of kgsynth.toml``."""
        if table == "generate":
            yield from ((key, value, f" in {self.path}") for key, value in self.top.items())
        yield from ((key, value, f" in [{table}] of {self.path}") for key, value in self.tables.get(table, {}).items())

    @property
    def embedding_model(self) -> Any:
        """The name of the embedding model in ``[embedding]``, None if there is none."""
        return self.tables.get("embedding", {}).get("model")


def read_settings_file(path: Path, top_keys: Collection[str]) -> tuple[SettingsFile, list[str]]:
    """Return the tables of a settings file, and a sentence for each key or table that is unknown.

    ``top_keys`` are the keys that are allowed above the first table. Unknown keys of a command's table are left to the
    command, which knows its options.

    Raises:
        ConfigError: the file cannot be read, or is not valid TOML.
    """
    tables: dict[str, Mapping[str, Any]] = {}
    top: dict[str, Any] = {}
    problems = []
    names = (*COMMAND_TABLES, *SHARED_TABLES)
    for key, value in read_toml(path, "--config").items():
        if key in names and isinstance(value, dict):
            tables[key] = value
        elif key in top_keys:
            top[key] = value
        elif key in names:
            problems.append(f"{key} is {_named_by_type(value)} in {path}; write it as a table, [{key}]")
        elif isinstance(value, dict):
            problems.append(f"unknown table [{key}] in {path}; {suggestion(key, names)}")
        else:
            problems.append(f"unknown setting {key} in {path}; {suggestion(key, top_keys)}")
    for name, known in SHARED_TABLES.items():
        unknown = [key for key in tables.get(name, {}) if known is not None and key not in known]
        problems += [f"unknown setting {key} in [{name}] of {path}; {suggestion(key, known or ())}" for key in unknown]
    problems += [
        f"{key} is both in [generate] and above the first table of {path}; remove one of them"
        for key in tables.get("generate", {})
        if key in top
    ]
    return SettingsFile(path, tables, top), problems


def table_of(values: Mapping[str, Any], *names: str) -> tuple[Mapping[str, Any], str]:
    """Return the table with this path and its place, or all values if they have no such table.

    So a file of its own and a table of kgsynth.toml are read alike.

    Example:
        >>> table_of({"llm": {"timeout": 9}}, "llm"), table_of({"timeout": 9}, "llm")
        (({'timeout': 9}, '[llm] of '), ({'timeout': 9}, ''))
    """
    found: Any = values
    for name in names:
        found = found.get(name) if isinstance(found, Mapping) else None
    return (found, f"[{'.'.join(names)}] of ") if isinstance(found, Mapping) else (values, "")
