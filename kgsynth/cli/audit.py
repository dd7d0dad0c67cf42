"""``kgsynth audit``: the options, and what is printed; the work is in ``kgsynth.audit``."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kgsynth.cli.model_options import MODEL, model_options, settings, spent
from kgsynth.cli.progress import stage

if TYPE_CHECKING:
    pass


@click.command()
@click.argument("golden", type=click.Path(path_type=Path))
@click.option(
    "--docs",
    type=click.Path(path_type=Path),
    help="The folder of documents the set was made from. BEIR and SQuAD bring their own: with -o they go to OUT/docs.",
)
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path),
    help="A folder for audit.json, audit.txt and report.html, and for golden.jsonl when GOLDEN was made elsewhere.",
)
@click.option(
    "--map",
    "mapping",
    help="What the columns of a table are, such as question=Frage,answer=Antwort,contexts=Kontext,doc=Datei; "
    "JMESPath for nested JSON.",
)
@click.option(
    "--fix",
    "fixed",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the set to FILE with every span where its text stands now; what cannot be kept is listed.",
)
@click.option(
    "--mix", help="The shares the types should have, such as simple=0.5,reasoning=0.5; by default those of the run."
)
@click.option(
    "--runs", multiple=True, metavar="RUN_A RUN_B …", help="Runs of score on this set: which questions part systems?"
)
@click.option("--metric", help="With --runs: right is a 1 of this metric; by default sub_em, or else recall@5.")
@click.argument("more_runs", nargs=-1, metavar="")
@click.option("--quick", is_flag=True, help="Go by words alone: no embedding model, no parser, seconds.")
@click.option(
    "--against", type=click.Path(path_type=Path), help="Another set, such as one to train on; nothing may be in both."
)
@click.option("--llm", metavar="MODEL", help="Ask a language model what it answers without the documents.")
@model_options
@click.option("--json", "as_json", is_flag=True, help="Print audit.json instead of the summary.")
@click.option(
    "--fail-on",
    type=click.Choice(["warning", "error"]),
    help="End with exit code 1 when there is one as grave as this.",
)
@click.option("-q", "--quiet", is_flag=True, help="Print the result only.")
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
    """Check GOLDEN, any golden set, against the documents it speaks of.

    Sets of Ragas, DeepEval, LlamaIndex, SQuAD and BEIR, and tables with a question and an answer or contexts, are read
    too; their contexts are found in the documents, and -o writes them as a golden.jsonl that score and review take.

    Every evidence span must stand in its document letter for letter, and every golden answer must follow from its
    derivation or stand in its evidence. Told too are questions that leak, copy, repeat one another, have another
    answer elsewhere, or cannot be found; and what was never asked about. docs/audit.md names all checks.

    \b
    kgsynth audit golden.jsonl --docs docs
    kgsynth audit golden.jsonl --docs docs --quick
    kgsynth audit golden.jsonl --docs docs --against train.jsonl -o outputs/audit --fail-on error
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

    if more_runs and not runs:
        raise click.UsageError(f"{more_runs[0]!r} is one argument too many; runs of score come behind --runs")
    reaching = settings(llm, **{name: given[name] for name in MODEL})
    if fixed and fixed.resolve() == file_of(golden).resolve():
        raise click.UsageError(f"--fix would write over the set itself, {fixed}: give another place")
    report = audit(
        golden,
        docs,
        mapping=mapping,
        mix=Config.load(mix=mix).mix if mix else None,
        quick=quick,
        against=against,
        llm=llm,
        reaching=reaching,
        out=out,
        progress=partial(stage, quiet=quiet),
    )
    if report.usage and not quiet:
        click.echo(spent(report.usage), err=True)
    if runs:
        report = report.with_more(*item_analysis(report.dataset, (*runs, *more_runs), metric))
    click.echo(report.dumps() if as_json else report.to_text())
    if out:
        report.save(out)
        if not as_json:
            click.echo(f"\nreport: {out / 'report.html'}")
        if report.converted:
            place = f"{out / 'golden.jsonl'} with --docs {docs or out / 'docs'}"
            click.echo(f"\nas kgsynth has it, to be scored: {place}", err=as_json)
    if fixed:
        made = fix(report.dataset, report.documents)
        made.dataset.save(fixed)
        click.echo(f"\n{fixed}: {made.to_text()}", err=as_json)
    failing = report.at_least(fail_on) if fail_on else ()
    if failing:
        raise GateError(f"the audit of {golden} has {len(failing)} findings of severity {fail_on} or graver")
