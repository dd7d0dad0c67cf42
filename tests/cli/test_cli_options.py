"""The options of all commands: one meaning for each name, groups, defaults shown once, and names that are tied."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner

from kgsynth.base.choices import PROFILE_NAMES
from kgsynth.base.config import COMMAND_LINE_ONLY, CONFIG_KEYS, Config
from kgsynth.base.settings import COMMAND_TABLES
from kgsynth.cli import COMMANDS, main
from kgsynth.cli.command import Command
from kgsynth.cli.options import key_of
from kgsynth.scoring.metrics.criteria import PROFILES

SAME_NAME = {
    "out": "each command writes its own files there, and the help says which",
    "docs": "score and review find the folder in the run; calibrate has no run and needs it",
    "llm": "the name of a language model; the help says what the command asks it",
    "mix": "shares of question types: generate makes them, audit expects them",
    "sample": "the same form; score also takes the larger of two",
    "seed": "the same number; calibrate draws only from large sets",
}
"""Options whose help differs between commands, with the reason; their type does not."""


def commands() -> dict[str, click.Command]:
    """Return every command, those of a group of commands as GROUP NAME."""
    found: dict[str, click.Command] = {}
    for name, (module, _) in COMMANDS.items():
        command = importlib.import_module(module).command
        inner = command.commands.items() if isinstance(command, click.Group) else [("", command)]
        found |= {f"{name} {each}".strip(): one for each, one in inner}
    return found


def options() -> Iterator[tuple[str, click.Option]]:
    for name, command in commands().items():
        for param in command.params:
            if isinstance(param, click.Option) and not param.hidden:
                yield name, param


def signature(option: click.Option) -> tuple[str, bool, bool]:
    names = repr(option.type.choices) if isinstance(option.type, click.Choice) else ""
    kind = "Path" if isinstance(option.type, click.Path) else type(option.type).__name__
    return f"{kind}{names}", bool(option.multiple), bool(option.is_flag)


def test_an_option_has_one_meaning_over_the_whole_command_line() -> None:
    uses: dict[str, list[tuple[str, click.Option]]] = defaultdict(list)
    for name, option in options():
        for spelling in (*option.opts, *option.secondary_opts):
            uses[spelling].append((name, option))
    for spelling, found in sorted(uses.items()):
        where = [name for name, _ in found]
        assert len({key_of(option) for _, option in found}) == 1, f"{spelling} is short for two options: {where}"
        assert len({signature(option) for _, option in found}) == 1, f"{spelling} has two types: {where}"
        if key_of(found[0][1]) not in SAME_NAME:
            texts = {option.help for _, option in found}
            assert len(texts) == 1, f"{spelling} has two meanings, in {where}: {sorted(map(str, texts))}"
    differing = {key for key in SAME_NAME if len({option.help for _, option in options() if key_of(option) == key}) > 1}
    assert differing == set(SAME_NAME), "these no longer differ, so take them off the list"


@pytest.mark.parametrize("name", list(commands()))
def test_every_option_is_in_a_group_and_every_group_names_options(name: str) -> None:
    command = commands()[name]
    assert isinstance(command, Command), "declare it with @click.command(cls=Command)"
    keys = [key_of(param) for param in command.params if isinstance(param, click.Option) and not param.hidden]
    assert {"config", "quiet"} <= set(keys)
    if command.groups:
        grouped = [key for names in command.groups.values() for key in names]
        assert sorted([*grouped, "config", "quiet"]) == sorted(keys), f"the groups of kgsynth {name}"
        common = command.groups["Common options"]
        assert next(iter(command.groups)) == "Common options" and len(common) == 5
    else:
        assert len(keys) <= 12, f"kgsynth {name} has {len(keys)} options: put them in groups"


@pytest.mark.parametrize("name", list(commands()))
def test_help_begins_with_one_or_two_examples_and_is_plain(name: str) -> None:
    done = CliRunner().invoke(main, [*name.split(), "--help"])
    lines = done.stdout.splitlines()
    assert lines[0].startswith("Usage: ") and lines[2] == "Examples:"
    examples = lines[3 : lines.index("", 3)]
    assert 1 <= len(examples) <= 2 and all(line.startswith(f"  kgsynth {name}") for line in examples)
    assert "General options:" in lines and "\x1b" not in done.stdout and "Other options:" not in lines


def test_the_options_of_score_are_in_named_groups() -> None:
    lines = CliRunner().invoke(main, ["score", "--help"]).stdout.splitlines()
    titles = [line.rstrip(":") for line in lines if re.fullmatch(r"[A-Z][a-z ]+:", line)]
    assert titles == [
        *("Examples", "Common options", "System", "Questions", "Matching", "Metrics", "Judge", "Language model"),
        *("Gates", "Output", "General options"),
    ]
    top = lines[lines.index("Common options:") + 1 : lines.index("System:")]
    shown = [line.split()[0].rstrip(",") for line in top if re.match(r"  -", line)]
    assert shown == ["--rag", "--docs", "-o", "--gate", "--json"]


def test_a_default_is_shown_once() -> None:
    for name, option in options():
        context = click.Context(commands()[name], show_default=True)
        record = option.get_help_record(context)
        assert record is not None
        assert record[1].count("default") <= 1, f"kgsynth {name}: {record}"


def test_the_defaults_in_the_help_of_generate_are_those_of_the_config() -> None:
    config, found = Config(), {}
    for name, option in options():
        if name == "generate" and (match := re.search(r"\(default: ([\w.-]+)\)", option.help or "")):
            found[key_of(option)] = match[1]
    for key in ("language", "processes"):
        found.pop(key, None)
    assert found == {key: str(getattr(config, key)) for key in found} and {"n", "seed", "chunk_size"} <= set(found)


def test_every_command_with_a_result_can_print_it_as_json() -> None:
    without = {name for name in commands() if not any(key_of(o) == "json" for each, o in options() if each == name)}
    assert without == set()


def test_literal_names_are_those_of_the_code() -> None:
    assert tuple(PROFILES) == PROFILE_NAMES
    assert set(COMMAND_TABLES) == set(COMMANDS), "a new command needs a table in kgsynth.toml"
    own = {key_of(option) for name, option in options() if name == "generate"} - set(CONFIG_KEYS) - {"config"}
    assert set(COMMAND_LINE_ONLY) == own


@pytest.mark.parametrize("name", ["score", "generate", "audit"])
def test_help_loads_no_library_but_click(name: str) -> None:
    code = (
        "import sys\nfrom kgsynth.cli import main\n"
        f"main(['{name}', '--help'], standalone_mode=False)\n"
        "heavy = {'pydantic', 'numpy', 'networkx', 'jinja2', 'sqlite3'} & set(sys.modules)\n"
        "print(sorted(heavy), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == "[]\n"
