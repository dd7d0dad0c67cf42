"""The setting ``kinds``: which subtypes are asked, by default and by name."""

from __future__ import annotations

import random

import pytest
from click.testing import CliRunner
from planted import knowledge_of

from kgsynth.base.config import Config
from kgsynth.base.errors import ConfigError
from kgsynth.cli.generate import command
from kgsynth.generation.evolutions import evolve
from kgsynth.generation.selection import Shortage, TypeCount
from kgsynth.golden.subtypes import SUBTYPES, chosen_kinds, kind_lines, types_without_kinds


def test_every_kind_is_asked_unless_some_are_named() -> None:
    assert chosen_kinds(Config().kinds) == chosen_kinds(["all"]) == set(SUBTYPES)
    assert chosen_kinds(["cause", "factoid"]) == {"cause", "factoid"}


def test_only_the_named_kinds_are_looked_for() -> None:
    known = knowledge_of(
        {"a.md": "# Oslo\n\nThe Oslo depot opened in 1931 because Ada Lovelace asked for a Pike pump."}
    )
    found = evolve(known, types=["simple", "reasoning"], kinds=["cause"], limit=9, rng=random.Random(0))
    assert {scenario.subtype for scenario in found} == {"cause"}


def test_an_unknown_kind_is_an_error_that_lists_all() -> None:
    with pytest.raises(ConfigError, match=r"'caus' in kinds is unknown; did you mean cause\?") as error:
        chosen_kinds(["caus"])
    assert all(line in str(error.value) for line in kind_lines()) and len(kind_lines()) == len(SUBTYPES)


def test_kinds_help_lists_the_kinds() -> None:
    shown = CliRunner().invoke(command, [".", "-o", "never", "--kinds", "help"])
    assert shown.exit_code == 0 and shown.output.splitlines() == kind_lines()
    assert "cause                     reasoning      on   why something is so" in shown.output


def test_a_type_without_kinds_is_short_and_the_reason_is_given() -> None:
    assert types_without_kinds(["simple", "reasoning"], ["cause"]) == ["simple"]
    shortage = Shortage(4, (TypeCount("simple", 2, 0, 0), TypeCount("reasoning", 2, 4, 4)), ("simple",))
    assert shortage.lines() == ["simple: 2 asked for, but kinds names no kind of this type"]
