"""What answering cost: latency, throughput, processor time, memory and failures, from the answer records of a run.

Failed questions are left out, except in the error rate and availability.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from kgsynth.base.records import Answer
from kgsynth.scoring.metrics.summary import Value

WHY_UNKNOWN = {
    "latency_s": "no answer has a latency",
    "cpu_s": "no answer has a processor time, which is measured for exec: systems",
    "memory_mb": "no answer has a memory use, which is measured for exec: systems",
}
"""Each measured field of an answer, with the reason to give when no answer has it."""


def percentile(ordered: Sequence[float], share: float) -> float:
    """Return the ``share`` quantile of ascending values, interpolated linearly.

    Example:
        >>> percentile([1.0, 2.0, 3.0, 4.0], 0.5), percentile([7.0], 0.99)
        (2.5, 7.0)
    """
    place = share * (len(ordered) - 1)
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (place - low) * (ordered[high] - ordered[low])


def throughput(values: Sequence[float]) -> float:
    """Return how many answers one caller gets per second: their number over the sum of their latencies.

    Example:
        >>> throughput([0.5, 0.3])
        2.5
    """
    total = math.fsum(values)
    return len(values) / total if total else math.inf


def resource_value(
    field: str, function: Callable[[Sequence[float]], float], answers: Sequence[Answer], total: int
) -> Value:
    """Return ``function`` of the ascending values of ``field`` in the answers without an error.

    Example:
        >>> resource_value("latency_s", max, [Answer("a", "yes", (), 0.5), Answer("b", None, error="timeout")], 2)
        Value(value=0.5, n_scored=1, n_total=2, ci95=None, why=None)
    """
    values = (getattr(answer, field) for answer in answers if answer.error is None)
    known = sorted(value for value in values if value is not None)
    found = function(known) if known else math.inf
    if math.isinf(found):  # no value is known, or the throughput of no time at all
        return Value(None, 0, total, why=WHY_UNKNOWN[field])
    return Value(round(found, 6), len(known), total)


def error_rate(answers: Sequence[Answer], total: int) -> Value:
    """Return the share of the answer records that have an error.

    Example:
        >>> error_rate([Answer("a", "yes"), Answer("b", None, error="TimeoutError")], 4).value
        0.5
    """
    if not answers:
        return Value(None, 0, total, why="there are no answer records")
    failed = sum(each.error is not None for each in answers)
    return Value(round(failed / len(answers), 6), len(answers), total)


def availability(answers: Sequence[Answer], total: int) -> Value:
    """Return the share of all ``total`` questions answered without an error; a missing record counts as an error.

    Example:
        >>> availability([Answer("a", "yes"), Answer("b", None, error="TimeoutError")], 4).value
        0.25
    """
    return Value(round(sum(each.error is None for each in answers) / total, 6), total, total)
