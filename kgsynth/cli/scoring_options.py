"""The options of ``score`` that say which questions to ask and what to hold the run against, and how that ends."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kgsynth.cli.options import with_options
from kgsynth.scoring.metrics.profiles import PROFILES

if TYPE_CHECKING:
    from kgsynth.scoring.metrics.scores import Scores


def _names(text: str | None) -> tuple[str, ...]:
    names = tuple(part.strip() for part in (text or "").split(",") if part.strip())
    if text is not None and not names:
        raise click.BadParameter("it names no metric, give such as recall,mrr,token_f1")
    return names


_OPTIONS = (
    click.option(
        "--profile",
        type=click.Choice(list(PROFILES)),
        help="Options under one name, before which one given by hand goes: "
        + ", ".join(f"{name} ({profile.what})" for name, profile in PROFILES.items()),
    ),
    click.option(
        "--metrics",
        callback=lambda _ctx, _param, text: _names(text),
        metavar="METRIC,…",
        help="Compute these alone, such as recall,mrr,token_f1.",
    ),
    click.option(
        "--thresholds", metavar="PRESET|FILE", help="mission_critical, standard, exploratory, or a TOML file."
    ),
    click.option("--weights", metavar="METRIC=WEIGHT,…", help="Weights of the overall score."),
    click.option("--metric", "own", multiple=True, metavar="FILE.py:FUNCTION", help="A metric of your own."),
    click.option("--sample", metavar="10%|40", help="Ask a sample, drawn by type; of 10%,40 the larger."),
    click.option(
        "--since", type=click.Path(path_type=Path), metavar="RUN", help="Ask what is new or changed since that run."
    ),
    click.option("--junit", type=click.Path(path_type=Path), metavar="FILE", help="Write JUnit XML there."),
    click.option(
        "--fail-on-error",
        "limit",
        metavar="N|x%",
        help="Exit code 4 when more questions fail than this.",
    ),
)


def judging_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of this file, as arguments of their names."""
    return with_options(command, _OPTIONS)


def check(gates: tuple[str, ...], limit: str | None, judging: dict[str, Any]) -> bool:
    """Tell what is wrong with the standards before anything is read, and whether they want metrics by meaning.

    Raises:
        ConfigError: a gate, a limit, thresholds, weights, a metric or an own one that cannot be.
    """
    from kgsynth.scoring.metrics.pass_criteria import read_pass_criteria
    from kgsynth.scoring.metrics.profiles import plan_metrics
    from kgsynth.scoring.systems.ask_all import allowed_errors

    planned = plan_metrics(judging["profile"], judging["metrics"], thresholds=judging["thresholds"])
    read_pass_criteria(gates, planned.thresholds, judging["weights"], judging["own"])
    allowed_errors(limit or "0", 0)
    return planned.semantic is not None


def judge(scores: Scores, limit: str | None) -> None:
    """End with an error when too many questions failed, the judge was stopped, or else a gate failed.

    In this order, because the figures of a broken run prove nothing.

    Raises:
        SystemUnreachableError: more questions failed, or have no record, than ``limit`` allows.
        BudgetError: the budget did not allow to judge everything.
        GateError: a gate does not hold, or a threshold is missed.
    """
    from kgsynth.base.errors import BudgetError, GateError, SystemUnreachableError
    from kgsynth.scoring.systems.ask_all import allowed_errors

    count = scores.n_errors + len(scores.missing)
    if limit is not None and count > allowed_errors(limit, scores.n_items):
        raise SystemUnreachableError(
            f"{count} of {scores.n_items} questions failed or have no record, more than --fail-on-error {limit}; "
            "see why in answers.jsonl, mend it, and ask these again with --retry-errors"
        )
    if scores.judge and scores.judge.stopped:
        raise BudgetError(f"the judge {scores.judge.stopped}; with -o the same command under a higher cap goes on")
    if scores.failures:
        asked = len(scores.gates) + len(scores.thresholds)
        held = "gates and thresholds" if scores.thresholds else "gates"
        raise GateError(f"{len(scores.failures)} of {asked} {held} failed: {', '.join(scores.failures)}")
