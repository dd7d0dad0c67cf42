"""``kgsynth history``, and the options of ``score`` that say where its run is added."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import click

from kgsynth.cli.options import PATH
from kgsynth.cli.screen import echo


@click.command()
@click.argument("place", required=False, type=PATH, metavar="[FOLDER_OR_FILE]")
@click.option(
    "--metric", "metrics", multiple=True, help="A metric to show (repeatable; default: the headline metrics)."
)
@click.option(
    "--golden", default="", show_default=False, metavar="SHA", help="Only runs on the set with this hash prefix."
)
@click.option("--system", default="", show_default=False, help="Only runs of this system.")
@click.option("--plot", "picture", type=PATH, metavar="FILE.png|.svg", help="Plot the metrics to this file.")
@click.option("--add", multiple=True, type=PATH, metavar="RUN", help="First add this run (repeatable).")
@click.option("--mlflow", metavar="URI", help="Export the runs that MLflow does not have yet.")
@click.option("--json", "as_json", is_flag=True, help="Print the runs as JSON instead of the tables.")
def command(
    place: Path | None,
    metrics: tuple[str, ...],
    golden: str,
    system: str,
    picture: Path | None,
    add: tuple[Path, ...],
    mlflow: str | None,
    as_json: bool,
) -> None:
    """List the runs of score, oldest first, with the trend of each metric.

    score -o outputs/NAME adds its run to outputs/history.sqlite. FOLDER_OR_FILE is a history.sqlite or the folder
    that contains it (default: "outputs"; with --add, the folder that contains RUN).

    \b
    kgsynth history
    kgsynth history outputs --metric recall@5 --metric latency_p95 --plot outputs/history.png
    kgsynth history --add outputs/old
    """
    from kgsynth.comparison.history.series import metrics_to_show
    from kgsynth.comparison.history.text import terminal
    from kgsynth.scoring.history import History, index_path

    index = index_path(place or (add[0].resolve().parent if add else Path("outputs")))
    history = History(index, create=bool(add))
    for run in add:
        history.add(run)
    entries = history.entries(golden, system)
    history.close()
    shown = metrics_to_show(entries, metrics)
    if as_json:
        echo(json.dumps([asdict(entry) for entry in entries], ensure_ascii=False, indent=1), as_json=True)
    else:
        echo(terminal(entries, shown))
    if picture:
        from kgsynth.comparison.history.plot import plot

        plot(entries, shown, picture)
        echo(f"plot: {picture}", err=True)
    if mlflow:
        from kgsynth.comparison.history.mlflow_export import export

        number = export(entries, mlflow, index.parent)
        echo(f"{number} of {len(entries)} runs exported to MLflow; it already had the others", err=True)


# ---- score ------------------------------------------------------------------------------------------


def history_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options ``--history`` and ``--no-history`` to ``score``, as arguments ``history`` and ``no_history``."""
    where = click.option(
        "--history",
        type=PATH,
        metavar="FILE",
        help="With -o: the history file to add the run to (default: history.sqlite in the parent of the -o folder).",
    )
    return where(click.option("--no-history", is_flag=True, help="Do not add the run to a history file.")(command))
