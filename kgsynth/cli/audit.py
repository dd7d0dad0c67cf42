"""``kgsynth audit``: its options, and what it prints."""

from __future__ import annotations

import json
from contextlib import closing, nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kgsynth.cli.llm_options import LLM_OPTIONS, llm_options, llm_settings, usage_summary
from kgsynth.cli.progress import stage

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kgsynth.auditing import AuditReport
    from kgsynth.base.records import Document
    from kgsynth.golden.dataset import Dataset
    from kgsynth.golden.exchange import Questions, Reading


@click.command()
@click.argument("golden", type=click.Path(path_type=Path))
@click.option(
    "--docs",
    type=click.Path(path_type=Path),
    help="The folder of documents that the set was made from. BEIR and SQuAD bring theirs: -o writes them to OUT/docs.",
)
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path),
    help="A folder for audit.json, audit.txt and report.html, and for golden.jsonl if GOLDEN has another format.",
)
@click.option(
    "--map",
    "mapping",
    help="The columns of a table, such as question=Frage,answer=Antwort,contexts=Kontext,doc=Datei; for nested JSON "
    "JMESPath expressions.",
)
@click.option(
    "--fix",
    "fixed",
    type=click.Path(path_type=Path),
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
    "--metric", help="With --runs: an answer is right if this metric is 1 (default: sub_em, otherwise recall@5)."
)
@click.argument("more_runs", nargs=-1, metavar="")
@click.option("--quick", is_flag=True, help="Use no embedding model and no parser: checks of words only, in seconds.")
@click.option(
    "--against", type=click.Path(path_type=Path), help="Another set, such as training data; report what is in both."
)
@click.option(
    "--llm", metavar="MODEL", help="A language model: check which questions it answers without the documents."
)
@llm_options
@click.option("--json", "as_json", is_flag=True, help="Print audit.json instead of the summary.")
@click.option(
    "--fail-on",
    type=click.Choice(["warning", "error"]),
    help="Exit with code 1 if there is a finding of this severity or higher.",
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
    kgsynth audit golden.jsonl --docs docs --against train.jsonl -o outputs/audit --fail-on error
    kgsynth audit golden.jsonl --docs docs --fix golden.fixed.jsonl
    kgsynth audit testset.csv --docs docs -o outputs/ragas
    kgsynth audit golden.jsonl --docs docs --runs outputs/bm25 outputs/dense outputs/hybrid
    """
    from kgsynth.auditing import audit, gather
    from kgsynth.base.config import Config
    from kgsynth.base.errors import GateError
    from kgsynth.comparison.item_analysis import item_analysis
    from kgsynth.documents import read_documents
    from kgsynth.golden.exchange import read

    if more_runs and not runs:
        raise click.UsageError(f"{more_runs[0]!r} is one argument too many; give runs of score after --runs")
    wanted = Config.load(mix=mix).mix if mix else _mix_of_run(golden)
    reaching = llm_settings(llm, **{name: given[name] for name in LLM_OPTIONS})
    questions = read(golden, mapping)  # report a wrong file before documents are read
    _check_outputs(golden, {"--fix": fixed, "-o": out / "golden.jsonl" if out and questions.own is None else None})
    other = read(against) if against else None
    documents = {document.id: document for document in read_documents(docs or _own_documents(questions, out))}
    reading = questions.locate(documents)
    with closing(_model(llm, reaching)) if llm else nullcontext() as model:
        beside = other.locate(documents).dataset if other else None
        progress = partial(stage, quiet=quiet)
        means = gather(documents, golden, quick=quick, against=beside, model=model, progress=progress)
        report = audit(reading, documents, mix=wanted, means=means)
        if model is not None and not quiet:
            click.echo(f"language model: {usage_summary(model.spending.to_json())}", err=True)
    if runs:
        report = report.with_more(*item_analysis(reading.dataset, (*runs, *more_runs), metric))
    click.echo(report.dumps() if as_json else report.to_text())
    if out:
        _write(out, report, reading, documents, converted=questions.own is None)
        _print_files(out, docs or out / "docs", as_json, converted=questions.own is None)
    if fixed:
        click.echo(f"\n{fixed}: {_fix(reading.dataset, documents, fixed)}", err=as_json)
    if fail_on and (failing := report.at_least(fail_on)):
        findings = "1 finding" if len(failing) == 1 else f"{len(failing)} findings"
        raise GateError(f"the audit of {golden} has {findings} of severity {fail_on} or higher")


def _print_files(out: Path, docs: Path, as_json: bool, *, converted: bool) -> None:
    if not as_json:
        click.echo(f"\nreport: {out / 'report.html'}")
    if converted:
        golden = out / "golden.jsonl"
        score = f"kgsynth score {golden} --docs {docs} --rag SYSTEM"
        click.echo(f"\nConverted to {golden}. Score it with: {score}", err=as_json)


def _model(name: str, reaching: Any) -> Any:
    from kgsynth.models.llm import ServedLLM

    return ServedLLM(name, reaching)


def _check_outputs(golden: Path, outputs: Mapping[str, Path | None]) -> None:
    """Refuse to overwrite the set itself."""
    from kgsynth.golden.dataset import file_of

    for option, path in outputs.items():
        if path and path.resolve() == file_of(golden).resolve():
            raise click.UsageError(f"{option} would overwrite the set itself, {path}; give another path")


def _write(
    out: Path, report: AuditReport, reading: Reading, documents: Mapping[str, Document], *, converted: bool
) -> None:
    """Write the report, and the set if it was converted."""
    from kgsynth.auditing.page import page
    from kgsynth.base.atomic_files import write_files
    from kgsynth.base.errors import InputError

    try:
        texts = {"audit.json": report.dumps(), "audit.txt": report.to_text()}
        write_files(out, ((name, f"{text}\n".encode()) for name, text in texts.items()))
        write_files(out, page(report.to_json(), reading.dataset, documents).files())
        if converted:
            reading.dataset.save(out / "golden.jsonl")
    except OSError as error:
        raise InputError(f"{out} cannot be written ({error.strerror}); give another folder with -o") from error


def _fix(dataset: Dataset, documents: Mapping[str, Document], path: Path) -> str:
    """Write the set with its spans moved to where their text is now, and return a summary."""
    from kgsynth.auditing.fix import fix

    made = fix(dataset, documents)
    made.dataset.save(path)
    return made.to_text()


def _own_documents(questions: Questions, out: Path | None) -> Path:
    """Write the documents that a set contains to the folder of the audit, and return their folder."""
    if out is None or questions.own is not None or not questions.write_documents(out / "docs"):
        raise click.UsageError(
            "--docs is missing; give the folder of documents that the set was made from (BEIR, SQuAD and the pairs of "
            "LlamaIndex contain theirs, which -o OUT writes to OUT/docs)"
        )
    return out / "docs"


def _mix_of_run(golden: Path) -> dict[str, float] | None:
    """Return the mix in the manifest beside a golden set, None if there is none."""
    manifest = (golden if golden.is_dir() else golden.parent) / "manifest.json"
    try:
        found = json.loads(manifest.read_text(encoding="utf-8"))["config"]["mix"]
        return {str(name): float(share) for name, share in found.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
