"""What an A/B test came to, as records: its plan, its variants, how they differ; and how each metric is measured."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import NamedTuple

from kgsynth.base.errors import ConfigError
from kgsynth.comparison.abtest.store import Met
from kgsynth.statistics.unpaired_tests import Apart, Mean, mean, means_apart, rate, rates_apart

MISMATCH = 0.001
"""The p of the users' split below which no figure is to be trusted."""


class Kind(NamedTuple):
    """How a metric is measured: its mean over a variant's users, the difference of two, and whether more is better."""

    mean: Callable[[Met, float], Mean | None]
    apart: Callable[[Mean, Mean, float], Apart]
    up: bool
    unit: str


METRICS: Mapping[str, Kind] = {
    "success": Kind(
        lambda met, alpha: rate(met.success, met.successes, alpha) if met.success else None,
        lambda a, b, _: rates_apart(a, b),
        True,
        "",
    ),
    "latency": Kind(lambda met, alpha: mean(met.latency, alpha) if met.latency else None, means_apart, False, " s"),
    "feedback": Kind(lambda met, alpha: mean(met.feedback, alpha) if met.feedback else None, means_apart, True, ""),
}
"""The metrics of an A/B test, in the order of the report."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What was planned before the first user came.

    ``effect`` is the smallest difference of ``metric`` worth knowing of, in its unit (0.05 of success is 5 points),
    ``power`` the chance to find it, ``alpha`` the chance to call nothing a difference. ``base`` is the success rate to
    reckon with; without it that of the first variant is taken as it comes.

    Raises:
        ConfigError: one of these cannot be.
    """

    metric: str = "success"
    effect: float = 0.05
    power: float = 0.8
    alpha: float = 0.05
    base: float | None = None

    def __post_init__(self) -> None:
        shares = {"power": self.power, "alpha": self.alpha, "base": 0.5 if self.base is None else self.base}
        wrong = {name: share for name, share in shares.items() if not 0 < share < 1}
        faults = [f"{name} is {share!r}, give a share between 0 and 1" for name, share in wrong.items()]
        if self.metric not in METRICS:
            faults.append(f"metric is {self.metric!r}, give one of {', '.join(METRICS)}")
        if not 0 < self.effect < (1 if self.metric == "success" else math.inf):
            faults.append(f"effect is {self.effect!r}, give a difference above 0, of success below 1")
        if faults:
            raise ConfigError(f"the plan of the A/B test cannot be: {'; '.join(faults)}")


@dataclass(frozen=True, slots=True)
class Arm:
    """One variant: how many came, what they met with, and how many users the plan wants (None: not to be said yet).

    ``means`` maps each metric that has a value to its mean over users; the percentiles are over all records.
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
    """One metric of a later variant less that of the first; ``p_holm`` is p after Holm over all that were tested."""

    variant: str
    metric: str
    apart: Apart
    p_holm: float | None
    significant: bool

    @property
    def better(self) -> bool:
        """Whether the difference is to the good of the later variant."""
        return (self.apart.difference > 0) == METRICS[self.metric].up


@dataclass(frozen=True, slots=True)
class Analysis:
    """What the records of one experiment say. ``mismatch`` is the p of the users' split (None: too few to tell)."""

    experiment: str
    plan: Plan
    arms: tuple[Arm, ...]
    contrasts: tuple[Contrast, ...]
    mismatch: float | None
    notes: tuple[str, ...]
    recommendation: str

    @property
    def trusted(self) -> bool:
        """Whether the users came to the variants as they should."""
        return self.mismatch is None or self.mismatch >= MISMATCH

    def to_json(self) -> dict[str, object]:
        """Return the analysis as plain values."""
        return {**asdict(self), "trusted": self.trusted}
