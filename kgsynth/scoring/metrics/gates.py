"""Gates: conditions on metrics such as ``recall@5>=0.8`` that a run must pass."""

from __future__ import annotations

import operator
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from kgsynth.base.errors import ConfigError
from kgsynth.scoring.metrics.judged import JUDGED_METRICS
from kgsynth.scoring.metrics.lookup import RUN_OUTCOMES, name_problem, share_problem
from kgsynth.scoring.metrics.summary import Value
from kgsynth.show.tables import figure

_GATE = re.compile(r"\s*([\w@]+)\s*(>=|<=|>|<)\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*")
_COMPARE = {">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt}


@dataclass(frozen=True, slots=True)
class Gate:
    """One gate as written, and its parts."""

    text: str
    metric: str
    comparison: str
    threshold: float

    def check(self, values: Mapping[str, Value], strict: bool = False) -> GateResult:
        """Check the gate against the values of a run; without a value it fails.

        A gate on a judged metric only warns unless ``strict``.
        """
        found = values[self.metric]
        if found.value is None:
            return GateResult(self.text, False, None, found.why)
        passed = bool(_COMPARE[self.comparison](found.value, self.threshold))
        return GateResult(self.text, passed, found.value, warns=self.metric in JUDGED_METRICS and not strict)


@dataclass(frozen=True, slots=True)
class GateResult:
    """Whether a gate passed, with the value it was checked against, or the reason why there was none.

    A gate that ``warns`` does not fail the run. ``detail`` says in words what it was checked against, if not a number,
    and ``numbers`` has what it rests on, for scores.json.
    """

    gate: str
    passed: bool
    value: float | None
    why: str | None = None
    warns: bool = False
    detail: str = ""
    numbers: Mapping[str, object] = field(default_factory=dict)

    @property
    def metric(self) -> str:
        """The name of the metric."""
        match = _GATE.fullmatch(self.gate)
        return match[1] if match else ""

    @property
    def failed(self) -> bool:
        """Whether the gate fails the run."""
        return not self.passed and not self.warns

    @property
    def outcome(self) -> str:
        """The result in one word."""
        return "passed" if self.passed else "warned" if self.warns else "FAILED"

    @property
    def value_text(self) -> str:
        """The value, in words if there are any, or why there is none."""
        return self.why or self.detail or figure(self.value)

    def to_json(self) -> dict[str, object]:
        """Return the result as it is written to scores.json."""
        line: dict[str, object] = {"gate": self.gate, "passed": self.passed, "value": self.value, **self.numbers}
        return line | ({"warns": True} if self.warns else {}) | ({"why": self.why} if self.why else {})


def parse_gates(texts: Iterable[str], own: Collection[str] = ()) -> tuple[Gate, ...]:
    """Read gates as given on the command line; ``own`` are the names of the user's own metrics.

    Raises:
        ConfigError: names every gate that cannot be read, has an unknown metric, or has a number that is not a share
            although the metric is one.

    Example:
        >>> parse_gates(["recall@5 >= 0.8"])
        (Gate(text='recall@5>=0.8', metric='recall@5', comparison='>=', threshold=0.8),)
    """
    gates, problems = [], []
    for text in texts:
        match = _GATE.fullmatch(text)
        if not match:
            problems.append(f"gate {text!r} is not METRIC>=NUMBER (or >, <=, <), such as recall@5>=0.8")
            continue
        name, comparison, number = match.groups()
        if problem := name_problem(name, (*own, *RUN_OUTCOMES)):
            problems.append(f"gate {text!r}: {name!r} {problem}")
            continue
        if name not in own and (problem := share_problem(name, float(number))):
            problems.append(f"gate {text!r}: {problem}")
            continue
        gates.append(Gate(f"{name}{comparison}{number}", name, comparison, float(number)))
    if problems:
        raise ConfigError("; ".join(problems))
    return tuple(gates)
