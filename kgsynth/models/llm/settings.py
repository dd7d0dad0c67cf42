"""How a model is reached and what it may cost: the options of the command line over a file in TOML, checked.

All faults are told at once. Keys are never read from a file: they come from the environment.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated

from pydantic import Field, TypeAdapter, ValidationError

from kgsynth.base.errors import ConfigError
from kgsynth.base.toml_file import read_toml
from kgsynth.models.llm.budget import Budget

_Above = Annotated[float, Field(gt=0, allow_inf_nan=False, strict=True)]
_From = Annotated[float, Field(ge=0, allow_inf_nan=False, strict=True)]
_Count = Annotated[int, Field(ge=1, strict=True)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How a model is reached and what it may cost; times in seconds, prices for a million tokens.

    An empty ``base_url`` is the one of the environment (OPENAI_BASE_URL), or OpenAI's own. None is no limit.
    """

    base_url: str = ""
    timeout: _Above = 120.0
    retries: Annotated[int, Field(ge=0, strict=True)] = 5
    backoff: _From = 0.5
    longest_wait: _From = 60.0
    at_once: _Count = 4
    max_calls: _Count | None = None
    max_tokens: _Count | None = None
    max_cost: _Above | None = None
    price_in: _From = 0.0
    price_out: _From = 0.0

    @property
    def budget(self) -> Budget:
        """What may be spent, and at what prices."""
        return Budget(self.max_calls, self.max_tokens, self.max_cost, self.price_in, self.price_out)


KEYS = tuple(entry.name for entry in fields(Settings))


def read_settings(path: Path | None = None, **overrides: object) -> Settings:
    """Read the settings of a file, each overridden by what ``overrides`` gives for it; None counts as not given.

    Raises:
        ConfigError: the file cannot be read, or with everything that is wrong in it; a cap on cost without a price.

    Example:
        >>> read_settings(max_calls=50).max_calls
        50
    """
    given = read_toml(path, "--llm-config") if path is not None else {}
    faults = [f"unknown setting {key}, known are {', '.join(KEYS)}" for key in given if key not in KEYS]
    given |= {key: value for key, value in overrides.items() if value is not None}
    try:
        settings = TypeAdapter(Settings).validate_python({key: given[key] for key in given if key in KEYS})
    except ValidationError as error:
        faults += [f"{fault['loc'][0]} is {fault['input']!r}: {fault['msg']}" for fault in error.errors()]
        settings = Settings()
    if settings.max_cost is not None and not (settings.price_in or settings.price_out):
        faults.append("max_cost needs prices: set price_in and price_out, for a million tokens, with --llm-config")
    if faults:
        raise ConfigError(f"{f'--llm-config {path}: ' if path else ''}{'; '.join(faults)}")
    return settings
