"""How a language model is reached and what it may cost: a TOML file, overridden by options of the command line.

The key is never read from a file, only from the environment.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path

from pydantic import NonNegativeFloat, NonNegativeInt, PositiveFloat, PositiveInt

from kgsynth.base.settings import problems_of, raise_problems, read_toml, unknown_settings
from kgsynth.base.settings_file import table_of
from kgsynth.models.llm.budget import Budget


@dataclass(frozen=True, slots=True, kw_only=True)
class LLMSettings:
    """How a language model is reached and what it may cost; times in seconds, prices per million tokens.

    With an empty ``base_url``, OPENAI_BASE_URL of the environment is used, or OpenAI's own server. None means
    no cap. ``reasoning_effort`` is sent to models that think, such as "low"; "" sends nothing. ``thinking_tokens`` are
    allowed for thoughts, besides those of a reply.
    """

    base_url: str = ""
    timeout: PositiveFloat = 120.0
    retries: NonNegativeInt = 5
    backoff: NonNegativeFloat = 0.5
    longest_wait: NonNegativeFloat = 60.0
    at_once: PositiveInt = 4
    reasoning_effort: str = ""
    thinking_tokens: NonNegativeInt = 0
    max_calls: PositiveInt | None = None
    max_tokens: PositiveInt | None = None
    max_cost: PositiveFloat | None = None
    price_in: NonNegativeFloat = 0.0
    price_out: NonNegativeFloat = 0.0

    @property
    def budget(self) -> Budget:
        """The caps and the prices."""
        return Budget(self.max_calls, self.max_tokens, self.max_cost, self.price_in, self.price_out)


LLM_SETTINGS = tuple(entry.name for entry in fields(LLMSettings))
"""The names of the settings."""


def read_llm_settings(path: Path | None = None, **overrides: object) -> LLMSettings:
    """Read the settings in ``path``, overridden by ``overrides``; an override of None is ignored.

    The file contains only these settings, or is a kgsynth.toml with a table ``[llm]``.

    Raises:
        ConfigError: the file cannot be read, a setting is wrong, or there is a cap on cost without a price.

    Example:
        >>> read_llm_settings(max_calls=50).max_calls
        50
    """
    values, table = table_of(read_toml(path, "--llm-config"), "llm")
    given = {key: value for key, value in overrides.items() if value is not None}

    def place(key: str) -> str:
        return "" if key in given else f" in {table}{path}"

    problems = unknown_settings(values, LLM_SETTINGS, place)
    values = {key: value for key, value in {**values, **given}.items() if key in LLM_SETTINGS}
    problems += problems_of(LLMSettings, values, place)
    if values.get("max_cost") and not (values.get("price_in") or values.get("price_out")):
        problems.append(
            "max_cost needs prices; set price_in and price_out, per million tokens, with --llm-config or in "
            "[llm] of kgsynth.toml"
        )
    raise_problems(problems)
    return LLMSettings(**values)
