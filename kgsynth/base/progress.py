"""How a flow reports its progress; ``cli.output`` shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol, TypeVar

T = TypeVar("T")


class Stage(Protocol):
    """The progress of one stage."""

    def update(self, n: int = 1) -> None:
        """Report that ``n`` more are done."""


Progress = Callable[[str, int | None], AbstractContextManager[Stage]]
"""Opens the progress of a stage, given its name and its total (None: not known)."""


def ticking(things: Iterable[T], stage: Stage) -> Iterator[T]:
    """Yield the things, and report each to the stage when the next one is requested."""
    for thing in things:
        yield thing
        stage.update()


@contextmanager
def silent(name: str, total: int | None) -> Iterator[Stage]:
    """Open a stage whose progress is not shown.

    Example:
        >>> with silent("reading", 2) as stage:
        ...     list(ticking("ab", stage))
        ['a', 'b']
    """
    yield _SilentStage()


class _SilentStage:
    def update(self, n: int = 1) -> None:
        """Do nothing."""
