"""Work for worker processes, which import it by name."""

from __future__ import annotations

import os
import time


def compute(seconds: float) -> float:
    """Compute for so many seconds of processor time."""
    begun = time.process_time()
    while time.process_time() - begun < seconds:
        pass
    return seconds


def process_of(_: float) -> int:
    """Return which process works."""
    return os.getpid()


def end_by(number: int) -> tuple[int, str]:
    """End this process by a signal, unless it is 0; a message goes to the error stream first."""
    if number:
        os.write(2, b"A crash")
        os.kill(os.getpid(), number)
    return number, "goes on"


def fill_memory(megabytes: float) -> float:
    """Take so much memory for a moment."""
    return len(bytearray(int(megabytes) * 1_000_000)) / 1e6
