"""``kgsynth abtest``: options and output; the work is in ``kgsynth.comparison.abtest``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from kgsynth.cli.options import PATH
from kgsynth.cli.screen import echo


@click.command()
@click.argument("file", type=PATH)
@click.option("--experiment", help="The experiment to analyse (default: all in FILE).")
@click.option("--metric", default="success", help="What decides: success, latency or feedback.")
@click.option("--effect", default=0.05, help="The smallest difference that matters.")
@click.option("--power", default=0.8, help="The probability of detecting that difference.")
@click.option("--alpha", default=0.05, help="The significance level.")
@click.option("--base", type=float, help="The expected success rate (default: that of the first variant).")
@click.option("--json", "as_json", is_flag=True, help="Print the analyses as JSON instead of the tables.")
def command(file: Path, experiment: str | None, as_json: bool, **planned: Any) -> None:
    """Analyse the recorded results of A/B tests in FILE, which kgsynth.comparison.abtest.Experiment wrote.

    Give the effect, power and alpha that you planned before the test began. They determine how many users are needed;
    until all of them are in, the advice is to keep collecting.

    \b
    kgsynth abtest ab.sqlite --effect 0.03
    """
    from kgsynth.comparison.abtest import ExperimentPlan, analyse
    from kgsynth.comparison.abtest.store import RecordStore
    from kgsynth.comparison.abtest.text import terminal

    plan = ExperimentPlan(**planned)
    store = RecordStore(file, create=False)
    names = [experiment] if experiment else store.experiments()
    found = [analyse(store, name, plan) for name in names]
    store.close()
    if as_json:
        echo(json.dumps([each.to_json() for each in found], ensure_ascii=False, indent=1), as_json=True)
    else:
        echo("\n\n".join(map(terminal, found)) or f"{file} has no experiments yet")
