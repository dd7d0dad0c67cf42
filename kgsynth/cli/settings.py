"""Settings files: the options of a command that are in kgsynth.toml, where click finds them as defaults."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from kgsynth.base.choices import SETTINGS_FILE
from kgsynth.cli.options import key_of

if TYPE_CHECKING:
    from kgsynth.base.settings import SettingsFile

_TABLES = ("rag_config", "thresholds")
"""Options that name a settings file, and may be a table with its content instead."""

_WITH_FILE = ("rag", "metric_function", "thresholds")
"""Options of text that may begin with the path of a file."""


def settings_path() -> Path | None:
    """Return the path of the settings file of the running command."""
    file = _file_of(click.get_current_context())
    return file.path if file else None


def llm_table() -> Path | None:
    """Return the path of the settings file if it has a table ``[llm]``."""
    file = _file_of(click.get_current_context())
    return file.path if file and "llm" in file.tables else None


def is_from_file(name: str) -> bool:
    """Check whether a settings file, not an option, has given this parameter of the running command its value."""
    return click.get_current_context().get_parameter_source(name) is ParameterSource.DEFAULT_MAP


def with_file(name: str, given: tuple[str, ...]) -> tuple[str, ...]:
    """Return the values of a repeatable option after those that a settings file gives it: both count, each once.

    Options that are conditions add up, because a condition of the file that is dropped unseen would be a hole.
    """
    from_file = (click.get_current_context().default_map or {}).get(name, ())
    return tuple(dict.fromkeys((*from_file, *given)))


def apply_settings(ctx: click.Context, path: Path | None, *, has_config: bool) -> None:
    """Read ``path``, or kgsynth.toml if there is one, and make its values defaults of the options of the command.

    With ``has_config``, the fields of ``Config`` are left to ``Config.load``.

    Raises:
        ConfigError: the file cannot be read, has an unknown table or key, or a value of a wrong type.
    """
    if path is None and not Path(SETTINGS_FILE).is_file():
        return
    from kgsynth.base.config import CONFIG_KEYS
    from kgsynth.base.names import suggestion
    from kgsynth.base.settings import raise_problems, read_settings_file

    file, problems = read_settings_file(path or Path(SETTINGS_FILE), CONFIG_KEYS)
    options = {
        key_of(param): param for param in ctx.command.params if isinstance(param, click.Option) and not param.hidden
    }
    del options["config"]
    left = CONFIG_KEYS if has_config else ()
    values: dict[str, Any] = {}
    table = ctx.info_name or ""
    if "embedding_model" in options and file.embedding_model is not None:
        values["embedding_model"] = file.embedding_model
    for key, value, place in file.entries(table):
        if key in left or (key in file.top and not has_config):
            continue
        if key not in options:
            problems.append(f"unknown setting {key}{place}; {suggestion(key, sorted({*options, *left}))}")
        elif problem := _type_problem(options[key], key, value):
            problems.append(f"{key} is {value!r}{place}; {problem}")
        else:
            values[str(options[key].name)] = _prepared(options[key], key, value, file.path)
    raise_problems(problems)
    ctx.default_map = values
    ctx.obj = (file, path is None)


def settings_note(ctx: click.Context) -> str:
    """Return which tables of kgsynth.toml the command uses, "" if the file was named or has none for it."""
    file = _file_of(ctx)
    if file is None or not ctx.obj[1]:
        return ""
    keys = {key_of(param) for param in ctx.command.params}
    has_config = getattr(ctx.command, "has_config", False)
    used = ["generate"] if has_config and any(file.entries("generate")) else []
    used += [name for name in (ctx.info_name or "",) if any(file.entries(name)) and name not in used]
    used += ["llm"] if "llm" in file.tables and "llm_config" in keys else []
    used += ["embedding"] if file.embedding_model is not None and (has_config or "embedding_model" in keys) else []
    return f"using {' '.join(f'[{name}]' for name in used)} of {file.path}" if used else ""


def name_origins(ctx: click.Context, message: str, param: click.Parameter | None = None) -> str:
    """Return the message, with the key and the file of every option in it that a settings file has set."""
    file = _file_of(ctx)
    if file is None:
        return message
    from_file = [
        each
        for each in ctx.command.params
        if ctx.get_parameter_source(str(each.name)) is ParameterSource.DEFAULT_MAP and _named(ctx, each, message, param)
    ]
    keys = [key_of(each) for each in from_file if f"{key_of(each)} is " not in message or each is param]
    if not keys or str(file.path) in message:
        return message
    table = "embedding" if keys == ["embedding_model"] and file.embedding_model is not None else ctx.info_name
    return f"{message.rstrip('.')} ({', '.join(keys)} in [{table}] of {file.path})"


def _named(ctx: click.Context, option: click.Parameter, message: str, param: click.Parameter | None) -> bool:
    """Check whether a message is about this option: it names it, or a value of it."""
    value = ctx.params.get(str(option.name))
    values = value if isinstance(value, tuple) else (value,)
    texts = [str(each) for each in values if isinstance(each, str | Path) and len(str(each)) > 1]
    texts += [head for text in texts if (head := text.rpartition(":")[0]).endswith(".py")]
    named = any(re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", message) for name in option.opts)
    return option is param or named or any(text in message for text in texts)


def _file_of(ctx: click.Context) -> SettingsFile | None:
    return ctx.obj[0] if ctx.obj else None


def _type_problem(option: click.Option, key: str, value: object) -> str:
    """Return why TOML's value cannot be one of the option's, "" if it can; click checks the rest."""
    if isinstance(value, Mapping):
        as_text = isinstance(option.type, click.types.StringParamType) and not option.multiple
        return "" if key in _TABLES or as_text else "it must not be a table"
    if isinstance(value, list):
        wrong = [each for each in value if isinstance(each, list | Mapping) or _type_problem(option, key, each)]
        if not option.multiple:
            return "it must be one value, not a list"
        return "it must be a list of values" if wrong else ""
    if option.is_flag:
        return "" if isinstance(value, bool) else "it must be true or false"
    if isinstance(option.type, click.types.FloatParamType):
        return "" if isinstance(value, int | float) and not isinstance(value, bool) else "it must be a number"
    if isinstance(option.type, click.types.IntParamType):
        return "" if isinstance(value, int) and not isinstance(value, bool) else "it must be an integer"
    if isinstance(option.type, click.Path | click.Choice):
        return "" if isinstance(value, str) else "it must be a string"
    return "it must be a string" if isinstance(value, bool) else ""


def _prepared(option: click.Option, key: str, value: Any, file: Path) -> Any:
    """Return the value as click takes it, with paths relative to the folder of the file."""
    if isinstance(value, Mapping):
        return str(file) if key in _TABLES else ",".join(f"{name}={each}" for name, each in value.items())
    if isinstance(value, list) or option.multiple:
        return [_prepared_one(option, key, each, file) for each in (value if isinstance(value, list) else [value])]
    return _prepared_one(option, key, value, file)


def _prepared_one(option: click.Option, key: str, value: Any, file: Path) -> Any:
    if isinstance(option.type, click.Path):
        return str(file.parent / value)
    if key in _WITH_FILE and (file.parent / (str(value).rpartition(":")[0] or str(value))).is_file():
        return str(file.parent / value)
    return value
