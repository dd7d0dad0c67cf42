"""``kgsynth abtest``: the options, and what is printed; the work is in ``kgsynth.abtest``."""

from __future__ import annotations

import json
from pathlib import Path

import click


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--experiment", help="The experiment to analyse; by default all that are in FILE.")
@click.option("--metric", default="success", help="What decides: success, latency or feedback (default success).")
@click.option("--effect", default=0.05, help="The smallest difference that matters (default 0.05).")
@click.option("--power", default=0.8, help="The chance to find it (default 0.8).")
@click.option("--alpha", default=0.05, help="The chance to call nothing a difference (default 0.05).")
@click.option("--base", type=float, help="The success rate to reckon with (default: that of the first variant).")
@click.option("--json", "as_json", is_flag=True, help="Print the analyses as JSON instead of the tables.")
def command(
    file: Path,
    experiment: str | None,
    metric: str,
    effect: float,
    power: float,
    alpha: float,
    base: float | None,
    as_json: bool,
) -> None:
    """Analyse the A/B tests whose records are in FILE, which kgsynth.abtest.Experiment wrote.

    Give the effect, the power and the level as you planned them before the test began: they say how many users it
    takes, and until these are in, the advice is to keep collecting.

    \b
    kgsynth abtest ab.sqlite --effect 0.03
    """
    from kgsynth.comparison.abtest import Plan, analyse
    from kgsynth.comparison.abtest.store import Records
    from kgsynth.comparison.abtest.text import terminal

    plan = Plan(metric, effect, power, alpha, base)
    records = Records(file, create=False)
    names = [experiment] if experiment else records.experiments()
    found = [analyse(records, name, plan) for name in names]
    records.close()
    if as_json:
        click.echo(json.dumps([each.to_json() for each in found], ensure_ascii=False, indent=1))
    else:
        click.echo("\n\n".join(map(terminal, found)) or f"{file} has no experiment yet")
