"""A comparison as text: Markdown for compare.md, tables for the terminal. Nothing is printed here."""

from __future__ import annotations

from collections.abc import Sequence

from kgsynth.comparison.headline import headline
from kgsynth.comparison.results import ComparedQuestion, Comparison, MetricComparison, Pair
from kgsynth.scoring.metrics.answer_match import titled
from kgsynth.show.tables import aligned, table
from kgsynth.show.wording import cut, joined, many
from kgsynth.statistics.multiple_testing import SIGNIFICANCE_LEVEL

METRIC_COLUMNS = (
    *("metric", "A", "B", "B − A", "significant", "95 % interval", "p", "p Holm", "p t", "d", "B higher/same/lower"),
    "smallest detectable",
)
"""The columns of the table of metrics."""
LEGEND = (
    f"significant: p Holm is at most {SIGNIFICANCE_LEVEL:g}; p: sign-flip test over documents (that of a question's "
    "first evidence); p Holm: the same, corrected for all comparisons, of exploratory metrics apart; 95 % interval: "
    "of this difference alone, not corrected; p t: t-test on the documents' totals; d: Cohen's d of the paired "
    "differences; smallest detectable: the smallest true difference that is significant with 80 % power in the first "
    "step of Holm's method, if it changes questions drawn at random, each by as much as the questions that differ now; "
    "none if all questions differ by the same amount."
)
SCREEN_COLUMNS = ("metric", "A", "B", "B − A", "95 % interval", "significant")
"""The columns of the terminal; the others are in the report."""
RANK_NOTE = "Rank = 1 + the number of significantly better runs; ties share a rank."
_CHANGED_HEAD = ("question", "expected", "A gave", "B gave", "metric", "B − A")
_MAX_CHANGED_SHOWN = 3
"""How many changed questions the terminal shows of two runs."""
_MAX_METRICS, _MAX_DIFFERENCES = 8, 6
"""How many metrics of two runs, and differences between more runs, the terminal shows."""
_MAX_CELL_CHARS, _MAX_MARKDOWN_CELL_CHARS = 40, 500


# ---- sentences -------------------------------------------------------------------------------------


def family(comparison: Comparison) -> str:
    """Say which metrics decide, and for how many tests their p-values are corrected."""
    explored, size = comparison.exploratory, comparison.comparisons
    if not size:
        return "Nothing was tested on " + joined(comparison.primary) + "."
    decide = "decides" if len(comparison.primary) == 1 else "decide"
    corrected = f"corrected by Holm's method for {many(size, 'comparison')}"
    rest = f"; the other {many(len(explored), 'metric')} {'is' if len(explored) == 1 else 'are'} exploratory"
    return f"{joined(comparison.primary)} {decide}, {corrected}{rest if explored else ''}."


def sensitivity(comparison: Comparison) -> str:
    """Say which true difference is often missed; "" if nothing was tested."""
    found = comparison.smallest
    none = [name for name, value in found.items() if value is None]
    seen = [f"{value:.2f} in {name}" for name, value in found.items() if value is not None]
    parts = [f"a true difference below {joined(seen)} is found in fewer than 8 of 10 such comparisons"] if seen else []
    parts += [f"no difference in {joined(none)} is found in 8 of 10 such comparisons"] if none else []
    text = ", and ".join(parts)
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def verdict(pair: Pair) -> str:
    """Say in one sentence on which metrics the two runs differ significantly."""
    explored = pair.sides(primary=False)
    if not any((*pair.significant_sides.values(), *explored.values())) and all(row.comparable for row in pair.rows):
        return "No significant difference on any metric."
    parts = [
        f"{pair.b} is significantly {side} on {', '.join(names)}"
        for side, names in pair.significant_sides.items()
        if names
    ]
    parts += [f"{pair.b} is {side} on the exploratory {', '.join(names)}" for side, names in explored.items() if names]
    rest = [row.metric for row in pair.rows if not row.significant and row.comparable]
    parts += [f"no significant difference on {', '.join(rest)}"] if rest else []
    withheld = [row.metric for row in pair.rows if not row.comparable]
    parts += [f"not comparable on {', '.join(withheld)}"] if withheld else []
    return "; ".join(parts) + "."


