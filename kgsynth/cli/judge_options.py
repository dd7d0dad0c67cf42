"""The options of ``score`` that say which language model judges, and what; the model's own are in ``cli.models``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from kgsynth.cli.options import with_options

if TYPE_CHECKING:
    from kgsynth.models.llm import LLMSettings
    from kgsynth.scoring.metrics.judged import Judge

_OPTIONS = (
    click.option("--judge", "judge_model", metavar="MODEL", help="A language model that judges answers and passages."),
    click.option(
        "--judge-metrics", metavar="METRIC,…", help="With --judge: only these, and only what they need is asked."
    ),
    click.option(
        "--judge-repeats", type=click.IntRange(1), help="With --judge: judge so many times, and tell the spread."
    ),
    click.option("--judge-strict", is_flag=True, help="Let gates and thresholds on judged metrics fail the run too."),
)


def judge_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of a judge."""
    return with_options(command, _OPTIONS)


def read_judge(options: dict[str, Any], settings: LLMSettings | None, embedding_model: str) -> Judge | None:
    """Take the options of a judge out of ``options``, and return what they ask for, None for no judge.

    Without --judge-metrics it judges those of --metrics that are judged, or all when none is.

    Raises:
        UsageError: there is no judge for an option that needs one.
        ConfigError: a metric cannot be.
    """
    names = ("judge_model", "judge_metrics", "judge_repeats", "judge_strict")
    model, metrics, repeats, strict = (options.pop(name) for name in names)
    if model is None:
        if metrics is not None or repeats is not None or strict:
            raise click.UsageError("--judge-metrics, --judge-repeats and --judge-strict need a model: give --judge")
        return None
    from kgsynth.scoring.metrics.judged import Judge, judged_among

    named = judged_among(options["metrics"]) if metrics is None else [piece.strip() for piece in metrics.split(",")]
    return Judge(model, tuple(named), repeats or 1, strict, settings, embedding_model)


def sharing(judge: Judge | None, system: object) -> Judge | None:
    """Return the judge, under one budget with the system where a language model is that too."""
    spending = getattr(system, "spending", None)
    return replace(judge, spending=spending) if judge and spending else judge
