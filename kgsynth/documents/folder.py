"""List the files of a folder in order, and say of everything else why it is not one.

Nothing is passed over in silence: hidden files, links that lead outside and folders that cannot be opened are each
one record; what lies inside of a hidden folder is not looked at. Leaves out: reading.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from kgsynth.base.errors import InputError
from kgsynth.base.records import Skipped


def check_folder(folder: Path) -> None:
    """Raise InputError unless ``folder`` is a folder that can be listed."""
    if not folder.exists():
        raise InputError(f"There is no folder {str(folder)!r}; name the folder that holds the documents.")
    if not folder.is_dir():
        raise InputError(f"{str(folder)!r} is not a folder; name the folder that holds the file.")
    try:
        with os.scandir(folder):
            pass
    except OSError as error:
        reason = error.strerror or "it cannot be opened"
        raise InputError(f"The folder {str(folder)!r} cannot be read ({reason}); check its permissions.") from error


def walk(folder: Path) -> list[tuple[str, Path | Skipped]]:
    """Return all that lies below ``folder`` as (path with forward slashes, file or Skipped), sorted by that path."""
    return sorted(_entries(folder, folder.resolve(), ""), key=lambda entry: entry[0])


def _entries(folder: Path, root: Path, below: str) -> Iterator[tuple[str, Path | Skipped]]:
    try:
        names = sorted(entry.name for entry in os.scandir(folder))
    except OSError as error:
        yield below, Skipped(below, f"a folder that cannot be opened ({error.strerror})")
        return
    for name in names:
        path = folder / name
        key = f"{below}/{name}" if below else name
        try:
            key.encode()
        except UnicodeEncodeError:
            shown = os.fsencode(key).decode(errors="backslashreplace")
            yield shown, Skipped(shown, "its name is not UTF-8")
            continue
        reason = _reason(path, root)
        if reason:
            yield key, Skipped(key, reason)
        elif path.is_dir():
            yield from _entries(path, root, key)
        else:
            yield key, path


def _reason(path: Path, root: Path) -> str:
    """Say why ``path`` is not looked into; "" when it is."""
    try:
        if path.name.startswith("."):
            return "a hidden folder" if path.is_dir() else "a hidden file"
        if path.is_symlink():
            return _link_reason(path, root)
        if not path.is_dir() and not path.is_file():
            return "neither a file nor a folder"
    except OSError as error:
        return f"cannot be looked at ({error.strerror})"
    return ""


def _link_reason(path: Path, root: Path) -> str:
    try:
        target = path.resolve(strict=True)
    except FileNotFoundError:
        return "a link that leads nowhere"
    except (OSError, RuntimeError):
        return "a link that leads in a circle"
    if not target.is_relative_to(root):
        return "a link that leads outside of the folder"
    if path.parent.resolve().is_relative_to(target):
        return "a link that leads in a circle"
    return ""
