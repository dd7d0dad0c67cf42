"""``kgsynth merge``: options and output; the work is in ``kgsynth.versions``."""

from __future__ import annotations

from pathlib import Path

import click

from kgsynth.cli.command import Command
from kgsynth.cli.options import JSON_OPTION, PATH
from kgsynth.cli.output import note, result, wrote


@click.command(cls=Command)
@click.argument("sets", nargs=-1, required=True, type=PATH, metavar="SET_A SET_B [SET_C …]")
@click.option("-o", "--out", required=True, type=PATH, help="The file to write, such as merged.jsonl.")
@click.option("--docs", type=PATH, help="The folder of documents, to locate the evidence of sets of other tools.")
@click.option(
    "--conflicts",
    type=click.Choice(["drop", "first"]),
    help="Of items with one question and different answers, leave out all, or keep those of the first set (default: "
    "drop).",
)
@JSON_OPTION
def command(sets: tuple[Path, ...], out: Path, docs: Path | None, conflicts: str | None, as_json: bool) -> None:
    """Make one golden set of several, in any format that audit reads.

    What two sets have is kept once, from the first of them; this includes questions in nearly the same words with the
    same answer. Items with one question and different answers are reported and left out. Everything that is left out
    is in a second file beside OUT, such as merged.dropped.jsonl.

    \b
    kgsynth merge handwritten.jsonl outputs/demo -o merged.jsonl
    """
    from kgsynth.base.errors import ConfigError
    from kgsynth.golden.dataset import file_of
    from kgsynth.show.wording import many
    from kgsynth.versions.matching import read_set
    from kgsynth.versions.merging import dropped_path, merge, write_merged
    from kgsynth.versions.report import merge_text

    for each in sets:
        if file_of(each).resolve() in (out.resolve(), dropped_path(out).resolve()):
            raise ConfigError(f"-o {out} would overwrite the set {each}; give another file")
    read = [read_set(each, docs) for each in sets]
    for line in (line for each in read for line in each.notes):
        note(line)
    made = merge(read, keep_first=conflicts == "first")
    write_merged(made, out)
    result(merge_text(made), made.to_json(), as_json)
    wrote(f"\n{out}: {many(len(made.dataset), 'item')}; left out: {dropped_path(out)} ({len(made.dropped):,})")
