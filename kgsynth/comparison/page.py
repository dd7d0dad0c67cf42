"""The report of ``compare``: run against run, how sure each difference is, and the questions on which they differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from kgsynth.base.version import __version__
from kgsynth.comparison.text import HEAD, LEGEND, TIES, cells, ranked, verdict
from kgsynth.show.pages import render
from kgsynth.show.plots import Plot, matrix, scatter, whiskers
from kgsynth.show.question_list import MAX_QUESTIONS_LISTED, Filter, ListedQuestion, filters
from kgsynth.show.report import Report
from kgsynth.show.wording import joined, many
from kgsynth.statistics.comparison import Changed, Comparison, Pair


@dataclass(frozen=True, slots=True)
class _Shown:
    """A pair as the page shows it; ``key`` is unlike that of any other pair."""

    key: str
    pair: Pair
    verdict: str
    table: list[list[str]]
    plots: list[Plot]
    rows: list[ListedQuestion]
    choices: list[Filter]


def page(comparison: Comparison) -> Report:
    """Return the report of a comparison of two or more runs."""
    pairs = [_shown(f"pair-{at}", pair) for at, pair in enumerate(comparison.pairs, 1)]
    rankings = list(_ranking_plots(comparison))
    pictures = (*rankings, *(plot for shown in pairs for plot in shown.plots))
    html = render(
        "comparison/page.html",
        kind="Comparison",
        title=_title(comparison),
        lead=f"{many(len(comparison.runs), 'run')} on the same {many(comparison.n_items, 'question')} from "
        f"{many(comparison.n_documents, 'document')}, question against question.",
        version=__version__,
        pictures=pictures,
        runs=comparison.runs,
        notes=comparison.notes,
        ranking_plots=rankings,
        ranking=ranked(comparison) if comparison.rankings else None,
        ties=TIES,
        head=HEAD,
        legend=LEGEND,
        pairs=pairs,
        golden=comparison.golden,
    )
    return Report(html, pictures)


def _title(comparison: Comparison) -> str:
    """Say which runs the data parts, in a sentence."""
    said = [_said(pair) for pair in comparison.pairs]
    apart = [each for each in said if each]
    if not apart:
        return f"The data does not part {joined(list(comparison.runs))}"
    return "; ".join(apart)


def _said(pair: Pair) -> str:
    sides: Mapping[str, list[str]] = {"higher": [], "lower": []}
    for row in pair.rows:
        if row.significant:
            sides["higher" if row.found.difference > 0 else "lower"].append(row.metric)
    told = [f"{how} than {pair.a} on {joined(names)}" for how, names in sides.items() if names]
    return f"{pair.b} is {joined(told)}" if told else ""


def _shown(key: str, pair: Pair) -> _Shown:
    rows = [_row(changed, pair) for changed in pair.changed[:MAX_QUESTIONS_LISTED]]
    labels = {"side": "Who gained", "metric": "Metric", "type": "Type", "difficulty": "Difficulty"}
    table = [cells(row) for row in pair.rows]
    return _Shown(key, pair, verdict(pair), table, list(_plots(key, pair)), rows, filters(rows, labels))


def _plots(key: str, pair: Pair) -> Iterator[Plot]:
    points = [(row.metric, row.found.difference, row.found.ci95) for row in pair.rows]
    yield whiskers(f"{key}-differences", f"{pair.b} less {pair.a}, with 95 % intervals", points, zero=True)
    counts = [[float(row.found.higher), float(row.found.same), float(row.found.lower)] for row in pair.rows]
    columns = ("B higher", "the same", "B lower")
    yield matrix(f"{key}-questions", "On how many questions", [row.metric for row in pair.rows], columns, counts)
    for row in pair.rows[:2]:
        both = [(one, other, item) for item, (one, other) in pair.points.get(row.metric, {}).items()]
        if both:
            name = f"{key}-{row.metric.replace('@', '-at-')}"
            title = f"{row.metric}, question by question; above the line B is higher"
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


def _row(changed: Changed, pair: Pair) -> ListedQuestion:
    metric, delta = changed.largest
    side = pair.b if delta > 0 else pair.a
    keys = {
        "side": [side],
        "metric": sorted(changed.deltas),
        "type": [changed.question_type],
        "difficulty": [changed.difficulty],
    }
    deltas = ", ".join(f"{name} {value:+.3f}" for name, value in changed.deltas.items())
    more = {"expected": changed.expected, "a": changed.a, "b": changed.b, "deltas": deltas, "up": delta > 0}
    tags = tuple(each.replace("_", " ") for each in (changed.question_type, changed.difficulty) if each)
    return ListedQuestion(changed.id, changed.question, f"{metric} {delta:+.3f}", tags, keys, None, more)
