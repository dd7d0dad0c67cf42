"""The HTML report of ``history``: the runs with links to their own reports, and each metric over the runs."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import quote

from kgsynth.base.version import __version__
from kgsynth.comparison.history.series import Line, bounded, comparable_overall, lines
from kgsynth.comparison.history.text import RUN_COLUMNS, run_row
from kgsynth.scoring.history import Entry, short_hash
from kgsynth.show.pages import PAGE, Report, render
from kgsynth.show.plots import Plot, whiskers
from kgsynth.show.tables import figure
from kgsynth.show.wording import cut, many

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
