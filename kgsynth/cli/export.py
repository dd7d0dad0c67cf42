"""``kgsynth export``: a golden set in the format of another tool."""

from __future__ import annotations

from pathlib import Path

import click

from kgsynth.base.choices import EXPORT_CHOICES
from kgsynth.cli.command import Command
from kgsynth.cli.folder_options import chosen_documents, folder_options
from kgsynth.cli.options import JSON_OPTION, MAP_OPTION, PATH
from kgsynth.cli.output import note, result


@click.command(cls=Command)
@click.argument("golden", type=PATH)
@click.option("--to", "form", type=click.Choice(EXPORT_CHOICES), required=True, help="The format.")
@click.option("-o", "--out", type=PATH, help="The file, or for beir, trec and hf the folder (default: beside GOLDEN).")
@click.option("--docs", type=PATH, help="The folder of documents (default: those of the run).")
@folder_options
@MAP_OPTION
@click.option(
    "--corpus",
    type=click.Choice(("chunks", "documents")),
    default="chunks",
    help="What is searched in beir, trec and the pairs of llamaindex.",
)
@click.option("--raw", is_flag=True, help="Leave cells of csv as they are that a spreadsheet would run.")
@JSON_OPTION
def command(
    golden: Path,
    form: str,
    out: Path | None,
    docs: Path | None,
    include: tuple[str, ...],
    exclude: tuple[str, ...],
    mapping: str | None,
    corpus: str,
    raw: bool,
    as_json: bool,
) -> None:
    """Write the golden set GOLDEN in the format of another tool.

    Says which questions the format cannot hold, and which fields are not kept. kgsynth reads all of these formats:
    audit and score take the files, and GOLDEN can be such a file too. docs/golden-format.md says how each is loaded.

    \b
    kgsynth export outputs/demo --to ragas
    kgsynth export golden.jsonl --to beir --docs docs -o outputs/beir
    """
    from kgsynth.golden.dataset import file_of
    from kgsynth.golden.exchange.open_set import open_set
    from kgsynth.golden.export import default_place, export

    opened = open_set(golden, chosen_documents(docs, include, exclude), mapping)
    for line in opened.notes:
        note(line)
    place = out or default_place(_file(golden), form)
    if place.resolve() == file_of(golden).resolve():
        raise click.UsageError(f"--out would overwrite the set itself, {place}; give another path")
    made = export(opened.dataset, place, form, opened.documents, whole_documents=corpus == "documents", raw=raw)
    result(str(made), made.to_json(), as_json)


def _file(golden: Path) -> Path:
    """Return the path beside which an export goes: a set in a folder of another tool is that folder."""
    from kgsynth.golden.dataset import file_of

    own = file_of(golden)
    return own if own.is_file() else golden
