"""``kgsynth history``, and the options by which ``score`` enters its run; the work is in ``kgsynth.history``."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import click


@click.command()
@click.argument("place", required=False, type=click.Path(path_type=Path), metavar="[FOLDER_OR_FILE]")
@click.option("--metric", "metrics", multiple=True, help="A metric to show; by default the headlines of the report.")
@click.option("--golden", default="", metavar="SHA", help="Only runs on the golden set whose hash begins so.")
@click.option("--system", default="", help="Only runs of this system.")
@click.option("--plot", "picture", type=click.Path(path_type=Path), metavar="FILE.png|.svg", help="Draw them there.")
@click.option("--add", multiple=True, type=click.Path(path_type=Path), metavar="RUN", help="Enter a run first.")
@click.option("--mlflow", metavar="URI", help="Hand the runs to MLflow, those that it does not have yet.")
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

    score -o outputs/NAME enters its run in outputs/history.sqlite. FOLDER_OR_FILE is the folder of the runs, or
    the index itself; when nothing is said it is outputs or, with --add, the folder of the run added.

    \b
    kgsynth history
    kgsynth history outputs --metric recall@5 --metric latency_p95 --plot outputs/history.png
    kgsynth history --add outputs/old
    """
    from kgsynth.comparison.history import History, index_of
    from kgsynth.comparison.history.series import chosen
    from kgsynth.comparison.history.text import terminal

    index = index_of(place or (add[0].resolve().parent if add else Path("outputs")))
    history = History(index, create=bool(add))
    for run in add:
        history.enter(run)
    entries = history.entries(golden, system)
    history.close()
    shown = chosen(entries, metrics)
    if as_json:
        click.echo(json.dumps([entry.to_json() for entry in entries], ensure_ascii=False, indent=1))
    else:
        click.echo(terminal(entries, shown))
    if picture:
        from kgsynth.comparison.history.plot import plot

        plot(entries, shown, picture)
        click.echo(f"drawn: {picture}", err=True)
    if mlflow:
        from kgsynth.comparison.history.mlflow_export import export

        number = export(entries, mlflow, index.parent)
        click.echo(f"{number} of {len(entries)} runs handed to MLflow; it had the others", err=True)


# ---- score ------------------------------------------------------------------------------------------


def history_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give ``score`` the options ``--history`` and ``--no-history``, as arguments of their names."""
    where = click.option(
        "--history",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="With -o: the index to enter the run in (default: history.sqlite beside the folder).",
    )
    return where(click.option("--no-history", is_flag=True, help="Enter the run in no index.")(command))


def enter(out: Path | None, history: Path | None, no_history: bool) -> None:
    """Enter the run that ``score`` wrote to ``out``; what stands in the way is told and ends nothing."""
    if out is None and history:
        click.echo("--history needs the folder of the run: give it with -o", err=True)
    if out is None or no_history:
        return
    from kgsynth.base.errors import InputError
    from kgsynth.comparison.history import NAME, History

    index = History(history or out.resolve().parent / NAME)
    try:
        index.enter(out)
    except (InputError, OSError) as error:
        click.echo(f"the run is not entered in the history: {error}", err=True)
    finally:
        index.close()
