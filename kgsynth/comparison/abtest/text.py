"""An A/B test as text for the terminal: who came, what they met with, how the variants differ, what to do."""

from __future__ import annotations

from kgsynth.comparison.abtest.results import METRICS, Analysis, Arm, Contrast
from kgsynth.show.tables import aligned
from kgsynth.statistics.unpaired_tests import Mean

VARIANTS = ("variant", "share", "users", "needed", "records", "errors", "latency p50", "latency p95")
"""The columns of who came."""
MEANS = ("metric", "variant", "users", "mean", "interval")
"""The columns of what they met with."""
CONTRASTS = ("metric", "difference", "value", "interval", "p", "p Holm", "")
"""The columns of how the variants differ."""


def terminal(found: Analysis) -> str:
    """Return the analysis for a terminal, the recommendation last."""
    plan, users = found.plan, sum(arm.users for arm in found.arms)
    base = "" if plan.base is None else f" from {plan.base:g}"
    head = (
        f"{found.experiment}: {users:,} users, {sum(arm.records for arm in found.arms):,} records; planned to find a "
        f"difference of {plan.effect:g} in {plan.metric}{base} with a power of {plan.power:g} at {plan.alpha:g}"
    )
    parts = [head, aligned(VARIANTS, [_came(arm) for arm in found.arms])]
    level = f"{100 * (1 - plan.alpha):g} % interval"
    rows = [
        _met(metric, arm.variant, arm.means[metric]) for metric in METRICS for arm in found.arms if metric in arm.means
    ]
    if rows:
        parts.append(aligned([level if column == "interval" else column for column in MEANS], rows))
    if found.contrasts:
        names = [level if column == "interval" else column for column in CONTRASTS]
        parts.append(aligned(names, [_contrast(each, found.arms[0].variant) for each in found.contrasts]))
    parts += [f"note: {note}" for note in found.notes]
    return "\n\n".join([*parts, found.recommendation, _LEGEND])


_LEGEND = (
    "Each user counts once, with the mean of that user's records. p: two-proportion z-test on success, Welch's t on "
    "the others; p Holm: the same, for all lines shown. They are for one look, when all users needed are in: whoever "
    "looks again and again until p is small finds a difference where there is none."
)


def _came(arm: Arm) -> list[str]:
    needed = "–" if arm.needed is None else f"{arm.needed:,}"
    counts = (f"{arm.users:,}", needed, f"{arm.records:,}", f"{arm.errors:,}")
    return [arm.variant, f"{arm.share:.3g}", *counts, _figure(arm.latency_p50), _figure(arm.latency_p95)]


def _met(metric: str, variant: str, mean: Mean) -> list[str]:
    ends = f"{mean.interval[0]:.3f} to {mean.interval[1]:.3f}" if mean.interval else "–"
    return [metric, variant, f"{mean.n:,}", f"{mean.value:.3f}", ends]


def _contrast(contrast: Contrast, first: str) -> list[str]:
    apart = contrast.apart
    ends = f"{apart.interval[0]:+.3f} to {apart.interval[1]:+.3f}" if apart.interval else "–"
    side = ("better" if contrast.better else "worse") if contrast.significant else ""
    pair = [contrast.metric, f"{contrast.variant} - {first}"]
    return [*pair, f"{apart.difference:+.3f}", ends, _p(apart.p), _p(contrast.p_holm), side]


def _p(p: float | None) -> str:
    return "–" if p is None else "<0.001" if p < 0.001 else f"{p:.3f}"


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
