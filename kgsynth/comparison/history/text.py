"""The history as text for the terminal: a table of the runs, and each metric's trend as a row of small bars."""

from __future__ import annotations

from collections.abc import Sequence

from kgsynth.comparison.history.series import Line, comparable_overall, lines
from kgsynth.scoring.history import Entry, short_hash
from kgsynth.show.tables import aligned, figure

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
