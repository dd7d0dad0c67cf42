"""The HTML report of ``compare``: which runs differ significantly, the ranking, and the questions side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from kgsynth.base.version import __version__
from kgsynth.comparison.headline import headline
from kgsynth.comparison.results import Comparison, Pair
from kgsynth.comparison.side_by_side import question_rows
from kgsynth.comparison.text import (
    LEGEND,
    METRIC_COLUMNS,
    RANK_NOTE,
    cells,
    decision,
    interval,
    ranking_table,
    size,
    verdict,
)
from kgsynth.scoring.metrics.answer_match import titled
from kgsynth.show.pages import Report, render
from kgsynth.show.plots import Plot, matrix, scatter, whiskers
from kgsynth.show.questions import filters

_MAX_PAIRS_DETAILED = 6
"""The pairs of four runs; the plots of more pairs would make the page large."""
_FILTERS = {"result": "Result", "worse": "Worse in", "metric": "Metric", "type": "Type", "difficulty": "Difficulty"}


@dataclass(frozen=True, slots=True)
class _PairView:
    """A pair as the page shows it; ``key`` is its unique HTML id."""

    key: str
    pair: Pair
    verdict: str
    table: list[list[str]]
    plots: list[Plot]


def page(comparison: Comparison) -> Report:
    """Return the report of a comparison of two or more runs; what they retrieved is read from their folders.

    Raises:
        InputError: an answers.jsonl is not as ``score`` writes it.
    """
    detailed = comparison.pairs if len(comparison.pairs) <= _MAX_PAIRS_DETAILED else ()
    views = [_pair_view(f"pair-{at}", pair, comparison) for at, pair in enumerate(detailed, 1)]
    rankings = list(_ranking_plots(comparison))
    pictures = (*rankings, *(plot for view in views for plot in view.plots))
    rows, row_notes = question_rows(comparison)
    html = render(
        "comparison/page.html",
        kind="Comparison",
        title=headline(comparison),
        lead=size(comparison),
        version=__version__,
        pictures=pictures,
        runs=comparison.runs,
        notes=comparison.notes,
        ranking_plots=rankings,
        ranking=ranking_table(comparison) if comparison.rankings else None,
        rank_note=RANK_NOTE,
        metrics=comparison.metrics,
        exploratory=comparison.exploratory,
        pairs=comparison.pairs,
        columns=METRIC_COLUMNS,
        legend=LEGEND,
        decision=decision,
        interval=interval,
        views=views,
        rows=rows,
        row_notes=row_notes,
        changed=sum(each.differs for each in comparison.questions),
        total=len(comparison.questions),
        choices=filters(rows, _FILTERS, {"result": "different"}),
        golden=comparison.golden,
    )
    return Report(html, pictures)


def _pair_view(key: str, pair: Pair, comparison: Comparison) -> _PairView:
    table = [cells(row) for row in pair.rows]
    return _PairView(key, pair, verdict(pair), table, list(_pair_plots(key, pair, comparison)))


def _pair_plots(key: str, pair: Pair, comparison: Comparison) -> Iterator[Plot]:
    differences = {row.metric: row.difference for row in pair.rows}
    points = [(metric, found.difference, found.ci95) for metric, found in differences.items()]
    title = f"{pair.b} − {pair.a}, with 95 % intervals; coloured if significant"
    yield whiskers(f"{key}-differences", title, points, zero=True, coloured=[row.significant for row in pair.rows])
    counts = [[float(found.higher), float(found.same), float(found.lower)] for found in differences.values()]
    columns = ("B higher", "the same", "B lower")
    yield matrix(f"{key}-questions", "Number of questions", [*differences], columns, counts)
    for row in pair.rows[:2]:
        values = {each.id: each.values[row.metric] for each in comparison.questions}
        both = [point for item in sorted(values) if (point := _point(item, values[item], pair))]
        if both:
            name = f"{key}-{row.metric.replace('@', '-at-')}"
            title = f"{titled(row.metric, comparison.notes)} of each question; B is higher above the line"
            yield scatter(name, title, both, axes=(f"A  {pair.a}", f"B  {pair.b}"), diagonal=True)


def _point(item: str, values: Mapping[str, float | None], pair: Pair) -> tuple[float, float, str] | None:
    a, b = values[pair.a], values[pair.b]
    return None if a is None or b is None else (a, b, item)


def _ranking_plots(comparison: Comparison) -> Iterator[Plot]:
    for ranking in comparison.rankings:
        points = [
            (f"{ranking.ranks[label]}.  {label}" if ranking.ranks else label, mean, ranking.ci95.get(label))
            for label, mean in ranking.means.items()
        ]
        shares = all(0 <= edge <= 1 for _, mean, ends in points for edge in (mean, *(ends or ())))
        name, title = (
            f"ranking-{ranking.metric.replace('@', '-at-')}",
            f"{titled(ranking.metric, comparison.notes)}: rank and mean",
        )
        yield whiskers(name, title, points, bounds=(0, 1) if shares else None)
