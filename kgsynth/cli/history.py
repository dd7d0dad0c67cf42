"""``kgsynth history``, and the options of ``score`` that say where its run is added."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import click

from kgsynth.cli.command import Command
from kgsynth.cli.options import JSON_OPTION, PATH, REPORT_FOLDER
from kgsynth.cli.output import note, result, write_results, wrote


@click.command(cls=Command)
@click.argument("place", required=False, type=PATH, metavar="[FOLDER_OR_FILE]")
@click.option(
    "--metric", "metrics", multiple=True, help="Show this metric only (repeatable; default: the main metrics)."
)
@click.option(
    "--golden", default="", show_default=False, metavar="SHA", help="Only runs on the set with this hash prefix."
)
@click.option("--system", default="", show_default=False, help="Only runs of this system.")
@click.option("--add", multiple=True, type=PATH, metavar="RUN", help="First add this run (repeatable).")
@click.option("-o", "--out", type=REPORT_FOLDER, help="The folder for history.json, history.txt and report.html.")
@JSON_OPTION
def command(
    place: Path | None,
    metrics: tuple[str, ...],
    golden: str,
    system: str,
    add: tuple[Path, ...],
    out: Path | None,
    as_json: bool,
) -> None:
    """List the runs of score, oldest first, with the trend of each metric.

    score -o outputs/NAME adds its run to outputs/history.sqlite. FOLDER_OR_FILE is a history.sqlite or the folder
    that contains it (default: the one in or below "outputs"; with --add, the folder that contains RUN).

    \b
    kgsynth history
    kgsynth history outputs --metric recall@5 --metric latency_p95 -o outputs/trend
    """
    from kgsynth.comparison.history import metrics_to_show, terminal
    from kgsynth.scoring.history import History, find_index, index_path

    if place or add:
        index = index_path(place or add[0].resolve().parent)
    else:
        index = find_index(Path("outputs"))
        note(f"history: {index}")
    history = History(index, create=bool(add))
    for run in add:
        history.add(run)
    entries = history.entries(golden, system)
    history.close()
    shown = metrics_to_show(entries, metrics)
    text, values = terminal(entries, shown), [asdict(entry) for entry in entries]
    if out:
        from kgsynth.comparison.history import page
        from kgsynth.show.start_page import write_report

        write_results(out, "history", text, values)
        write_report(out, page(entries, shown, index.parent, out).files())
    result(text, values, as_json)
    if out:
        wrote(f"report: {out / 'report.html'}")


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