def caveats(pair: Pair) -> list[str]:
    """Return a line for each metric whose interval and decision seem to disagree."""
    return [f"{row.metric}: {row.caveat}." for row in pair.rows if row.caveat]


def size(comparison: Comparison) -> str:
    """Say how much was compared, what decides, and what is often missed."""
    documents = f" from {many(comparison.n_documents, 'document')}" if comparison.n_documents else ""
    counts = f"{many(len(comparison.runs), 'run')} on {many(comparison.n_items, 'question')}{documents}."
    return " ".join(filter(None, (counts, family(comparison), sensitivity(comparison))))


# ---- Markdown and terminal -------------------------------------------------------------------------


def markdown(comparison: Comparison) -> str:
    """Return the complete comparison as Markdown, with every question that changed."""
    parts = [
        "# Comparison of runs",
        f"**{headline(comparison)}.**",
        table(["run", "system"], list(comparison.runs.items())),
        size(comparison),
        *(f"**Note:** {note}." for note in comparison.notes),
    ]
    if comparison.rankings:
        parts += ["## Ranking", table(*ranking_table(comparison)), RANK_NOTE]
    for pair in comparison.pairs:
        parts += [f"## A {pair.a}, B {pair.b}", table(METRIC_COLUMNS, [cells(row) for row in pair.rows]), verdict(pair)]
        parts += ["\n".join(f"- {line}" for line in caveats(pair))] if caveats(pair) else []
    changed = [each for each in comparison.questions if each.differs]
    if changed:
        head = ["id", "question", "expected", *(f"{run} gave" for run in comparison.runs), "metric", *comparison.runs]
        rows = [_question_cells(each) for each in changed]
        parts += [f"## {many(len(changed), 'question')} with different results", table(head, rows)]
    return "\n\n".join([*parts, LEGEND, f"Golden set `{comparison.golden}`."]) + "\n"


def terminal(comparison: Comparison) -> str:
    """Return what one decides by, in about 25 lines: the headline, the ranking and the differences; see the report."""
    notes = (f"note: {note}" for note in comparison.notes)
    parts = ["\n".join([f"{headline(comparison)}.", *notes, size(comparison)])]
    if comparison.rankings:
        parts.append(f"{aligned(*ranking_table(comparison))}\n{RANK_NOTE}")
    changed = [each for each in comparison.questions if each.differs]
    count = f"{many(len(changed), 'question')} with different results"
    if len(comparison.pairs) > 1:
        parts.append(_pairs_table(comparison))
        parts += [f"{count}."] if changed else []
    else:
        (pair,) = comparison.pairs
        parts.append(_pair_table(pair, comparison))
        more_than = f"; the {_MAX_CHANGED_SHOWN} largest differences" if len(changed) > _MAX_CHANGED_SHOWN else ""
        rows = [_changed_cells(each, pair) for each in changed[:_MAX_CHANGED_SHOWN]]
        parts += [f"{count}{more_than}:\n{aligned(_CHANGED_HEAD, rows)}"] if changed else []
    return "\n\n".join(parts)


def _pair_table(pair: Pair, comparison: Comparison) -> str:
    """Return the table of two runs, the metrics that decide first, with their caveats in a line each."""
    names = f"A {pair.a} ({comparison.runs[pair.a]}), B {pair.b} ({comparison.runs[pair.b]})"
    shown = pair.rows[:_MAX_METRICS]
    why: dict[str, list[str]] = {}
    for row in shown:
        why.setdefault(row.caveat, []).append(row.metric)
    caveated = [f"{joined(metrics)}: {caveat}." for caveat, metrics in why.items() if caveat]
    return "\n".join(
        [
            names,
            aligned(SCREEN_COLUMNS, [*map(_screen_cells, shown)]),
            *_left_out(len(pair.rows) - len(shown)),
            *caveated,
        ]
    )


