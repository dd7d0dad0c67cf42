"""What several commands declare their options with."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])

PATH = click.Path(path_type=Path)
"""The type of an option that takes a path."""

map_option = click.option(
    "--map",
    "mapping",
    help="The columns of a table, such as question=Frage,answer=Antwort,contexts=Kontext,doc=Datei. For nested "
    "JSON, give JMESPath expressions.",
)
"""The option that assigns the columns of a set of another tool."""


def with_options(command: Command, options: Iterable[Callable[[Command], Command]]) -> Command:
    """Return the command with these options, which ``--help`` lists in this order."""
    for option in reversed([*options]):
        command = option(command)
    return command
