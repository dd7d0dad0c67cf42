"""``kgsynth audit``: its options, and what it prints."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kgsynth.cli.llm_options import LLM_OPTIONS, llm_options, llm_settings, usage_summary
from kgsynth.cli.options import PATH, map_option
from kgsynth.cli.progress import stage

if TYPE_CHECKING:
    from kgsynth.auditing.report import AuditReport


@click.command()
@click.argument("golden", type=PATH)
@click.option(
    "--docs",
    type=PATH,
    help="The folder of documents that the set was made from. BEIR and SQuAD bring theirs: -o writes them to OUT/docs.",
)
@click.option(
    "-o",
    "--out",
    type=PATH,
    help="A folder for audit.json, audit.txt and report.html, and for golden.jsonl if GOLDEN has another format.",
)
@map_option
@click.option(
    "--fix",
    "fixed",
    type=PATH,
    metavar="FILE",
    help="Write the set to FILE with every span moved to where its text is now; list what cannot be kept.",
)
@click.option(
    "--mix", help="The expected shares of the types, such as simple=0.5,reasoning=0.5 (default: those of the run)."
)
@click.option(
    "--runs",
    multiple=True,
    metavar="RUN_A RUN_B …",
    help="Runs of score on this set: which questions separate good from bad systems?",
)
@click.option(
    "--metric",
    help="With --runs: an answer is right if this metric is 1 (default: sub_em if the runs have answers, else "
    "recall@5).",
)
@click.argument("more_runs", nargs=-1, metavar="")
@click.option("--quick", is_flag=True, help="Use no embedding model and no parser: checks of words only, in seconds.")
@click.option("--against", type=PATH, help="Another set, such as training data; report what is in both.")
@click.option(
    "--llm", metavar="MODEL", help="A language model: check which questions it answers without the documents."
)
@llm_options
@click.option("--json", "as_json", is_flag=True, help="Print audit.json instead of the summary.")
@click.option(
    "--fail-on",
    type=click.Choice(["warning", "error", "never"]),
    help="Exit with code 1 if there is a finding of this severity or higher (default: error; with --fix never).",
)
@click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
def command(
    golden: Path,
    docs: Path | None,
    out: Path | None,
    mapping: str | None,
    fixed: Path | None,
    mix: str | None,
    runs: tuple[str, ...],
    more_runs: tuple[str, ...],
    metric: str | None,
    quick: bool,
    against: Path | None,
    llm: str | None,
    as_json: bool,
    fail_on: str | None,
    quiet: bool,
    **given: Any,
) -> None:
    """Check the golden set GOLDEN against its documents.

    GOLDEN can also be a set of Ragas, DeepEval, LlamaIndex, SQuAD or BEIR, or a table with questions and answers or
    contexts. kgsynth finds their contexts in the documents, and -o writes a golden.jsonl for score and review.

    Every evidence span must be exactly in its document, and every golden answer must follow from its derivation or
    occur in its evidence. docs/audit.md lists all other checks, such as for leaking, copied and repeated questions.

    \b
    kgsynth audit golden.jsonl --docs docs
    kgsynth audit golden.jsonl --docs docs --quick
    kgsynth audit golden.jsonl --docs docs --against train.jsonl -o outputs/audit --fail-on warning
    kgsynth audit golden.jsonl --docs docs --fix golden.fixed.jsonl
    kgsynth audit testset.csv --docs docs -o outputs/ragas
    kgsynth audit golden.jsonl --docs docs --runs outputs/bm25 outputs/dense outputs/hybrid
    """
    from kgsynth.auditing import audit
    from kgsynth.auditing.fix import fix
    from kgsynth.base.config import Config
    from kgsynth.base.errors import GateError
    from kgsynth.comparison.item_analysis import item_analysis
    from kgsynth.golden.dataset import file_of
    from kgsynth.show.wording import many

    if more_runs and not runs:
        raise click.UsageError(f"{more_runs[0]!r} is one argument too many; give runs of score after --runs")
    settings = llm_settings(llm, **{name: given[name] for name in LLM_OPTIONS})
    if fixed and fixed.resolve() == file_of(golden).resolve():
        raise click.UsageError(f"--fix would overwrite the set itself, {fixed}; give another path")
    report = audit(
        golden,
        docs,
        mapping=mapping,
        mix=Config.load(mix=mix).mix if mix else None,
        quick=quick,
        against=against,
        llm=llm,
        llm_settings=settings,
        out=out,
        progress=partial(stage, quiet=quiet),
    )
    if report.usage and not quiet:
        click.echo(f"language model: {usage_summary(report.usage)}", err=True)
    if runs:
        report = report.with_more(*item_analysis(report.dataset, (*runs, *more_runs), metric))
    click.echo(report.dumps() if as_json else report.to_text())
    if out:
        _save(report, out, docs or out / "docs", as_json)
    if fixed:
        made = fix(report.dataset, report.documents)
        made.dataset.save(fixed)
        click.echo(f"\n{fixed}: {made.to_text()}", err=as_json)
    fail_on = fail_on or ("never" if fixed else "error")
    if fail_on != "never" and (failing := report.at_least(fail_on)):
        raise GateError(f"the audit of {golden} has {many(len(failing), 'finding')} of severity {fail_on} or higher")


def _save(report: AuditReport, out: Path, docs: Path, as_json: bool) -> None:
    report.save(out)
    if not as_json:
        click.echo(f"\nreport: {out / 'report.html'}")
    if report.converted:
        converted = out / "golden.jsonl"
        score = f"kgsynth score {converted} --docs {docs} --rag SYSTEM"
        click.echo(f"\nConverted to {converted}. Score it with: {score}", err=as_json)
