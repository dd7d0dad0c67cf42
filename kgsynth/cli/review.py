"""``kgsynth review``: the options, and what is printed; the work is in ``kgsynth.review``."""

from __future__ import annotations

import json
import os
import sys
import threading
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kgsynth.reviewing.store import Store
    from kgsynth.reviewing.subject import Subject

_ACTIONS = {"form": "--form", "taken": "--take-in", "as_results": "--results", "apply_to": "--apply"}


@click.command()
@click.argument("golden", type=click.Path(path_type=Path))
@click.option("--docs", type=click.Path(path_type=Path), help="The folder of documents (default: those of the run).")
@click.option("--answers", type=click.Path(path_type=Path), help="Judge these answers of a system, an answers.jsonl.")
@click.option("--sample", metavar="15%|30", help="Judge a share or a number of the items, drawn type by type.")
@click.option("--seed", type=int, help="What the sample is drawn with (default 0).")
@click.option("--annotator", metavar="NAME", help="Who judges; by default the page asks.")
@click.option(
    "--port", default=8765, type=click.IntRange(0, 65535), help="Where the page is served; 0 takes a free one."
)
@click.option("--open/--no-open", "opens", default=True, help="Open the page in a browser.")
@click.option("-o", "--out", type=click.Path(path_type=Path), help="The folder of the review (default: beside GOLDEN).")
@click.option("--form", type=click.Path(path_type=Path), help="Write a form to send out: FILE.html or FILE.csv.")
@click.option("--take-in", "taken", multiple=True, type=click.Path(path_type=Path), help="Take in a filled-in form.")
@click.option("--results", "as_results", is_flag=True, help="Print grades, agreement and disputes.")
@click.option("--json", "as_json", is_flag=True, help="With --results: print them as JSON.")
@click.option("--apply", "apply_to", type=click.Path(path_type=Path), help="Write the reviewed set to FILE.jsonl.")
@click.option(
    "--on-tie",
    type=click.Choice(("drop", "keep")),
    default="drop",
    help="With --apply: what becomes of an item that as many keep as reject.",
)
def command(golden: Path, docs: Path | None, answers: Path | None, out: Path | None, **options: Any) -> None:
    """Let people judge GOLDEN: a golden set, or a folder of score with a system's answers.

    The page is served on this machine alone. All that is said is saved at once; the same command goes on.

    \b
    kgsynth review golden.jsonl --sample 15%
    kgsynth review golden.jsonl --form review.html
    kgsynth review golden.jsonl --take-in review.json
    kgsynth review golden.jsonl --results
    kgsynth review golden.jsonl --apply reviewed.jsonl
    """
    wanted = [name for name in _ACTIONS if options[name]]
    if len(wanted) > 1:
        raise click.UsageError(f"{' and '.join(_ACTIONS[name] for name in wanted)} are done one at a time.")
    if options["form"] and options["form"].suffix.lower() not in (".html", ".csv"):
        raise click.UsageError(f"--form {options['form']} must end in .html or .csv.")
    from kgsynth.base.errors import InputError
    from kgsynth.documents import read_documents
    from kgsynth.reviewing.judgement import name_of
    from kgsynth.reviewing.store import Store, store_of
    from kgsynth.reviewing.subject import open_subject

    if options["annotator"] is not None:
        try:
            options["annotator"] = name_of(options["annotator"])
        except ValueError as error:
            raise click.UsageError(f"--annotator: {error}") from None
    subject = open_subject(golden, answers, read_documents(docs))
    if subject.unanswered:
        click.echo(f"{subject.unanswered} questions have no record in {subject.path} and are left out", err=True)
    store = Store(store_of(subject.path, out))
    if not store.path.is_file() and wanted not in ([], ["form"]):
        raise InputError(f"{store.path} is not there: no review of {golden} was begun; begin it, or say where with -o")
    try:
        ids = store.begin(subject, options["sample"], options["seed"])
        act = {"form": _form, "taken": _take_in, "as_results": _results, "apply_to": _apply}
        act.get(wanted[0] if wanted else "", _serve)(subject, ids, store, options)
    finally:
        store.close()


def _serve(subject: Subject, ids: Sequence[str], store: Store, options: dict[str, Any]) -> None:
    from kgsynth.reviewing.api import Desk
    from kgsynth.reviewing.page import page, policy
    from kgsynth.reviewing.server import Server, token_of

    token = token_of(store.path.with_suffix(".token"))
    shown = page(subject, ids, annotator=options["annotator"] or "")
    desk = Desk(subject, ids, store)
    with Server(desk, shown, policy(), token, options["port"]) as server:
        threading.Thread(target=desk.warm, daemon=True).start()
        if not subject.documents:
            click.echo("there are no documents: evidence is shown without what stands around it; add --docs", err=True)
        click.echo(f"{len(ids)} {subject.of} of {subject.name} to judge; all is saved in {store.path}")
        click.echo(f"open {server.url}")
        click.echo("Ctrl-C ends; the same command goes on")
        sys.stdout.flush()
        if options["opens"] and _has_browser():
            webbrowser.open(server.url)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            done = ", ".join(f"{name} {count}" for name, count in store.annotators().items())
            click.echo(f"\nended; of {len(ids)} items are decided: {done or 'none'}")


def _has_browser() -> bool:
    """Say whether a browser can be opened beside this terminal, and not in it."""
    return sys.platform in ("darwin", "win32") or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


def _form(subject: Subject, ids: Sequence[str], store: Store, options: dict[str, Any]) -> None:
    from kgsynth.reviewing.form import table
    from kgsynth.reviewing.page import page

    out: Path = options["form"]
    annotator: str = options["annotator"] or ""
    writers = {
        ".html": lambda: page(subject, ids, form=True, annotator=annotator),
        ".csv": lambda: table(subject, ids, annotator),
    }
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(writers[out.suffix.lower()](), encoding="utf-8", newline="")
    click.echo(f"{len(ids)} {subject.of} to judge written to {out}; what comes back goes in with --take-in")


def _take_in(subject: Subject, ids: Sequence[str], store: Store, options: dict[str, Any]) -> None:
    from kgsynth.base.errors import InputError
    from kgsynth.reviewing.form import take_in

    faulty = 0
    for path in options["taken"]:
        taken = take_in(store, subject, ids, path, options["annotator"])
        click.echo(f"{path}: {taken.rows} rows taken in, {taken.new} of them new; {taken.empty} not filled in")
        for fault in taken.faults:
            click.echo(fault, err=True)
        faulty += len(taken.faults)
    if faulty:
        raise InputError(f"{faulty} rows were not taken in: mend them and take the file in again, the others stay")


def _results(subject: Subject, ids: Sequence[str], store: Store, options: dict[str, Any]) -> None:
    from kgsynth.reviewing.results import results
    from kgsynth.reviewing.text import terminal

    found = results(subject, ids, store.said())
    click.echo(json.dumps(found.to_json(), ensure_ascii=False, indent=1) if options["as_json"] else terminal(found))


def _apply(subject: Subject, ids: Sequence[str], store: Store, options: dict[str, Any]) -> None:
    from kgsynth.reviewing.reviewed_set import apply, rejected_of, settle
    from kgsynth.reviewing.text import applied

    out: Path = options["apply_to"]
    settled = settle(subject, store.said(), options["on_tie"])
    apply(settled, out, subject.path)
    click.echo(applied(settled, options["on_tie"]))
    click.echo(f"written: {out}, {rejected_of(out)}")
