"""``kgsynth compare``: options and output; the work is in ``kgsynth.comparison``."""

from __future__ import annotations

import json
from pathlib import Path

import click

from kgsynth.cli.command import Command
from kgsynth.cli.options import JSON_OPTION, PATH, REPORT_FOLDER
from kgsynth.cli.output import advise, echo, wrote


@click.command(cls=Command)
@click.argument("runs", nargs=-1, required=True, type=PATH, metavar="RUN_A RUN_B [RUN_C …]")
@click.option(
    "--metric", "metrics", multiple=True, help="Show this metric only (repeatable; default: the main metrics)."
)
@click.option("--only", multiple=True, metavar="TAG", help="Take only questions with this tag (repeatable).")
@click.option("--force", is_flag=True, help="Test also metrics that do not mean the same in all runs.")
@click.option("-o", "--out", type=REPORT_FOLDER, help="Write compare.json, compare.md and report.html here.")
@JSON_OPTION
def command(
    runs: tuple[Path, ...],
    metrics: tuple[str, ...],
    only: tuple[str, ...],
    force: bool,
    out: Path | None,
    as_json: bool,
) -> None:
    """Test which of two or more runs on one golden set differ significantly.

    Each RUN is a folder that score wrote with -o, or a file of Inspect, promptfoo or Ragas. All pairs of runs are
    compared. One metric decides: the pass rate, or without answers the recall. Its p-values are corrected for all
    pairs, and the other metrics are exploratory. The tests take into account that questions about one document succeed
    and fail together. The smallest difference that the set can detect is shown too.

    \b
    kgsynth compare outputs/bm25 outputs/hybrid
    kgsynth compare outputs/bm25 outputs/dense outputs/hybrid --metric recall@5 --metric mrr -o outputs/compared
    """
    from kgsynth.comparison.headline import headline
    from kgsynth.comparison.runs import compare
    from kgsynth.comparison.text import markdown, terminal

    comparison = compare(runs, metrics, only=only, force=force)
    as_json_object = {"headline": headline(comparison), **comparison.to_json()}
    as_text = json.dumps(as_json_object, ensure_ascii=False, indent=1)
    if out:
        from kgsynth.comparison.page import page
        from kgsynth.show.start_page import write_report

        texts = {"compare.json": f"{as_text}\n", "compare.md": markdown(comparison)}
        own = ((name, text.encode()) for name, text in texts.items())
        write_report(out, [*own, *page(comparison).files()])
    echo(as_text if as_json else terminal(comparison), as_json=as_json)
    if out:
        wrote(f"\nreport: {out / 'report.html'}")
    elif not as_json:
        advise(
            "\n-o FOLDER writes a report with p-values, detectable differences and all questions; see docs/compare.md"
        )
