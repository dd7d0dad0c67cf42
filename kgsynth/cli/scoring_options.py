"""The options of ``score``: the system, the judge, what is measured, and what a run must reach."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kgsynth.base.choices import BUNDLED, CONFIGURED, PROFILE_NAMES
from kgsynth.cli.options import CHUNKING_OPTION, EMBEDDING_OPTION, PATH, with_options
from kgsynth.cli.settings import is_from_file

if TYPE_CHECKING:
    from kgsynth.models.llm import LLMSettings
    from kgsynth.scoring.metrics.judged import Judge
    from kgsynth.scoring.metrics.scores import Scores

_JUDGE_OPTIONS = (
    click.option("--judge", "judge_model", metavar="MODEL", help="A language model that judges answers and passages."),
    click.option(
        "--judge-metrics", metavar="METRIC,…", help="With --judge: compute only these metrics, and ask only for them."
    ),
    click.option(
        "--judge-repeats", type=click.IntRange(1), help="With --judge: judge this many times, and report the spread."
    ),
    click.option("--judge-strict", is_flag=True, help="Let gates and thresholds on judged metrics fail the run too."),
    click.option(
        "--judge-checked", is_flag=True, help="Refuse gates and thresholds on judged metrics without --labels."
    ),
    click.option(
        "--labels", type=PATH, metavar="FILE", help="With --judge: people's labels of answers, which correct the judge."
    ),
)


def judge_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of a judge to a command."""
    return with_options(command, _JUDGE_OPTIONS)


def read_judge(options: dict[str, Any], settings: LLMSettings | None) -> Judge | None:
    """Remove the options of a judge from ``options``, and return the judge, None without --judge.

    Without --judge-metrics, it judges the judged metrics among --metrics, or all judged metrics if there are none.

    Raises:
        UsageError: an option needs --judge.
        ConfigError: a metric is unknown or not judged.
    """
    names = ("judge_model", "judge_metrics", "judge_repeats", "judge_strict", "judge_checked")
    model, metrics, repeats, strict, checked = (options.pop(name) for name in names)
    options["labels"] = options["labels"] or ()
    if model is None:
        if metrics is not None or repeats is not None or strict or checked or options["labels"]:
            raise click.UsageError(
                "--judge-metrics, --judge-repeats, --judge-strict, --judge-checked and --labels need a judge; add "
                "--judge MODEL"
            )
        return None
    from kgsynth.scoring.metrics.judged import Judge, judged_among

    named = judged_among(options["metrics"]) if metrics is None else [name.strip() for name in metrics.split(",")]
    return Judge(model, tuple(named), repeats or 1, strict, checked, settings)


def with_shared_budget(judge: Judge | None, system: object) -> Judge | None:
    """Return the judge, under one budget with the system if that is a language model too."""
    spending = getattr(system, "spending", None)
    return replace(judge, spending=spending) if judge and spending else judge


# The options of ``score`` that say which system is scored, and how it is called.

SYSTEM_OPTIONS = {
    "target": click.option(
        "--rag",
        "target",
        required=True,
        help="The system: bm25, dense, hybrid, FILE.py:FUNCTION, http://HOST/PATH, exec:COMMAND, mcp:COMMAND or "
        "mcp:URL, a file of answers, or a language model: naive:MODEL, sequential:MODEL, conditional:MODEL.",
    ),
    "config": click.option(
        "--rag-config",
        "config",
        type=PATH,
        help="http and exec: a TOML file with how to send a question and where the reply contains the answer.",
    ),
    "retriever": click.option(
        "--retriever",
        type=click.Choice(BUNDLED),
        help="sequential and conditional: the retriever (default: hybrid).",
    ),
    "prompt": click.option(
        "--prompt",
        type=PATH,
        help="Language models: a file with your own prompt, with ${question} and ${passages}.",
    ),
    "tool": click.option("--tool", metavar="NAME", help="mcp: the tool that searches (default: found by its schema)."),
    "arguments": click.option(
        "--argument",
        "arguments",
        multiple=True,
        metavar="NAME[=VALUE]",
        help="mcp: the argument that takes the question, and values of others (repeatable).",
    ),
    "chunking": CHUNKING_OPTION,
    "top": click.option(
        "--top", default=10, type=click.IntRange(1), help="Bundled retrievers: how many passages to retrieve."
    ),
    "embedding_model": EMBEDDING_OPTION,
}
"""Parameter of ``open_system`` -> the option that sets it."""


def system_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add these options to a command."""
    return with_options(command, SYSTEM_OPTIONS.values())


def complete_system(options: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of ``open_system``: these options, with the defaults of those that were not given.

    ``[score.rag_config]`` of kgsynth.toml is only for the systems that need it.
    """
    if is_from_file("config") and not options["target"].startswith(CONFIGURED):
        options["config"] = None
    strategy, *sizes = (options["chunking"] or "recursive").split(":")
    options["chunking"] = ":".join([strategy, *(sizes or ("200", "0"))])
    options["embedding_model"] = options["embedding_model"] or "auto"
    return options


# The options of ``score`` that choose questions, metrics, gates and thresholds, and how a failed run ends.


def _metric_names(text: str | None) -> tuple[str, ...]:
    names = tuple(part.strip() for part in (text or "").split(",") if part.strip())
    if text is not None and not names:
        raise click.BadParameter("it names no metric; give for example recall,mrr,token_f1")
    return names


