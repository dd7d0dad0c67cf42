"""``kgsynth review``: options and output; the work is in ``kgsynth.reviewing``."""

from __future__ import annotations

import json
import os
import sys
import threading
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kgsynth.cli.options import PATH, map_option

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kgsynth.reviewing.store import ReviewStore
    from kgsynth.reviewing.subject import Subject

_ACTIONS = {"form": "--form", "imports": "--import", "as_results": "--results", "apply_to": "--apply"}


@click.command()
@click.argument("golden", type=PATH)
@click.option("--docs", type=PATH, help="The folder of documents (default: those of the run).")
@map_option
@click.option("--answers", type=PATH, help="Review a system's answers, given as an answers.jsonl.")
@click.option("--sample", metavar="15%|30", help="Review a share or number of the items, sampled by question type.")
@click.option("--seed", type=int, help="The seed of the sample (default 0).")
@click.option("--annotator", metavar="NAME", help="Who reviews (default: the page asks).")
@click.option("--port", default=8765, type=click.IntRange(0, 65535), help="The port of the page; 0 takes a free one.")
@click.option("--open/--no-open", "opens", default=True, help="Open the page in a browser.")
@click.option("-o", "--out", type=PATH, help="The folder of the review (default: beside GOLDEN).")
@click.option("--form", type=PATH, help="Write a form to send out: FILE.html or FILE.csv.")
@click.option("--import", "imports", multiple=True, type=PATH, help="Import a filled-in form (repeatable).")
@click.option("--take-in", "old_imports", multiple=True, type=PATH, hidden=True, help="The old name of --import.")
@click.option("--results", "as_results", is_flag=True, help="Print decisions, grades, agreement and disputed items.")
@click.option("--json", "as_json", is_flag=True, help="With --results: print them as JSON.")
@click.option("--apply", "apply_to", type=PATH, help="Write the reviewed set to FILE.jsonl.")
@click.option(
    "--on-tie", type=click.Choice(("drop", "keep")), default="drop", help="With --apply: what to do with ties."
)
def command(
    golden: Path, docs: Path | None, mapping: str | None, answers: Path | None, out: Path | None, **options: Any
) -> None:
    """Let people review GOLDEN: a golden set, a set of another tool, or a folder that score wrote, to review a system's
    answers.

    The page is served on this machine only. Every annotation is saved immediately; run the same command to continue.

    \b
    kgsynth review golden.jsonl --sample 15%
    kgsynth review golden.jsonl --form review.html
    kgsynth review golden.jsonl --import review.json
    kgsynth review golden.jsonl --results
    kgsynth review golden.jsonl --apply reviewed.jsonl
    """
    options["imports"] += options.pop("old_imports")
    wanted = [name for name in _ACTIONS if options[name]]
    if len(wanted) > 1:
        raise click.UsageError(f"use only one of {' and '.join(_ACTIONS[name] for name in wanted)} at a time.")
    if options["form"] and options["form"].suffix.lower() not in (".html", ".csv"):
        raise click.UsageError(f"--form {options['form']} must end in .html or .csv.")
    from kgsynth.base.errors import InputError
    from kgsynth.reviewing.annotation import normalised_name
    from kgsynth.reviewing.store import ReviewStore, store_path
    from kgsynth.reviewing.subject import open_subject

    if options["annotator"] is not None:
        try:
            options["annotator"] = normalised_name(options["annotator"])
        except ValueError as error:
            raise click.UsageError(f"--annotator: {error}") from None
    subject = open_subject(golden, answers, docs, mapping)
    if subject.unanswered:
        click.echo(f"{subject.unanswered} questions have no record in {subject.path} and are left out", err=True)
    store = ReviewStore(store_path(subject.path, out))
    if not store.path.is_file() and wanted not in ([], ["form"]):
        raise InputError(
            f"{store.path} does not exist, so no review of {golden} has begun: begin it with kgsynth review {golden}, "
            "or give its folder with -o"
        )
    try:
        ids = store.begin(subject, options["sample"], options["seed"])
        actions = {"form": _form, "imports": _import, "as_results": _results, "apply_to": _apply}
        actions.get(wanted[0] if wanted else "", _serve)(subject, ids, store, options)
    finally:
        store.close()


