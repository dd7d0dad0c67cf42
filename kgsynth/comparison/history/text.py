"""A history as text for the terminal: the runs as a table, and each metric's trend as a row of small bars."""

from __future__ import annotations

from collections.abc import Sequence

from kgsynth.comparison.history import Entry, short
from kgsynth.comparison.history.series import Line, lines
from kgsynth.show.tables import aligned

RUNS = ("when (UTC)", "run", "system", "golden", "n", "errors", "gates", "overall")
"""The columns before those of the metrics."""
TREND = ("trend", "system", "oldest to newest", "first", "last", "least", "most")
"""The columns of the trends."""
_BARS = "▁▂▃▄▅▆▇█"
_WIDEST = 40


def terminal(entries: Sequence[Entry], metrics: Sequence[str]) -> str:
    """Return the runs, oldest first, with ``metrics``, and below how each metric went."""
    if not entries:
        return "there is no run to show"
    columns = [metric for metric in metrics if metric != "overall"]
    table = aligned([*RUNS, *columns], [_row(entry, columns) for entry in entries])
    drawn = [line for line in lines(entries, metrics) if len(line.points) > 1]
    if not drawn:
        return table
    trends = aligned(TREND, [_trend(line) for line in drawn])
    return f"{table}\n\n{trends}\n\n{_LEGEND}"


_LEGEND = (
    "Bars reach from the least to the most of their own line; whether a step is more than chance, kgsynth compare "
    "says. │: another golden set, whose figures do not compare."
)


def _row(entry: Entry, metrics: Sequence[str]) -> list[str]:
    gates = {None: "–", True: "passed", False: "FAILED"}[entry.passed]
    head = [entry.when[:16].replace("T", " "), entry.folder, entry.system, short(entry.golden)]
    figures = (_figure(entry, name) for name in ("overall", *metrics))
    return [*head, str(entry.n_items), str(entry.n_errors), gates, *figures]


def _figure(entry: Entry, metric: str) -> str:
    figure = entry.metrics.get(metric)
    return "–" if figure is None else _short(figure.value)


def _short(value: float) -> str:
    if 0 < abs(value) < 0.0005:
        return f"{value:.2g}"  # a short latency is not none
    return f"{value:.3f}" if abs(value) < 1000 else f"{value:,.0f}"


def _trend(line: Line) -> list[str]:
    values = [point.figure.value for point in line.points]
    least, most = min(values), max(values)
    drawn = "│".join("".join(bar(point.figure.value, least, most) for point in piece) for piece in line.pieces)
    cut = drawn if len(drawn) <= _WIDEST else "…" + drawn[1 - _WIDEST :]
    return [line.metric, line.system, cut, *(_short(value) for value in (values[0], values[-1], least, most))]


def bar(value: float, least: float, most: float) -> str:
    """Return the bar of a value between the least and the most there is.

    Example:
        >>> "".join(bar(value, 0, 1) for value in (0, 0.5, 1)), bar(0.7, 0.7, 0.7)
        ('▁▅█', '▄')
    """
    return _BARS[int((value - least) / (most - least) * 7 + 0.5)] if most > least else "▄"
