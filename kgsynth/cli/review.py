"""``kgsynth review``: options and output; the work is in ``kgsynth.reviewing``."""

from __future__ import annotations

import os
import signal
import sys
import threading
import webbrowser
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kgsynth.cli.command import Command
from kgsynth.cli.folder_options import chosen_documents, folder_options
from kgsynth.cli.options import JSON_OPTION, MAP_OPTION, PATH
from kgsynth.cli.output import advise, echo, note, result, wrote

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kgsynth.reviewing.store import ReviewStore
    from kgsynth.reviewing.subject import Subject

_ACTIONS = {"form": "--form", "imports": "--import", "as_results": "--results", "apply_to": "--apply"}


@click.command(
    cls=Command,
    groups={
        "Common options": "docs sample annotator out json",
        "What is reviewed": "include exclude map answers versus seed",
        "The page": "port open",
        "Forms": "form import",
        "Results": "results apply on_tie",
    },
)
@click.argument("golden", type=PATH)
@click.option("--docs", type=PATH, help="The folder of documents (default: those of the run).")
@folder_options
@MAP_OPTION
@click.option("--answers", type=PATH, help="Review a system's answers: a file of answers.")
@click.option("--versus", type=PATH, help="Compare them with another system's answers: a folder of score, or a file.")
@click.option("--sample", metavar="15%|30", help="Use only a share or number of the items, sampled by question type.")
@click.option("--seed", type=int, help="The seed of random choices (default: 0).")
@click.option("--annotator", metavar="NAME", help="Who reviews (default: the page asks).")
@click.option("--port", default=8765, type=click.IntRange(0, 65535), help="The port of the page; 0 takes a free one.")
@click.option("--open/--no-open", "opens", default=True, help="Open the page in a browser.")
@click.option("-o", "--out", type=PATH, help="The folder of the review (default: beside GOLDEN).")
@click.option("--form", type=PATH, help="Write a form to send out, FILE.html.")
@click.option("--import", "imports", multiple=True, type=PATH, help="Import a filled-in form (repeatable).")
@click.option("--results", "as_results", is_flag=True, help="Print decisions, grades, agreement and disputed items.")
@JSON_OPTION
@click.option("--apply", "apply_to", type=PATH, help="Write the reviewed set, or labels of answers, to FILE.jsonl.")
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
    kgsynth review golden.jsonl --results
    """
    wanted = [name for name in _ACTIONS if options[name]]
    if len(wanted) > 1:
        raise click.UsageError(f"use only one of {' and '.join(_ACTIONS[name] for name in wanted)} at a time.")
    if options["as_json"] and not wanted:
        raise click.UsageError(f"--json needs one of {', '.join(_ACTIONS.values())}; the page has no result to print.")
    if options["form"] and options["form"].suffix.lower() not in (".html", ".csv"):
        raise click.UsageError(f"--form {options['form']} must end in .html.")
    from kgsynth.base.errors import InputError
    from kgsynth.reviewing.annotation import normalised_name
    from kgsynth.reviewing.store import ReviewStore, store_path
    from kgsynth.reviewing.subject import open_subject, with_versus

    if options["annotator"] is not None:
        try:
            options["annotator"] = normalised_name(options["annotator"])
        except ValueError as error:
            raise click.UsageError(f"--annotator: {error}") from None
    chosen = chosen_documents(docs, options.pop("include"), options.pop("exclude"))
    subject = open_subject(golden, answers, chosen, mapping)
    if options["versus"]:
        subject = with_versus(subject, options["versus"])
    if subject.unanswered:
        places = f"{subject.path} or {options['versus']}" if options["versus"] else subject.path
        note(f"{subject.unanswered} questions have no record in {places} and are left out")
    store = ReviewStore(store_path(subject.path, out, options["versus"]))
    if not store.path.is_file() and wanted not in ([], ["form"]):
        raise InputError(
            f"{store.path} does not exist, so no review of {golden} has begun: begin it with kgsynth review {golden}, "
            "or give its folder with -o"
        )
    try:
        ids = store.begin(subject, options["sample"], options["seed"])
        subject = replace(subject, seed=store.seed())
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
        try:
            _stop_on_signals()  # before the address is printed, since a signal may follow at once
            threading.Thread(target=api.warm_up, daemon=True).start()
            if not subject.documents:
                note("no documents found, so evidence is shown without its context: add --docs")
            echo(f"{len(ids)} {subject.mode} of {subject.name} to review; annotations are saved in {store.path}")
            echo(f"open {server.url}")
            advise("press Ctrl-C to stop; run the same command to continue")
            sys.stdout.flush()
            if options["opens"] and _has_browser():
                webbrowser.open(server.url)
            server.serve_forever()
        except KeyboardInterrupt:
            counts = ", ".join(f"{name} {count}" for name, count in store.decided_counts().items())
            echo(f"\nstopped; decided of {len(ids)} items: {counts or 'none'}")


def _stop_on_signals() -> None:
    """Make SIGINT and SIGTERM raise ``KeyboardInterrupt``: a shell starts a background job with SIGINT ignored."""
    if threading.current_thread() is threading.main_thread():
        for each in (signal.SIGINT, signal.SIGTERM):
            signal.signal(each, signal.default_int_handler)


def _has_browser() -> bool:
    """Check whether a graphical browser can be opened, not one inside this terminal."""
    return sys.platform in ("darwin", "win32") or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


def _form(subject: Subject, ids: Sequence[str], store: ReviewStore, options: dict[str, Any]) -> None:
    from kgsynth.reviewing.page import page

    out: Path = options["form"]
    text = page(subject, ids, form=True, annotator=options["annotator"] or "")
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(text, encoding="utf-8", newline="")
    text = f"{len(ids)} {subject.mode} to review written to {out}; import the filled-in form with --import"
    result(text, {"form": str(out), "items": len(ids)}, options["as_json"])


def _import(subject: Subject, ids: Sequence[str], store: ReviewStore, options: dict[str, Any]) -> None:
    from kgsynth.base.errors import InputError
    from kgsynth.reviewing.form import import_form

    failed, forms = 0, []
    for path in options["imports"]:
        found = import_form(store, subject, ids, path, options["annotator"])
        forms.append({"form": str(path), "rows": found.rows, "new": found.new, "empty": found.empty})
        if not options["as_json"]:
            echo(f"{path}: {found.rows} rows imported, {found.new} of them new or changed; {found.empty} not filled in")
        for problem in found.problems:
            echo(problem, err=True)
        failed += len(found.problems)
    if options["as_json"]:
        result("", forms, True)
    if failed:
        raise InputError(f"{failed} rows were not imported, all others were: correct them and import the file again")


def _results(subject: Subject, ids: Sequence[str], store: ReviewStore, options: dict[str, Any]) -> None:
    from kgsynth.reviewing.results import results, terminal

    found = results(subject, ids, store.annotations())
    result(terminal(found), found.to_json(), options["as_json"])


def _apply(subject: Subject, ids: Sequence[str], store: ReviewStore, options: dict[str, Any]) -> None:
    from kgsynth.reviewing.results import applied
    from kgsynth.reviewing.reviewed_set import (
        ReviewedItem,
        apply_decisions,
        rejected_path,
        write_labels,
        write_reviewed_set,
    )

    out: Path = options["apply_to"]
    if subject.mode == "answers":
        number = write_labels(subject, store.annotations(), out)
        text = f"{number} labels written to {out}: score with --judge and --labels {out}"
        return result(text, {"labels": str(out), "number": number}, options["as_json"])
    reviewed = apply_decisions(subject, store.annotations(), options["on_tie"])
    reviewed += [ReviewedItem(item, decided=True) for item in store.added()]
    write_reviewed_set(reviewed, out, subject.path)
    files = {"reviewed": str(out), "rejected": str(rejected_path(out))}
    result(applied(reviewed, options["on_tie"]), files, options["as_json"])
    return wrote(f"written: {out}, {rejected_path(out)}")
