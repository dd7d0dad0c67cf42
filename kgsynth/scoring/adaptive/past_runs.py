"""Read the earlier runs on a golden set from the history, and which metric they let one estimate."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kgsynth.base.errors import InputError
from kgsynth.scoring.history import Entry, History
from kgsynth.scoring.metrics.lookup import nearest_to_five
from kgsynth.scoring.run_results import read_items

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PASSED = "pass_rate"
LEAST_RUNS = 5
"""With fewer runs the model predicts little, and the check on them proves nothing (benchmarks/adaptive.py)."""

Lines = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class PastRuns:
    """The values of ``metric`` in earlier runs: ``table`` (runs, questions), nan where a run has none.

    ``ids`` are the questions of the columns: those of the set that have a value in any run.
    """

    metric: str
    ids: tuple[str, ...]
    table: NDArray[np.float64]


def read_past_runs(index: Path, golden: str, ids: Sequence[str], metrics: Sequence[str]) -> PastRuns:
    """Return the earlier runs on the whole golden set with the hash ``golden``, whose questions are ``ids``.

    The metric is the pass rate if all runs have answers to compare, else recall at the cut-off of ``metrics`` that is
    nearest 5. Runs with the same value on every question count once, and runs whose folder was written again or is gone
    do not count.

    Raises:
        InputError: there are too few.
    """
    import numpy as np

    runs = list(_read_runs(index, golden, ids)) if index.is_file() else []
    metric = _metric(runs, metrics)
    rows = dict.fromkeys(tuple(_value(run[key], metric) for key in ids) for run in runs) if metric else {}
    useful = [row for row in rows if any(value is not None for value in row)]
    if len(useful) < LEAST_RUNS:
        raise InputError(
            f"--until needs {LEAST_RUNS} earlier runs of the whole golden set with different results, and {index} has "
            f"{len(useful)}: first score other systems or settings without --until, with -o in the same folder"
        )
    table = np.array([[np.nan if value is None else value for value in row] for row in useful], dtype=float)
    known = ~np.isnan(table).all(axis=0)
    return PastRuns(metric, tuple(key for key, kept in zip(ids, known, strict=True) if kept), table[:, known])


def _read_runs(index: Path, golden: str, ids: Sequence[str]) -> Iterator[Lines]:
    """Yield the lines of items.jsonl of each run that the history still describes."""
    history = History(index, create=False)
    try:
        entries = history.entries(golden)
    finally:
        history.close()
    for entry in entries:
        folder = index.resolve().parent / entry.folder
        if _is_present(entry, folder):
            lines = read_items(folder, ("metrics", "state"))
            if set(ids) <= set(lines):
                yield lines


def _is_present(entry: Entry, folder: Path) -> bool:
    path = folder / "scores.json"
    return path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == entry.content


def _metric(runs: Sequence[Lines], metrics: Sequence[str]) -> str:
    """Return the metric that every run can be estimated by, "" if there is none."""
    if runs and all(any(line["metrics"].get("em") is not None for line in run.values()) for run in runs):
        return PASSED
    return nearest_to_five(name for name in metrics if name.startswith("recall@"))


def _value(line: Mapping[str, Any], metric: str) -> float | None:
    if metric == PASSED:
        return {"passed": 1.0, "failed": 0.0}.get(line["state"])
    value: float | None = line["metrics"].get(metric)
    return value
