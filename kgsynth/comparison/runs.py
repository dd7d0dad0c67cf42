"""Compare runs of ``score`` on one golden set: read, pair, test, rank, list what changed; ``compare`` names the stages.

The first run is what the others are held against. Left out: the arithmetic (``statistics``), the tables
(``compare_text``) and asking any system: what is on file is enough.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from kgsynth.base.errors import ConfigError, InputError
from kgsynth.scoring.metrics.summary import Value
from kgsynth.scoring.text import headlines
from kgsynth.statistics.comparison import LEVEL, Changed, Comparison, Pair, Ranking, Row
from kgsynth.statistics.multiple_testing import holm, ranks
from kgsynth.statistics.paired_tests import difference

_KEYS = {"question", "cluster", "metrics", "group_ranks"}
"""What a line of items.jsonl must have besides its id."""


@dataclass(frozen=True, slots=True)
class Run:
    """One run of ``score`` as read from its folder: the head of scores.json, and items.jsonl by id."""

    label: str
    scores: Mapping[str, Any]
    items: Mapping[str, Mapping[str, Any]]

    def column(self, metric: str) -> list[float | None]:
        """Return one metric of every question, in the order of their ids."""
        return [self.items[key]["metrics"].get(metric) for key in sorted(self.items)]


def compare(runs: Sequence[str | Path], metrics: Sequence[str] = ()) -> Comparison:
    """Hold the second and every later run of ``runs``, folders that ``score`` wrote, against the first.

    ``metrics`` are those to show; by default the headlines that have a value in every run.

    Raises:
        ConfigError: fewer than two runs, or a metric that a run does not have.
        InputError: a folder is no run, or the runs are not on the same golden set.
    """
    read = read_runs(runs)
    shown = _shown(read, metrics)
    clusters = [read[0].items[key]["cluster"] for key in sorted(read[0].items)]
    first = read[0]
    return Comparison(
        golden=first.scores["golden"],
        n_items=len(clusters),
        n_documents=len(set(clusters)),
        runs={run.label: run.scores["system"] for run in read},
        pairs=tuple(_pair(first, run, shown, clusters) for run in read[1:]),
        rankings=tuple(_ranking(read, metric, clusters) for metric in shown) if len(read) > 2 else (),
        notes=(*_failed(read), *_variants(read, shown)),
    )


# ---- read ------------------------------------------------------------------------------------------


def _labels(runs: Sequence[str | Path]) -> dict[str, Path]:
    """Name each run by its folder, or by its path where two folders have one name."""
    paths = [Path(run) for run in runs]
    if len(set(paths)) < 2 or len(set(paths)) < len(paths):
        raise ConfigError(f"{len(set(paths))} different runs are given of {len(paths)}: give two or more, each once")
    names = [path.resolve().name for path in paths]
    return {name if names.count(name) == 1 else str(path): path for name, path in zip(names, paths, strict=True)}


def read_runs(runs: Sequence[str | Path]) -> list[Run]:
    """Read two runs of ``score`` or more, all on one golden set.

    Raises:
        ConfigError: fewer than two runs, or one twice.
        InputError: a folder is no run, or the runs are not on the same golden set.
    """
    read = [read_run(label, folder) for label, folder in _labels(runs).items()]
    for run in read[1:]:
        if run.scores["golden"] != read[0].scores["golden"] or set(run.items) != set(read[0].items):
            raise InputError(
                f"{read[0].label} and {run.label} were scored on different golden sets "
                f"({read[0].scores['golden'][:19]}… and {run.scores['golden'][:19]}…): score both on the same one"
            )
    return read


def read_run(label: str, folder: Path) -> Run:
    """Read what ``score -o FOLDER`` wrote.

    Raises:
        InputError: scores.json or items.jsonl is not there, or is not as ``score`` writes it.
    """
    try:
        scores = json.loads((folder / "scores.json").read_text(encoding="utf-8"))
        with (folder / "items.jsonl").open(encoding="utf-8") as lines:
            items = {line["id"]: line for line in map(json.loads, lines)}
        if not items or not {"golden", "system"} <= set(scores) or any(_KEYS - set(line) for line in items.values()):
            raise ValueError("a key is missing")
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise InputError(
            f"{folder} holds no scores.json with items.jsonl that can be read ({error}): "
            "give a folder that kgsynth score wrote with -o"
        ) from None
    return Run(label, scores, items)


def _failed(runs: Sequence[Run]) -> tuple[str, ...]:
    return tuple(f"{run.label} failed on {n} questions" for run in runs if (n := run.scores.get("n_errors")))


def _variants(runs: Sequence[Run], metrics: Sequence[str]) -> tuple[str, ...]:
    """Say which metrics are not of one variant in all runs, by the share that covers, the model or the version."""
    signed = [run.scores.get("signatures", {}) for run in runs]
    mixed = [name for name in metrics if len({signs.get(name.partition("@")[0]) for signs in signed}) > 1]
    told = f"{', '.join(mixed)}: not the same variant in every run, see signatures in their scores.json"
    return (told,) if mixed else ()


def _shown(runs: Sequence[Run], metrics: Sequence[str]) -> list[str]:
    """Return the metrics to show: those asked for, else the headlines, which have a value in every run."""
    known = [
        name
        for name in next(iter(runs[0].items.values()))["metrics"]
        if all(any(value is not None for value in run.column(name)) for run in runs)
    ]
    unknown = [name for name in metrics if name not in known]
    if unknown or not known:
        wanted = f"metric {unknown[0]!r} has not" if unknown else "no metric has"
        raise ConfigError(f"{wanted} a value in every run: give one of {', '.join(known) or '(none)'}")
    # whatever the value is, it is there
    return list(metrics) or headlines({name: Value(0.0, 1, 1) for name in known}) or known


# ---- pair, test, rank ------------------------------------------------------------------------------


def _pair(a: Run, b: Run, metrics: Sequence[str], clusters: Sequence[str]) -> Pair:
    found = [(name, difference(a.column(name), b.column(name), clusters)) for name in metrics]
    both = [(name, apart) for name, apart in found if apart is not None]
    adjusted = holm([apart.p_flip for _, apart in both])
    rows = (Row(name, apart, p) for (name, apart), p in zip(both, adjusted, strict=True))
    return Pair(a.label, b.label, tuple(rows), _changed(a, b, metrics), {name: _points(a, b, name) for name in metrics})


def _points(a: Run, b: Run, metric: str) -> dict[str, tuple[float, float]]:
    """Return the two values of every question that has both."""
    both = zip(sorted(a.items), a.column(metric), b.column(metric), strict=True)
    return {key: (one, other) for key, one, other in both if one is not None and other is not None}


def _ranking(runs: Sequence[Run], metric: str, clusters: Sequence[str]) -> Ranking:
    """Rank all runs by one metric, the p-values of all pairs after Holm."""
    columns = {run.label: run.column(metric) for run in runs}
    known = [at for at in range(len(clusters)) if all(column[at] is not None for column in columns.values())]
    means = {label: sum(column[at] or 0.0 for at in known) / max(1, len(known)) for label, column in columns.items()}
    pairs = list(combinations(columns, 2))
    found = [difference(columns[x], columns[y], clusters) for x, y in pairs]
    adjusted = dict(zip(map(frozenset, pairs), holm([each.p_flip if each else None for each in found]), strict=True))
    placed = ranks(means, lambda x, y: (p := adjusted[frozenset((x, y))]) is not None and p <= LEVEL)
    ends = {run.label: run.scores.get("metrics", {}).get(metric, {}).get("ci95") for run in runs}
    ci95 = {label: (ends[label][0], ends[label][1]) for label in placed if ends[label]}
    return Ranking(metric, {label: means[label] for label in placed}, placed, ci95)


# ---- what changed ----------------------------------------------------------------------------------


def _changed(a: Run, b: Run, metrics: Sequence[str]) -> tuple[Changed, ...]:
    """Return the questions on which a shown metric moved, the largest move first."""
    changed = []
    for key in sorted(a.items):
        one, other = a.items[key], b.items[key]
        deltas = {
            name: round(other["metrics"][name] - one["metrics"][name], 6)
            for name in metrics
            if one["metrics"].get(name) is not None and other["metrics"].get(name) is not None
        }
        moved = {name: delta for name, delta in deltas.items() if delta}
        if moved:
            expected = " | ".join(one.get("expected", ()))
            kind = (str(one.get("question_type", "")), str(one.get("difficulty", "")))
            changed.append(Changed(key, one["question"], expected, _given(one), _given(other), moved, *kind))
    return tuple(sorted(changed, key=lambda each: (-abs(each.largest[1]), each.id)))


def _given(line: Mapping[str, Any]) -> str:
    """Say what a run gave to a question: its answer, else where it found the evidence."""
    if line.get("actual") is not None:
        return str(line["actual"])
    ranks_ = ", ".join("never" if rank is None else str(rank) for rank in line["group_ranks"])
    return f"evidence at rank {ranks_}" if ranks_ else line.get("cause") or "nothing"
