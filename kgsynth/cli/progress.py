"""Progress on stderr: a bar per stage in a terminal, otherwise one line per stage, and nothing with --quiet."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import TYPE_CHECKING

import click

from kgsynth.cli.output import is_quiet
from kgsynth.cli.screen import echo

if TYPE_CHECKING:
    from click._termui_impl import ProgressBar


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
