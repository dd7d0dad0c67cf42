"""``kgsynth harvest``: options and output; the work is in ``kgsynth.harvesting``."""

from __future__ import annotations

from pathlib import Path

import click

from kgsynth.cli.command import Command
from kgsynth.cli.folder_options import chosen_documents, folder_options
from kgsynth.cli.options import EMBEDDING_OPTION, JSON_OPTION, PATH, REPORT_FOLDER
from kgsynth.cli.output import advise, result, stage, wrote


@click.command(cls=Command)
@click.argument("log", type=PATH)
@click.option("--docs", required=True, type=PATH, help="The folder of documents that the questions are about.")
@click.option(
    "-o",
    "--out",
    required=True,
    type=REPORT_FOLDER,
    help="A folder for harvested.jsonl, gaps.jsonl, questions.txt, about.txt, harvest.json and report.html.",
)
@click.option(
    "--field",
    default="",
    show_default=False,
    help="The column of what the user wrote, or a JMESPath expression for it (default: usual names are looked for).",
)
@folder_options
@EMBEDDING_OPTION
@JSON_OPTION
def command(
    log: Path,
    docs: Path,
    out: Path,
    field: str,
    include: tuple[str, ...],
    exclude: tuple[str, ...],
    embedding_model: str | None,
    as_json: bool,
) -> None:
    """Find the questions of real users in LOG, and the passages of the documents that answer them.

    LOG is CSV, JSON or JSON lines: an export of Langfuse or Phoenix, or any table or list of messages. Greetings,
    commands and turns of the system are left out, personal data is replaced by rules, and questions that ask the same
    are counted together. A question with a passage becomes an item for score, with no golden answer; one without is a
    gap in the documents.

    \b
    kgsynth harvest traces.jsonl --docs docs -o outputs/log
    kgsynth harvest chats.csv --docs docs -o outputs/log --field message
    """
    from kgsynth.harvesting.flow import files, harvest
    from kgsynth.harvesting.harvest import page, terminal
    from kgsynth.models.encoder import AUTO
    from kgsynth.show.start_page import write_report

    documents = chosen_documents(docs, include, exclude) or docs
    found = harvest(log, documents, field=field, embedding_model=embedding_model or AUTO, progress=stage)
    write_report(out, [*files(found), *page(found).files()])
    result(terminal(found), found.to_json(), as_json)
    wrote(f"\nreport: {out / 'report.html'}")
    advise(f"score a system on them: kgsynth score {out / 'harvested.jsonl'} --docs {docs} --rag SYSTEM")
