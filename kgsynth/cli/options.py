"""Adding a list of options to a command."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

Command = TypeVar("Command", bound=Callable[..., Any])


def with_options(command: Command, options: Iterable[Callable[[Command], Command]]) -> Command:
    """Return the command with these options, which ``--help`` lists in this order."""
    for option in reversed([*options]):
        command = option(command)
    return command
