"""How a benchmark is called: the arguments as its ``main`` wants them, and one sentence for those it cannot use.

Left out: what any benchmark measures. Its usage is the line of its docstring that begins with python.
"""

from __future__ import annotations

import inspect
import shlex
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import get_type_hints

from kgsynth.base.errors import ConfigError, InputError, KgsynthError
from kgsynth.cli import explain


def call(main: Callable[..., None]) -> None:
    """Call ``main`` with the arguments of the command line; end with a sentence when they cannot be used."""
    try:
        main(*read(main, sys.argv[1:]))
    except (KgsynthError, OSError) as error:
        sys.exit(explain(error)[0])
    except ValueError as error:  # a line of a file that was given is not what it should be
        sys.exit(f"error: {shlex.join(sys.argv[1:])} could not be read ({error}): {usage(main)}")
    except subprocess.CalledProcessError as error:
        sys.exit(f"error: {shlex.join(error.cmd)} ended with status {error.returncode}")


def usage(main: Callable[..., None]) -> str:
    """Return how the module of ``main`` says it is called."""
    lines = str(main.__globals__["__doc__"]).splitlines()
    return "usage: " + next(line.strip() for line in lines if line.strip().startswith("python "))


def read(main: Callable[..., None], given: Sequence[str]) -> list[str | int]:
    """Return the arguments as the type hints of ``main`` want them.

    Raises:
        ConfigError: too few or too many are given, or one that should be a whole number is none.
    """
    try:
        bound = inspect.signature(main).bind(*given)
    except TypeError:
        raise ConfigError(f"{len(given)} arguments are too many or too few; {usage(main)}") from None
    hints, arguments = get_type_hints(main), list[str | int]()
    for name, value in bound.arguments.items():
        for text in value if isinstance(value, tuple) else (value,):
            if hints[name] is int and not (text.isascii() and text.isdigit() and int(text)):
                raise ConfigError(f"{text!r} is no whole number of 1 or more; {usage(main)}")
            arguments.append(int(text) if hints[name] is int else text)
    return arguments


def run_folder(run: str) -> Path:
    """Return the folder of a run of ``kgsynth generate``.

    Raises:
        InputError: it is none.
    """
    needed = ("documents.jsonl", "chunks.jsonl", "candidates.jsonl", "rejected.jsonl")
    if missing := [name for name in needed if not Path(run, name).is_file()]:
        raise InputError(f"{run} is no folder of a run of kgsynth generate, it holds no {missing[0]}: give one that is")
    return Path(run)
