"""``kgsynth abtest``: options and output; the work is in ``kgsynth.comparison.abtest``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from kgsynth.cli.command import Command
from kgsynth.cli.options import JSON_OPTION, PATH
from kgsynth.cli.output import result, write_results


@click.command(cls=Command)
@click.argument("file", type=PATH)
@click.option("--experiment", help="The experiment to analyse (default: all in FILE).")
@click.option("--outcome", "metric", default="success", help="What decides: success, latency or feedback.")
@click.option("--effect", default=0.05, help="The smallest difference that matters.")
@click.option("--power", default=0.8, help="The probability of detecting that difference.")
@click.option("--alpha", default=0.05, help="The significance level.")
@click.option("--base", type=float, help="The expected success rate (default: that of the first variant).")
@click.option("-o", "--out", type=PATH, help="The folder for abtest.json and abtest.txt.")
@JSON_OPTION
def command(file: Path, experiment: str | None, out: Path | None, as_json: bool, **planned: Any) -> None:
    """Analyse the recorded results of A/B tests in FILE, which kgsynth.comparison.abtest.Experiment wrote.

    Give the effect, power and alpha that you planned before the test began. They determine how many users are needed;
    until all of them are in, the advice is to keep collecting.

    \b
    kgsynth abtest ab.jsonl --effect 0.03
    """
    from kgsynth.comparison.abtest import ExperimentPlan, analyse, terminal
    from kgsynth.comparison.abtest.store import RecordStore

    plan = ExperimentPlan(**planned)
    store = RecordStore(file)
    names = [experiment] if experiment else store.experiments()
    found = [analyse(store, name, plan) for name in names]
    text = "\n\n".join(map(terminal, found)) or f"{file} has no experiments yet"
    values = [each.to_json() for each in found]
    if out:
        write_results(out, "abtest", text, values)
    result(text, values, as_json)
