"""Analyse an A/B test: average each user's records, compare every variant with the first, recommend what to do.

Users, not requests, were assigned at random, so every user counts once.
"""

from __future__ import annotations

from collections.abc import Mapping

from kgsynth.comparison.abtest.advice import notes, recommendation
from kgsynth.comparison.abtest.results import EXPERIMENT_METRICS, Arm, Contrast, ExperimentAnalysis, ExperimentPlan
from kgsynth.comparison.abtest.store import ExperimentRecords, RecordStore, VariantOutcomes
from kgsynth.scoring.metrics.resources import percentile
from kgsynth.statistics.multiple_testing import holm
from kgsynth.statistics.unpaired_tests import Mean, sample_ratio_mismatch, users_for_means, users_for_rates


def analyse(store: RecordStore, experiment: str, plan: ExperimentPlan) -> ExperimentAnalysis:
    """Return the analysis of an experiment in ``store``, with a recommendation according to ``plan``.

    Raises:
        InputError: the file cannot be used, or has no such experiment.
    """
    records = store.read(experiment)
    means = {name: _means(found, plan.alpha) for name, found in records.outcomes.items()}
    needed = _users_needed(records, means, plan)
    arms = tuple(_arm(name, records, means[name], needed.get(name)) for name in records.outcomes)
    contrasts = _contrasts(means, plan.alpha)
    p = sample_ratio_mismatch([arm.users for arm in arms], [records.expected[arm.variant] for arm in arms])
    advice = recommendation(plan, arms, contrasts, p)
    return ExperimentAnalysis(experiment, plan, arms, contrasts, p, notes(records), advice)


def _means(outcomes: VariantOutcomes, alpha: float) -> dict[str, Mean]:
    found = {name: metric.mean(outcomes, alpha) for name, metric in EXPERIMENT_METRICS.items()}
    return {name: value for name, value in found.items() if value is not None}


def _arm(name: str, records: ExperimentRecords, means: Mapping[str, Mean], needed: int | None) -> Arm:
    own = records.outcomes[name]
    ordered = sorted(own.latencies)
    p50, p95 = (percentile(ordered, share) if ordered else None for share in (0.5, 0.95))
    return Arm(name, records.variants.get(name, 0.0), own.users, own.records, own.errors, means, p50, p95, needed)


def _contrasts(means: Mapping[str, Mapping[str, Mean]], alpha: float) -> tuple[Contrast, ...]:
    """Compare every later variant with the first, metric by metric."""
    first, *later = means
    tested = [
        (variant, name, metric.difference(means[first][name], means[variant][name], alpha))
        for variant in later
        for name, metric in EXPERIMENT_METRICS.items()
        if name in means[first] and name in means[variant]
    ]
    adjusted = holm([difference.p for *_, difference in tested])
    return tuple(
        Contrast(variant, name, difference, p, p is not None and p <= alpha)
        for (variant, name, difference), p in zip(tested, adjusted, strict=True)
    )


def _users_needed(
    records: ExperimentRecords, means: Mapping[str, Mapping[str, Mean]], plan: ExperimentPlan
) -> dict[str, int]:
    """Return how many users the plan requires of the first variant and of every later one with a share above 0.

    A variant is missing while the base rate (for success) or the variance (for other metrics) is unknown.
    """
    first, *later = records.outcomes
    known = [own[plan.metric] for own in means.values() if plan.metric in own]
    control = means[first].get(plan.metric)
    base = plan.base if plan.base is not None else control.value if control else None
    variance = max((each.variance for each in known), default=0.0)
    sizes: dict[str, int] = {}
    for name in later:
        shares = records.variants.get(first, 0.0), records.variants.get(name, 0.0)
        if not shares[1] or (base is None if plan.metric == "success" else not variance):
            continue
        ratio = shares[1] / shares[0] if shares[0] else 1.0
        if plan.metric == "success" and base is not None:
            pair = users_for_rates(base, plan.effect, plan.power, plan.alpha, ratio)
        else:
            pair = users_for_means(variance, plan.effect, plan.power, plan.alpha, ratio)
        sizes |= {first: max(sizes.get(first, 0), pair[0]), name: pair[1]}
    return sizes