def _pairs_table(comparison: Comparison) -> str:
    """Return a row for each pair of runs and metric that decides, or else differs significantly."""
    rows = [(pair, row) for pair in comparison.pairs for row in pair.rows if row.primary or row.significant]
    rows.sort(key=lambda each: (not each[1].primary, not each[1].significant))
    cells = [[pair.a, pair.b, *_screen_cells(row)] for pair, row in rows[:_MAX_DIFFERENCES]]
    return "\n".join([aligned(["run A", "run B", *SCREEN_COLUMNS], cells), *_left_out(len(rows) - len(cells))])


def _left_out(count: int) -> list[str]:
    return [f"… and {count} more in the report"] if count else []


def _screen_cells(row: MetricComparison) -> list[str]:
    by_column = dict(zip(METRIC_COLUMNS, cells(row), strict=True))
    return [by_column[column] for column in SCREEN_COLUMNS]


def cells(row: MetricComparison) -> list[str]:
    """Return a row of the table with the columns ``METRIC_COLUMNS``."""
    found = row.difference
    p_values = (p_value(p) for p in (found.p_flip, row.p_holm, found.p_t))
    counts = f"{found.higher}/{found.same}/{found.lower}"
    means = (f"{found.a:.3f}", f"{found.b:.3f}", f"{found.difference:+.3f}", decision(row))
    return [row.metric, *means, interval(row), *p_values, decimals(found.cohens_d), counts, decimals(row.smallest)]


def interval(row: MetricComparison) -> str:
    """Return the 95 % interval of the difference, which is not corrected for the number of comparisons."""
    ends = row.difference.ci95
    return f"{ends[0]:+.3f} to {ends[1]:+.3f}" if ends else "–"


def decision(row: MetricComparison) -> str:
    """Return which run is significantly higher, if one is, and whether the metric decides."""
    if row.p_holm is None:
        return "not tested" if row.comparable else "not comparable"
    side = ("B higher" if row.difference.difference > 0 else "B lower") if row.significant else "no"
    return side if row.primary else f"{side} (exploratory)"


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


def outcome(question: ComparedQuestion, run: str) -> str:
    """Return what a run gave for a question: its answer, or if there is none the ranks of the evidence."""
    given = question.given[run]
    return given if given is not None else evidence_ranks(question.ranks[run]) or "nothing"


def evidence_ranks(ranks: Sequence[int | None]) -> str:
    """Return the ranks of the evidence in words.

    Example:
        >>> evidence_ranks([2, None])
        'evidence ranks: 2, not found'
    """
    return f"evidence ranks: {', '.join('not found' if rank is None else str(rank) for rank in ranks)}" if ranks else ""


def _changed_cells(changed: ComparedQuestion, pair: Pair) -> list[str]:
    texts = (changed.question, " | ".join(changed.expected), outcome(changed, pair.a), outcome(changed, pair.b))
    values = changed.values[changed.largest]
    delta = (values[pair.b] or 0.0) - (values[pair.a] or 0.0)
    return [*(cut(text, _MAX_CELL_CHARS) for text in texts), changed.largest, f"{delta:+.3f}"]


def _question_cells(changed: ComparedQuestion) -> list[str]:
    texts = (changed.question, " | ".join(changed.expected), *(outcome(changed, run) for run in changed.given))
    values = (decimals(value) for value in changed.values[changed.largest].values())
    return [changed.id, *(cut(text, _MAX_MARKDOWN_CELL_CHARS) for text in texts), changed.largest, *values]


def ranking_table(comparison: Comparison) -> tuple[list[str], list[list[str]]]:
    """Return the head and the rows of a table with the rank and mean of each run by each metric."""
    marks = dict.fromkeys(comparison.exploratory, " (exploratory)") | dict.fromkeys(
        [] if comparison.forced else comparison.incomparable, " (not comparable)"
    )
    head = [
        "rank (mean)",
        *(f"{titled(each.metric, comparison.notes)}{marks.get(each.metric, '')}" for each in comparison.rankings),
    ]
    rows = [
        [label, *(f"{ranking.ranks.get(label, '–')} ({ranking.means[label]:.3f})" for ranking in comparison.rankings)]
        for label in comparison.rankings[0].means
    ]
    return head, rows
