"""The options of every command that asks a language model: how it is reached, and what it may cost."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kgsynth.base.errors import ConfigError
from kgsynth.cli.options import Command, with_options

if TYPE_CHECKING:
    from kgsynth.models.llm import LLMSettings

MODEL = ("llm_config", "max_calls", "max_tokens", "max_cost")
"""The names of these options, as a command gets them."""


def model_options(command: Command) -> Command:
    """Give a command the options of a language model."""
    options = (
        click.option(
            "--llm-config",
            type=click.Path(path_type=Path),
            help="TOML: base_url, timeout, retries, at_once, price_in and price_out (a million tokens), caps.",
        ),
        click.option(
            "--max-calls", type=click.IntRange(1), help="The most requests to the model; then stop, resumable."
        ),
        click.option("--max-tokens", type=click.IntRange(1), help="The most tokens, prompts and replies together."),
        click.option("--max-cost", type=click.FloatRange(0, min_open=True), help="The most money, at your prices."),
    )
    return with_options(command, options)


def settings(model: str | None, llm_config: Path | None, **caps: float | None) -> LLMSettings | None:
    """Return how the model is reached, from the options; None without one.

    Raises:
        ConfigError: one of the options is wrong, or given without a model.
    """
    if model is not None:
        from kgsynth.models.llm import read_llm_settings

        return read_llm_settings(llm_config, **caps)
    given = [name for name, value in {"llm_config": llm_config, **caps}.items() if value is not None]
    if given:
        raise ConfigError(f"--{given[0].replace('_', '-')} is for a language model: name one, or leave it out")
    return None


def spent(usage: Mapping[str, Any]) -> str:
    """Say what a language model was asked.

    Example:
        >>> spent({"writing": {"calls": 2, "failed": 0, "cached": 1, "tokens_in": 500, "tokens_out": 40}, "cost": 0.0})
        'the model: 2 calls (writing 2), 1 reply from the cache, 500 tokens in and 40 out'
    """
    stages = {name: each for name, each in usage.items() if isinstance(each, Mapping)}
    total = {
        key: sum(each[key] for each in stages.values())
        for key in ("calls", "failed", "cached", "tokens_in", "tokens_out")
    }
    by_stage = ", ".join(f"{name} {each['calls']:,}" for name, each in stages.items() if each["calls"])
    told = f"the model: {total['calls']:,} {'call' if total['calls'] == 1 else 'calls'}"
    told += f" ({by_stage})" if by_stage else ""
    told += f", {total['failed']:,} of them failed" if total["failed"] else ""
    told += (
        f", {total['cached']:,} {'reply' if total['cached'] == 1 else 'replies'} from the cache"
        if total["cached"]
        else ""
    )
    told += f", {total['tokens_in']:,} tokens in and {total['tokens_out']:,} out"
    return told + (f", at a cost of {usage['cost']:.4f}" if usage["cost"] else "")
