"""Analyse an A/B test: read the records, take each user's means, hold variants against the first, say what to do.

The users were drawn, not their records, so each user counts once, with the mean of what that user met with. Left out:
the arithmetic (``statistics.unpaired``), the sentence (``advice``) and the tables (``telling``).
"""

from __future__ import annotations

from collections.abc import Mapping

from kgsynth.comparison.abtest.advice import advice, notes
from kgsynth.comparison.abtest.results import METRICS, Analysis, Arm, Contrast, Plan
from kgsynth.comparison.abtest.store import Met, Records, Seen
from kgsynth.scoring.metrics.resources import percentile
from kgsynth.statistics.multiple_testing import holm
from kgsynth.statistics.unpaired_tests import Mean, mismatch, users_for_means, users_for_rates


def analyse(records: Records, experiment: str, plan: Plan) -> Analysis:
    """Return what ``records`` hold of an experiment, and what to do by ``plan``.

    Raises:
        InputError: the file cannot be used, or has no such experiment.
    """
    seen = records.seen(experiment)
    means = {name: _means(met, plan.alpha) for name, met in seen.met.items()}
    needed = _needed(seen, means, plan)
    arms = tuple(_arm(name, seen, means[name], needed.get(name)) for name in seen.met)
    contrasts = _contrasts(means, plan.alpha)
    p = mismatch([arm.users for arm in arms], [seen.expected[arm.variant] for arm in arms])
    return Analysis(experiment, plan, arms, contrasts, p, notes(seen), advice(plan, arms, contrasts, p))


def _means(met: Met, alpha: float) -> dict[str, Mean]:
    found = {name: kind.mean(met, alpha) for name, kind in METRICS.items()}
    return {name: value for name, value in found.items() if value is not None}


def _arm(name: str, seen: Seen, means: Mapping[str, Mean], needed: int | None) -> Arm:
    met = seen.met[name]
    ordered = sorted(met.latencies)
    p50, p95 = (percentile(ordered, share) if ordered else None for share in (0.5, 0.95))
    return Arm(name, seen.variants.get(name, 0.0), met.users, met.records, met.errors, means, p50, p95, needed)


def _contrasts(means: Mapping[str, Mapping[str, Mean]], alpha: float) -> tuple[Contrast, ...]:
    """Hold every later variant against the first, metric by metric."""
    first, *later = means
    found = [
        (name, metric, kind.apart(means[first][metric], means[name][metric], alpha))
        for name in later
        for metric, kind in METRICS.items()
        if metric in means[first] and metric in means[name]
    ]
    adjusted = holm([apart.p for *_, apart in found])
    return tuple(
        Contrast(name, metric, apart, p, p is not None and p <= alpha)
        for (name, metric, apart), p in zip(found, adjusted, strict=True)
    )


def _needed(seen: Seen, means: Mapping[str, Mapping[str, Mean]], plan: Plan) -> dict[str, int]:
    """Return how many users the plan wants of the first variant and of every later one that gets any.

    Nothing while the rate or the spread to reckon with is not known.
    """
    first, *later = seen.met
    known = [own[plan.metric] for own in means.values() if plan.metric in own]
    control = means[first].get(plan.metric)
    base = plan.base if plan.base is not None else control.value if control else None
    variance = max((each.variance for each in known), default=0.0)
    sizes: dict[str, int] = {}
    for name in later:
        shares = seen.variants.get(first, 0.0), seen.variants.get(name, 0.0)
        if not shares[1] or (base is None if plan.metric == "success" else not variance):
            continue
        ratio = shares[1] / shares[0] if shares[0] else 1.0
        if plan.metric == "success" and base is not None:
            pair = users_for_rates(base, plan.effect, plan.power, plan.alpha, ratio)
        else:
            pair = users_for_means(variance, plan.effect, plan.power, plan.alpha, ratio)
        sizes |= {first: max(sizes.get(first, 0), pair[0]), name: pair[1]}
    return sizes
