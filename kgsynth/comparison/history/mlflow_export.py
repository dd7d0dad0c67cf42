"""Export a history to MLflow: one MLflow run for each run of ``score``, with its metrics, parameters and tags.

The client is the package mlflow or mlflow-skinny (extra ``mlflow``), imported only for an export. A tag identifies the
runs already exported, so a second export adds nothing.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from kgsynth.base.errors import ConfigError, SystemUnreachableError
from kgsynth.scoring.history import Entry

EXPERIMENT_NAME = "kgsynth"
"""The name of the experiment in MLflow."""
RUN_TAG = "kgsynth.run"
"""The tag that identifies a run already exported."""
_MAX_TAG_CHARS = 5000
"""The longest tag value that every MLflow server accepts."""
_MAX_ERROR_CHARS = 200
_METRICS_PER_REQUEST = 500
"""MLflow accepts at most 1,000 metrics, parameters and tags together in a request."""


def export(entries: Iterable[Entry], uri: str, base: Path) -> int:
    """Export the runs that MLflow at ``uri`` does not have yet, and return their number.

    ``base`` is the folder of the index, to which the folders of the runs are relative.

    Raises:
        ConfigError: no MLflow client is installed.
        SystemUnreachableError: MLflow does not accept the runs.
    """
    try:
        from mlflow import MlflowClient
        from mlflow.exceptions import MlflowException
    except ImportError:
        raise ConfigError("--mlflow needs an MLflow client: run pip install 'kgsynth[mlflow]'") from None
    try:
        client = MlflowClient(tracking_uri=uri)
        known = client.get_experiment_by_name(EXPERIMENT_NAME)
        experiment = known.experiment_id if known else client.create_experiment(EXPERIMENT_NAME)
        return sum(_export_run(client, experiment, entry, base) for entry in entries)
    except (MlflowException, OSError) as error:
        reason = str(error).splitlines()[0][:_MAX_ERROR_CHARS]
        message = f"MLflow at {uri} does not accept the runs ({reason}): check that it is running"
        raise SystemUnreachableError(re.sub(r"//[^/@\s]*@", "//", message)) from error  # without the password


def _export_run(client: Any, experiment: str, entry: Entry, base: Path) -> bool:
    """Export one run, or complete an interrupted export; return False if MLflow already has the run."""
    key = hashlib.sha256("\n".join((entry.golden, entry.signature, entry.content)).encode()).hexdigest()
    existing = client.search_runs([experiment], f"tags.`{RUN_TAG}` = '{key}'", max_results=1)
    if existing and existing[0].info.status == "FINISHED":
        return False
    moment = int(datetime.fromisoformat(entry.when).timestamp() * 1000)
    folder = (base / entry.folder).resolve().as_posix()
    tags = {RUN_TAG: key, "signature": entry.signature[:_MAX_TAG_CHARS], "folder": folder}
    run = existing[0] if existing else client.create_run(experiment, moment, tags, Path(folder).name)
    _log(client, run.info.run_id, entry, moment)
    client.set_terminated(run.info.run_id, "FINISHED", moment)
    return True


def _log(client: Any, run_id: str, entry: Entry, moment: int) -> None:
    from mlflow.entities import Metric, Param

    params = {"system": entry.system, "golden": entry.golden, "n_items": entry.n_items}
    metrics = [Metric(name, value, moment, 0) for name, value in _values(entry).items()]
    client.log_batch(run_id, params=[Param(name, str(value)) for name, value in params.items()])
    for begin in range(0, len(metrics), _METRICS_PER_REQUEST):
        client.log_batch(run_id, metrics=metrics[begin : begin + _METRICS_PER_REQUEST])


def _values(entry: Entry) -> Mapping[str, float]:
    """Return all numbers of a run by their names in MLflow, with the ends of an interval as ``.low`` and ``.high``."""
    values: dict[str, float] = {"n_errors": float(entry.n_errors)}
    if entry.passed is not None:
        values["gates_passed"] = float(entry.passed)
    for metric, found in entry.metrics.items():
        name = mlflow_name(metric)
        values[name] = found.value
        if found.ci95:
            values |= {f"{name}.low": found.ci95[0], f"{name}.high": found.ci95[1]}
    return values


def mlflow_name(metric: str) -> str:
    """Return the name of a metric with only characters that MLflow allows.

    Example:
        >>> mlflow_name("recall@5")
        'recall_at_5'
    """
    return re.sub(r"[^\w./ -]", "_", metric.replace("@", "_at_"))
