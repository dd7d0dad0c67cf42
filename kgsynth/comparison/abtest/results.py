"""The results of an A/B test as records: its plan, its variants and their differences; and its metrics."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import NamedTuple

from kgsynth.base.errors import ConfigError
from kgsynth.comparison.abtest.store import VariantOutcomes
from kgsynth.statistics.unpaired_tests import Mean, UnpairedDifference, mean, mean_difference, rate, rate_difference

MISMATCH_P = 0.001
"""If the p of the sample ratio mismatch test is below this, the results are not trusted."""


class ExperimentMetric(NamedTuple):
    """How a metric is computed: its mean over a variant's users, the difference of two means, which way is better."""

    mean: Callable[[VariantOutcomes, float], Mean | None]
    difference: Callable[[Mean, Mean, float], UnpairedDifference]
    higher_is_better: bool
    unit: str


EXPERIMENT_METRICS: Mapping[str, ExperimentMetric] = {
    "success": ExperimentMetric(
        lambda found, alpha: rate(found.success, found.successes, alpha) if found.success else None,
        lambda a, b, _: rate_difference(a, b),
        True,
        "",
    ),
    "latency": ExperimentMetric(
        lambda found, alpha: mean(found.latency, alpha) if found.latency else None, mean_difference, False, " s"
    ),
    "feedback": ExperimentMetric(
        lambda found, alpha: mean(found.feedback, alpha) if found.feedback else None, mean_difference, True, ""
    ),
}
"""The metrics of an A/B test, in the order of the report."""


@dataclass(frozen=True, slots=True)
class ExperimentPlan:
    """The plan of an experiment, made before the first user comes.

    ``effect`` is the smallest difference of ``metric`` that matters, in the unit of the metric (0.05 of success is 5
    points); ``power`` is the probability of detecting it, ``alpha`` the significance level. ``base`` is the expected
    success rate; by default that of the first variant is used.

    Raises:
        ConfigError: one of these is out of range or unknown.
    """

    metric: str = "success"
    effect: float = 0.05
    power: float = 0.8
    alpha: float = 0.05
    base: float | None = None

    def __post_init__(self) -> None:
        shares = {"power": self.power, "alpha": self.alpha, "base": 0.5 if self.base is None else self.base}
        wrong = {name: share for name, share in shares.items() if not 0 < share < 1}
        problems = [f"{name} is {share!r}, give a share between 0 and 1" for name, share in wrong.items()]
        if self.metric not in EXPERIMENT_METRICS:
            problems.append(f"metric is {self.metric!r}, give one of {', '.join(EXPERIMENT_METRICS)}")
        if not 0 < self.effect < (1 if self.metric == "success" else math.inf):
            problems.append(f"effect is {self.effect!r}, give a difference above 0 (for success also below 1)")
        if problems:
            raise ConfigError(f"invalid A/B test plan: {'; '.join(problems)}")


@dataclass(frozen=True, slots=True)
class Arm:
    """The results of one variant; ``needed`` is the number of users the plan requires, None while it is unknown.

    ``means`` maps each metric that has values to its mean over users; the percentiles are over all records.
    """

    variant: str
    share: float
    users: int
    records: int
    errors: int
    means: Mapping[str, Mean]
    latency_p50: float | None
    latency_p95: float | None
    needed: int | None


@dataclass(frozen=True, slots=True)
class Contrast:
    """A metric of a later variant minus the same metric of the first; ``p_holm`` is p after Holm over all contrasts."""

    variant: str
    metric: str
    apart: UnpairedDifference
    p_holm: float | None
    significant: bool

    @property
    def better(self) -> bool:
        """Whether the difference is in favour of the later variant."""
        return (self.apart.difference > 0) == EXPERIMENT_METRICS[self.metric].higher_is_better


@dataclass(frozen=True, slots=True)
class ExperimentAnalysis:
    """The analysis of one experiment. ``mismatch`` is the p of the sample ratio mismatch test (None: too few users)."""

    experiment: str
    plan: ExperimentPlan
    arms: tuple[Arm, ...]
    contrasts: tuple[Contrast, ...]
    mismatch: float | None
    notes: tuple[str, ...]
    recommendation: str

    @property
    def trusted(self) -> bool:
        """Whether the users are split as the shares say."""
        return self.mismatch is None or self.mismatch >= MISMATCH_P

    def to_json(self) -> dict[str, object]:
        """Return the analysis as plain values."""
        return {**asdict(self), "trusted": self.trusted}
