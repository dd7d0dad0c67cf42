"""``kgsynth calibrate``: options and output; the work is in ``kgsynth.comparison.calibration``."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import click

from kgsynth.cli.options import PATH
from kgsynth.cli.screen import echo


@click.command()
@click.argument("golden", type=PATH)
@click.option("--human", required=True, type=PATH, help="Questions by people over DOCS, in any format audit reads.")
@click.option("--docs", required=True, type=PATH, help="The folder of the documents of both sets.")
@click.option("--embedding-model", default="all-MiniLM-L6-v2", help="The embedding model of the dense retrievers.")
@click.option("--seed", default=0, help="Seed for sampling sets of more than 1,000 questions.")
@click.option("-o", "--out", type=PATH, help="Write calibration.json and report.html here.")
@click.option("--json", "as_json", is_flag=True, help="Print calibration.json instead of the tables.")
@click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
def command(
    golden: Path, human: Path, docs: Path, out: Path | None, as_json: bool, quiet: bool, **options: Any
) -> None:
    """Test whether GOLDEN ranks systems as a set written by people does.

    The questions of both sets are run on the bundled retrievers in two dozen settings, from strong to very weak.
    Kendall's tau measures how far the two rankings agree. The lexical bias shows whether GOLDEN favours retrieval
    by words.

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

    sets = read(golden), read(human)  # report an unreadable file before reading the documents
    documents = read_documents(docs)
    by_id = {document.id: document for document in documents}
    ours, theirs = (questions.locate(by_id).dataset for questions in sets)
    found = calibrate(ours, theirs, documents, progress=partial(stage, quiet=quiet), **options)
    as_text = json.dumps(found.to_json(), ensure_ascii=False, indent=1)
    if out:
        write_files(out, [("calibration.json", f"{as_text}\n".encode()), *page(found).files()])
    echo(as_text if as_json else terminal(found), as_json=as_json)
    if out and not as_json:
        echo(f"\nreport: {out / 'report.html'}")
