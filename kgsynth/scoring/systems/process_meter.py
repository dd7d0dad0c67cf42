"""What a process and its children use while they answer: processor time, and memory at its peak.

They are looked at when the question goes out, when the answer is there, and in between as often as costs little.
Memory is the resident set, summed: a page that two of them share counts twice, a peak between two looks is missed. The
time of children that have ended counts on Linux, where their parent inherits it. Left out: what is done with the
figures.
"""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from types import TracebackType

import psutil

_PAUSE = 0.05  # seconds between two looks
_SHARE = 20  # where a look takes long, the pause is so many times as long: watching costs a twentieth of one core


class Meter:
    """A block in which the process ``pid`` answers; after it ``cpu_s`` and ``memory_mb`` tell what it used.

    They are processor seconds and a peak in millions of bytes; None when the process is gone and they cannot be known.

    Example:
        >>> import os
        >>> with Meter(os.getpid()) as meter:
        ...     ended = sum(range(10**5))
        >>> meter.cpu_s is not None and 0 <= meter.cpu_s < 60 and meter.memory_mb > 1
        True
    """

    def __init__(self, pid: int) -> None:
        self.cpu_s: float | None = None
        self.memory_mb: float | None = None
        self._pid, self._peak = pid, 0
        self._over = threading.Event()
        self._watcher = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Meter:
        with suppress(psutil.Error):
            self._process = psutil.Process(self._pid)
            self._before = self._look()
            self._watcher.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self._over.set()
        if self._watcher.ident is None:  # the process was gone before it was asked
            return
        self._watcher.join()
        with suppress(psutil.Error):
            self.cpu_s = round(max(0.0, self._look() - self._before), 6)
            self.memory_mb = round(self._peak / 1e6, 3)

    def _watch(self) -> None:
        pause = _PAUSE
        while not self._over.wait(pause):
            begun = time.perf_counter()
            with suppress(psutil.Error):
                self._look()
            pause = max(_PAUSE, _SHARE * (time.perf_counter() - begun))

    def _look(self) -> float:
        """Return the processor seconds of the process and its children since they began, and keep the peak of memory.

        Raises:
            psutil.Error: the process is gone.
        """
        seconds, resident = _used(self._process)
        for child in self._process.children(recursive=True):
            with suppress(psutil.Error):  # it ended meanwhile, and its parent has its time
                more, memory = _used(child)
                seconds, resident = seconds + more, resident + memory
        self._peak = max(self._peak, resident)
        return seconds


def _used(process: psutil.Process) -> tuple[float, int]:
    times, memory = process.cpu_times(), process.memory_info()
    return times.user + times.system + times.children_user + times.children_system, memory.rss
