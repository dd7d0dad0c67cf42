"""The user's own metrics: ``FILE.py:FUNCTION``, called with an item and its answer, returns a number or None.

If the function raises or returns something else, the question has no value, the failure is reported, and the run
continues.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from kgsynth.base.errors import ConfigError, SystemUnreachableError
from kgsynth.base.records import Answer, Item
from kgsynth.base.user_code import CatchErrors
from kgsynth.scoring.metrics import METRICS, RUN_METRICS
from kgsynth.scoring.metrics.lookup import RUN_OUTCOMES
from kgsynth.scoring.metrics.summary import Value, cluster, summarise
from kgsynth.scoring.systems.python_function import load_function


@dataclass(frozen=True, slots=True)
class OwnMetric:
    """One metric of the user; ``call`` gets the ``Item`` and the ``Answer``, which has an ``error`` if it failed.

    Example:
        >>> short = OwnMetric("short", lambda item, answer: len(answer.answer or "") < 40)
        >>> short.compute(Item("q", "Who?", (), "simple", "factoid", "en", ()), Answer("q", "Ada"))
        (1.0, None)
    """

    name: str
    call: Callable[[Item, Answer], object]

    def compute(self, item: Item, answer: Answer) -> tuple[float | None, str | None]:
        """Return the value (None for no value) and the error (None for no error)."""
        value = None
        with CatchErrors() as call:
            found = self.call(item, answer)
            value = None if found is None else float(found)  # type: ignore[arg-type]
        if call.error is not None:
            return None, call.error
        if value is not None and not math.isfinite(value):
            return None, f"ValueError: it returned {value}"
        return value, None


def load_own_metrics(targets: Sequence[str]) -> tuple[OwnMetric, ...]:
    """Return the metrics of ``FILE.py:FUNCTION`` targets, each named after its function.

    Raises:
        ConfigError: a target has another form, its file fails on import or lacks the function, or the name is taken.
    """
    own: dict[str, OwnMetric] = {}
    for target in targets:
        path, _, name = target.rpartition(":")
        if not path.endswith(".py"):
            raise ConfigError(f"--metric-function {target} is not a function: give FILE.py:FUNCTION")
        if name in {*METRICS, *RUN_METRICS, *RUN_OUTCOMES, *own}:
            raise ConfigError(
                f"--metric-function {target}: the name {name} is taken by another metric; rename the function"
            )
        try:
            own[name] = OwnMetric(name, load_function(path, name)[0])
        except (ConfigError, SystemUnreachableError) as error:
            raise ConfigError(f"--metric-function {target}: {error}") from None
    return tuple(own.values())


def measure_own(
    own: Sequence[OwnMetric], items: Sequence[Item], answers: Mapping[str, Answer]
) -> tuple[list[dict[str, float | None]], dict[str, Value], tuple[str, ...]]:
    """Return every own metric of every item, their means, and a sentence on each metric that failed."""
    rows: list[dict[str, float | None]] = []
    failures: dict[str, list[str]] = {}
    for item in items:
        row = {}
        for metric in own:
            row[metric.name], error = metric.compute(item, answers[item.id])
            if error:
                failures.setdefault(metric.name, []).append(f"{item.id} with {error}")
        rows.append(row)
    notes = (
        f"{name} failed on {len(errors)} of {len(items)} questions, first on {errors[0]}"
        for name, errors in failures.items()
    )
    reasons = {metric.name: "it gave no value" for metric in own}
    values = summarise(rows, [cluster(item) for item in items], reasons, unbounded=reasons)
    return rows, values, tuple(notes)
