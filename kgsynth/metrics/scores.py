"""What a run came to, as one record; scores.json is this record."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass

from kgsynth.metrics.gates import Verdict
from kgsynth.metrics.summary import Value


@dataclass(frozen=True, slots=True)
class Scores:
    """What one run came to; ``to_json`` is scores.json. ``matched`` counts passages by how they were matched.

    In scores.json ``by`` leaves out the metrics that have no value at all. ``resources`` are latencies and failures,
    the only figures that hold time; ``signatures`` says of each metric which variant it is. ``refusals`` counts
    answers, expected against actual, and is None for a system that gives none. ``notes`` are sentences a reader of the
    figures must know.
    """

    golden: str
    system: str
    signature: str
    n_items: int
    n_errors: int
    metrics: Mapping[str, Value]
    by: Mapping[str, Mapping[str, Mapping[str, Value]]]
    resources: Mapping[str, Value]
    signatures: Mapping[str, str]
    gates: tuple[Verdict, ...]
    cover: float
    matched: Mapping[str, int]
    refusals: Mapping[str, Mapping[str, int]] | None
    missing: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """Whether every gate was passed."""
        return all(verdict.passed for verdict in self.gates)

    def to_json(self) -> dict[str, object]:
        """Return the scores as scores.json holds them."""
        head = {name: getattr(self, name) for name in ("golden", "system", "signature", "n_items", "n_errors")}
        tail = {name: getattr(self, name) for name in ("cover", "matched", "refusals", "missing", "notes")}
        has = {name for name, value in self.metrics.items() if value.value is not None}
        by = {
            field: {label: _plain(values, has) for label, values in slices.items()} for field, slices in self.by.items()
        }
        gates = [verdict.to_json() for verdict in self.gates]
        ends = {"signatures": dict(self.signatures), "resources": _plain(self.resources)}
        return {**head, "metrics": _plain(self.metrics), "by": by, "gates": gates, **tail, **ends}


def _plain(values: Mapping[str, Value], only: Set[str] | None = None) -> dict[str, object]:
    return {name: value.to_json() for name, value in values.items() if only is None or name in only}
