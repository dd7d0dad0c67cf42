"""``kgsynth calibrate``: options and output; the work is in ``kgsynth.comparison.calibration``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from kgsynth.cli.command import Command
from kgsynth.cli.folder_options import chosen_documents, folder_options
from kgsynth.cli.options import EMBEDDING_OPTION, JSON_OPTION, PATH, REPORT_FOLDER
from kgsynth.cli.output import echo, stage, wrote


@click.command(cls=Command)
@click.argument("golden", type=PATH)
@click.option("--human", required=True, type=PATH, help="Questions by people over DOCS, in any format audit reads.")
@click.option("--docs", required=True, type=PATH, help="The folder of documents, those of both sets.")
@folder_options
@EMBEDDING_OPTION
@click.option(
    "--seed", type=int, help="The seed of random choices, for sets of more than 1,000 questions (default: 0)."
)
@click.option("-o", "--out", type=REPORT_FOLDER, help="Write calibration.json and report.html here.")
@JSON_OPTION
def command(golden: Path, human: Path, docs: Path, out: Path | None, as_json: bool, **options: Any) -> None:
    """Test whether GOLDEN ranks systems as a set written by people does.

    The questions of both sets are run on the bundled retrievers in two dozen settings, from strong to very weak.
    Kendall's tau measures how far the two rankings agree. The lexical bias shows whether GOLDEN favours retrieval
    by words.

    \b
    kgsynth calibrate golden.jsonl --human people.jsonl --docs docs -o outputs/calibrated
    """
    from kgsynth.base.run_folder.manifest import patterns_of_run
    from kgsynth.comparison.calibration import calibrate
    from kgsynth.comparison.calibration.report import page, terminal
    from kgsynth.documents import read_documents
    from kgsynth.golden.exchange import read
    from kgsynth.show.start_page import write_report

    include, exclude = options.pop("include"), options.pop("exclude")
    given = {name: value for name, value in options.items() if value is not None}
    sets = read(golden), read(human)  # report an unreadable file before reading the documents
    documents = read_documents(chosen_documents(docs, include, exclude), *patterns_of_run(golden))
    by_id = {document.id: document for document in documents}
    ours, theirs = (questions.locate(by_id).dataset for questions in sets)
    found = calibrate(ours, theirs, documents, progress=stage, **given)
    as_text = json.dumps(found.to_json(), ensure_ascii=False, indent=1)
    if out:
        write_report(out, [("calibration.json", f"{as_text}\n".encode()), *page(found).files()])
    echo(as_text if as_json else terminal(found), as_json=as_json)
    if out:
        wrote(f"\nreport: {out / 'report.html'}")
