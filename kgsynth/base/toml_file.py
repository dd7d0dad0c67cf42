"""A file in TOML that an option of the command line names. Left out: what its settings must be."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from kgsynth.base.errors import ConfigError


def read_toml(path: Path, option: str) -> dict[str, Any]:
    """Return what stands in the file that ``option`` names; a byte order mark is passed over.

    Raises:
        ConfigError: the file cannot be read, or is no TOML.
    """
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise ConfigError(f"{option} {path} cannot be read ({error.strerror}): check the path") from None
    except ValueError as error:
        raise ConfigError(f"{option} {path} is no TOML ({error}): mend it there") from None
