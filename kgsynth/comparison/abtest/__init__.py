"""A/B tests of RAG systems in production: assign users to variants, record outcomes, analyse them, recommend."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NamedTuple

from kgsynth.base.errors import ConfigError
from kgsynth.comparison.abtest.store import ExperimentRecords, Record, RecordStore, VariantOutcomes
from kgsynth.comparison.text import decimals, p_value
from kgsynth.scoring.metrics.run_metrics import percentile
from kgsynth.show.tables import aligned
from kgsynth.statistics.multiple_testing import holm
from kgsynth.statistics.unpaired_tests import (
    Mean,
    UnpairedDifference,
    mean,
    mean_difference,
    rate,
    rate_difference,
    sample_ratio_mismatch,
    users_for_means,
    users_for_rates,
)

__all__ = ["Experiment", "ExperimentAnalysis", "ExperimentPlan", "analyse", "assign"]


# ---- assignment ----------------------------------------------------------------------------------
#
# By a hash of the experiment and the user, so that nothing needs to be stored. This is weighted rendezvous hashing
# (Thaler and Ravishankar 1998; weights by -w / ln u): every variant draws a number for the user, and the highest wins.
# When the share of one variant changes and the others keep their proportions, users only move to or from that variant,
# and as few as possible do.


def normalised_shares(variants: Mapping[str, float]) -> dict[str, float]:
    """Return the shares scaled to sum to 1, in the order given.

    Raises:
        ConfigError: there are fewer than two variants, a name is empty, a share is negative or infinite, or all are 0.

    Example:
        >>> normalised_shares({"old": 9, "new": 1})
        {'old': 0.9, 'new': 0.1}
    """
    wrong = [name for name, share in variants.items() if not name or not 0 <= share < math.inf]
    if len(variants) < 2 or wrong or not sum(variants.values()):
        what = f"variant {wrong[0]!r} with a share of {variants[wrong[0]]!r}" if wrong else repr(dict(variants))
        raise ConfigError(f"invalid variants: {what}; give two or more names, each with a share of 0 or more")
    total = math.fsum(variants.values())
    return {name: share / total for name, share in variants.items()}


def assign(experiment: str, user: str, variants: Mapping[str, float]) -> str:
    """Return the variant of ``user``, with probability equal to its share; the same in every process on every machine.

    Raises:
        ConfigError: ``user`` is empty.

    Example:
        >>> [assign("reranker", user, {"off": 1, "on": 1}) for user in ("ada", "ben", "cy")]
        ['on', 'on', 'on']
        >>> assign("reranker", "ada", {"off": 1, "on": 0})
        'off'
    """
    if not user:
        raise ConfigError(f"a user of {experiment!r} is empty: give an id that identifies the user and never changes")
    return max(variants, key=lambda variant: variants[variant] / -math.log(_uniform(experiment, variant, user)))


def _uniform(*parts: str) -> float:
    """Return a number between 0 and 1, both excluded, evenly distributed and determined by the parts alone."""
    digest = hashlib.sha256(json.dumps(parts).encode()).digest()
    return ((int.from_bytes(digest[:8], "big") >> 12) + 0.5) / 2**52  # 52 bits and a half: exact, so never 0 or 1


# ---- plan and results ----------------------------------------------------------------------------

MISMATCH_P = 0.001
"""If the p of the sample ratio mismatch test is below this, the results are not trusted."""


class ExperimentMetric(NamedTuple):
    """The unit of a metric, and which way is better; success is a rate, the others are means."""

    unit: str
    higher_is_better: bool


EXPERIMENT_METRICS: Mapping[str, ExperimentMetric] = {
    "success": ExperimentMetric("", True),
    "latency": ExperimentMetric(" s", False),
    "feedback": ExperimentMetric("", True),
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


# ---- recommendation ------------------------------------------------------------------------------
#
# If the users are split wrongly, no result is used. Until every variant has its users, the advice is to keep
# collecting. Then the metric of the plan decides, and significant differences in other metrics are mentioned.


def recommendation(
    plan: ExperimentPlan, arms: Sequence[Arm], contrasts: Sequence[Contrast], mismatch: float | None
) -> str:
    """Say what to do; ``mismatch`` is the p of the sample ratio mismatch test, None if there are too few users."""
    if mismatch is not None and mismatch < MISMATCH_P:
        users = ", ".join(f"{arm.variant} {arm.users:,}" for arm in arms)
        return (
            f"do not decide: the users ({users}) are not split as the shares say (p = {mismatch:.1g}), so no result "
            "can be trusted; look for lost records, or for users who are always sent to one variant"
        )
    first, *others = arms
    later = [arm for arm in others if arm.share]
    if not later:
        return f"nothing to decide: no variant except {first.variant} gets users"
    missing = _missing_users(plan, [first, *later])
    return missing or "; ".join(_verdict(plan, first, arm, contrasts) for arm in later)


def _missing_users(plan: ExperimentPlan, arms: Sequence[Arm]) -> str:
    """Say which variants still need users with a value of the planned metric; "" when none does."""
    missing = []
    for arm in arms:
        count = arm.means[plan.metric].n if plan.metric in arm.means else 0
        if arm.needed is None or count < arm.needed:
            missing.append(f"{arm.variant} {count:,}" + (f" of {arm.needed:,}" if arm.needed else ""))
    return f"keep collecting: users with a recorded {plan.metric}: {', '.join(missing)}" if missing else ""


def _verdict(plan: ExperimentPlan, first: Arm, arm: Arm, contrasts: Sequence[Contrast]) -> str:
    """Say whether one variant that has all its users is better than the first, by the planned metric and the others."""
    own = {each.metric: each for each in contrasts if each.variant == arm.variant}
    main = own[plan.metric]
    others = [each for each in own.values() if each is not main and each.significant]
    if main.significant:
        against = [_effect_text(each) for each in others if each.better != main.better]
        but = f", but {'worse' if main.better else 'better'} on {', '.join(against)}: weigh them" if against else ""
        return f"{arm.variant} is {_side(main)} than {first.variant}: {_effect_text(main)}{but}"
    pair, effect = f"{arm.variant} and {first.variant}", _size(plan.metric, plan.effect)
    low, high = main.apart.interval or (main.apart.difference,) * 2
    if -plan.effect < low and high < plan.effect:
        found = f"no difference of {effect} or more in {plan.metric} between {pair} ({_interval(main)})"
        then = "take the simpler or cheaper one"
    else:
        found = (
            f"inconclusive: {plan.metric} does not differ significantly between {pair}, but a difference of {effect} "
            f"is not ruled out ({_interval(main)})"
        )
        then = "take the simpler or cheaper one, or plan a new test with more users"
    also = "".join(f"; {arm.variant} is {_side(each)} on {_effect_text(each)}" for each in others)
    return f"{found}: {then}{also}"


def _side(contrast: Contrast) -> str:
    return "better" if contrast.better else "worse"


def _effect_text(contrast: Contrast) -> str:
    return f"{contrast.metric} {_signed(contrast.metric, contrast.apart.difference)} ({_interval(contrast)})"


def _interval(contrast: Contrast) -> str:
    ends = contrast.apart.interval
    return " to ".join(_signed(contrast.metric, end) for end in ends) if ends else "the same for all users"


def _signed(metric: str, value: float) -> str:
    return f"{100 * value:+.1f} points" if metric == "success" else f"{value:+.3g}{EXPERIMENT_METRICS[metric].unit}"


def _size(metric: str, value: float) -> str:
    return f"{100 * value:g} points" if metric == "success" else f"{value:g}{EXPERIMENT_METRICS[metric].unit}"


def notes(records: ExperimentRecords) -> tuple[str, ...]:
    """Return what a reader must know about how the records were collected."""
    found = []
    if records.crossed:
        found.append(f"{records.crossed} users have records of more than one variant and are left out")
    if records.splits > 1:
        found.append(
            f"the shares were changed during the experiment ({records.splits} splits): if success also changed over "
            "time, results before and after do not mix; to be sure, start a new experiment under another name"
        )
    return tuple(found)


# ---- analysis ------------------------------------------------------------------------------------
#
# Users, not requests, were assigned at random, so every user counts once.


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
    return {
        name: rate(values, outcomes.successes, alpha) if name == "success" else mean(values, alpha)
        for name, values in outcomes.values.items()
        if values
    }


def _arm(name: str, records: ExperimentRecords, means: Mapping[str, Mean], needed: int | None) -> Arm:
    own = records.outcomes[name]
    ordered = sorted(own.latencies)
    p50, p95 = (percentile(ordered, share) if ordered else None for share in (0.5, 0.95))
    return Arm(name, records.variants.get(name, 0.0), own.users, own.records, own.errors, means, p50, p95, needed)


def _contrasts(means: Mapping[str, Mapping[str, Mean]], alpha: float) -> tuple[Contrast, ...]:
    """Compare every later variant with the first, metric by metric."""
    first, *later = means
    tested = [
        (variant, name, rate_difference(a, b) if name == "success" else mean_difference(a, b, alpha))
        for variant in later
        for name in EXPERIMENT_METRICS
        if (a := means[first].get(name)) and (b := means[variant].get(name))
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


# ---- what a service calls ------------------------------------------------------------------------


class Experiment:
    """One experiment: its name, the share of users for each variant, and the file of its records.

    The first variant is the baseline. Shares need not sum to 1. Several threads and processes may use one file, and one
    file may hold several experiments.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     experiment = Experiment("reranker", {"off": 0.5, "on": 0.5}, f"{folder}/ab.jsonl")
        ...     for at in range(40):
        ...         experiment.record(f"user {at}", success=at % 4 > 0)
        ...     experiment.assign("user 7"), experiment.analyse().recommendation
        ('on', 'keep collecting: users with a recorded success: off 19 of 1,287, on 21 of 1,287')
    """

    def __init__(self, name: str, variants: Mapping[str, float], path: str | Path) -> None:
        if not name:
            raise ConfigError("the experiment has no name: give it one; the assignment of users depends on it")
        self.name = name
        self.variants = normalised_shares(variants)
        self._records = RecordStore(Path(path))

    def assign(self, user: str) -> str:
        """Return the variant of a user, always the same while the shares stay the same; nothing is stored.

        Raises:
            ConfigError: ``user`` is empty.
        """
        return assign(self.name, user, self.variants)

    def record(
        self,
        user: str,
        *,
        latency_s: float | None = None,
        success: bool | None = None,
        feedback: float | None = None,
        error: str | None = None,
        variant: str | None = None,
    ) -> None:
        """Store the outcome of one request of a user; None means unknown.

        ``feedback`` is from -1 (bad) to 1 (good); convert one to five stars with ``(stars - 3) / 2``. An error counts
        as a failure unless ``success`` is given. ``variant`` is what was served, if not what ``assign`` returned.

        Raises:
            ConfigError: a value is invalid; nothing is stored.
            InputError: the file cannot be used.
        """
        served = self.assign(user) if variant is None else variant
        if served not in self.variants:
            raise ConfigError(f"variant {served!r} is unknown: give one of {', '.join(self.variants)}")
        if success is None and error is not None:
            success = False
        stored = hashlib.sha256(json.dumps([self.name, user]).encode()).hexdigest()[:32]
        self._records.add(Record(self.name, self.variants, stored, served, latency_s, success, feedback, error))

    def analyse(self, plan: ExperimentPlan | None = None) -> ExperimentAnalysis:
        """Analyse the records of all processes so far, with the plan made in advance (default: ``ExperimentPlan()``).

        Raises:
            InputError: the file cannot be used, or has no record of this experiment.
        """
        return analyse(self._records, self.name, plan or ExperimentPlan())


# ---- the terminal --------------------------------------------------------------------------------

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
    variants = [
        [arm.variant, f"{arm.share:.3g}", f"{arm.users:,}", "–" if arm.needed is None else f"{arm.needed:,}",
         f"{arm.records:,}", f"{arm.errors:,}", decimals(arm.latency_p50), decimals(arm.latency_p95)]
        for arm in found.arms
    ]  # fmt: skip
    parts = [head, aligned(_VARIANT_COLUMNS, variants)]
    interval = f"{100 * (1 - plan.alpha):g} % interval"
    means = [
        [
            metric,
            arm.variant,
            f"{mean.n:,}",
            f"{mean.value:.3f}",
            f"{mean.interval[0]:.3f} to {mean.interval[1]:.3f}" if mean.interval else "–",
        ]
        for metric in EXPERIMENT_METRICS
        for arm in found.arms
        if (mean := arm.means.get(metric))
    ]
    if means:
        parts.append(aligned(["metric", "variant", "users", "mean", interval], means))
    if found.contrasts:
        contrasts = [_contrast_row(each, found.arms[0].variant) for each in found.contrasts]
        parts.append(aligned(["metric", "difference", "value", interval, "p", "p Holm", ""], contrasts))
    parts += [f"note: {note}" for note in found.notes]
    return "\n\n".join([*parts, found.recommendation, _HOW_TO_READ_TEST])


def _contrast_row(contrast: Contrast, first: str) -> list[str]:
    found = contrast.apart
    ends = f"{found.interval[0]:+.3f} to {found.interval[1]:+.3f}" if found.interval else "–"
    side = ("better" if contrast.better else "worse") if contrast.significant else ""
    names = [contrast.metric, f"{contrast.variant} − {first}"]
    return [*names, f"{found.difference:+.3f}", ends, p_value(found.p), p_value(contrast.p_holm), side]
