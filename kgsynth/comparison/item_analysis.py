"""What runs of ``score`` show about the questions: which discriminate between systems and which may be wrong.

Used by ``audit --runs``; the statistics are in ``kgsynth.statistics.item_analysis``.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kgsynth.base.errors import ConfigError, InputError
from kgsynth.base.records import Finding
from kgsynth.base.records_json import rounded
from kgsynth.comparison.runs import ScoredRun, read_runs
from kgsynth.golden.dataset import Dataset
from kgsynth.statistics.item_analysis import ItemAnalysis, analyse_items

CORRECTNESS_METRICS = ("sub_em", "recall@5")
"""The metrics that decide by default whether a question was answered correctly: the first that every run has."""
LEAST_CORRECT = 0.999
"""The least value of the metric that counts as correct; half of the evidence does not."""
FEW_SYSTEMS = 5
"""With fewer systems than this, the discrimination of a question may be chance."""


def item_analysis(
    dataset: Dataset, runs: Sequence[str | Path], metric: str | None = None
) -> tuple[list[Finding], dict[str, Any]]:
    """Return findings on the questions of ``dataset`` from ``runs`` (folders of ``score``), and figures for audit.json.

    A question is correct when ``metric`` is 1; the default is the first of ``CORRECTNESS_METRICS`` that all runs have.

    Raises:
        ConfigError: there are fewer than two runs, or one has no value of the metric.
        InputError: a folder is not a run, or the runs are on different golden sets or on another set than this.
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
    table = np.array([[(column[at] or 0.0) >= LEAST_CORRECT for column in columns] for at in kept], dtype=bool)
    analysis, kept_ids = analyse_items(table), [ids[at] for at in kept]
    discrimination = zip(kept_ids, analysis.discrimination, strict=True)
    stats = {
        "metric": chosen,
        "questions": len(kept),
        "left_out": len(ids) - len(kept),
        "right": {run.label: float(share) for run, share in zip(read, table.mean(axis=0), strict=True)},
        "kr20": analysis.kr20,
        "all_right": len(analysis.all_right),
        "all_wrong": len(analysis.all_wrong),
        "enough": [kept_ids[row] for row in analysis.enough],
        "discrimination": {item: value for item, value in discrimination if value is not None},
    }
    return _findings(analysis, kept_ids, len(read)), {"item_analysis": rounded(stats)}


def _metric(runs: Sequence[ScoredRun], wanted: str | None) -> str:
    candidates = (wanted,) if wanted else CORRECTNESS_METRICS
    for metric in candidates:
        if all(_has(run, metric) for run in runs):
            return metric
    without = next(run for run in runs if not all(_has(run, metric) for metric in candidates))
    raise ConfigError(f"{without.label} has no values of {' and '.join(candidates)}: name a metric that every run has")


def _has(run: ScoredRun, metric: str) -> bool:
    return any(line["metrics"].get(metric) is not None for line in run.items.values())


def _findings(analysis: ItemAnalysis, ids: Sequence[str], n: int) -> list[Finding]:
    """Return a finding for each question that does not discriminate between ``n`` systems, or does so in reverse."""
    doubt = f" (only {n} systems: it may be chance)" if n < FEW_SYSTEMS else ""
    why = "weaker systems answer it correctly and stronger ones do not: its correlation with the rest of the set is"
    advice = "read it: the golden answer or its evidence may be wrong"
    wrong = [
        Finding("reversed", "warning", ids[row], f"{why} {analysis.discrimination[row]:.2f}{doubt}", advice)
        for row in analysis.reversed
    ]
    hard = [
        Finding("all_wrong", "warning", ids[row], f"all {n} systems answer it wrong", "check that it can be answered")
        for row in analysis.all_wrong
    ]
    count = len(analysis.all_right)
    message = f"all {n} systems answer {count} of {len(ids)} questions correctly, so these do not discriminate"
    easy = (
        [Finding("all_right", "warning", "", message, "add harder questions, or keep these as a check")]
        if count
        else []
    )
    return [*wrong, *hard, *easy]
