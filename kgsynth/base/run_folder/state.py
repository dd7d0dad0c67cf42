"""The ``state.json`` of a run folder: which run it belongs to, and which of its files are complete."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from types import NoneType
from typing import Any

from kgsynth.base.errors import InputError
from kgsynth.base.json_reading import parse_json
from kgsynth.base.run_folder.lock import LOCK_FILE
from kgsynth.base.version import __version__

STATE = "state.json"
FORMAT = 2
"""The format of ``state.json``; a run in a folder of another format cannot be resumed."""

_KINDS: Mapping[str, type] = {
    "format": int, "kgsynth": str, "command": str, "packages": dict, "config": dict, "inputs": dict, "files": list,
    "done": dict,
}  # fmt: skip
"""The keys of ``state.json``; ``done`` has the checksum of each complete file."""

PACKAGES = ("datasketch", "networkx", "numpy", "scikit-learn", "scipy", "sentence-transformers", "spacy", "torch")
"""The packages whose version can change what a run writes."""


def versions(packages: Iterable[str] = PACKAGES) -> dict[str, str | None]:
    """Return the installed version of each package, None for one that is not installed."""
    found: dict[str, str | None] = {}
    for package in packages:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            found[package] = None
    return found


def new_state(command: str, config: Mapping[str, object], inputs: Mapping[str, str]) -> dict[str, Any]:
    """Return the state of a run that has not written anything yet."""
    state = {"format": FORMAT, "kgsynth": __version__, "packages": versions(), "files": [], "done": {}}
    state |= {"command": command, "config": dict(config), "inputs": dict(inputs)}
    plain: dict[str, Any] = parse_json(json.dumps(state))
    return plain


def read_state(folder: Path) -> dict[str, Any] | None:
    """Return the state of the run in ``folder``, None if there is no run.

    Raises:
        InputError: ``state.json`` is damaged, or has another format.
    """
    path = folder / STATE
    if not path.exists():
        return None
    try:
        state = parse_json(path.read_bytes())
    except ValueError as error:
        raise InputError(f"{path} is damaged ({error}); give another output folder") from error
    if not isinstance(state, dict) or state.get("format") != FORMAT or set(state) != set(_KINDS):
        raise InputError(f"{path} was not written by this version of kgsynth; give another output folder")
    for key, kind in _KINDS.items():
        if type(state[key]) is not kind or not _has_texts(state, key):
            raise InputError(f"{path} is damaged ({key} is {str(state[key])[:40]!r}); give another output folder")
    return state


def is_generate_run(folder: Path) -> bool:
    """Check whether a folder is a run of ``generate`` that this version can read."""
    try:
        state = read_state(folder)
    except (InputError, OSError):
        return False
    return state is not None and state["command"] == "generate"


def _has_texts(state: Mapping[str, Any], key: str) -> bool:
    """Check whether the members of an entry are texts, where they must be."""
    entry = state[key]
    members = entry.values() if isinstance(entry, dict) else entry if isinstance(entry, list) else ()
    allowed = (str, NoneType) if key == "packages" else str
    return key == "config" or all(isinstance(each, allowed) for each in members)


def checksum(path: Path) -> str:
    """Return the checksum under which ``state.json`` records a complete file."""
    with path.open("rb") as file:
        return f"sha256:{hashlib.file_digest(file, 'sha256').hexdigest()}"


def check_unchanged(folder: Path, names: Iterable[str]) -> None:
    """Check that files of a run have the content with which they were written, if there is a readable ``state.json``.

    Raises:
        InputError: a file was changed.
    """
    try:
        state = read_state(folder)
    except InputError:
        return
    for name in names:
        path = folder / name
        if state and name in state["done"] and path.is_file() and checksum(path) != state["done"][name]:
            raise InputError(f"{path} was changed since kgsynth wrote it; run generate again with --fresh")


def foreign_files(folder: Path) -> list[str]:
    """Return the names in ``folder`` that cannot come from a run killed before it wrote its first state."""
    return sorted(path.name for path in folder.iterdir() if path.name not in (LOCK_FILE, f"{STATE}.tmp"))


def remove_files(folder: Path, names: Iterable[str]) -> None:
    """Remove files below ``folder`` and what a kill left of writing them; a name that leads outside is ignored."""
    for name in names:
        for path in (folder / name, folder / f"{name}.tmp"):
            if path.is_file() and path.resolve().is_relative_to(folder.resolve()):
                path.unlink()


def changed_settings(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, str]:
    """Return each setting that differs between two states, with a sentence that says how."""
    return _changed(old["config"], new["config"])


def _changed(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, str]:
    found = {}
    for key in sorted({*old, *new}):
        there, here = old.get(key), new.get(key)
        if isinstance(there, Mapping) and isinstance(here, Mapping):
            if parts := _changed(there, here):
                found[key] = "; ".join(f"{key}.{part}" for part in parts.values())
        elif there != here:
            there, here = (json.dumps(each, ensure_ascii=False) for each in (there, here))
            found[key] = f"{key} was {there} and is now {here}"
    return found


def differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """Name the documents and versions that differ between two states; a run goes on only over the same ones."""
    found = [*_changed(old["packages"], new["packages"]).values()]
    if old["kgsynth"] != new["kgsynth"]:
        found.append(f"kgsynth was {old['kgsynth']} and is now {new['kgsynth']}")
    before, now = old["inputs"], new["inputs"]
    for verb, names in (
        ("changed", [name for name in now if name in before and now[name] != before[name]]),
        ("were added", [name for name in now if name not in before]),
        ("were removed", [name for name in before if name not in now]),
    ):
        if names:
            found.append(f"documents {verb} ({abbreviate(sorted(names))})")
    return found


def abbreviate(names: Sequence[str]) -> str:
    """Return the first three names, and the number of the others.

    Example:
        >>> abbreviate(["a", "b", "c", "d", "e"])
        'a, b, c and 2 more'
    """
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ", ".join(names[:3]) + more


def pretty_json(value: object) -> str:
    """Return indented JSON with sorted keys: the same text for the same value."""
    return json.dumps(value, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
