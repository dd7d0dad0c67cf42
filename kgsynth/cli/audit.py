"""``kgsynth audit``: the options, and what is printed; the work is in ``kgsynth.audit``."""

from __future__ import annotations

import json
from contextlib import closing, nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kgsynth.cli.model_options import MODEL, model_options, settings, spent
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
    from kgsynth.auditing import audit, gather
    from kgsynth.base.config import Config
    from kgsynth.base.errors import GateError
    from kgsynth.comparison.item_analysis import item_analysis
    from kgsynth.documents import read_documents
    from kgsynth.golden.exchange import read

    if more_runs and not runs:
        raise click.UsageError(f"{more_runs[0]!r} is one argument too many; runs of score come behind --runs")
    wanted = Config.load(mix=mix).mix if mix else _mix_of_run(golden)
    reaching = settings(llm, **{name: given[name] for name in MODEL})
    questions = read(golden, mapping)  # a wrong file is told before documents are read
    _spare(golden, {"--fix": fixed, "-o": out / "golden.jsonl" if out and questions.own is None else None})
    other = read(against) if against else None
    documents = {document.id: document for document in read_documents(docs or _own_documents(questions, out))}
    reading = questions.locate(documents)
    with closing(_model(llm, reaching)) if llm else nullcontext() as model:
        beside = other.locate(documents).dataset if other else None
        progress = partial(stage, quiet=quiet)
        means = gather(documents, golden, quick=quick, against=beside, model=model, progress=progress)
        report = audit(reading, documents, mix=wanted, means=means)
        if model is not None and not quiet:
            click.echo(spent(model.spending.to_json()), err=True)
    if runs:
        report = report.with_more(*item_analysis(reading.dataset, (*runs, *more_runs), metric))
    click.echo(report.dumps() if as_json else report.to_text())
    if out:
        _write(out, report, reading, documents, converted=questions.own is None)
        if not as_json:
            click.echo(f"\nreport: {out / 'report.html'}")
        if questions.own is None:
            place = f"{out / 'golden.jsonl'} with --docs {docs or out / 'docs'}"
            click.echo(f"\nas kgsynth has it, to be scored: {place}", err=as_json)
    if fixed:
        click.echo(f"\n{fixed}: {_fix(reading.dataset, documents, fixed)}", err=as_json)
    failing = report.at_least(fail_on) if fail_on else ()
    if failing:
        raise GateError(f"the audit of {golden} has {len(failing)} findings of severity {fail_on} or graver")


def _model(name: str, reaching: Any) -> Any:
    from kgsynth.models.llm import ServedLLM

    return ServedLLM(name, reaching)


def _spare(golden: Path, outputs: Mapping[str, Path | None]) -> None:
    """Refuse an output that is the set itself."""
    from kgsynth.golden.dataset import file_of

    for option, path in outputs.items():
        if path and path.resolve() == file_of(golden).resolve():
            raise click.UsageError(f"{option} would write over the set itself, {path}: give another place")


def _write(
    out: Path, report: AuditReport, reading: Reading, documents: Mapping[str, Document], *, converted: bool
) -> None:
    """Write the report, and the set when it was made elsewhere."""
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
    """Write the set with its spans where they stand now, and return what was done."""
    from kgsynth.auditing.fix import fix

    made = fix(dataset, documents)
    made.dataset.save(path)
    return made.to_text()


def _own_documents(questions: Questions, out: Path | None) -> Path:
    """Write the documents that a set brings with it to the folder of the audit, and return where they are."""
    if out is None or questions.own is not None or not questions.write_documents(out / "docs"):
        raise click.UsageError(
            "--docs is missing: give the folder of documents the set was made from (BEIR, SQuAD and the pairs of "
            "LlamaIndex bring their own, which -o OUT writes to OUT/docs)"
        )
    return out / "docs"


def _mix_of_run(golden: Path) -> dict[str, float] | None:
    """Return the mix that the manifest beside a golden set names, None when there is no manifest or no mix in it."""
    manifest = (golden if golden.is_dir() else golden.parent) / "manifest.json"
    try:
        found = json.loads(manifest.read_text(encoding="utf-8"))["config"]["mix"]
        return {str(kind): float(share) for kind, share in found.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
