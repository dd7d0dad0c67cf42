"""``kgsynth audit``: its options, and what it prints."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kgsynth.cli.command import Command
from kgsynth.cli.folder_options import chosen_documents, folder_options, note_remarks
from kgsynth.cli.llm_options import LLM_OPTIONS, llm_options, llm_settings, usage_summary
from kgsynth.cli.options import JSON_OPTION, MAP_OPTION, PATH, REPORT_FOLDER
from kgsynth.cli.output import advise, echo, note, stage, wrote

if TYPE_CHECKING:
    from kgsynth.auditing.report import AuditReport


@click.command(
    cls=Command,
    groups={
        "Common options": "docs out quick fail_on json",
        "Input": "include exclude map mix against",
        "Repair": "fix",
        "Runs of score": "runs correct_if",
        "Language model": "llm llm_config max_calls max_tokens max_cost",
    },
)
@click.argument("golden", type=PATH)
@click.option(
    "--docs",
    type=PATH,
    help="The folder of documents (default: those of the run). With -o, those inside a BEIR or SQuAD set are written "
    "to OUT/docs.",
)
@click.option(
    "-o",
    "--out",
    type=REPORT_FOLDER,
    help="A folder for audit.json, audit.txt and report.html, and for golden.jsonl if GOLDEN has another format.",
)
@folder_options
@MAP_OPTION
@click.option(
    "--fix",
    "fixed",
    type=PATH,
    metavar="FILE",
    help="Write the set to FILE with every span moved to where its text is now; list what cannot be kept.",
)
@click.option(
    "--mix",
    help="The shares of question types, such as simple=0.5,reasoning=0.5, that the set should have (default: those of "
    "the run).",
)
@click.option(
    "--runs",
    multiple=True,
    metavar="RUN_A RUN_B …",
    help="Runs of score on this set: which questions separate good from bad systems?",
)
@click.option(
    "--correct-if",
    "metric",
    metavar="METRIC",
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
@JSON_OPTION
@click.option(
    "--fail-on",
    type=click.Choice(["warning", "error", "never"]),
    help="Exit with code 1 if there is a finding of this severity or higher (default: error; with --fix never).",
)
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
    **given: Any,
) -> None:
    """Check the golden set GOLDEN against its documents.

    GOLDEN can also be a set of Ragas, DeepEval, LlamaIndex, LangSmith, promptfoo, SQuAD, BEIR or TREC, or a table with
    questions and answers or contexts. kgsynth finds their contexts in the documents, and -o writes a golden.jsonl for
    score and review.

    Every evidence span must be exactly in its document, and every golden answer must follow from its derivation or
    occur in its evidence. docs/audit.md lists all other checks, such as for leaking, copied and repeated questions.

    \b
    kgsynth audit golden.jsonl --docs docs
    kgsynth audit testset.csv --docs docs -o outputs/ragas
    """
    from kgsynth.auditing import audit
    from kgsynth.auditing.fix import settle
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
        chosen_documents(docs, given["include"], given["exclude"]),
        mapping=mapping,
        mix=Config.load(mix=mix).mix if mix else None,
        quick=quick,
        against=against,
        llm=llm,
        llm_settings=settings,
        out=out,
        progress=stage,
    )
    if docs:
        note_remarks(report.documents.values())
    if report.usage:
        note(f"language model: {usage_summary(report.usage)}")
    if runs:
        report = report.with_more(*item_analysis(report.dataset, (*runs, *more_runs), metric))
    echo(report.dumps() if as_json else report.to_text(short=True), as_json=as_json)
    _save(report, out, docs, as_json)
    if fixed:
        again = partial(audit, docs=(*report.documents.values(),), quick=quick, against=against, progress=stage)
        made = settle(report, again)
        made.dataset.save(fixed)
        echo(f"\n{fixed}: {made.to_text()}", err=as_json)
    _advise_renewal(report, file_of(golden))
    fail_on = fail_on or ("never" if fixed else "error")
    if fail_on != "never" and (failing := report.at_least(fail_on)):
        raise GateError(f"the audit of {golden} has {many(len(failing), 'finding')} of severity {fail_on} or higher")


def _advise_renewal(report: AuditReport, golden: Path) -> None:
    """Say that ``generate`` renews the set of a run, if evidence is not in place."""
    from kgsynth.auditing.checks import DRIFT
    from kgsynth.base.run_folder.manifest import docs_of_run

    of_run = golden.name == "golden.jsonl" and docs_of_run(golden)
    if of_run and report.docs and not report.counts.keys().isdisjoint(DRIFT):
        command = f"kgsynth generate {report.docs} -o {golden.parent}"
        advise(f"\nbetter: {command} renews the set itself, and writes new questions for those that --fix leaves out")


def _save(report: AuditReport, out: Path | None, docs: Path | None, as_json: bool) -> None:
    if out is None:
        if report.findings and not as_json:
            advise("\n-o FOLDER writes a report with all findings, and what to do about each.")
        return
    report.save(out)
    wrote(f"\nreport: {out / 'report.html'}")
    if report.converted:
        converted = out / "golden.jsonl"
        score = f"kgsynth score {converted} --docs {docs or out / 'docs'} --rag SYSTEM"
        advise(f"\nConverted to {converted}. Score it with: {score}")
