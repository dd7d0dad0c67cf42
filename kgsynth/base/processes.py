"""Work spread over processes, in order: the one place that knows how worker processes are started and ended.

A worker never outlives its parent, however that ends; Ctrl-C is the parent's alone, so workers print nothing of it;
and the caller's script is not run again in them, so it needs no ``if __name__ == "__main__"``. Left out: what the work
is, which must be a function of a module and its input.
"""

from __future__ import annotations

import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import active_children, get_context, parent_process
from threading import Thread
from types import ModuleType
from typing import TypeVar

from kgsynth.base.errors import KgsynthError

In = TypeVar("In")
Out = TypeVar("Out")

_AHEAD = 4  # inputs a worker that are handed out before their turn


def spread(work: Callable[[In], Out], inputs: Iterable[In], processes: int) -> Iterator[Out]:
    """Yield ``work(each)`` for each input, in their order, over ``processes`` processes; with one, in this process.

    Raises:
        KgsynthError: a worker died, most often because memory ran out.

    Example:
        >>> list(spread(str.upper, ["a", "b"], 1))
        ['A', 'B']
    """
    if processes <= 1:
        yield from map(work, inputs)
        return
    others = set(active_children())
    pool = ProcessPoolExecutor(processes, mp_context=get_context("spawn"), initializer=_serve)
    waiting: deque[Future[Out]] = deque()
    try:
        for each in inputs:
            with _quiet_start():
                waiting.append(pool.submit(work, each))
            if len(waiting) >= _AHEAD * processes:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
        pool.shutdown()
    except BrokenProcessPool as error:
        advice = "free some memory, or run the same command again with --processes 1"
        raise KgsynthError(f"a worker process was ended from outside, as when memory runs out; {advice}") from error
    finally:  # broken off: what the workers still do is of no use to anyone
        for process in set(active_children()) - others:
            process.terminate()
        pool.shutdown(cancel_futures=True)


def _serve() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


@contextmanager
def _quiet_start() -> Iterator[None]:
    """Start processes that do not see Ctrl-C while they import, and that do not run the caller's script again."""
    main = sys.modules["__main__"]
    masks = hasattr(signal, "pthread_sigmask")
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if masks else ()
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main
        if masks:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
