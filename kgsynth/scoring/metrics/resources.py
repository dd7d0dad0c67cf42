"""What answering took: latencies, throughput, processor, memory and failures of a run, from its answer records.

All but the failures are of questions that were answered; a failure's is no latency. Time stands nowhere else among the
scores.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from kgsynth.base.records import Answer
from kgsynth.scoring.metrics.summary import Value

NOT_TOLD = {
    "latency_s": "no answer tells its latency",
    "cpu_s": "no answer tells its processor time: it is measured of exec: systems",
    "memory_mb": "no answer tells its memory: it is measured of exec: systems",
}
"""What an answer may tell, with what to say where none does."""

PROCESS = ("cpu_seconds", "peak_memory_mb")
"""The metrics of a run that tell what a process used."""


def told(answers: Sequence[Answer], field: str) -> list[float]:
    """Return what the answers that are no failures tell in ``field``, ascending.

    Example:
        >>> told([Answer("a", "yes", (), 0.5), Answer("b", None, (), None, "TimeoutError")], "latency_s")
        [0.5]
    """
    return sorted(value for each in answers if each.error is None and (value := getattr(each, field)) is not None)


def percentile(ordered: Sequence[float], share: float) -> float:
    """Return the value below which ``share`` of the ascending values lie, drawn straight between neighbours.

    Example:
        >>> percentile([1.0, 2.0, 3.0, 4.0], 0.5), percentile([7.0], 0.99)
        (2.5, 7.0)
    """
    place = share * (len(ordered) - 1)
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (place - low) * (ordered[high] - ordered[low])


def mean(values: Sequence[float]) -> float:
    """Return the arithmetic mean.

    Example:
        >>> mean([1.0, 2.0])
        1.5
    """
    return math.fsum(values) / len(values)


def throughput(values: Sequence[float]) -> float:
    """Return answers per second when asked one after another: their number over the sum of their latencies.

    Example:
        >>> throughput([0.5, 0.3])
        2.5
    """
    total = math.fsum(values)
    return len(values) / total if total else math.inf


def of_told(field: str, function: Callable[[Sequence[float]], float]) -> Callable[[Sequence[Answer], int], Value]:
    """Return the resource that ``function`` makes of what the answers tell in ``field``, ascending."""

    def compute(answers: Sequence[Answer], total: int) -> Value:
        known = told(answers, field)
        found = function(known) if known else math.inf
        if math.isinf(found):  # none is known, or no time has passed
            return Value(None, 0, total, why=NOT_TOLD[field])
        return Value(round(found, 6), len(known), total)

    return compute


def error_rate(answers: Sequence[Answer], total: int) -> Value:
    """Return the share of the questions asked on which the system failed; ``answers`` are those on record.

    Example:
        >>> error_rate([Answer("a", "yes"), Answer("b", None, error="TimeoutError")], 4).value
        0.5
    """
    if not answers:
        return Value(None, 0, total, why="no answer is on record")
    failed = sum(each.error is not None for each in answers)
    return Value(round(failed / len(answers), 6), len(answers), total)


def availability(answers: Sequence[Answer], total: int) -> Value:
    """Return the share of all ``total`` questions that were answered; a missing record counts as not answered.

    Example:
        >>> availability([Answer("a", "yes"), Answer("b", None, error="TimeoutError")], 4).value
        0.25
    """
    return Value(round(sum(each.error is None for each in answers) / total, 6), total, total)
