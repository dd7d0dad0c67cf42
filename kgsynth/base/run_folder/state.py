"""Whose run a folder holds: its ``state.json``, the lock on it, and what makes one run another.

Left out: the results in the folder, which are the business of ``workspace``.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import IO, Any

from kgsynth.base.errors import InputError
from kgsynth.base.version import __version__

STATE = "state.json"
LOCK = ".lock"
FORMAT = 1
"""The form of ``state.json``; a folder of another form cannot be gone on with."""

PACKAGES = ("datasketch", "networkx", "numpy", "scikit-learn", "scipy", "sentence-transformers", "spacy", "torch")
"""The packages whose version can change what a run writes."""


def versions(packages: Iterable[str] = PACKAGES) -> dict[str, str | None]:
    """Return the installed version of each package, None for one that is not there."""
    found: dict[str, str | None] = {}
    for package in packages:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            found[package] = None
    return found


def new_state(command: str, config: Mapping[str, object], inputs: Mapping[str, str]) -> dict[str, Any]:
    """Return the state of a run that has done nothing yet."""
    state = {"format": FORMAT, "kgsynth": __version__, "packages": versions(), "files": [], "done": {}}
    state |= {"command": command, "config": dict(config), "inputs": dict(inputs)}
    plain: dict[str, Any] = json.loads(json.dumps(state))
    return plain


def read_state(folder: Path) -> dict[str, Any] | None:
    """Return the state that is on file, None for none.

    Raises:
        InputError: when ``state.json`` is damaged or of another version.
    """
    path = folder / STATE
    if not path.exists():
        return None
    try:
        state = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise InputError(f"{path} is damaged ({error}); give another output folder") from error
    known = {"format", "kgsynth", "command", "packages", "config", "inputs", "files", "done"}
    if not isinstance(state, dict) or state.get("format") != FORMAT or set(state) != known:
        raise InputError(f"{path} was not written by this version of kgsynth; give another output folder")
    return state


def strangers(folder: Path) -> list[str]:
    """Return what is in the folder and cannot come from a run killed before its first state was written."""
    return sorted(path.name for path in folder.iterdir() if path.name not in (LOCK, f"{STATE}.tmp"))


def locked(folder: Path) -> IO[str]:
    """Take the folder for this process, until it closes the file or ends in whatever way.

    The lock is the process's own (POSIX ``lockf``): children made by fork do not hold it on after a kill.
    """
    file = (folder / LOCK).open("a")
    if sys.platform != "win32":
        import fcntl

        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError) as error:
            file.close()
            raise InputError(
                f"another kgsynth process is working in {folder}; wait for it, or give another output folder"
            ) from error
    return file


def remove(folder: Path, names: Iterable[str]) -> None:
    """Remove the files of these names below the folder, none outside, and what a kill left of their writing."""
    for name in names:
        for path in (folder / name, folder / f"{name}.tmp"):
            if path.is_file() and path.resolve().is_relative_to(folder.resolve()):
                path.unlink()


def differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """Name what makes ``new`` another run than ``old``: settings, documents, versions."""
    told = []
    for part in ("config", "packages"):
        for key in sorted({*old[part], *new[part]}):
            there, here = (json.dumps(each[part].get(key), ensure_ascii=False) for each in (old, new))
            if there != here:
                told.append(f"{key} was {there} and is now {here}")
    if old["kgsynth"] != new["kgsynth"]:
        told.append(f"kgsynth was {old['kgsynth']} and is now {new['kgsynth']}")
    before, now = old["inputs"], new["inputs"]
    for word, names in (
        ("changed", [name for name in now if name in before and now[name] != before[name]]),
        ("are new", [name for name in now if name not in before]),
        ("are gone", [name for name in before if name not in now]),
    ):
        if names:
            told.append(f"documents {word} ({few(sorted(names))})")
    return told


def few(names: Sequence[str]) -> str:
    """Return the first three names, and how many more there are.

    Example:
        >>> few(["a", "b", "c", "d", "e"])
        'a, b, c and 2 more'
    """
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ", ".join(names[:3]) + more


def pretty(value: object) -> str:
    """Return JSON for people: indented, keys sorted, the same text for the same value."""
    return json.dumps(value, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
