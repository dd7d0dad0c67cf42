"""The history as a picture: one line for each metric over the runs, broken where the golden set changes.

Metrics from 0 to 1 share a panel; every other metric has its own. The same runs give the same SVG.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kgsynth.base.errors import ConfigError
from kgsynth.comparison.history import Line, bounded, lines
from kgsynth.scoring.history import Entry, short_hash
from kgsynth.show.plots.drawing import figure, image

if TYPE_CHECKING:
    from kgsynth.show.plots.drawing import Axes

PICTURE_SUFFIXES = (".png", ".svg")
_MARKERS = "osD^vP*X"
_RUN_LABEL_INCHES = 0.7
"""The width of the label of a run on the axis."""
_MARGIN_INCHES = 2.4
"""The width of the axis numbers and the legend."""
_MAX_METRIC_OFFSET, _MAX_METRIC_SPREAD = 0.1, 0.4
"""The largest horizontal offset between two metrics of one run, and of all its metrics; runs are 1 apart."""
_GREY = "0.35"
_MAX_SYSTEM_CHARS = 40
"""The length at which the name of a system is cut in the legend."""


def plot(entries: Sequence[Entry], metrics: Sequence[str], path: Path) -> None:
    """Draw ``metrics`` over the runs and write the picture to ``path``, as PNG or SVG by its suffix.

    Raises:
        ConfigError: ``path`` has another suffix, or there is no run.
    """
    if path.suffix.lower() not in PICTURE_SUFFIXES:
        raise ConfigError(f"--plot {path}: give a file name that ends in {' or '.join(PICTURE_SUFFIXES)}")
    if not entries:
        raise ConfigError("no runs to plot: relax --golden and --system, or add runs with --add")
    panels = _panels(lines(entries, metrics))
    width = min(16.0, max(7.0, _MARGIN_INCHES + 0.5 * len(entries)))
    with figure(width, 1 + 2.8 * len(panels), layout="constrained") as drawing:
        axes = drawing.subplots(len(panels), squeeze=False, sharex=True)[:, 0]
        colours = {metric: f"C{at % 10}" for at, metric in enumerate(metrics)}
        systems = dict.fromkeys(entry.system for entry in entries)
        markers = {system: _MARKERS[at % len(_MARKERS)] for at, system in enumerate(systems)}
        for axis, panel in zip(axes, panels, strict=True):
            _draw_panel(axis, panel, colours, markers)
            _mark_golden_changes(axis, entries, named=axis is axes[0])
        _label_runs(axes[-1], entries, int((width - _MARGIN_INCHES) / _RUN_LABEL_INCHES))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(image(drawing, path.suffix.lower()[1:]))


def _panels(drawn: Sequence[Line]) -> list[list[Line]]:
    """Group the lines into panels: one for all metrics from 0 to 1, one for each other metric."""
    panels: dict[str, list[Line]] = {}
    for line in drawn:
        panels.setdefault("" if bounded(line) else line.metric, []).append(line)
    return list(panels.values())


def _draw_panel(axis: Axes, panel: Sequence[Line], colours: dict[str, str], markers: dict[str, str]) -> None:
    """Draw the lines of one panel, with the metrics of a run slightly offset so that their intervals can be seen."""
    metrics = list(dict.fromkeys(line.metric for line in panel))
    step = min(_MAX_METRIC_OFFSET, _MAX_METRIC_SPREAD / len(metrics))
    for line in panel:
        offset = step * (metrics.index(line.metric) - (len(metrics) - 1) / 2)
        label: str | None = line.metric if len(markers) == 1 else f"{line.metric}, {line.system[:_MAX_SYSTEM_CHARS]}"
        for piece in line.pieces:
            values = [point.metric.value for point in piece]
            ends = [point.metric.ci95 or (value, value) for point, value in zip(piece, values, strict=True)]
            errors = [
                [max(0.0, value - low) for value, (low, _) in zip(values, ends, strict=True)],
                [max(0.0, high - value) for value, (_, high) in zip(values, ends, strict=True)],
            ]
            style: dict[str, Any] = {"color": colours[line.metric], "marker": markers[line.system], "markersize": 4}
            axis.errorbar(
                [point.at + offset for point in piece], values, errors, label=label, elinewidth=0.8, capsize=2, **style
            )
            label = None  # all pieces share one line of the legend
    if len(metrics) == 1:
        axis.set_ylabel(metrics[0])
    axis.grid(axis="y", linewidth=0.4, color="0.85")
    axis.spines[["top", "right"]].set_visible(False)
    axis.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)


def _mark_golden_changes(axis: Axes, entries: Sequence[Entry], *, named: bool) -> None:
    """Draw a vertical line where the golden set changes."""
    for at, (before, after) in enumerate(pairwise(entries)):
        if before.golden != after.golden:
            axis.axvline(at + 0.5, linestyle=":", linewidth=0.8, color=_GREY)
            if named:
                label, over = f" golden {short_hash(after.golden)}", axis.get_xaxis_transform()
                axis.text(at + 0.5, 1.0, label, transform=over, va="bottom", fontsize=7, color=_GREY)


def _label_runs(axis: Axes, entries: Sequence[Entry], room: int) -> None:
    """Label at most ``room`` runs on the axis by date and time, the newest always among them."""
    step = -(-len(entries) // room)
    at = sorted(range(len(entries) - 1, -1, -step))
    axis.set_xticks(at, [f"{entries[each].when[:10]}\n{entries[each].when[11:16]}" for each in at], fontsize=7)
    axis.set_xlim(-0.5, len(entries) - 0.5)
