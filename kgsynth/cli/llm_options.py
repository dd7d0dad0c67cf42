"""The options of every command that uses a language model: how it is reached, and what it may cost."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kgsynth.base.errors import ConfigError
from kgsynth.cli.options import PATH, Command, with_options
from kgsynth.cli.settings import is_from_file, llm_table

if TYPE_CHECKING:
    from kgsynth.models.llm import LLMSettings

LLM_OPTIONS = ("llm_config", "max_calls", "max_tokens", "max_cost")
"""The names of these options, as a command receives them."""


def llm_options(command: Command) -> Command:
    """Add the options of a language model to a command."""
    options = (
        click.option(
            "--llm-config",
            type=PATH,
            help="Another TOML file with the settings of [llm]: base_url, timeout, retries, at_once, prices, caps.",
        ),
        click.option(
            "--max-calls",
            type=click.IntRange(1),
            help="The maximum number of requests to the language model; the run then stops and can be resumed.",
        ),
        click.option(
            "--max-tokens",
            type=click.IntRange(1),
            help="The maximum number of tokens, of prompts and replies together.",
        ),
        click.option("--max-cost", type=click.FloatRange(0, min_open=True), help="The maximum cost, at your prices."),
    )
    return with_options(command, options)


def llm_settings(model: str | None, llm_config: Path | None, **caps: float | None) -> LLMSettings | None:
    """Return the settings that the options, the environment and the settings file give, None without a model.

    Raises:
        ConfigError: an option is wrong, or is given without a model.
    """
    if model is not None:
        from kgsynth.models.llm import read_llm_settings

        base_url = None if llm_config else os.environ.get("OPENAI_BASE_URL") or None  # overrides that of [llm]
        return read_llm_settings(llm_config or llm_table(), base_url=base_url, **caps)
    options = {"llm_config": llm_config, **caps}
    given = [name for name, value in options.items() if value is not None and not is_from_file(name)]
    if given:
        raise ConfigError(f"--{given[0].replace('_', '-')} needs a language model; name one, or omit the option")
    return None


def usage_summary(usage: Mapping[str, Any]) -> str:
    """Return the calls, tokens and cost of a language model in one line.

    Example:
        >>> writing = {"calls": 2, "failed": 0, "cached": 1, "tokens_in": 500, "tokens_out": 40}
        >>> usage_summary({"writing": writing, "cost": 0.0})
        '2 calls (writing 2), 1 cached reply, 500 tokens in and 40 out'
    """
    stages = {name: each for name, each in usage.items() if isinstance(each, Mapping)}
    calls, failed, cached, tokens_in, tokens_out = (
        sum(each[key] for each in stages.values()) for key in ("calls", "failed", "cached", "tokens_in", "tokens_out")
    )
    by_stage = ", ".join(f"{name} {each['calls']:,}" for name, each in stages.items() if each["calls"])
    parts = [f"{calls:,} {'call' if calls == 1 else 'calls'}" + (f" ({by_stage})" if by_stage else "")]
    if failed:
        parts.append(f"{failed:,} of them failed")
    if cached:
        parts.append(f"{cached:,} cached {'reply' if cached == 1 else 'replies'}")
    parts.append(f"{tokens_in:,} tokens in and {tokens_out:,} out")
    if usage["cost"]:
        parts.append(f"cost {usage['cost']:.4f}")
    return ", ".join(parts)
