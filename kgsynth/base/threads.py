"""Work that mostly waits, such as requests, spread over threads that do not delay the end of the program."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import TypeVar

In = TypeVar("In")
Out = TypeVar("Out")


def in_threads(work: Callable[[In], Out], inputs: Sequence[In], threads: int) -> Generator[tuple[int, Out], None, None]:
    """Yield the index of each input with the result of ``work``, in the order in which the results arrive.

    Errors of ``work`` are raised here. Closing the generator skips inputs that have not begun. With one thread the
    work is done in the caller's thread.

    Example:
        >>> sorted(in_threads(str.upper, ["a", "b"], 2))
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
                except BaseException as error:  # raised again in the caller's thread
                    done.put(error)

    for _ in range(min(threads, len(inputs))):
        # daemons, since the threads of a pool are joined at exit: an interrupt would wait for a hanging request
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
