"""The options of ``score`` that say which questions to ask, what to hold the run against, and where CI reads of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

_OPTIONS = (
    click.option(
        "--thresholds", metavar="PRESET|FILE", help="mission_critical, standard, exploratory, or a TOML file."
    ),
    click.option("--weights", metavar="METRIC=WEIGHT,…", help="Weights of the overall score."),
    click.option("--metric", "own", multiple=True, metavar="FILE.py:FUNCTION", help="A metric of your own."),
    click.option("--sample", metavar="10%|40", help="Ask a sample of the questions, drawn by type."),
    click.option(
        "--since", type=click.Path(path_type=Path), metavar="RUN", help="Ask what is new or changed since that run."
    ),
    click.option("--junit", type=click.Path(path_type=Path), metavar="FILE", help="Write JUnit XML there."),
)


def judging_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of this file, as arguments of their names."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def check(gates: tuple[str, ...], judging: dict[str, Any]) -> None:
    """Tell what is wrong with the standards before anything is read.

    Raises:
        ConfigError: a gate, thresholds, weights or an own metric that cannot be.
    """
    from kgsynth.metrics.standards import read_standards

    read_standards(gates, judging["thresholds"], judging["weights"], judging["own"])
