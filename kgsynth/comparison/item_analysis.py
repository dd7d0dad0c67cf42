"""What runs of ``score`` tell about the questions: which part systems, which do not, and which look wrong.

Left out: the arithmetic (``statistics.items``), and the checks of ``audit`` that need no runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kgsynth.base.errors import ConfigError, InputError
from kgsynth.base.records import Finding
from kgsynth.base.records_json import rounded
from kgsynth.comparison.runs import Run, read_runs
from kgsynth.golden.dataset import Dataset
from kgsynth.statistics.item_analysis import Analysis, analyse

METRICS = ("sub_em", "recall@5")
"""What says by default whether a question was got right: the answer, or else the evidence among the first five."""
RIGHT = 0.999
"""The least value of the metric that counts as right; half of the evidence is not."""
FEW = 5
"""With fewer systems than these the discrimination of a question is mostly chance."""


def item_analysis(
    dataset: Dataset, runs: Sequence[str | Path], metric: str | None = None
) -> tuple[list[Finding], dict[str, Any]]:
    """Return the findings that ``runs``, folders of ``score``, allow on the questions of ``dataset``, and figures.

    ``metric`` says what right is: a value of 1 of it. By default it is the first of ``METRICS`` that all runs have.

    Raises:
        ConfigError: fewer than two runs, or a metric that a run does not have.
        InputError: a folder is no run, or the runs are not on the same golden set, or on another than this.
    """
    import numpy as np

    read = read_runs(runs)
    strange = sorted(set(read[0].items) - {item.id for item in dataset})
    if strange:
        raise InputError(
            f"the runs asked {len(strange)} questions that are not in this set, such as {strange[0]}: "
            "audit the set that was scored"
        )
    chosen = _metric(read, metric)
    ids, columns = sorted(read[0].items), [run.column(chosen) for run in read]
    kept = [at for at in range(len(ids)) if all(column[at] is not None for column in columns)]
    table = np.array([[(column[at] or 0.0) >= RIGHT for column in columns] for at in kept], dtype=bool)
    found, known = analyse(table), [ids[at] for at in kept]
    figures = {
        "metric": chosen,
        "questions": len(kept),
        "left_out": len(ids) - len(kept),
        "right": {run.label: float(share) for run, share in zip(read, table.mean(axis=0), strict=True)},
        "kr20": found.kr20,
        "all_right": len(found.all_right),
        "all_wrong": len(found.all_wrong),
        "enough": [known[row] for row in found.enough],
        "discrimination": {known[row]: value for row, value in enumerate(found.discrimination) if value is not None},
    }
    return _findings(found, known, read), {"item_analysis": rounded(figures)}


def _metric(runs: Sequence[Run], named: str | None) -> str:
    held = [name for name in ([named] if named else METRICS) if all(_has(run, name) for run in runs)]
    if not held:
        wanted = named or " and ".join(METRICS)
        lacking = next(run for run in runs if not all(_has(run, name) for name in ([named] if named else METRICS)))
        raise ConfigError(f"{lacking.label} has no values of {wanted}: name a metric that every run has")
    return held[0]


def _has(run: Run, metric: str) -> bool:
    return any(line["metrics"].get(metric) is not None for line in run.items.values())


def _findings(found: Analysis, ids: Sequence[str], runs: Sequence[Run]) -> list[Finding]:
    """Return a finding for each question that tells nothing, or tells the wrong way."""
    n = len(runs)
    few = f" (of {n} systems only: it may be chance)" if n < FEW else ""
    wrong = [
        Finding(
            "reversed",
            "warning",
            ids[row],
            f"weaker systems get it right and stronger ones wrong: it goes with the rest of the set by "
            f"{found.discrimination[row]:.2f}{few}",
            "read it: the golden answer or its evidence may be wrong",
        )
        for row in found.reversed
    ]
    hard = [
        Finding("all_wrong", "warning", ids[row], f"all {n} systems get it wrong", "check that it can be answered")
        for row in found.all_wrong
    ]
    easy = len(found.all_right)
    message = f"{easy} of {len(ids)} questions are got right by all {n} systems, so they part none"
    told = [Finding("all_right", "warning", "", message, "add harder ones, or keep them as a check")] if easy else []
    return [*wrong, *hard, *told]
