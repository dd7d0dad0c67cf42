"""What goes where: results to stdout; notes to stderr; advice to stdout, or with --json to stderr; neither with -q.

Progress goes to stderr: a bar for each stage in a terminal, otherwise a line. Control characters of documents,
questions, file names and replies are printed as symbols.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kgsynth.show.wording import visible, visible_json

if TYPE_CHECKING:
    from click._termui_impl import ProgressBar


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


def echo(text: str, *, err: bool = False, as_json: bool = False) -> None:
    """Print ``text``, with control characters as symbols; in JSON as escapes, so that the data is the same.

    Example:
        >>> echo("a\\x1b[2J")
        a␛[2J
    """
    click.echo(visible_json(text) if as_json else visible(text), err=err)


# ---- progress ------------------------------------------------------------------------------------


class StageCounter:
    """Counts what a stage has done, in ``count`` and on a bar if there is one."""

    def __init__(self, bar: ProgressBar[int] | None) -> None:
        self.count = 0
        self._bar = bar

    def update(self, n: int = 1) -> None:
        """Count ``n`` more."""
        self.count += n
        if self._bar is not None:
            self._bar.update(n)


@contextmanager
def stage(name: str, total: int | None = None, *, quiet: bool = False) -> Iterator[StageCounter]:
    """Show the progress of a stage over ``total`` things (None: not known).

    Nothing is shown if ``quiet`` or if the command was given -q. A stage that fails prints no line at its end, since
    the error is printed.

    Example:
        >>> with stage("reading", 2, quiet=True) as counter:
        ...     counter.update()
        ...     counter.update()
        >>> counter.count
        2
    """
    quiet = quiet or is_quiet()
    if quiet or not sys.stderr.isatty():
        begun = time.perf_counter()
        counter = StageCounter(None)
        yield counter
        if not quiet:
            of = "" if total in (None, counter.count) else f" of {total}"
            echo(f"{name}: {counter.count}{of} in {time.perf_counter() - begun:.1f} s", err=True)
        return
    steps = max(1, (total or 0) // 100)  # to draw the bar at each of 100,000 would take seconds
    with click.progressbar(count(), total, name, file=sys.stderr, show_pos=True, update_min_steps=steps) as bar:
        yield StageCounter(bar)
        bar.update_min_steps = 1
        bar.update(0)  # what was counted since it was drawn
