"""The HTML report of ``compare``: differences with intervals, the ranking, and the questions that changed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kgsynth.base.version import __version__
from kgsynth.comparison.results import ChangedQuestion, Comparison, Pair
from kgsynth.comparison.text import LEGEND, METRIC_COLUMNS, RANK_NOTE, cells, ranking_table, significant_sides, verdict
from kgsynth.show.pages import render
from kgsynth.show.plots import Plot, matrix, scatter, whiskers
from kgsynth.show.question_list import MAX_QUESTIONS_LISTED, Filter, ListedQuestion, filters
from kgsynth.show.report import Report
from kgsynth.show.wording import joined, many


@dataclass(frozen=True, slots=True)
class _PairView:
    """A pair as the page shows it; ``key`` is its unique HTML id."""

    key: str
    pair: Pair
    verdict: str
    table: list[list[str]]
    plots: list[Plot]
    rows: list[ListedQuestion]
    choices: list[Filter]


def page(comparison: Comparison) -> Report:
    """Return the report of a comparison of two or more runs."""
    pairs = [_pair_view(f"pair-{at}", pair) for at, pair in enumerate(comparison.pairs, 1)]
    rankings = list(_ranking_plots(comparison))
    pictures = (*rankings, *(plot for view in pairs for plot in view.plots))
    html = render(
        "comparison/page.html",
        kind="Comparison",
        title=_title(comparison),
        lead=f"{many(len(comparison.runs), 'run')} on the same {many(comparison.n_items, 'question')} from "
        f"{many(comparison.n_documents, 'document')}, compared question by question.",
        version=__version__,
        pictures=pictures,
        runs=comparison.runs,
        notes=comparison.notes,
        ranking_plots=rankings,
        ranking=ranking_table(comparison) if comparison.rankings else None,
        rank_note=RANK_NOTE,
        columns=METRIC_COLUMNS,
        legend=LEGEND,
        pairs=pairs,
        golden=comparison.golden,
    )
    return Report(html, pictures)


def _title(comparison: Comparison) -> str:
    """Say in a sentence which runs differ significantly, on which metrics."""
    if not comparison.rankings:
        pair = comparison.pairs[0]
        sides = [f"{side} than {pair.a} on {joined(names)}" for side, names in significant_sides(pair).items() if names]
        if not sides:
            return f"No significant difference between {pair.a} and {pair.b}"
        return f"{pair.b} is significantly {joined(sides)}"
    rankings = comparison.rankings
    lower = {run: [each.metric for each in rankings if each.ranks[run] > 1] for run in comparison.runs}
    tied = [run for run, metrics in lower.items() if not metrics]
    parts = [f"No significant difference between {joined(tied)}"] if len(tied) > 1 else []
    parts += [f"{run} is significantly lower on {joined(metrics)}" for run, metrics in lower.items() if metrics]
    return "; ".join(parts)


def _pair_view(key: str, pair: Pair) -> _PairView:
    rows = [_row(changed, pair) for changed in pair.changed[:MAX_QUESTIONS_LISTED]]
    labels = {"side": "Higher run", "metric": "Metric", "type": "Type", "difficulty": "Difficulty"}
    table = [cells(row) for row in pair.rows]
    return _PairView(key, pair, verdict(pair), table, list(_plots(key, pair)), rows, filters(rows, labels))


def _plots(key: str, pair: Pair) -> Iterator[Plot]:
    differences = {row.metric: row.difference for row in pair.rows}
    points = [(metric, found.difference, found.ci95) for metric, found in differences.items()]
    yield whiskers(f"{key}-differences", f"{pair.b} − {pair.a}, with 95 % intervals", points, zero=True)
    counts = [[float(found.higher), float(found.same), float(found.lower)] for found in differences.values()]
    columns = ("B higher", "the same", "B lower")
    yield matrix(f"{key}-questions", "Number of questions", [*differences], columns, counts)
    for row in pair.rows[:2]:
        both = [(one, other, item) for item, (one, other) in pair.points.get(row.metric, {}).items()]
        if both:
            name = f"{key}-{row.metric.replace('@', '-at-')}"
            title = f"{row.metric} of each question; B is higher above the line"
            yield scatter(name, title, both, axes=(f"A  {pair.a}", f"B  {pair.b}"), diagonal=True)


def _ranking_plots(comparison: Comparison) -> Iterator[Plot]:
    for ranking in comparison.rankings:
        points = [
            (f"{rank}.  {label}", ranking.means[label], ranking.ci95.get(label))
            for label, rank in ranking.ranks.items()
        ]
        shares = all(0 <= edge <= 1 for _, mean, ends in points for edge in (mean, *(ends or ())))
        name, title = f"ranking-{ranking.metric.replace('@', '-at-')}", f"{ranking.metric}: rank and mean"
        yield whiskers(name, title, points, bounds=(0, 1) if shares else None)


def _row(changed: ChangedQuestion, pair: Pair) -> ListedQuestion:
    metric, delta = changed.largest
    side = pair.b if delta > 0 else pair.a
    labels = {"type": [changed.question_type], "difficulty": [changed.difficulty]}
    keys = {"side": [side], "metric": sorted(changed.deltas), **labels}
    deltas = ", ".join(f"{name} {value:+.3f}" for name, value in changed.deltas.items())
    more = {"expected": changed.expected, "a": changed.a, "b": changed.b, "deltas": deltas, "up": delta > 0}
    tags = tuple(each.replace("_", " ") for each in (changed.question_type, changed.difficulty) if each)
    return ListedQuestion(changed.id, changed.question, f"{metric} {delta:+.3f}", tags, keys, None, more)
