"""The options that choose files of a folder of documents, and what is said of the documents that were read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kgsynth.cli.options import Command, with_options
from kgsynth.cli.output import note

if TYPE_CHECKING:
    from kgsynth.base.records import Document, Skipped

_REMARKS_SHOWN = 5
_SKIPPED_SHOWN = 10

_FOLDER_OPTIONS = (
    click.option(
        "--include",
        multiple=True,
        metavar="PATTERN",
        help="Read only files that match, such as '*.md' or 'docs/'; can be repeated.",
    ),
    click.option(
        "--exclude",
        multiple=True,
        metavar="PATTERN",
        help="Leave out what matches, such as 'drafts/', as in .gitignore; can be repeated. So do the lines of a "
        ".kgsynthignore in the folder.",
    ),
)


def folder_options(command: Command) -> Command:
    """Add ``--include`` and ``--exclude`` to a command that reads a folder of documents."""
    return with_options(command, _FOLDER_OPTIONS)


def chosen_documents(
    docs: Path | None, include: Sequence[str], exclude: Sequence[str]
) -> Path | Sequence[Document] | None:
    """Return the documents of a folder that the patterns choose; without patterns, ``docs`` as it is.

    Raises:
        ConfigError: a pattern is invalid.
        InputError: the folder has no document that can be read.
    """
    if docs is None:
        if include or exclude:
            raise click.UsageError("--include and --exclude choose files of a folder; give it with --docs")
        return None
    if not include and not exclude:
        return docs
    from kgsynth.documents import read_documents

    return read_documents(docs, include, exclude)


def skipped_lines(skipped: Sequence[Skipped], where: str = "") -> list[str]:
    """Return the first files that were not read, those that somebody may miss before the others.

    ``where`` says where all of them are listed.
    """
    from kgsynth.documents.folder_listing import LEFT_OUT
    from kgsynth.documents.unsupported import NO_DOCUMENTS

    failed = [each for each in skipped if not each.reason.startswith(LEFT_OUT)]
    failed.sort(key=lambda each: each.reason.startswith(NO_DOCUMENTS))
    lines = [f"  {printable(each.path)}: {each.reason}" for each in failed[:_SKIPPED_SHOWN]]
    if len(failed) > _SKIPPED_SHOWN:
        lines.append(f"  and {len(failed) - _SKIPPED_SHOWN} more{where}")
    head = [f"{len(failed)} {'file' if len(failed) == 1 else 'files'} not read:"] if lines else []
    chosen = Counter(each.reason.removeprefix(LEFT_OUT) for each in skipped if each.reason.startswith(LEFT_OUT))
    left_out = [
        f"{number} {'file or folder' if number == 1 else 'files or folders'} left out: {why}"
        for why, number in chosen.items()
    ]
    return [*head, *lines, *left_out]


def printable(path: str) -> str:
    """Return a path as it is, or quoted if a terminal cannot print it."""
    return path if path.isprintable() else repr(path)


def remark_lines(documents: Iterable[Document]) -> list[str]:
    """Return what readers noticed in documents, at most a few lines."""
    return shortened([f"{document.id}: {remark}" for document in documents for remark in document.remarks])


def shortened(remarks: Sequence[str], where: str = "") -> list[str]:
    """Return the first remarks, and how many there are more; ``where`` says where they all are."""
    more = len(remarks) - _REMARKS_SHOWN
    return [*remarks[:_REMARKS_SHOWN], *([f"and {more} more{where}"] if more > 0 else [])]


def note_remarks(documents: Iterable[Document]) -> None:
    """Print what readers noticed in documents to stderr."""
    for line in remark_lines(documents):
        note(line)
