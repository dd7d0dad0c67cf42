"""What a run is checked against and weighted by, as the user gives it: gates, thresholds, weights and own metrics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from kgsynth.base.errors import ConfigError
from kgsynth.scoring.metrics.gates import Gate, parse_gates
from kgsynth.scoring.metrics.lookup import split_name
from kgsynth.scoring.metrics.overall_score import parse_weights
from kgsynth.scoring.metrics.own_metrics import OwnMetric, load_own_metrics
from kgsynth.scoring.metrics.thresholds import Threshold, read_thresholds


@dataclass(frozen=True, slots=True)
class PassCriteria:
    """Gates, thresholds, weights (None: the default ones) and own metrics, all read and valid.

    With ``strict``, gates and thresholds on judged metrics can fail a run; otherwise they warn.
    """

    gates: tuple[Gate, ...] = ()
    thresholds: tuple[Threshold, ...] = ()
    weights: dict[str, float] | None = None
    own: tuple[OwnMetric, ...] = ()
    strict: bool = False

    @property
    def metric_names(self) -> list[str]:
        """The metrics that gates, thresholds and weights name, which must therefore be computed."""
        checked = [*(gate.metric for gate in self.gates), *(each.metric for each in self.thresholds)]
        return [*checked, *(self.weights or ())]

    def cut_offs(self, k: Sequence[int]) -> list[int]:
        """Return the cut-offs ``k`` together with those that gates, thresholds and weights name.

        Raises:
            ConfigError: ``k`` is empty, or a cut-off is below 1.

        Example:
            >>> PassCriteria(weights={"recall@7": 1.0, "mrr": 1.0}).cut_offs([1, 5])
            [1, 5, 7]
        """
        wrong = [each for each in k if each < 1]
        if wrong or not k:
            raise ConfigError(
                f"-k {wrong[0] if wrong else '(none)'} is not a valid cut-off: give whole numbers of 1 or more"
            )
        return sorted({*k, *(split_name(name)[1] for name in self.metric_names)} - {0})


def read_pass_criteria(
    gates: Sequence[str] = (),
    thresholds: str | Path | None = None,
    weights: str | None = None,
    own: Sequence[str] = (),
    *,
    strict: bool = False,
) -> PassCriteria:
    """Read gates, thresholds, weights and own metrics as given on the command line.

    Raises:
        ConfigError: one of them is invalid.
    """
    own_metrics = load_own_metrics(own)
    names = [metric.name for metric in own_metrics]
    return PassCriteria(
        gates=parse_gates(gates, names),
        thresholds=read_thresholds(thresholds, names) if thresholds is not None else (),
        weights=parse_weights(weights, names) if weights is not None else None,
        own=own_metrics,
        strict=strict,
    )
