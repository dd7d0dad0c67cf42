"""``kgsynth calibrate``: the options, and what is printed; the work is in ``kgsynth.calibrate``."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import click


@click.command()
@click.argument("golden", type=click.Path(path_type=Path))
@click.option(
    "--human",
    required=True,
    type=click.Path(path_type=Path),
    help="Questions people wrote, over DOCS; SQuAD and others do.",
)
@click.option("--docs", required=True, type=click.Path(path_type=Path), help="The folder of documents of both sets.")
@click.option("--embedding-model", default="all-MiniLM-L6-v2", help="The model of the dense retrievers.")
@click.option("--seed", default=0, help="Draws the questions of a set of more than 1,000.")
@click.option("-o", "--out", type=click.Path(path_type=Path), help="A folder for calibration.json and report.html.")
@click.option("--json", "as_json", is_flag=True, help="Print calibration.json instead of the tables.")
@click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
def command(
    golden: Path,
    human: Path,
    docs: Path,
    embedding_model: str,
    seed: int,
    out: Path | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Say whether GOLDEN ranks systems as a set written by people does.

    Both sets are asked of the bundled retrievers in two dozen settings, from strong to hopeless; Kendall's tau says how
    far the two orders agree, the lexical bias whether the set flatters systems that match words.

    \b
    kgsynth calibrate golden.jsonl --human people.jsonl --docs docs -o outputs/calibrated
    """
    from kgsynth.base.atomic_files import write_files
    from kgsynth.cli.progress import stage
    from kgsynth.comparison.calibration.flow import calibrate
    from kgsynth.comparison.calibration.page import page
    from kgsynth.comparison.calibration.text import terminal
    from kgsynth.documents import read_documents
    from kgsynth.golden.exchange import read

    sets = read(golden), read(human)  # a wrong file is told before documents are read
    documents = read_documents(docs)
    by_id = {document.id: document for document in documents}
    ours, theirs = (questions.locate(by_id).dataset for questions in sets)
    found = calibrate(
        ours,
        theirs,
        documents,
        embedding_model=embedding_model,
        seed=seed,
        progress=partial(stage, quiet=quiet),
    )
    told = json.dumps(found.to_json(), ensure_ascii=False, indent=1)
    if out:
        write_files(out, [("calibration.json", f"{told}\n".encode()), *page(found).files()])
    click.echo(told if as_json else terminal(found))
    if out and not as_json:
        click.echo(f"\nreport: {out / 'report.html'}")
