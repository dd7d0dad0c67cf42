"""Hand a history to MLflow: one MLflow run for each run of ``score``, with its metrics, parameters and tags.

The client is the package mlflow or mlflow-skinny, which the extra ``mlflow`` brings; it is imported when it is asked
for. What was handed over is known again by a tag, so a second export adds nothing.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from kgsynth.base.errors import ConfigError, SystemUnreachableError
from kgsynth.comparison.history import Entry

EXPERIMENT = "kgsynth"
"""The name of the experiment in MLflow."""
KEY = "kgsynth.run"
"""The tag by which a run is known again."""
_LONGEST = 5000
"""The longest tag value that every MLflow server takes."""
_TOLD = 200
"""How much of the client's own words is told when it fails."""
_BATCH = 500
"""How many metrics go in one request; MLflow takes a thousand of everything together."""


def export(entries: Iterable[Entry], uri: str, base: Path) -> int:
    """Hand the runs that MLflow at ``uri`` does not have yet to it, and return how many these were.

    ``base`` is the folder of the index, from which the folders of the runs are told.

    Raises:
        ConfigError: no MLflow client is installed.
        SystemUnreachableError: MLflow does not take the runs.
    """
    try:
        from mlflow import MlflowClient
        from mlflow.exceptions import MlflowException
    except ImportError:
        raise ConfigError("--mlflow needs an MLflow client, none is installed: pip install 'kgsynth[mlflow]'") from None
    try:
        client = MlflowClient(tracking_uri=uri)
        known = client.get_experiment_by_name(EXPERIMENT)
        experiment = known.experiment_id if known else client.create_experiment(EXPERIMENT)
        return sum(_hand_over(client, experiment, entry, base) for entry in entries)
    except (MlflowException, OSError) as error:
        told = f"MLflow at {uri} does not take the runs ({str(error).splitlines()[0][:_TOLD]}): see that it runs"
        raise SystemUnreachableError(re.sub(r"//[^/@\s]*@", "//", told)) from error  # no password in what is printed


def _hand_over(client: Any, experiment: str, entry: Entry, base: Path) -> bool:
    """Log one run, unless it is there and finished; one that was broken off is gone on with."""
    key = hashlib.sha256("\n".join((entry.golden, entry.signature, entry.content)).encode()).hexdigest()
    there = client.search_runs([experiment], f"tags.`{KEY}` = '{key}'", max_results=1)
    if there and there[0].info.status == "FINISHED":
        return False
    moment = int(datetime.fromisoformat(entry.when).timestamp() * 1000)
    folder = (base / entry.folder).resolve().as_posix()
    tags = {KEY: key, "signature": entry.signature[:_LONGEST], "folder": folder}
    run = there[0] if there else client.create_run(experiment, moment, tags, Path(folder).name)
    _log(client, run.info.run_id, entry, moment)
    client.set_terminated(run.info.run_id, "FINISHED", moment)
    return True


def _log(client: Any, run_id: str, entry: Entry, moment: int) -> None:
    from mlflow.entities import Metric, Param

    params = {"system": entry.system, "golden": entry.golden, "n_items": entry.n_items}
    metrics = [Metric(name, value, moment, 0) for name, value in _values(entry).items()]
    client.log_batch(run_id, params=[Param(name, str(value)) for name, value in params.items()])
    for begin in range(0, len(metrics), _BATCH):
        client.log_batch(run_id, metrics=metrics[begin : begin + _BATCH])


def _values(entry: Entry) -> Mapping[str, float]:
    """Return all figures under names that MLflow takes, the ends of an interval beside their metric."""
    values: dict[str, float] = {"n_errors": float(entry.n_errors)}
    if entry.passed is not None:
        values["gates_passed"] = float(entry.passed)
    for metric, figure in entry.metrics.items():
        name = plain(metric)
        values[name] = figure.value
        if figure.ci95:
            values |= {f"{name}.low": figure.ci95[0], f"{name}.high": figure.ci95[1]}
    return values


def plain(metric: str) -> str:
    """Return the name of a metric in the letters that MLflow allows.

    Example:
        >>> plain("recall@5")
        'recall_at_5'
    """
    return re.sub(r"[^\w./ -]", "_", metric.replace("@", "_at_"))
