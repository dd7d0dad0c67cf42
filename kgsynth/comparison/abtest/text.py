"""An A/B test as text for the terminal: users by variant, means, differences, and the recommendation."""

from __future__ import annotations

from kgsynth.comparison.abtest import EXPERIMENT_METRICS, Arm, Contrast, ExperimentAnalysis
from kgsynth.comparison.text import decimals, p_value
from kgsynth.show.tables import aligned
from kgsynth.statistics.unpaired_tests import Mean

_VARIANT_COLUMNS = ("variant", "share", "users", "needed", "records", "errors", "latency p50", "latency p95")
_HOW_TO_READ_TEST = (
    "Each user counts once, with the mean of that user's records. p: two-proportion z-test for success, Welch's t-test "
    "for the others; p Holm: the same, corrected for all lines shown. The p-values are valid for one look, when all "
    "needed users are in: looking repeatedly until p is small finds differences that do not exist."
)


def terminal(found: ExperimentAnalysis) -> str:
    """Return the analysis for a terminal, with the recommendation after the tables."""
    plan, users = found.plan, sum(arm.users for arm in found.arms)
    base = "" if plan.base is None else f" from {plan.base:g}"
    head = (
        f"{found.experiment}: {users:,} users, {sum(arm.records for arm in found.arms):,} records; planned to detect a "
        f"difference of {plan.effect:g} in {plan.metric}{base} with power {plan.power:g} at alpha {plan.alpha:g}"
    )
    parts = [head, aligned(_VARIANT_COLUMNS, [_variant_row(arm) for arm in found.arms])]
    interval = f"{100 * (1 - plan.alpha):g} % interval"
    means = [
        _mean_row(metric, arm.variant, arm.means[metric])
        for metric in EXPERIMENT_METRICS
        for arm in found.arms
        if metric in arm.means
    ]
    if means:
        parts.append(aligned(["metric", "variant", "users", "mean", interval], means))
    if found.contrasts:
        contrasts = [_contrast_row(each, found.arms[0].variant) for each in found.contrasts]
        parts.append(aligned(["metric", "difference", "value", interval, "p", "p Holm", ""], contrasts))
    parts += [f"note: {note}" for note in found.notes]
    return "\n\n".join([*parts, found.recommendation, _HOW_TO_READ_TEST])


def _variant_row(arm: Arm) -> list[str]:
    needed = "–" if arm.needed is None else f"{arm.needed:,}"
    counts = (f"{arm.users:,}", needed, f"{arm.records:,}", f"{arm.errors:,}")
    return [arm.variant, f"{arm.share:.3g}", *counts, decimals(arm.latency_p50), decimals(arm.latency_p95)]


def _mean_row(metric: str, variant: str, mean: Mean) -> list[str]:
    ends = f"{mean.interval[0]:.3f} to {mean.interval[1]:.3f}" if mean.interval else "–"
    return [metric, variant, f"{mean.n:,}", f"{mean.value:.3f}", ends]


def _contrast_row(contrast: Contrast, first: str) -> list[str]:
    found = contrast.apart
    ends = f"{found.interval[0]:+.3f} to {found.interval[1]:+.3f}" if found.interval else "–"
    side = ("better" if contrast.better else "worse") if contrast.significant else ""
    names = [contrast.metric, f"{contrast.variant} − {first}"]
    return [*names, f"{found.difference:+.3f}", ends, p_value(found.p), p_value(contrast.p_holm), side]
