"""The history as lines to draw: one for each metric of each system, broken where the golden set changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from kgsynth.base.errors import ConfigError
from kgsynth.scoring.history import Entry, MetricValue
from kgsynth.scoring.metrics.lookup import find_metric
from kgsynth.scoring.metrics.summary import Value
from kgsynth.scoring.text import headlines
from kgsynth.show.wording import many


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
