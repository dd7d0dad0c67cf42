"""``kgsynth diff``: options and output; the work is in ``kgsynth.versions``."""

from __future__ import annotations

import json
from pathlib import Path

import click

from kgsynth.cli.command import Command
from kgsynth.cli.options import JSON_OPTION, PATH, REPORT_FOLDER
from kgsynth.cli.output import echo, note, wrote


@click.command(cls=Command)
@click.argument("old", type=PATH)
@click.argument("new", type=PATH)
@click.option("--docs", type=PATH, help="The folder of documents, to locate the evidence of sets of other tools.")
@click.option("-o", "--out", type=REPORT_FOLDER, help="Write diff.json, diff.txt and report.html here.")
@JSON_OPTION
@click.option(
    "--fail-if",
    type=click.Choice(["any", "answers"]),
    help="Exit with code 1 if any item changed, or if a golden answer changed (default: never).",
)
def command(old: Path, new: Path, docs: Path | None, out: Path | None, as_json: bool, fail_if: str | None) -> None:
    """Show what changed from the golden set OLD to the golden set NEW.

    Both can be in any format that audit reads. Items are paired by id, by question, or by evidence and wording. Shown
    are those that were added, are gone, or have another answer, question, evidence or place, old beside new.

    \b
    kgsynth diff golden.v1.jsonl golden.jsonl
    kgsynth diff golden.v1.jsonl golden.jsonl -o outputs/diff --fail-if answers
    """
    from kgsynth.base.errors import GateError
    from kgsynth.show.start_page import write_report
    from kgsynth.show.wording import many
    from kgsynth.versions.difference import diff
    from kgsynth.versions.matching import read_set
    from kgsynth.versions.report import page, terminal

    sets = read_set(old, docs), read_set(new, docs)
    notes = [line for each in sets for line in each.notes]
    for line in notes:
        note(line)
    found = diff(*sets)
    text, as_object = terminal(found), json.dumps(found.to_json(), ensure_ascii=False, indent=1)
    if out:
        own = [("diff.json", f"{as_object}\n".encode()), ("diff.txt", f"{text}\n".encode())]
        write_report(out, [*own, *page(found, notes).files()])
    echo(as_object if as_json else text, as_json=as_json)
    if out:
        wrote(f"\nreport: {out / 'report.html'}")
    failing = [change for change in found.changed if fail_if == "any" or "answers" in change.parts]
    if fail_if and failing:
        what = "changed" if fail_if == "any" else "changed in their answers"
        raise GateError(f"{many(len(failing), 'item')} {what} from {old} to {new}")
