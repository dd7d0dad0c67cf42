"""What to do about an A/B test, in a plain sentence, and what its reader must know.

In order: figures that cannot be trusted are not read; until every variant has its users one goes on collecting; then
the metric of the plan decides, and what another metric says against it is told too.
"""

from __future__ import annotations

from collections.abc import Sequence

from kgsynth.comparison.abtest.results import METRICS, MISMATCH, Arm, Contrast, Plan
from kgsynth.comparison.abtest.store import Seen


def advice(plan: Plan, arms: Sequence[Arm], contrasts: Sequence[Contrast], mismatch: float | None) -> str:
    """Say what to do; ``mismatch`` is the p of the users' split, None for too few users to tell."""
    if mismatch is not None and mismatch < MISMATCH:
        came = ", ".join(f"{arm.variant} {arm.users:,}" for arm in arms)
        return (
            f"do not decide: the users ({came}) are not split as the shares say (p = {mismatch:.1g}), so no figure "
            "here can be trusted; look for records that get lost, or users who are sent to one variant"
        )
    first, *others = arms
    later = [arm for arm in others if arm.share]
    if not later:
        return f"nothing to decide: no variant but {first.variant} gets users"
    short = _short(plan, [first, *later])
    return short or "; ".join(_verdict(plan, first, arm, contrasts) for arm in later)


def _short(plan: Plan, arms: Sequence[Arm]) -> str:
    """Say which variants lack users with a value of the planned metric, "" when none does."""
    lacking = []
    for arm in arms:
        count = arm.means[plan.metric].n if plan.metric in arm.means else 0
        if arm.needed is None or count < arm.needed:
            lacking.append(f"{arm.variant} has {count:,}" + (f" of {arm.needed:,}" if arm.needed else ""))
    return f"keep collecting: of users with a {plan.metric} recorded {', '.join(lacking)}" if lacking else ""


def _verdict(plan: Plan, first: Arm, arm: Arm, contrasts: Sequence[Contrast]) -> str:
    """Say of one variant, with all its users in, what the planned metric says, and which others speak beside it."""
    own = {each.metric: each for each in contrasts if each.variant == arm.variant}
    main = own[plan.metric]
    others = [each for each in own.values() if each is not main and each.significant]
    if main.significant:
        against = [_told(each) for each in others if each.better != main.better]
        but = f", but {'worse' if main.better else 'better'} on {', '.join(against)}: weigh them" if against else ""
        return f"{arm.variant} is {_side(main)} than {first.variant}: {_told(main)}{but}"
    pair, effect = f"{arm.variant} and {first.variant}", _size(plan.metric, plan.effect)
    low, high = main.apart.interval or (main.apart.difference,) * 2
    if -plan.effect < low and high < plan.effect:
        told = f"no difference of {effect} or more in {plan.metric} between {pair} ({_between(main)})"
        then = "take the simpler or the cheaper one"
    else:
        told = f"the data neither parts {pair} in {plan.metric} nor rules {effect} out ({_between(main)})"
        then = "take the simpler or the cheaper one, or plan anew with more users"
    beside = "".join(f"; {arm.variant} is {_side(each)} on {_told(each)}" for each in others)
    return f"{told}: {then}{beside}"


def _side(contrast: Contrast) -> str:
    return "better" if contrast.better else "worse"


def _told(contrast: Contrast) -> str:
    return f"{contrast.metric} {_signed(contrast.metric, contrast.apart.difference)} ({_between(contrast)})"


def _between(contrast: Contrast) -> str:
    ends = contrast.apart.interval
    return " to ".join(_signed(contrast.metric, end) for end in ends) if ends else "all users alike"


def _signed(metric: str, value: float) -> str:
    return f"{100 * value:+.1f} points" if metric == "success" else f"{value:+.3g}{METRICS[metric].unit}"


def _size(metric: str, value: float) -> str:
    return f"{100 * value:g} points" if metric == "success" else f"{value:g}{METRICS[metric].unit}"


def notes(seen: Seen) -> tuple[str, ...]:
    """Return what a reader must know of how the records came about."""
    told = []
    if seen.crossed:
        told.append(f"users with records of more than one variant, who are left out: {seen.crossed}")
    if seen.splits > 1:
        told.append(
            f"the shares were changed while users came ({seen.splits} splits): where success changed with time, the "
            "figures of before and after do not mix; begin anew under another name to be sure"
        )
    return tuple(told)
