"""A history as a picture: one line a metric over the runs, with intervals, broken where the golden set changes.

A panel holds the metrics that lie between 0 and 1, each other metric has its own. The same runs give the same SVG.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kgsynth.base.errors import ConfigError
from kgsynth.comparison.history import Entry, short
from kgsynth.comparison.history.series import Line, lines
from kgsynth.scoring.metrics.lookup import find_metric
from kgsynth.show.plots.drawing import figure, image

if TYPE_CHECKING:
    from kgsynth.show.plots.drawing import Axes

FORMATS = (".png", ".svg")
_MARKS = "osD^vP*X"
_LABEL = 0.7
"""Inches that the name of a run on the axis needs."""
_BESIDE = 2.4
"""Inches beside the axis, for its numbers and the legend."""
_APART, _SPREAD = 0.1, 0.4
"""How far apart two metrics of one run are drawn at most, and all of them; two runs are 1 apart."""
_INK = "0.35"
_LONGEST = 40
"""Letters of the name of a system in the legend."""


def plot(entries: Sequence[Entry], metrics: Sequence[str], path: Path) -> None:
    """Write a picture of ``metrics`` over the runs to ``path``, a PNG or SVG by its name.

    Raises:
        ConfigError: another name, or no run to draw.
    """
    if path.suffix.lower() not in FORMATS:
        raise ConfigError(f"--plot {path} cannot be drawn: give a name ending in {' or '.join(FORMATS)}")
    if not entries:
        raise ConfigError("no run is there to draw: choose fewer with --golden and --system, or enter some with --add")
    drawn = lines(entries, metrics)
    panels = _panels(drawn)
    width = min(16.0, max(7.0, _BESIDE + 0.5 * len(entries)))
    with figure(width, 1 + 2.8 * len(panels), layout="constrained") as drawing:
        axes = drawing.subplots(len(panels), squeeze=False, sharex=True)[:, 0]
        colours = {metric: f"C{at % 10}" for at, metric in enumerate(metrics)}
        marks = {system: _MARKS[at % len(_MARKS)] for at, system in enumerate(dict.fromkeys(e.system for e in entries))}
        for axis, panel in zip(axes, panels, strict=True):
            _panel(axis, panel, colours, marks)
            _changes(axis, entries, named=axis is axes[0])
        _name_runs(axes[-1], entries, int((width - _BESIDE) / _LABEL))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(image(drawing, path.suffix.lower()[1:]))


def _panels(drawn: Sequence[Line]) -> list[list[Line]]:
    """Put the lines from 0 to 1 together, and those of each other metric."""
    panels: dict[str, list[Line]] = {}
    for line in drawn:
        panels.setdefault("" if _bounded(line) else line.metric, []).append(line)
    return list(panels.values())


def _bounded(line: Line) -> bool:
    """Say whether a metric lies between 0 and 1: by the registry; one of the user's own by what is seen."""
    if line.metric == "overall":
        return True
    try:
        return find_metric(line.metric).bounded
    except KeyError:
        return all(0 <= point.figure.value <= 1 for point in line.points)


def _panel(axis: Axes, panel: Sequence[Line], colours: dict[str, str], marks: dict[str, str]) -> None:
    """Draw the lines of one panel; the metrics of one run stand a little apart, so that their intervals are seen."""
    metrics = list(dict.fromkeys(line.metric for line in panel))
    for line in panel:
        aside = min(_APART, _SPREAD / len(metrics)) * (metrics.index(line.metric) - (len(metrics) - 1) / 2)
        label: str | None = line.metric if len(marks) == 1 else f"{line.metric}, {line.system[:_LONGEST]}"
        for piece in line.pieces:
            values = [point.figure.value for point in piece]
            ends = [point.figure.ci95 or (value, value) for point, value in zip(piece, values, strict=True)]
            reach = [
                [max(0.0, value - low) for value, (low, _) in zip(values, ends, strict=True)],
                [max(0.0, high - value) for value, (_, high) in zip(values, ends, strict=True)],
            ]
            style: dict[str, Any] = {"color": colours[line.metric], "marker": marks[line.system], "markersize": 4}
            axis.errorbar(
                [point.at + aside for point in piece], values, reach, label=label, elinewidth=0.8, capsize=2, **style
            )
            label = None  # one line of the legend for all pieces
    if len(metrics) == 1:
        axis.set_ylabel(metrics[0])
    axis.grid(axis="y", linewidth=0.4, color="0.85")
    axis.spines[["top", "right"]].set_visible(False)
    axis.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)


def _changes(axis: Axes, entries: Sequence[Entry], *, named: bool) -> None:
    """Mark where another golden set begins."""
    for at, (before, after) in enumerate(pairwise(entries)):
        if before.golden != after.golden:
            axis.axvline(at + 0.5, linestyle=":", linewidth=0.8, color=_INK)
            if named:
                told, over = f" golden {short(after.golden)}", axis.get_xaxis_transform()
                axis.text(at + 0.5, 1.0, told, transform=over, va="bottom", fontsize=7, color=_INK)


def _name_runs(axis: Axes, entries: Sequence[Entry], room: int) -> None:
    """Name the runs on the axis by when they were, as many as there is room for, the newest among them."""
    step = -(-len(entries) // room)
    at = sorted(range(len(entries) - 1, -1, -step))
    axis.set_xticks(at, [f"{entries[each].when[:10]}\n{entries[each].when[11:16]}" for each in at], fontsize=7)
    axis.set_xlim(-0.5, len(entries) - 0.5)
