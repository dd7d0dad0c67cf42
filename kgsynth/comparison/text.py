"""A comparison as text: Markdown for compare.md, tables for the terminal. Nothing is printed here."""

from __future__ import annotations

from kgsynth.comparison.results import ChangedQuestion, Comparison, MetricComparison, Pair
from kgsynth.show.tables import aligned, table
from kgsynth.show.wording import cut

METRIC_COLUMNS = (
    *("metric", "A", "B", "B − A", "95 % interval", "p", "p Holm", "p t", "d", "B higher/same/lower"),
    "smallest detectable",
)
"""The columns of the table of metrics."""
LEGEND = (
    "p: sign-flip test over documents; p Holm: the same, corrected for all metrics shown; p t: t-test on the "
    "documents' totals; d: Cohen's d of the paired differences; smallest detectable: the smallest true difference "
    "that this set detects with 80 % power."
)
RANK_NOTE = "Rank = 1 + the number of significantly better runs; ties share a rank."
_CHANGED_HEAD = ("question", "expected", "A gave", "B gave", "metric", "delta")
_MAX_CHANGED_SHOWN = 10
"""How many changed questions the terminal shows of each pair."""
_MAX_CELL_CHARS, _MAX_MARKDOWN_CELL_CHARS = 40, 500


def markdown(comparison: Comparison) -> str:
    """Return the complete comparison as Markdown, with every question that changed."""
    parts = [
        "# Comparison of runs",
        table(["run", "system"], list(comparison.runs.items())),
        _size(comparison),
        *(f"**Note:** {note}." for note in comparison.notes),
    ]
    for pair in comparison.pairs:
        parts += [f"## A {pair.a}, B {pair.b}", table(METRIC_COLUMNS, [cells(row) for row in pair.rows]), verdict(pair)]
        if pair.changed:
            changed = [[each.id, *_changed_cells(each, _MAX_MARKDOWN_CELL_CHARS)] for each in pair.changed]
            parts += [
                f"### {len(pair.changed)} questions have different results",
                table(["case", *_CHANGED_HEAD], changed),
            ]
    if comparison.rankings:
        parts += ["## Ranking", table(*ranking_table(comparison)), RANK_NOTE]
    return "\n\n".join([*parts, LEGEND, f"Golden set `{comparison.golden}`."]) + "\n"


def terminal(comparison: Comparison) -> str:
    """Return the comparison for a terminal: for each pair a table, a verdict and the largest changes; the ranking."""
    parts = [_size(comparison)]
    for pair in comparison.pairs:
        names = (f"{letter} {label} ({comparison.runs[label]})" for letter, label in (("A", pair.a), ("B", pair.b)))
        parts += ["\n".join(names), aligned(METRIC_COLUMNS, [cells(row) for row in pair.rows]), verdict(pair)]
        if pair.changed:
            more = f"; the {_MAX_CHANGED_SHOWN} largest differences" if len(pair.changed) > _MAX_CHANGED_SHOWN else ""
            changed = [_changed_cells(each, _MAX_CELL_CHARS) for each in pair.changed[:_MAX_CHANGED_SHOWN]]
            parts.append(
                f"{len(pair.changed)} questions have different results{more}:\n{aligned(_CHANGED_HEAD, changed)}"
            )
    if comparison.rankings:
        parts += [aligned(*ranking_table(comparison)), RANK_NOTE]
    parts += [f"note: {note}" for note in comparison.notes]
    return "\n\n".join([*parts, LEGEND])


def verdict(pair: Pair) -> str:
    """Say in one sentence on which metrics the two runs differ significantly."""
    sides = significant_sides(pair)
    if not any(sides.values()):
        return "No significant difference on any metric."
    parts = [f"{pair.b} is significantly {side} on {', '.join(names)}" for side, names in sides.items() if names]
    rest = [row.metric for row in pair.rows if not row.significant]
    parts += [f"no significant difference on {', '.join(rest)}"] if rest else []
    return "; ".join(parts) + "."


def significant_sides(pair: Pair) -> dict[str, list[str]]:
    """Return the metrics on which B is significantly "higher" and "lower" than A."""
    significant = [row for row in pair.rows if row.significant]
    return {
        "higher": [row.metric for row in significant if row.difference.difference > 0],
        "lower": [row.metric for row in significant if row.difference.difference < 0],
    }


def _size(comparison: Comparison) -> str:
    return (
        f"{len(comparison.runs)} runs on {comparison.n_items} questions, grouped for the tests by the document of "
        f"their first evidence ({comparison.n_documents} documents)"
    )


def cells(row: MetricComparison) -> list[str]:
    """Return a row of the table with the columns ``METRIC_COLUMNS``."""
    found = row.difference
    interval = f"{found.ci95[0]:+.3f} to {found.ci95[1]:+.3f}" if found.ci95 else "–"
    p_values = (p_value(p) for p in (found.p_flip, row.p_holm, found.p_t))
    counts = f"{found.higher}/{found.same}/{found.lower}"
    means = (f"{found.a:.3f}", f"{found.b:.3f}", f"{found.difference:+.3f}")
    return [row.metric, *means, interval, *p_values, decimals(found.cohens_d), counts, decimals(found.smallest)]


def p_value(p: float | None) -> str:
    """Return a p-value in three decimals.

    Example:
        >>> p_value(0.0123), p_value(0.0001), p_value(None)
        ('0.012', '<0.001', '–')
    """
    return "<0.001" if p is not None and p < 0.001 else decimals(p)


def decimals(value: float | None) -> str:
    """Return a number in three decimals, a dash for None."""
    return "–" if value is None else f"{value:.3f}"


def _changed_cells(changed: ChangedQuestion, width: int) -> list[str]:
    metric, delta = changed.largest
    texts = (changed.question, changed.expected, changed.a, changed.b)
    return [*(cut(text, width) for text in texts), metric, f"{delta:+.3f}"]


def ranking_table(comparison: Comparison) -> tuple[list[str], list[list[str]]]:
    """Return the head and the rows of a table with the rank and mean of each run by each metric."""
    head = ["rank (mean)", *(ranking.metric for ranking in comparison.rankings)]
    rows = [
        [label, *(f"{ranking.ranks[label]} ({ranking.means[label]:.3f})" for ranking in comparison.rankings)]
        for label in comparison.rankings[0].ranks
    ]
    return head, rows
