"""What a run is to be held against, as the user gives it: gates, thresholds, weights and metrics of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from kgsynth.base.errors import ConfigError
from kgsynth.scoring.metrics.custom import OwnMetric, load_own
from kgsynth.scoring.metrics.gates import Gate, parse_gates
from kgsynth.scoring.metrics.overall_score import parse_weights
from kgsynth.scoring.metrics.thresholds import Threshold, read_thresholds


@dataclass(frozen=True, slots=True)
class Standards:
    """Gates, thresholds, weights (None: the default ones) and own metrics, all read and known to be possible.

    ``strict`` lets those on judged metrics fail a run; else they warn.
    """

    gates: tuple[Gate, ...] = ()
    thresholds: tuple[Threshold, ...] = ()
    weights: dict[str, float] | None = None
    own: tuple[OwnMetric, ...] = ()
    strict: bool = False

    @property
    def named(self) -> list[str]:
        """The metrics that they name, which must then be there."""
        held = [*(gate.metric for gate in self.gates), *(each.metric for each in self.thresholds)]
        return [*held, *(self.weights or ())]

    def cut_offs(self, k: Sequence[int]) -> list[int]:
        """Return the cut-offs ``k`` and those that the standards name.

        Raises:
            ConfigError: ``k`` is empty, or one is below 1.

        Example:
            >>> Standards(weights={"recall@7": 1.0, "mrr": 1.0}).cut_offs([1, 5])
            [1, 5, 7]
        """
        wrong = [cut for cut in k if cut < 1]
        if wrong or not k:
            raise ConfigError(f"-k {wrong[0] if wrong else '(none)'} is no cut-off: give whole numbers of 1 or more")
        return sorted({*k, *(int(name.partition("@")[2]) for name in self.named if "@" in name)})


def read_standards(
    gates: Sequence[str] = (),
    thresholds: str | Path | None = None,
    weights: str | None = None,
    own: Sequence[str] = (),
    *,
    strict: bool = False,
) -> Standards:
    """Read the standards as the command line gives them.

    Raises:
        ConfigError: one of them cannot be.
    """
    loaded = load_own(own)
    names = [metric.name for metric in loaded]
    return Standards(
        gates=parse_gates(gates, names),
        thresholds=read_thresholds(thresholds, names) if thresholds is not None else (),
        weights=parse_weights(weights, names) if weights is not None else None,
        own=loaded,
        strict=strict,
    )
