"""The options of ``score`` that name a language model as judge, and what it judges."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from kgsynth.cli.options import with_options

if TYPE_CHECKING:
    from kgsynth.models.llm import LLMSettings
    from kgsynth.scoring.metrics.judged import Judge

_JUDGE_OPTIONS = (
    click.option("--judge", "judge_model", metavar="MODEL", help="A language model that judges answers and passages."),
    click.option(
        "--judge-metrics", metavar="METRIC,…", help="With --judge: compute only these metrics, and ask only for them."
    ),
    click.option(
        "--judge-repeats", type=click.IntRange(1), help="With --judge: judge this many times, and report the spread."
    ),
    click.option("--judge-strict", is_flag=True, help="Let gates and thresholds on judged metrics fail the run too."),
)


def judge_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of a judge to a command."""
    return with_options(command, _JUDGE_OPTIONS)


def read_judge(options: dict[str, Any], settings: LLMSettings | None, embedding_model: str) -> Judge | None:
    """Remove the options of a judge from ``options``, and return the judge, None without --judge.

    Without --judge-metrics, it judges the judged metrics among --metrics, or all judged metrics if there are none.

    Raises:
        UsageError: an option needs --judge.
        ConfigError: a metric is unknown or not judged.
    """
    names = ("judge_model", "judge_metrics", "judge_repeats", "judge_strict")
    model, metrics, repeats, strict = (options.pop(name) for name in names)
    if model is None:
        if metrics is not None or repeats is not None or strict:
            raise click.UsageError(
                "--judge-metrics, --judge-repeats and --judge-strict need a judge; add --judge MODEL"
            )
        return None
    from kgsynth.scoring.metrics.judged import Judge, judged_among

    named = judged_among(options["metrics"]) if metrics is None else [name.strip() for name in metrics.split(",")]
    return Judge(model, tuple(named), repeats or 1, strict, settings, embedding_model)


def with_shared_budget(judge: Judge | None, system: object) -> Judge | None:
    """Return the judge, under one budget with the system if that is a language model too."""
    spending = getattr(system, "spending", None)
    return replace(judge, spending=spending) if judge and spending else judge
