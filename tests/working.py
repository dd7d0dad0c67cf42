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
