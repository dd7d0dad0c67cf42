"""The recommendation for an A/B test, in one sentence, and notes on how the records were collected.

If the users are split wrongly, no result is used. Until every variant has its users, the advice is to keep collecting.
Then the metric of the plan decides, and significant differences in other metrics are mentioned.
"""

from __future__ import annotations

from collections.abc import Sequence

from kgsynth.comparison.abtest.results import EXPERIMENT_METRICS, MISMATCH_P, Arm, Contrast, ExperimentPlan
from kgsynth.comparison.abtest.store import ExperimentRecords


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
