"""The history as a picture: a panel for each metric, with a line for each system, broken where the golden set changes.

The same runs give the same SVG.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from kgsynth.base.errors import ConfigError
from kgsynth.comparison.history import Line, lines
from kgsynth.scoring.history import Entry, short_hash
from kgsynth.show.plots.drawing import figure, image

if TYPE_CHECKING:
    from kgsynth.show.plots.drawing import Axes

PICTURE_SUFFIXES = (".png", ".svg")
_RUN_LABEL_INCHES = 0.7
"""The width of the label of a run on the axis."""
_MARGIN_INCHES = 2.4
"""The width of the axis numbers and the legend."""
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
    by_metric: dict[str, list[Line]] = {}
    for line in lines(entries, metrics):
        by_metric.setdefault(line.metric, []).append(line)
    colours = {system: f"C{at % 10}" for at, system in enumerate(dict.fromkeys(entry.system for entry in entries))}
    width = min(16.0, max(7.0, _MARGIN_INCHES + 0.5 * len(entries)))
    with figure(width, 1 + 1.8 * len(by_metric), layout="constrained") as drawing:
        axes = drawing.subplots(len(by_metric), squeeze=False, sharex=True)[:, 0]
        for axis, (metric, own) in zip(axes, by_metric.items(), strict=True):
            for line in own:
                _draw_line(axis, line, colours[line.system])
            _mark_golden_changes(axis, entries, named=axis is axes[0])
            axis.set_ylabel(metric)
            axis.grid(axis="y", linewidth=0.4, color="0.85")
            axis.spines[["top", "right"]].set_visible(False)
            axis.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)
        _label_runs(axes[-1], entries, int((width - _MARGIN_INCHES) / _RUN_LABEL_INCHES))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(image(drawing, path.suffix.lower()[1:]))


def _draw_line(axis: Axes, line: Line, colour: str) -> None:
    """Draw the pieces of a line with the interval of each point; all pieces share one line of the legend."""
    label = line.system[:_MAX_SYSTEM_CHARS]
    for piece in line.pieces:
        values = [point.metric.value for point in piece]
        axis.plot([point.at for point in piece], values, color=colour, marker="o", markersize=4, label=label)
        label = "_"  # matplotlib leaves it out of the legend
        for point in piece:
            if point.metric.ci95:
                axis.vlines(point.at, *point.metric.ci95, color=colour, linewidth=0.8)


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
