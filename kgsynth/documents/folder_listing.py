"""List the files of a folder in a fixed order, together with everything that is skipped.

Nothing is skipped in silence: a hidden file or folder, one that is left out, a link that leads outside and a folder
that cannot be opened each give one record. The contents of a folder that is not entered are not listed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from kgsynth.base.errors import InputError
from kgsynth.base.records import Skipped
from kgsynth.documents.file_selection import IGNORE_FILE, FileSelection
from kgsynth.documents.unsupported import reason_to_skip


def list_files(
    folder: Path, include: Sequence[str] = (), exclude: Sequence[str] = ()
) -> list[tuple[str, Path | Skipped]]:
    """Return everything below ``folder``, sorted: its path with forward slashes, and the file or why it is skipped.

    ``include`` and ``exclude`` are patterns, as ``file_selection`` reads them.

    Raises:
        ConfigError: a pattern is invalid.
        InputError: ``folder`` is missing, not a folder, or cannot be listed.
    """
    if not folder.exists():
        raise InputError(f"There is no folder {str(folder)!r}; give the folder that holds the documents.")
    if not folder.is_dir():
        raise InputError(f"{str(folder)!r} is not a folder; give the folder that holds the file.")
    try:
        with os.scandir(folder):
            pass
    except OSError as error:
        reason = error.strerror or "it cannot be opened"
        raise InputError(f"The folder {str(folder)!r} cannot be read ({reason}); check its permissions.") from error
    selection = FileSelection.of(folder, include, exclude)
    return sorted(_entries(folder, folder.resolve(), "", selection), key=lambda entry: entry[0])


def _entries(folder: Path, root: Path, parent: str, selection: FileSelection) -> Iterator[tuple[str, Path | Skipped]]:
    try:
        names = sorted(entry.name for entry in os.scandir(folder))
    except OSError as error:
        yield parent, Skipped(parent, f"a folder that cannot be opened ({error.strerror})")
        return
    for name in names:
        path = folder / name
        key = f"{parent}/{name}" if parent else name
        try:
            key.encode()
        except UnicodeEncodeError:
            printable = os.fsencode(key).decode(errors="backslashreplace")
            yield printable, Skipped(printable, "its name is not UTF-8")
            continue
        if key == IGNORE_FILE:
            continue
        reason = reason_to_skip(path, root) or selection.reason_to_skip(key, is_folder=path.is_dir())
        if reason:
            yield key, Skipped(key, reason)
        elif path.is_dir():
            yield from _entries(path, root, key, selection)
        else:
            yield key, path
