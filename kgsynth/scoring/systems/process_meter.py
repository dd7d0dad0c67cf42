"""Measure what a process and its children use while they answer: processor time and peak memory.

They are sampled when the question is sent, when the answer arrives, and in between as often as is cheap. Memory is the
sum of the resident sets: a page shared by two processes counts twice, and a peak between two samples is missed. The
time of ended children counts only on Linux, where their parent inherits it.
"""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from types import TracebackType

import psutil

_MIN_PAUSE_SECONDS = 0.05  # between two samples
_PAUSE_PER_SAMPLE_TIME = 20  # pause this many times as long as a sample takes, so that sampling costs 5 % of one core


class Meter:
    """A context manager that measures the process ``pid`` while it answers.

    Afterwards ``cpu_s`` has the processor seconds used and ``memory_mb`` the peak memory in millions of bytes; both are
    None if the process has ended.

    Example:
        >>> import os
        >>> with Meter(os.getpid()) as meter:
        ...     total = sum(range(10**5))
        >>> meter.cpu_s is not None and 0 <= meter.cpu_s < 60 and meter.memory_mb > 1
        True
    """

    def __init__(self, pid: int) -> None:
        self.cpu_s: float | None = None
        self.memory_mb: float | None = None
        self._pid, self._peak = pid, 0
        self._stop = threading.Event()
        self._sampler = threading.Thread(target=self._sample_until_stopped, daemon=True)

    def __enter__(self) -> Meter:
        with suppress(psutil.Error):
            self._process = psutil.Process(self._pid)
            self._seconds_before = self._sample()
            self._sampler.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self._stop.set()
        if self._sampler.ident is None:  # the process had ended before the question
            return
        self._sampler.join()
        with suppress(psutil.Error):
            self.cpu_s = round(max(0.0, self._sample() - self._seconds_before), 6)
            self.memory_mb = round(self._peak / 1e6, 3)

    def _sample_until_stopped(self) -> None:
        pause = _MIN_PAUSE_SECONDS
        while not self._stop.wait(pause):
            start = time.perf_counter()
            with suppress(psutil.Error):
                self._sample()
            pause = max(_MIN_PAUSE_SECONDS, _PAUSE_PER_SAMPLE_TIME * (time.perf_counter() - start))

    def _sample(self) -> float:
        """Return the processor seconds of the process and its children so far, and update the peak memory.

        Raises:
            psutil.Error: the process has ended.
        """
        seconds, resident = _usage(self._process)
        for child in self._process.children(recursive=True):
            with suppress(psutil.Error):  # it has ended, and its parent has its time
                more, memory = _usage(child)
                seconds, resident = seconds + more, resident + memory
        self._peak = max(self._peak, resident)
        return seconds


def _usage(process: psutil.Process) -> tuple[float, int]:
    """Return the processor seconds of a process and its ended children, and its resident memory in bytes."""
    times, memory = process.cpu_times(), process.memory_info()
    return times.user + times.system + times.children_user + times.children_system, memory.rss
