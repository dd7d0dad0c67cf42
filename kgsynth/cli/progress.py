"""Progress on stderr: a bar per stage at a terminal, one line per stage elsewhere, nothing when quiet.

Left out: any knowledge of the stages; a stage says its name, how much there is, and how far it has come.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from tqdm import tqdm


class Stage:
    """How far one stage has come; ``count`` is what it has done."""

    def __init__(self, bar: tqdm[Any] | None) -> None:
        self.count = 0
        self._bar = bar

    def update(self, n: int = 1) -> None:
        """Say that ``n`` more are done."""
        self.count += n
        if self._bar is not None:
            self._bar.update(n)


@contextmanager
def stage(name: str, total: int | None = None, *, quiet: bool = False) -> Iterator[Stage]:
    """Show the progress of one stage over ``total`` things (None: not known).

    A stage that fails prints no closing line: the error tells.

    Example:
        >>> with stage("reading", 2, quiet=True) as progress:
        ...     progress.update()
        ...     progress.update()
        >>> progress.count
        2
    """
    if quiet or not sys.stderr.isatty():
        begun = time.perf_counter()
        progress = Stage(None)
        yield progress
        if not quiet:
            of = "" if total in (None, progress.count) else f" of {total}"
            click.echo(f"{name}: {progress.count}{of} in {time.perf_counter() - begun:.1f} s", err=True)
        return
    from tqdm import tqdm

    bar: tqdm[Any]
    with tqdm(total=total, desc=name, file=sys.stderr, dynamic_ncols=True) as bar:
        yield Stage(bar)
