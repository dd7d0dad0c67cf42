"""The options of every command that asks a language model: how it is reached, and what it may cost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])

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
    for option in reversed(options):
        command = option(command)
    return command
