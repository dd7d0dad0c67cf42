"""What can be read from the manifest of a finished run."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from kgsynth.base.json_reading import parse_json


def mix_of_run(golden: Path) -> dict[str, float] | None:
    """Return the mix in the manifest beside a golden set, None when there is no manifest or no mix in it."""
    try:
        return {str(kind): float(share) for kind, share in _manifest(golden)["config"]["mix"].items()}
    except (*_UNREADABLE, AttributeError):
        return None


def found_no_more(golden: Path) -> bool:
    """Check whether the manifest beside a golden set says that the run wrote fewer questions than it was asked for."""
    try:
        found = _manifest(golden)
        return bool(found["counts"]["golden"] < found["config"]["n"])
    except _UNREADABLE:
        return False


def patterns_of_run(golden: Path | None) -> tuple[list[str], list[str]]:
    """Return the ``include`` and ``exclude`` patterns in the manifest beside a golden set, none without one."""
    if golden is None:
        return [], []
    try:
        config = _manifest(golden)["config"]
        found = config["include"], config["exclude"]
    except _UNREADABLE:
        return [], []
    texts = all(isinstance(each, list) and all(isinstance(pattern, str) for pattern in each) for each in found)
    return found if texts else ([], [])


def docs_of_run(golden: Path) -> Path | None:
    """Return the folder of documents that the manifest beside a golden set names, None if it is not there any more."""
    try:
        docs = _folder(golden) / _manifest(golden)["docs"]
        return docs if docs.is_dir() else None
    except _UNREADABLE:
        return None


_UNREADABLE = (OSError, ValueError, KeyError, TypeError)
"""The errors of a manifest that is missing, or that another program or an earlier version wrote."""


def _manifest(golden: Path) -> Any:
    return parse_json((_folder(golden) / "manifest.json").read_bytes())


def _folder(golden: Path) -> Path:
    return golden if golden.is_dir() else golden.parent


def named_from(docs: Path, folder: Path) -> str:
    """Return how the manifest in ``folder`` names the folder of documents: from there, so that both can be moved.

    Example:
        >>> named_from(Path("corpora/handbook"), Path("outputs/run"))
        '../../corpora/handbook'
    """
    try:
        return Path(os.path.relpath(docs, folder)).as_posix()
    except ValueError:  # on another drive
        return docs.resolve().as_posix()