def _serve(subject: Subject, ids: Sequence[str], store: ReviewStore, options: dict[str, Any]) -> None:
    from kgsynth.reviewing.api import ReviewApi
    from kgsynth.reviewing.page import page, policy
    from kgsynth.reviewing.server import Server, read_token

    token = read_token(store.path.with_suffix(".token"))
    html = page(subject, ids, annotator=options["annotator"] or "")
    api = ReviewApi(subject, ids, store)
    with Server(api, html, policy(), token, options["port"]) as server:
        threading.Thread(target=api.warm_up, daemon=True).start()
        if not subject.documents:
            click.echo("no documents found, so evidence is shown without its context: add --docs", err=True)
        click.echo(f"{len(ids)} {subject.mode} of {subject.name} to review; annotations are saved in {store.path}")
        click.echo(f"open {server.url}")
        click.echo("press Ctrl-C to stop; run the same command to continue")
        sys.stdout.flush()
        if options["opens"] and _has_browser():
            webbrowser.open(server.url)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            counts = ", ".join(f"{name} {count}" for name, count in store.decided_counts().items())
            click.echo(f"\nstopped; decided of {len(ids)} items: {counts or 'none'}")


def _has_browser() -> bool:
    """Check whether a graphical browser can be opened, not one inside this terminal."""
    return sys.platform in ("darwin", "win32") or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


def _form(subject: Subject, ids: Sequence[str], store: ReviewStore, options: dict[str, Any]) -> None:
    from kgsynth.reviewing.form import form_csv
    from kgsynth.reviewing.page import page

    out: Path = options["form"]
    annotator: str = options["annotator"] or ""
    as_html = out.suffix.lower() == ".html"
    text = page(subject, ids, form=True, annotator=annotator) if as_html else form_csv(subject, ids, annotator)
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(text, encoding="utf-8", newline="")
    click.echo(f"{len(ids)} {subject.mode} to review written to {out}; import the filled-in form with --import")


def _import(subject: Subject, ids: Sequence[str], store: ReviewStore, options: dict[str, Any]) -> None:
    from kgsynth.base.errors import InputError
    from kgsynth.reviewing.form import import_form

    failed = 0
    for path in options["imports"]:
        found = import_form(store, subject, ids, path, options["annotator"])
        click.echo(
            f"{path}: {found.rows} rows imported, {found.new} of them new or changed; {found.empty} not filled in"
        )
        for problem in found.problems:
            click.echo(problem, err=True)
        failed += len(found.problems)
    if failed:
        raise InputError(f"{failed} rows were not imported, all others were: correct them and import the file again")


def _results(subject: Subject, ids: Sequence[str], store: ReviewStore, options: dict[str, Any]) -> None:
    from kgsynth.reviewing.results import results
    from kgsynth.reviewing.text import terminal

    found = results(subject, ids, store.annotations())
    click.echo(json.dumps(found.to_json(), ensure_ascii=False, indent=1) if options["as_json"] else terminal(found))


def _apply(subject: Subject, ids: Sequence[str], store: ReviewStore, options: dict[str, Any]) -> None:
    from kgsynth.reviewing.reviewed_set import apply_decisions, rejected_path, write_reviewed_set
    from kgsynth.reviewing.text import applied

    out: Path = options["apply_to"]
    reviewed = apply_decisions(subject, store.annotations(), options["on_tie"])
    write_reviewed_set(reviewed, out, subject.path)
    click.echo(applied(reviewed, options["on_tie"]))
    click.echo(f"written: {out}, {rejected_path(out)}")
