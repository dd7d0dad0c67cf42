"""Show the history of runs of ``score``: a line for each metric of each system, as text and as a page.

``kgsynth.scoring.history`` keeps it.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import quote

from kgsynth.base.errors import ConfigError
from kgsynth.scoring.history import Entry, MetricValue, short_hash
from kgsynth.scoring.metrics.lookup import find_metric
from kgsynth.scoring.metrics.summary import Value
from kgsynth.scoring.text import headlines
from kgsynth.show.pages import PAGE, Report, render
from kgsynth.show.plots import Plot, whiskers
from kgsynth.show.tables import aligned, figure
from kgsynth.show.wording import cut, many


@dataclass(frozen=True, slots=True)
class Point:
    """One run on a line; ``at`` is its position among the runs shown, from 0, oldest first."""

    at: int
    golden: str
    metric: MetricValue


@dataclass(frozen=True, slots=True)
class Line:
    """One metric of one system; each of its ``pieces`` is on one golden set, so values compare only within a piece."""

    metric: str
    system: str
    pieces: tuple[tuple[Point, ...], ...]

    @property
    def points(self) -> tuple[Point, ...]:
        """All points, oldest first."""
        return tuple(point for piece in self.pieces for point in piece)


def metrics_to_show(entries: Sequence[Entry], metrics: Sequence[str]) -> list[str]:
    """Return ``metrics``, or by default the headline metrics that any of the runs has.

    Raises:
        ConfigError: none of the runs has a metric that was asked for.
    """
    known = dict.fromkeys(name for entry in entries for name in entry.metrics)
    unknown = [name for name in metrics if name not in known]
    if unknown and entries:
        raise ConfigError(f"no run shown has a value of metric {unknown[0]!r}: give one of {', '.join(known)}")
    # headlines selects by name; any value will do
    headline = headlines({name: Value(0.0, 1, 1) for name in known if name != "overall"})
    return list(metrics) or headline or list(known)[:4]


def comparable_overall(entries: Sequence[Entry]) -> tuple[list[Entry], str]:
    """Return the runs without an ``overall`` that weighs other metrics, and a sentence on them, "" if there are none.

    Of the runs on one golden set, those keep it that weigh as the newest of the runs that weigh most metrics does.
    A retriever alone is weighed by retrieval, so its overall score is not that of a system that answers.
    """
    widest: dict[str, Entry] = {}
    for entry in entries:
        if "overall" in entry.metrics and len(entry.weights) >= len(widest.setdefault(entry.golden, entry).weights):
            widest[entry.golden] = entry
    kept, left_out = [], Counter[str]()
    for entry in entries:
        if "overall" in entry.metrics and entry.weights != widest[entry.golden].weights:
            left_out[", ".join(entry.weights)] += 1
            entry = replace(entry, metrics={name: own for name, own in entry.metrics.items() if name != "overall"})
        kept.append(entry)
    if not left_out:
        return kept, ""
    runs = ", ".join(f"{many(number, 'run')} ({weighed})" for weighed, number in left_out.items())
    return kept, (
        "overall is left out (–) where it weighs other metrics than that of the other runs on the set, and would not "
        f"compare: {runs}"
    )


def lines(entries: Sequence[Entry], metrics: Sequence[str]) -> list[Line]:
    """Return a line for each metric of each system that has values of it, in the order of ``metrics``.

    Points of ``overall`` that do not compare are left out.
    """
    found = []
    entries, _ = comparable_overall(entries)
    for metric in metrics:
        for system in dict.fromkeys(entry.system for entry in entries):
            pieces: list[list[Point]] = []
            for at, entry in enumerate(entries):
                if entry.system != system or metric not in entry.metrics:
                    continue
                if not pieces or pieces[-1][-1].golden != entry.golden:
                    pieces.append([])
                pieces[-1].append(Point(at, entry.golden, entry.metrics[metric]))
            if pieces:
                found.append(Line(metric, system, tuple(map(tuple, pieces))))
    return found


def bounded(line: Line) -> bool:
    """Check whether a metric lies between 0 and 1: by the registry, or for an own metric by its values."""
    if line.metric == "overall":
        return True
    try:
        return find_metric(line.metric).bounded
    except KeyError:
        return all(0 <= point.metric.value <= 1 for point in line.points)


# ---- the terminal ----------------------------------------------------------------------------------

RUN_COLUMNS = ("when (UTC)", "run", "system", "golden", "n", "errors", "gates", "overall")
"""The columns that describe a run; the metrics follow."""
TREND_COLUMNS = ("trend", "system", "oldest to newest", "first", "last", "lowest", "highest")
"""The columns of the trends."""
_BARS = "▁▂▃▄▅▆▇█"
_MAX_BARS_SHOWN = 40
_HOW_TO_READ_HISTORY = (
    "Each row of bars is scaled from its own lowest to its own highest value; kgsynth compare says whether a change is "
    "significant. │: the golden set changes here, so values before and after do not compare."
)


def terminal(entries: Sequence[Entry], metrics: Sequence[str]) -> str:
    """Return a table of the runs, oldest first, with ``metrics``, and below it the trend of each metric."""
    if not entries:
        return "no runs to show"
    columns = [metric for metric in metrics if metric != "overall"]
    shown, why = comparable_overall(entries)
    table = aligned([*RUN_COLUMNS, *columns], [run_row(entry, columns) for entry in shown])
    table += f"\n\n{why}" if why else ""
    drawn = [line for line in lines(entries, metrics) if len(line.points) > 1]
    if not drawn:
        return table
    trends = aligned(TREND_COLUMNS, [_trend(line) for line in drawn])
    return f"{table}\n\n{trends}\n\n{_HOW_TO_READ_HISTORY}"


def run_row(entry: Entry, metrics: Sequence[str]) -> list[str]:
    """Return the cells of a run: one for each of ``RUN_COLUMNS``, then the metrics."""
    gates = {None: "–", True: "passed", False: "FAILED"}[entry.passed]
    head = [entry.when[:16].replace("T", " "), entry.folder, entry.system, short_hash(entry.golden)]
    found = [entry.metrics.get(name) for name in ("overall", *metrics)]
    values = ["–" if each is None else _short(each.value) for each in found]
    return [*head, str(entry.n_items), str(entry.n_errors), gates, *values]


def _short(value: float) -> str:
    return figure(value) if abs(value) < 1000 else f"{value:,.0f}"


def _trend(line: Line) -> list[str]:
    values = [point.metric.value for point in line.points]
    low, high = min(values), max(values)
    drawn = "│".join("".join(bar(point.metric.value, low, high) for point in piece) for piece in line.pieces)
    cut = drawn if len(drawn) <= _MAX_BARS_SHOWN else "…" + drawn[1 - _MAX_BARS_SHOWN :]
    return [line.metric, line.system, cut, *map(_short, (values[0], values[-1], low, high))]


def bar(value: float, low: float, high: float) -> str:
    """Return the bar of a value on a scale from ``low`` to ``high``.

    Example:
        >>> "".join(bar(value, 0, 1) for value in (0, 0.5, 1)), bar(0.7, 0.7, 0.7)
        ('▁▅█', '▄')
    """
    return _BARS[int((value - low) / (high - low) * 7 + 0.5)] if high > low else "▄"


# ---- the page: the runs with links to their own reports, and each metric over the runs ---------------

_MAX_RUNS_PLOTTED = 30
_RUN_COLUMN = RUN_COLUMNS.index("run")
_FOLDER_LETTERS = 16


def page(entries: Sequence[Entry], metrics: Sequence[str], base: Path, out: Path) -> Report:
    """Return the report of the runs, oldest first, for the folder ``out``.

    ``base`` is the folder of the index. A run is linked if its folder has a report; a folder that was scored several
    times has the report of its newest run only.
    """
    columns = [metric for metric in metrics if metric != "overall"]
    newest = {entry.folder: entry.id for entry in entries}
    shown, why = comparable_overall(entries)
    rows = [
        (run_row(entry, columns), _address(entry, base, out) if newest[entry.folder] == entry.id else "")
        for entry in reversed(shown)
    ]
    pictures = tuple(_plots(entries, metrics))
    systems, sets = ({entry.system for entry in entries}, {entry.golden for entry in entries})
    html = render(
        "comparison/history/page.html",
        kind="History",
        title=_title(entries, metrics),
        lead=f"{many(len(systems), 'system')} on {many(len(sets), 'golden set')}. "
        "A run with a link has a report of its own.",
        pictures=pictures,
        columns=[*RUN_COLUMNS, *columns],
        numeric=RUN_COLUMNS.index("n"),
        run_column=_RUN_COLUMN,
        rows=rows,
        note=why,
        golden=short_hash(entries[-1].golden) if entries else "",
        several=len(sets) > 1,
    )
    return Report(html, pictures)


def _title(entries: Sequence[Entry], metrics: Sequence[str]) -> str:
    if not entries:
        return "No runs"
    last, value = entries[-1], next((name for name in metrics if name in entries[-1].metrics), "")
    found = f" has {value} {figure(last.metrics[value].value)}" if value else ""
    return f"{many(len(entries), 'run')}; the newest, {last.folder},{found}" if found else many(len(entries), "run")


def _address(entry: Entry, base: Path, out: Path) -> str:
    """Return the address of the report of a run from ``out``, "" if there is none."""
    report = (base / entry.folder / PAGE).resolve()
    return quote(Path(os.path.relpath(report, out.resolve())).as_posix()) if report.is_file() else ""


def _plots(entries: Sequence[Entry], metrics: Sequence[str]) -> Iterator[Plot]:
    """Yield a plot of each metric over the newest runs on the golden set of the newest run."""
    comparable = [entry for entry in entries if entry.golden == entries[-1].golden][-_MAX_RUNS_PLOTTED:]
    if len(comparable) < 2:
        return
    labels = [f"{entry.when[5:10]} {cut(Path(entry.folder).name, _FOLDER_LETTERS)}" for entry in comparable]
    by_metric: dict[str, list[Line]] = {}
    for line in lines(comparable, metrics):
        by_metric.setdefault(line.metric, []).append(line)
    for metric, found in by_metric.items():
        points = sorted((point.at, point.metric) for line in found for point in line.points)
        shown = [(labels[at], value.value, value.ci95) for at, value in points]
        name = f"history-{metric.replace('@', '-at-')}"
        yield whiskers(name, f"{metric}, oldest first", shown, bounds=(0, 1) if all(map(bounded, found)) else None)
