"""Work spread over worker processes or threads, with the results in order, and many objects without a collector."""

from __future__ import annotations

import ctypes
import gc
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import connection, current_process, get_context, parent_process, resource_tracker
from multiprocessing.reduction import ForkingPickler
from queue import Empty, SimpleQueue
from threading import Thread
from types import ModuleType
from typing import Any, Generic, TypeVar

from kgsynth.base.errors import KgsynthError

_NEW_OBJECTS = 100_000


@contextmanager
def no_collection() -> Iterator[None]:
    """Pause the search for objects in cycles: a sheet of 100,000 rows is read in two thirds of the time.

    Example:
        >>> with no_collection():
        ...     gc.isenabled()
        False
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@contextmanager
def rare_collection() -> Iterator[None]:
    """Search for objects in cycles once for each ``_NEW_OBJECTS`` new ones, instead of each 700.

    Making a set keeps most of its objects, and to look at all of them again and again takes a fifteenth of the time.

    Example:
        >>> with rare_collection():
        ...     gc.get_threshold()[0]
        100000
    """
    before = gc.get_threshold()
    gc.set_threshold(_NEW_OBJECTS, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def release_memory() -> None:
    """Give memory that was freed back to the system, where the C library can (glibc)."""
    with suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)


# Work that mostly waits, such as requests, spread over threads that do not delay the end of the program.

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


# Work spread over worker processes, with the results in order, and a limit for the work on one input.
#
# A worker never outlives its parent, however the parent ends. Ctrl-C goes to the parent only, so workers print
# nothing. The caller's script is not run again in the workers, so it needs no ``if __name__ == "__main__"``.

_INPUTS_AHEAD = 4  # inputs per worker whose work may be done before the results are needed
_ENDINGS = {
    "SIGKILL": "its process was killed, most often because memory ran out",
    "SIGABRT": "its reader gave up (SIGABRT), most often because it needs more memory than it may take",
    "SIGSEGV": "its reader crashed (SIGSEGV), most often because it is nested too deeply",
    "SIGBUS": "its reader crashed (SIGBUS), most often because it is nested too deeply",
}
"""From the signal that ended a worker to the reason why its input has no result."""


@dataclass(frozen=True, slots=True)
class WorkLimit(Generic[In, Out]):
    """What ends the work on one input: ``seconds(input)`` of processor time, ``memory``, or the end of its process.

    This is the one place in which a clock decides about a result. A parser that never ends cannot be stopped in any
    other way. Processor time does not pass while other programs run, and the limit should be far above what any usual
    input takes, so that the result depends on the speed of the machine only where otherwise there would be no result.

    ``memory`` is in bytes that a worker may take for one input, where the platform can limit it. ``instead(input,
    reason)`` is the result for an input whose work was ended. Inputs for which ``in_caller`` holds are worked on in the
    caller's process without a limit, since to start a process takes longer: nothing in them may end a process.
    """

    seconds: Callable[[In], float]
    memory: int
    instead: Callable[[In, str], Out]
    in_caller: Callable[[In], bool]


def in_processes(
    work: Callable[[In], Out], inputs: Iterable[In], processes: int, limit: WorkLimit[In, Out] | None = None
) -> Iterator[Out]:
    """Yield ``work(each)`` for each input, in their order, computed in ``processes`` processes; 1 is this process.

    With a ``limit``, one process is a worker too. ``work`` must be a function at the top level of a module.

    Raises:
        KgsynthError: a worker was killed, most often because memory ran out, and there is no ``limit``.

    Example:
        >>> list(in_processes(str.upper, ["a", "b"], 1))
        ['A', 'B']
    """
    if (processes <= 1 and limit is None) or current_process().daemon:  # a daemon may not start processes
        yield from map(work, inputs)
        return
    pool = _Pool(work, max(1, processes), limit)
    try:
        yield from pool.results(inputs)
    finally:  # after an interrupt, nobody needs what the workers still compute
        pool.stop()


class _Worker:
    """A process that works on one input at a time."""

    def __init__(self, work: Callable[[Any], Any], memory: int) -> None:
        context = get_context("spawn")
        self.pipe, other_end = context.Pipe()
        self.process = context.Process(target=_serve, args=(work, other_end, memory))
        with _quiet_start():
            self.process.start()
        other_end.close()
        self.number = 0
        self.input: Any = None
        self.until = float("inf")

    def begin(self, number: int, each: Any, seconds: float) -> None:
        """Start on an input; ``seconds`` of processor time later it has to be done."""
        self.number, self.input = number, each
        self.until = self.processor_time() + seconds
        with suppress(BrokenPipeError):  # it was killed, which its empty pipe will show
            self.pipe.send(each)

    def processor_time(self) -> float:
        """Return the seconds of processor time that the process has taken, 0 if it has ended."""
        import psutil

        try:
            times = psutil.Process(self.process.pid).cpu_times()
        except psutil.Error:
            return 0.0
        return float(times.user + times.system)

    def ending(self) -> str:
        """Return why the process ended."""
        self.process.join()
        code = self.process.exitcode or 0
        name = signal.Signals(-code).name if -code in set(signal.Signals) else str(code)
        return _ENDINGS.get(name, f"its process ended with {name}")

    def kill(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()


class _Pool(Generic[In, Out]):
    """At most ``size`` workers, started when they are needed and replaced when one of them has to be killed."""

    def __init__(self, work: Callable[[In], Out], size: int, limit: WorkLimit[In, Out] | None) -> None:
        self.work = work
        self.size = size
        self.limit = limit
        self.idle: list[_Worker] = []
        self.busy: dict[Any, _Worker] = {}
        self.found: dict[int, Out] = {}
        self.needed = 0

    def results(self, inputs: Iterable[In]) -> Iterator[Out]:
        """Yield the results in the order of the inputs."""
        for number, each in enumerate(inputs):
            self._begin(number, each)
            yield from self._found()
            while number - self.needed >= _INPUTS_AHEAD * self.size:
                self._collect()
                yield from self._found()
        while self.busy:
            self._collect()
            yield from self._found()

    def _found(self) -> Iterator[Out]:
        """Yield the results that are next in order."""
        while self.needed in self.found:
            self.needed += 1
            yield self.found.pop(self.needed - 1)

    def stop(self) -> None:
        """End all workers."""
        for worker in (*self.idle, *self.busy.values()):
            worker.kill()

    def _begin(self, number: int, each: In) -> None:
        if self.limit is not None and self.limit.in_caller(each):
            self.found[number] = self.work(each)
            return
        while len(self.busy) == self.size:
            self._collect()
        worker = self.idle.pop() if self.idle else _Worker(self.work, self.limit.memory if self.limit else 0)
        self.busy[worker.pipe] = worker
        worker.begin(number, each, self.limit.seconds(each) if self.limit else float("inf"))

    def _collect(self) -> None:
        """Wait until a worker is done, or its time is over, and note the results."""
        left = min((worker.until - worker.processor_time() for worker in self.busy.values()), default=0.0)
        ready = connection.wait(list(self.busy), timeout=None if left == float("inf") else max(left, 0.1))
        for pipe in ready:
            worker = self.busy.pop(pipe)
            try:
                succeeded, result = worker.pipe.recv()
            except (EOFError, OSError):  # it ended before or while it sent the result
                self._lose(worker, worker.ending())
                continue
            if self.limit is not None and isinstance(result, MemoryError):
                self._lose(worker, f"it needs more than {self.limit.memory / 1e9:g} GB of memory")
                continue
            self.idle.append(worker)
            if not succeeded:
                raise result
            self.found[worker.number] = result
        for pipe, worker in list(self.busy.items()):
            if worker.processor_time() > worker.until:
                del self.busy[pipe]
                late = self.limit.seconds(worker.input) if self.limit else 0
                self._lose(worker, f"it takes more than {late:.0f} s of computing")

    def _lose(self, worker: _Worker, reason: str) -> None:
        worker.kill()
        if self.limit is None:
            advice = "free some memory, or run the same command again with --processes 1"
            raise KgsynthError(f"a worker process was killed, most often because memory ran out; {advice}")
        self.found[worker.number] = self.limit.instead(worker.input, reason)


def _serve(work: Callable[[Any], Any], pipe: Any, memory: int) -> None:
    """Work on what comes through the pipe, in a worker process; a ``memory`` of 0 is no limit."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if memory:  # libraries that end a process print why, and its user is told the reason by the parent
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    Thread(target=_end_with_parent, daemon=True).start()
    while True:
        try:
            each = pipe.recv()
        except EOFError:
            return
        try:
            if memory:
                _limit_memory(memory)
            answer = ForkingPickler.dumps((True, work(each)))
        except Exception as error:  # raised again in the parent
            error.add_note(traceback.format_exc())
            answer = ForkingPickler.dumps((False, error))
        pipe.send_bytes(answer)


def _limit_memory(more: int) -> None:
    """Let this process take ``more`` bytes than it has now; what it kept of earlier inputs does not count."""
    with suppress(ImportError, OSError, ValueError):  # Windows has no such limit, and macOS may refuse one
        import resource

        import psutil

        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (psutil.Process().memory_info().vms + more, hard))


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
    if masks:
        resource_tracker.ensure_running()  # when a process starts it, it unblocks Ctrl-C
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if masks else ()
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main
        if masks:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
