"""The history as lines, one for each metric of each system, broken where the golden set changes, and as a picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kgsynth.base.errors import ConfigError
from kgsynth.scoring.history import Entry, MetricValue, short_hash
from kgsynth.scoring.metrics.lookup import find_metric
from kgsynth.scoring.metrics.summary import Value
from kgsynth.scoring.text import headlines
from kgsynth.show.plots.drawing import figure, image
from kgsynth.show.wording import many

if TYPE_CHECKING:
    from kgsynth.show.plots.drawing import Axes


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


# The history as a picture: one line for each metric over the runs, broken where the golden set changes.
#
# Metrics from 0 to 1 share a panel; every other metric has its own. The same runs give the same SVG.

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
