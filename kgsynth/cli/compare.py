"""``kgsynth compare``: the options, and what is printed; the work is in ``kgsynth.compare``."""

from __future__ import annotations

import json
from pathlib import Path

import click


@click.command()
@click.argument("runs", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="RUN_A RUN_B [RUN_C …]")
@click.option("--metric", "metrics", multiple=True, help="A metric to compare; by default the headlines of the report.")
@click.option(
    "-o", "--out", type=click.Path(path_type=Path), help="A folder for compare.json, compare.md and report.html."
)
@click.option("--json", "as_json", is_flag=True, help="Print compare.json instead of the tables.")
def command(runs: tuple[Path, ...], metrics: tuple[str, ...], out: Path | None, as_json: bool) -> None:
    """Compare runs of score on one golden set: RUN_B and every later run with RUN_A.

    Each RUN is a folder that score wrote with -o. A difference counts only if it is more than what questions that share
    documents give by chance; how small a difference this set could have shown is told too.

    \b
    kgsynth compare outputs/bm25 outputs/hybrid
    kgsynth compare outputs/bm25 outputs/dense outputs/hybrid --metric recall@5 --metric mrr -o outputs/compared
    """
    from kgsynth.comparison.runs import compare
    from kgsynth.comparison.text import markdown, terminal

    comparison = compare(runs, metrics)
    told = json.dumps(comparison.to_json(), ensure_ascii=False, indent=1)
    if out:
        from kgsynth.base.atomic_files import write_files
        from kgsynth.comparison.page import page

        texts = {"compare.json": f"{told}\n", "compare.md": markdown(comparison)}
        write_files(out, ((name, text.encode()) for name, text in texts.items()))
        write_files(out, page(comparison).files())
    click.echo(told if as_json else terminal(comparison))
    if out and not as_json:
        click.echo(f"\nreport: {out / 'report.html'}")
