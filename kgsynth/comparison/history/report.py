"""The history as text for the terminal and as a page: the runs, and each metric over the runs."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import quote

from kgsynth.base.version import __version__
from kgsynth.comparison.history.plot import Line, bounded, comparable_overall, lines
from kgsynth.scoring.history import Entry, short_hash
from kgsynth.show.pages import PAGE, Report, render
from kgsynth.show.plots import Plot, whiskers
from kgsynth.show.tables import aligned, figure
from kgsynth.show.wording import cut, many

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


# The HTML report of ``history``: the runs with links to their own reports, and each metric over the runs.

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
        version=__version__,
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
