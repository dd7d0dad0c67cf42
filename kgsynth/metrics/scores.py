"""What a run came to, as one record; scores.json is this record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from kgsynth.metrics.gates import Verdict
from kgsynth.metrics.summary import Value


@dataclass(frozen=True, slots=True)
class Scores:
    """What one run came to; ``to_json`` is scores.json. ``matched`` counts passages by how they were matched.

    ``refusals`` counts answers, expected against actual, and is None for a system that gives none. ``notes`` are
    sentences a reader of the figures must know.
    """

    golden: str
    system: str
    signature: str
    n_items: int
    n_errors: int
    metrics: Mapping[str, Value]
    by: Mapping[str, Mapping[str, Mapping[str, Value]]]
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
        by = {field: {label: _plain(values) for label, values in slices.items()} for field, slices in self.by.items()}
        gates = [verdict.to_json() for verdict in self.gates]
        return {**head, "metrics": _plain(self.metrics), "by": by, "gates": gates, **tail}


def _plain(values: Mapping[str, Value]) -> dict[str, object]:
    return {name: value.to_json() for name, value in values.items()}
