"""Work spread over worker processes, with the results in order.

A worker never outlives its parent, however the parent ends. Ctrl-C goes to the parent only, so workers print nothing.
The caller's script is not run again in the workers, so it needs no ``if __name__ == "__main__"``.
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

_INPUTS_AHEAD = 4  # inputs per worker that are submitted before their results are needed


def in_processes(work: Callable[[In], Out], inputs: Iterable[In], processes: int) -> Iterator[Out]:
    """Yield ``work(each)`` for each input, in their order, computed in ``processes`` processes; 1 is this process.

    ``work`` must be a function at the top level of a module.

    Raises:
        KgsynthError: a worker was killed, most often because memory ran out.

    Example:
        >>> list(in_processes(str.upper, ["a", "b"], 1))
        ['A', 'B']
    """
    if processes <= 1:
        yield from map(work, inputs)
        return
    before = set(active_children())
    pool = ProcessPoolExecutor(processes, mp_context=get_context("spawn"), initializer=_set_up_worker)
    waiting: deque[Future[Out]] = deque()
    try:
        for each in inputs:
            with _quiet_start():
                waiting.append(pool.submit(work, each))
            if len(waiting) >= _INPUTS_AHEAD * processes:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
        pool.shutdown()
    except BrokenProcessPool as error:
        advice = "free some memory, or run the same command again with --processes 1"
        raise KgsynthError(f"a worker process was killed, most often because memory ran out; {advice}") from error
    finally:  # after an interrupt, nobody needs what the workers still compute
        for process in set(active_children()) - before:
            process.terminate()
        pool.shutdown(cancel_futures=True)


def _set_up_worker() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


@contextmanager
def _quiet_start() -> Iterator[None]:
    """Start processes that ignore Ctrl-C while they import, and that do not run the caller's script again."""
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
