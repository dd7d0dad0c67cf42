"""Options that several commands have, or that fill a file of their own: put on a command in the order they stand."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

Command = TypeVar("Command", bound=Callable[..., Any])


def with_options(command: Command, options: Iterable[Callable[[Command], Command]]) -> Command:
    """Return the command with these options, told by --help in their order."""
    for option in reversed([*options]):
        command = option(command)
    return command
