"""What can be read from the manifest of a finished run."""

from __future__ import annotations

import os
from pathlib import Path

from kgsynth.base.json_reading import parse_json


def mix_of_run(golden: Path) -> dict[str, float] | None:
    """Return the mix in the manifest beside a golden set, None when there is no manifest or no mix in it."""
    manifest = (golden if golden.is_dir() else golden.parent) / "manifest.json"
    try:
        found = parse_json(manifest.read_bytes())["config"]["mix"]
        return {str(kind): float(share) for kind, share in found.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def found_no_more(golden: Path) -> bool:
    """Check whether the manifest beside a golden set says that the run wrote fewer questions than it was asked for."""
    try:
        found = parse_json(((golden if golden.is_dir() else golden.parent) / "manifest.json").read_bytes())
        return bool(found["counts"]["golden"] < found["config"]["n"])
    except (OSError, ValueError, KeyError, TypeError):
        return False


def patterns_of_run(golden: Path | None) -> tuple[list[str], list[str]]:
    """Return the ``include`` and ``exclude`` patterns in the manifest beside a golden set, none without one."""
    if golden is None:
        return [], []
    try:
        config = parse_json(((golden if golden.is_dir() else golden.parent) / "manifest.json").read_bytes())["config"]
        return [*config["include"]], [*config["exclude"]]
    except (OSError, ValueError, KeyError, TypeError):  # none there, of another program, or of an earlier version
        return [], []


def docs_of_run(golden: Path) -> Path | None:
    """Return the folder of documents that the manifest beside a golden set names, None if it is not there any more."""
    folder = golden if golden.is_dir() else golden.parent
    try:
        docs = folder / parse_json((folder / "manifest.json").read_bytes())["docs"]
        return docs if docs.is_dir() else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


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
