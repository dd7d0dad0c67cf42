"""How a flow tells how far it has come, to whoever wants to know. Left out: showing it (``cli.progress``)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol, TypeVar

T = TypeVar("T")


class Stage(Protocol):
    """How far a stage has come."""

    def update(self, n: int = 1) -> None:
        """Say that ``n`` more are done."""


Progress = Callable[[str, int | None], AbstractContextManager[Stage]]
"""Called with the name of a stage and how much it has to do (None: not known); what it opens is told of each."""


def ticking(things: Iterable[T], stage: Stage) -> Iterator[T]:
    """Yield the things, and tell the stage of each when the next is wanted."""
    for thing in things:
        yield thing
        stage.update()


@contextmanager
def silent(name: str, total: int | None) -> Iterator[Stage]:
    """Open a stage that nobody looks at.

    Example:
        >>> with silent("reading", 2) as stage:
        ...     list(ticking("ab", stage))
        ['a', 'b']
    """
    yield _Still()


class _Still:
    def update(self, n: int = 1) -> None:
        """Take no notice."""