_SCORING_OPTIONS = (
    click.option(
        "--profile",
        type=click.Choice(PROFILE_NAMES),
        help="A preset of metrics, cut-offs, sample and thresholds (docs/checks.md); other options override it.",
    ),
    click.option(
        "--metrics",
        callback=lambda _ctx, _param, text: _metric_names(text),
        metavar="METRIC,…",
        help="Compute only these, such as recall,mrr,token_f1.",
    ),
    click.option(
        "--thresholds", metavar="PRESET|FILE", help="mission_critical, standard, exploratory, or a TOML file."
    ),
    click.option("--weights", metavar="METRIC=WEIGHT,…", help="The weights of the overall score."),
    click.option(
        "--metric-function",
        "own",
        multiple=True,
        metavar="FILE.py:FUNCTION",
        help="A metric of your own (repeatable).",
    ),
    click.option(
        "--sample",
        metavar="15%|30",
        help="Use only a share or number of the items, sampled by question type; 10%,40 takes whichever is larger.",
    ),
    click.option(
        "--since",
        type=PATH,
        metavar="RUN",
        help="Ask only questions that are new or changed since that run.",
    ),
    click.option("--only", multiple=True, metavar="TAG", help="Take only questions with this tag (repeatable)."),
    click.option("--junit", type=PATH, metavar="FILE", help="Write JUnit XML to FILE."),
    click.option(
        "--baseline",
        type=PATH,
        metavar="RUN",
        help="Exit with code 1 if the system is significantly worse than in that earlier run.",
    ),
    click.option(
        "--baseline-metric",
        "baseline_metrics",
        multiple=True,
        metavar="METRIC",
        help="With --baseline: test this metric (repeatable; default: the one that decides in compare).",
    ),
    click.option(
        "--fail-on-error",
        "limit",
        metavar="N|x%",
        help="Exit with code 4 if more questions fail than this.",
    ),
)


def scoring_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add these options to a command."""
    return with_options(command, _SCORING_OPTIONS)


def check_criteria(gates: tuple[str, ...], limit: str | None, scoring: dict[str, Any]) -> bool:
    """Check gates, thresholds, weights and metrics; return whether they need metrics from the embedding model.

    Raises:
        ConfigError: a gate, limit, threshold, weight or metric is wrong.
    """
    from kgsynth.scoring.metrics.criteria import plan_metrics, read_pass_criteria
    from kgsynth.scoring.systems.ask_all import allowed_errors

    planned = plan_metrics(scoring["profile"], scoring["metrics"], thresholds=scoring["thresholds"])
    read_pass_criteria(gates, planned.thresholds, scoring["weights"], scoring["own"])
    allowed_errors(limit or "0", 0)
    return planned.semantic is not None


def baseline_check(scoring: dict[str, Any], out: Path | None, judge: Judge | None) -> Callable[[Scores], Scores] | None:
    """Remove the options of the baseline from ``scoring``; return what compares the scores with it, None without one.

    Raises:
        UsageError: there is a metric, but no baseline; or ``out`` is its folder.
        ConfigError: a metric cannot be tested.
        InputError: the folder is not a run.
    """
    folder, metrics = scoring.pop("baseline"), scoring.pop("baseline_metrics")
    if folder is None:
        if metrics:
            raise click.UsageError("--baseline-metric needs the earlier run; give its folder with --baseline")
        return None
    if out is not None and folder.resolve() == out.resolve():
        raise click.UsageError(f"--baseline {folder} would be overwritten: give another folder with -o")
    from kgsynth.comparison.baseline import check_baseline, read_baseline

    return partial(check_baseline, baseline=read_baseline(folder, metrics, strict=judge is not None and judge.strict))


def raise_failure(scores: Scores, limit: str | None) -> None:
    """Raise an error if too many questions failed, if the judge was stopped, or if a gate failed.

    The order matters: gates on the metrics of an incomplete run prove nothing.

    Raises:
        SystemUnreachableError: more questions failed or have no record than ``limit`` allows.
        BudgetError: the budget did not allow everything to be judged.
        GateError: a gate or a threshold failed, or no question could be checked.
    """
    from kgsynth.base.errors import BudgetError, GateError, SystemUnreachableError
    from kgsynth.scoring.systems.ask_all import allowed_errors

    failed = scores.n_errors + len(scores.missing)
    if limit is not None and failed > allowed_errors(limit, scores.n_items):
        raise SystemUnreachableError(
            f"{failed} of {scores.n_items} questions failed or have no record, more than --fail-on-error {limit}; "
            "see the reasons in answers.jsonl, fix them, and ask these questions again with --retry-errors"
        )
    if scores.judge and scores.judge.stopped:
        raise BudgetError(f"the judge {scores.judge.stopped}; with -o, the same command resumes with a higher cap")
    if scores.failed_checks:
        total = len(scores.gates) + len(scores.thresholds)
        kind = "gates and thresholds" if scores.thresholds else "gates"
        named = (f"{text} (no value: {why})" if why else text for text, why in scores.failed_checks)
        raise GateError(f"{len(scores.failed_checks)} of {total} {kind} failed: {', '.join(named)}")
    if not scores.compared:
        raise GateError(f"{scores.result}; the notes say why")
