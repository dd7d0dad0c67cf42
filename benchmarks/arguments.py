"""Command-line arguments of the benchmarks, read by the type hints of ``main``, and one sentence for wrong ones.

The usage of a benchmark is the line of its docstring that begins with python.
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
    """Call ``main`` with the command-line arguments; exit with one sentence if they cannot be used."""
    try:
        main(*read(main, sys.argv[1:]))
    except (KgsynthError, OSError) as error:
        sys.exit(explain(error)[0])
    except ValueError as error:  # a line of a given file is invalid
        sys.exit(f"error: {shlex.join(sys.argv[1:])} could not be read ({error}): {usage(main)}")
    except subprocess.CalledProcessError as error:
        sys.exit(f"error: {shlex.join(error.cmd)} ended with status {error.returncode}")


def usage(main: Callable[..., None]) -> str:
    """Return the usage line from the docstring of the module of ``main``."""
    lines = str(main.__globals__["__doc__"]).splitlines()
    return "usage: " + next(line.strip() for line in lines if line.strip().startswith("python "))


def read(main: Callable[..., None], given: Sequence[str]) -> list[str | int]:
    """Return the arguments with the types that the hints of ``main`` state.

    Raises:
        ConfigError: there are too few or too many, or a number is not a positive integer.
    """
    try:
        bound = inspect.signature(main).bind(*given)
    except TypeError:
        raise ConfigError(f"wrong number of arguments ({len(given)}); {usage(main)}") from None
    hints, arguments = get_type_hints(main), list[str | int]()
    for name, value in bound.arguments.items():
        for text in value if isinstance(value, tuple) else (value,):
            if hints[name] is int and not (text.isascii() and text.isdigit() and int(text)):
                raise ConfigError(f"{text!r} is not a positive integer; {usage(main)}")
            arguments.append(int(text) if hints[name] is int else text)
    return arguments


def run_folder(run: str) -> Path:
    """Return the run folder of ``kgsynth generate``.

    Raises:
        InputError: it is not a run folder.
    """
    needed = ("documents.jsonl", "chunks.jsonl", "candidates.jsonl", "rejected.jsonl")
    if missing := [name for name in needed if not Path(run, name).is_file()]:
        raise InputError(f"{run} has no {missing[0]}; give a run folder of kgsynth generate")
    return Path(run)
