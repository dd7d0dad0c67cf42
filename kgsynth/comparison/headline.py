"""The headline of a comparison: which runs differ significantly, and what else the first line must say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kgsynth.comparison.results import PASS_RATE, Comparison, MetricComparison, Pair
from kgsynth.scoring.measurable import harder_set
from kgsynth.scoring.metrics.lookup import find_metric
from kgsynth.show.wording import joined, many

_MAX_STATEMENTS, _MAX_NAMES = 3, 5
"""How many statements and runs a headline names."""


def headline(comparison: Comparison) -> str:
    """Say in a sentence, without a full stop, which runs differ significantly on the primary metrics, or cannot.

    The largest significant difference on an exploratory metric is named too: first, if the primary metrics show none.
    """
    runs = [*comparison.rankings[0].means] if comparison.rankings else [*comparison.runs]
    if _identical(comparison):
        return f"{joined([*comparison.runs])} are identical on all {many(comparison.n_items, 'question')}"
    reasons = {name: why for name, why in comparison.incomparable.items() if name in comparison.primary}
    why, explored = "; ".join(dict.fromkeys(reasons.values())), _explored(comparison)
    if not reasons:
        if not explored and comparison.too_easy.keys() >= {*comparison.primary}:
            return _too_easy(comparison)
        if explored and not any(any(pair.significant_sides.values()) for pair in comparison.pairs):
            same = _differences(comparison, runs).replace("No significant", "no significant", 1)
            return _unseen(comparison, same)
        return f"{_differences(comparison, runs)}{explored}"
    if comparison.forced:
        return f"{_differences(comparison, runs)}{explored} (tested although not comparable: {why})"
    groups = _groups(comparison, runs)
    statements = [_differences(comparison, group) for group in groups if len(group) > 1]
    if not statements:
        return f"Not comparable: {why}{explored}"
    apart = f": {' with '.join(joined(group) for group in groups)}" if len(groups) > 1 else f" on {joined([*reasons])}"
    return f"{'; '.join(statements)}{explored}; not comparable{apart}: {why}"


def _too_easy(comparison: Comparison) -> str:
    """Say that the set leaves too little room above all runs, and what to do."""
    runs = f"the {len(comparison.runs)} runs" if len(comparison.runs) > _MAX_NAMES else joined([*comparison.runs])
    rows = [row.difference for pair in comparison.pairs for row in pair.rows if row.primary]
    lowest = min(min(row.a, row.b) for row in rows)
    return (
        f"This set is too easy to tell {runs} apart on {joined(comparison.primary)}: each has "
        f"{'at least ' * (lowest < 1)}{lowest:.3f}, and a difference below {max(comparison.too_easy.values()):.2f} is "
        f"often missed; {harder_set(comparison.finer_metrics, larger=lowest < 1)}"
    )


def _identical(comparison: Comparison) -> bool:
    """Check whether all runs gave the same for every question."""
    return not any(
        each.differs or len(set(each.given.values())) > 1 or len(set(each.ranks.values())) > 1
        for each in comparison.questions
    )


def _largest(comparison: Comparison) -> tuple[MetricComparison, Pair] | None:
    """Return the largest significant difference on an exploratory metric, the first of several, with its pair."""
    found = [(row, pair) for pair in comparison.pairs for row in pair.rows if row.significant and not row.primary]
    return max(found, key=lambda each: abs(each[0].difference.difference), default=None)


def _unseen(comparison: Comparison, same: str) -> str:
    """Say which run is lower on an exploratory metric although the primary ones are the ``same``.

    If it is a metric of retrieval and the pass rate decides, that is since the pass rate does not see ranks.
    """
    found = _largest(comparison)
    if found is None:
        return same
    row, pair = found
    size = row.difference.difference
    low, high = (pair.b, pair.a) if size < 0 else (pair.a, pair.b)
    blind = comparison.primary == (PASS_RATE,) and find_metric(row.metric).kind == "retrieval"
    why = ", which counts a right answer whatever the rank of its evidence" if blind else ""
    return f"{low} is significantly lower than {high} on {row.metric} (by {abs(size):.3f}; exploratory); {same}{why}"


def _explored(comparison: Comparison) -> str:
    """Return the largest significant difference on an exploratory metric, "" if there is none."""
    found = _largest(comparison)
    if found is None:
        return ""
    row, pair = found
    size = row.difference.difference
    side = "above" if size > 0 else "below"
    return f"; exploratory: {row.metric} of {pair.b} is {abs(size):.3f} {side} {pair.a}"


def _groups(comparison: Comparison, runs: Sequence[str]) -> list[list[str]]:
    """Return the runs in groups whose primary metrics mean the same, in the order of ``runs``."""
    groups = [[run] for run in runs]
    for pair in comparison.pairs:
        if any(row.primary and row.comparable for row in pair.rows):
            one, other = (next(group for group in groups if run in group) for run in (pair.a, pair.b))
            if one is not other:
                groups.remove(other)
                one.extend(other)
    return [sorted(group, key=runs.index) for group in groups]


def _differences(comparison: Comparison, runs: Sequence[str]) -> str:
    """Say which of some comparable runs differ significantly on the primary metrics; all their pairs are read."""
    pairs = [pair for pair in comparison.pairs if pair.a in runs and pair.b in runs]
    tested = [
        name
        for name in comparison.primary
        if any(row.metric == name and row.comparable for pair in pairs for row in pair.rows)
    ]
    on = f" on {joined(tested or comparison.primary)}"
    if len(runs) == 2:
        (pair,) = pairs
        sides = [f"{side} than {pair.a} on {joined(names)}" for side, names in pair.significant_sides.items() if names]
        if sides:
            return f"{pair.b} is significantly {joined(sides)}"
        return f"No significant difference between {pair.a} and {pair.b}{on}"
    higher = {run: comparison.higher_than(run) for run in runs}
    unbeaten = [run for run in runs if not higher[run]]
    differ = sum(any(pair.significant_sides.values()) for pair in pairs)
    statements = [_lower_statement(run, higher[run]) for run in comparison.runs if run in runs and higher[run]]
    if len(statements) > _MAX_STATEMENTS or (len(runs) > _MAX_NAMES and differ):
        named = [
            *unbeaten[:_MAX_NAMES],
            *([f"{len(unbeaten) - _MAX_NAMES} more"] if len(unbeaten) > _MAX_NAMES else []),
        ]
        best = f": {joined(named)}" if unbeaten else ""
        return (
            f"{differ} of {many(len(pairs), 'pair')} of runs differ significantly{on}; "
            f"{len(unbeaten)} of {len(runs)} runs are not significantly lower than any other{best}"
        )
    if len(unbeaten) > 1:
        statements.insert(0, f"No significant difference between {joined(unbeaten)}{on}")
    return "; ".join(statements)


def _lower_statement(run: str, higher: Mapping[str, Sequence[str]]) -> str:
    """Say than which runs ``run`` is significantly lower, given the higher ones by metric."""
    by_runs: dict[tuple[str, ...], list[str]] = {}
    for metric, others in higher.items():
        by_runs.setdefault(tuple(others), []).append(metric)
    parts = [f"than {joined(others)} on {joined(metrics)}" for others, metrics in by_runs.items()]
    return f"{run} is significantly lower {', and '.join(parts)}"
