"""kgsynth.toml: one settings file for all commands, with a table for each, and tables that several commands share.

In ``[generate]`` the keys are those of ``Config`` and the options of the command; in every other table of a command
they are its options. Keys of ``Config`` above the first table belong to ``[generate]``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kgsynth.base.names import suggestion
from kgsynth.base.settings import read_toml

COMMAND_TABLES = (
    *("generate", "estimate", "audit", "review", "score"),
    *("compare", "calibrate", "graph", "history", "cache", "abtest", "rank", "export"),
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
            problems.append(f"{key} is {value!r} in {path}; write it as a table, [{key}]")
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
