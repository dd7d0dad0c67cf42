"""What can be read from the manifest of a finished run."""

from __future__ import annotations

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
