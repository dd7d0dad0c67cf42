"""The user's own metrics: ``FILE.py:FUNCTION``, called with an item and the answer to it, gives a number or None.

What the function raises, or returns amiss, is no value for that question, is counted and told; the run goes on.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from kgsynth.base.errors import ConfigError
from kgsynth.base.records import Answer, Item
from kgsynth.base.user_code import CatchErrors, import_file
from kgsynth.scoring.metrics import METRICS, RUN_METRICS
from kgsynth.scoring.metrics.summary import Value, cluster, summarise


@dataclass(frozen=True, slots=True)
class OwnMetric:
    """One metric of the user's own; ``call`` gets the ``Item`` and the ``Answer``, whose ``error`` tells of a failure.

    Example:
        >>> short = OwnMetric("short", lambda item, answer: len(answer.answer or "") < 40)
        >>> short.compute(Item("q", "Who?", (), "simple", "factoid", "en", ()), Answer("q", "Ada"))
        (1.0, None)
    """

    name: str
    call: Callable[[Item, Answer], object]

    def compute(self, item: Item, answer: Answer) -> tuple[float | None, str | None]:
        """Return the value, None for none, and what went wrong, None for nothing."""
        value = None
        with CatchErrors() as call:
            found = self.call(item, answer)
            value = None if found is None else float(found)  # type: ignore[arg-type]
        if call.error is not None:
            return None, call.error
        if value is not None and not math.isfinite(value):
            return None, f"ValueError: it returned {value}"
        return value, None


def load_own(targets: Sequence[str]) -> tuple[OwnMetric, ...]:
    """Return the metrics that ``FILE.py:FUNCTION`` targets name, each known by the name of its function.

    Raises:
        ConfigError: a target is none, its file fails on import or has no such function, or its name is taken.
    """
    own: dict[str, OwnMetric] = {}
    for target in targets:
        path, _, name = target.rpartition(":")
        if not path.endswith(".py") or not Path(path).is_file():
            raise ConfigError(f"--metric {target} is no FILE.py:FUNCTION of a file that is there: check the path")
        if name in METRICS or name in RUN_METRICS or name in own:
            raise ConfigError(f"--metric {target}: there is a metric {name} already; give the function another name")
        own[name] = OwnMetric(name, _function(path, name))
    return tuple(own.values())


def _function(path: str, name: str) -> Callable[[Item, Answer], object]:
    try:
        module = import_file(Path(path))
    except ImportError as error:
        raise ConfigError(f"--metric {path}:{name} fails on import ({error})") from None
    found = getattr(module, name, None)
    if not callable(found):
        raise ConfigError(f"--metric {path}:{name}: the file has no function {name}; check the name")
    function: Callable[[Item, Answer], object] = found
    return function


def measure(
    own: Sequence[OwnMetric], items: Sequence[Item], answers: Mapping[str, Answer]
) -> tuple[list[dict[str, float | None]], dict[str, Value], tuple[str, ...]]:
    """Return every own metric of every item, their means, and a sentence on each metric that failed on some."""
    rows: list[dict[str, float | None]] = []
    failures: dict[str, list[str]] = {}
    for item in items:
        row = {}
        for metric in own:
            row[metric.name], fault = metric.compute(item, answers[item.id])
            if fault:
                failures.setdefault(metric.name, []).append(f"{item.id} with {fault}")
        rows.append(row)
    told = (f"{name} failed on {len(faults)} questions, first on {faults[0]}" for name, faults in failures.items())
    values = summarise(rows, [cluster(item) for item in items], {metric.name: "it gave no value" for metric in own})
    return rows, values, tuple(told)
