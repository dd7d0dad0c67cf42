"""What goes where: results to stdout; notes to stderr; advice to stdout, or with --json to stderr; neither with -q."""

from __future__ import annotations

import json
from pathlib import Path

import click

from kgsynth.cli.screen import echo

QUIET = "kgsynth.quiet"
"""Where the context of a command keeps whether -q was given."""


def is_quiet() -> bool:
    """Check whether the running command was given -q; without a command it was not."""
    ctx = click.get_current_context(silent=True)
    return bool(ctx and ctx.meta.get(QUIET))


def note(text: str) -> None:
    """Print a note to stderr, unless -q was given."""
    if not is_quiet():
        echo(text, err=True)


def advise(text: str) -> None:
    """Print what to do next: to stdout, or to stderr if --json was given; nothing with -q."""
    if not is_quiet():
        wrote(text)


def wrote(text: str) -> None:
    """Print where the files of a result are: to stdout, or to stderr if --json was given."""
    as_json = bool(click.get_current_context().params.get("as_json"))
    if not (as_json and is_quiet()):
        echo(text, err=as_json)


def write_results(folder: Path, name: str, text: str, value: object) -> None:
    """Write a result to a folder, as NAME.json and NAME.txt."""
    from kgsynth.base.atomic_files import write_files

    as_json = json.dumps(value, ensure_ascii=False, indent=1)
    write_files(folder, [(f"{name}.json", f"{as_json}\n".encode()), (f"{name}.txt", f"{text}\n".encode())])


def result(text: str, value: object, as_json: bool) -> None:
    """Print a result: ``text``, or with --json ``value`` as one JSON document."""
    echo(json.dumps(value, ensure_ascii=False, indent=1) if as_json else text, as_json=as_json)
