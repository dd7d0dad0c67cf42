"""Gates: a metric, a comparison and a threshold, such as ``recall@5>=0.8``, that a run must hold."""

from __future__ import annotations

import operator
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from kgsynth.base.errors import ConfigError
from kgsynth.scoring.metrics import METRICS, RUN_METRICS, find
from kgsynth.scoring.metrics.judged import JUDGED
from kgsynth.scoring.metrics.summary import Value

_GATE = re.compile(r"\s*([\w@]+)\s*(>=|<=|>|<)\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*")
_COMPARE = {">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt}


@dataclass(frozen=True, slots=True)
class Gate:
    """One gate as written, and its parts."""

    text: str
    metric: str
    comparison: str
    threshold: float

    def verdict(self, values: Mapping[str, Value], strict: bool = False) -> Verdict:
        """Hold the gate against the values of a run; a metric without a value does not pass.

        A gate on a judged metric only warns, unless ``strict``.
        """
        found = values[self.metric]
        passed = found.value is not None and bool(_COMPARE[self.comparison](found.value, self.threshold))
        return Verdict(self.text, passed, found.value, found.why, warns=self.metric in JUDGED and not strict)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a gate was passed, with the value that decided, or why there was none.

    One that ``warns`` does not fail a run.
    """

    gate: str
    passed: bool
    value: float | None
    why: str | None = None
    warns: bool = False

    @property
    def failed(self) -> bool:
        """Whether the gate fails the run."""
        return not self.passed and not self.warns

    @property
    def told(self) -> str:
        """The verdict in a word."""
        return "passed" if self.passed else "warned" if self.warns else "FAILED"

    def to_json(self) -> dict[str, object]:
        """Return the verdict as scores.json holds it."""
        verdict: dict[str, object] = {"gate": self.gate, "passed": self.passed, "value": self.value}
        return verdict | ({"warns": True} if self.warns else {}) | ({"why": self.why} if self.why else {})


def unknown(name: str, own: Collection[str] = ()) -> str:
    """Say that no metric has the full name ``name``, "" when one has; ``own`` are names of the user's own.

    Example:
        >>> unknown("recall@5"), unknown("glory")[:24]
        ('', 'is none of the metrics: ')
    """
    try:
        if name not in own:
            find(name)
    except KeyError:
        known = [f"{base}@k" if metric.at_k else base for base, metric in METRICS.items()]
        return f"is none of the metrics: {', '.join([*known, *RUN_METRICS, *own])}"
    return ""


def parse_gates(texts: Iterable[str], own: Collection[str] = ()) -> tuple[Gate, ...]:
    """Read gates as the command line gives them; ``own`` are the names of the user's own metrics.

    Raises:
        ConfigError: with every gate that is no gate, or that asks for a metric nobody knows.

    Example:
        >>> parse_gates(["recall@5 >= 0.8"])
        (Gate(text='recall@5>=0.8', metric='recall@5', comparison='>=', threshold=0.8),)
    """
    gates, faults = [], []
    for text in texts:
        match = _GATE.fullmatch(text)
        if not match:
            faults.append(f"gate {text!r} is not METRIC>=NUMBER (or >, <=, <), such as recall@5>=0.8")
            continue
        name, comparison, number = match.groups()
        fault = unknown(name, own)
        if fault:
            faults.append(f"gate {text!r} asks for {name!r}, which {fault}")
            continue
        gates.append(Gate(f"{name}{comparison}{number}", name, comparison, float(number)))
    if faults:
        raise ConfigError("; ".join(faults))
    return tuple(gates)
