"""Work that waits, several pieces at once: over threads that are not waited for when the program is to end."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import TypeVar

In = TypeVar("In")
Out = TypeVar("Out")


def at_once(work: Callable[[In], Out], inputs: Sequence[In], threads: int) -> Generator[tuple[int, Out], None, None]:
    """Yield the place of each input with what ``work`` makes of it, as they come; closing leaves those not begun.

    An error of ``work`` is raised here. With one thread all is done in the caller's.

    Example:
        >>> sorted(at_once(str.upper, ["a", "b"], 2))
        [(0, 'A'), (1, 'B')]
    """
    if threads == 1:
        yield from enumerate(map(work, inputs))
        return
    todo: SimpleQueue[tuple[int, In]] = SimpleQueue()
    done: SimpleQueue[tuple[int, Out] | BaseException] = SimpleQueue()
    for each in enumerate(inputs):
        todo.put(each)

    def run() -> None:
        with suppress(Empty):
            while True:
                place, given = todo.get_nowait()
                try:
                    done.put((place, work(given)))
                except BaseException as error:  # raised again where the results are read
                    done.put(error)

    for _ in range(min(threads, len(inputs))):
        # daemons: those of a pool are waited for at exit, so an interrupt would last as long as a hanging request
        threading.Thread(target=run, daemon=True).start()
    try:
        for _ in inputs:
            result = done.get()
            if isinstance(result, BaseException):
                raise result
            yield result
    finally:
        with suppress(Empty):
            while True:
                todo.get_nowait()
