"""Profiles: presets of metrics, cut-offs, sample and thresholds; explicit options override them.

Metrics that are not asked for are not computed, except four from which the cause of a failure is derived.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from kgsynth.base.config import Config
from kgsynth.base.errors import ConfigError
from kgsynth.scoring.metrics import METRICS, RUN_METRICS
from kgsynth.scoring.metrics.lookup import full_names, name_problem, split_name

ANSWER_RUN_METRICS = tuple(name for name, metric in RUN_METRICS.items() if metric.kind != "resources")
"""The run metrics of answers and retrieval; resources are always measured."""

CUT_OFFS = (1, 3, 5, 10)
"""The default cut-offs of the @k metrics."""

ALWAYS_MEASURED = ("context_recall", "em", "sub_em", "token_recall")
"""The metrics that are always computed: the cause of a failure is derived from them."""

_RETRIEVAL = ("recall", "ndcg", "mrr", "context_precision", "context_recall", "file_recall")
_ANSWERS = ("em", "sub_em", "token_recall", "token_f1", "claim_recall", "claim_precision", "refusal")


class Profile(NamedTuple):
    """What a profile is for, and the options it sets; () and "" leave an option at its default."""

    what: str
    metrics: tuple[str, ...] = ()
    k: tuple[int, ...] = CUT_OFFS
    sample: str = ""
    thresholds: str = ""


PROFILES: Mapping[str, Profile] = {
    "comprehensive": Profile(
        "every metric, including semantic ones, at every cut-off", (*METRICS, *ANSWER_RUN_METRICS)
    ),
    "focused": Profile("the main metrics of retrieval and answers", (*_RETRIEVAL, *_ANSWERS), (1, 5, 10)),
    "rapid": Profile("a first look: few metrics on a sample", ("recall", "mrr", *ALWAYS_MEASURED), (5,), "20%,50"),
    "continuous": Profile(
        "for CI: the main metrics, checked against thresholds", (*_RETRIEVAL, *_ANSWERS), (5,), thresholds="standard"
    ),
}
"""Every profile by name, the widest first."""


@dataclass(frozen=True, slots=True)
class MetricPlan:
    """What a run computes: metrics (() means all), cut-offs, sample, thresholds, embedding model, and report notes."""

    metrics: tuple[str, ...]
    k: tuple[int, ...]
    sample: str | None
    thresholds: str | Path | None
    semantic: str | None
    notes: tuple[str, ...] = ()

    def full_names(self, cut_offs: Iterable[int], also: Iterable[str] = ()) -> list[str]:
        """Return the full names of the metrics to compute, in the order of the report.

        ``cut_offs`` are all that the run uses, ``also`` the metrics that gates, thresholds, weights and judge need.

        Example:
            >>> plan_metrics(metrics=["mrr", "recall"], k=[5]).full_names([3, 5], also=["ndcg@3"])[:4]
            ['recall@5', 'ndcg@3', 'mrr', 'context_recall']
        """
        available = [
            *full_names({*cut_offs, *(split_name(name)[1] for name in self.metrics)} - {0}),
            *ANSWER_RUN_METRICS,
        ]
        if not self.metrics:
            return available
        wanted = {*self.metrics, *ALWAYS_MEASURED, *also}
        if self.semantic and not any(map(_is_semantic, wanted)):
            wanted |= set(filter(_is_semantic, METRICS))
        at_k = {f"{name}@{k}" for name in wanted for k in self.k}
        return [name for name in available if name in wanted or name in at_k]


def plan_metrics(
    profile: str | None = None,
    metrics: Sequence[str] = (),
    *,
    k: Sequence[int] | None = None,
    sample: str | None = None,
    thresholds: str | Path | None = None,
    semantic: str | None = None,
) -> MetricPlan:
    """Return what a run computes: explicit options first, then those of the profile, then every metric.

    The embedding model is used when ``semantic`` names one, or when a metric by meaning is named.

    Raises:
        ConfigError: the profile or a metric is unknown.

    Example:
        >>> plan_metrics("continuous", k=[3]).thresholds, plan_metrics("continuous", k=[3]).k
        ('standard', (3,))
    """
    if profile is not None and profile not in PROFILES:
        raise ConfigError(f"--profile {profile} is unknown: give one of {', '.join(PROFILES)}")
    if problems := [problem for name in metrics if (problem := _problem(name))]:
        raise ConfigError(f"--metrics cannot be used: {'; '.join(problems)}")
    base = PROFILES[profile] if profile is not None else Profile("")
    names = tuple(metrics) or base.metrics
    plan = MetricPlan(
        metrics=names,
        k=base.k if k is None else tuple(k),
        sample=base.sample or None if sample is None else sample,
        thresholds=base.thresholds or None if thresholds is None else thresholds,
        semantic=semantic or (Config().embedding_model if any(map(_is_semantic, names)) else None),
    )
    if profile is None:
        return plan
    explicit = {"metrics": metrics or None, "cut-offs": k, "sample": sample, "thresholds": thresholds}
    settings = [
        f"{what} {text}{'' if explicit[what] is None else ' (set explicitly)'}"
        for what, text in settings_text(plan).items()
        if text
    ]
    return replace(plan, notes=(f"profile {profile}: {'; '.join(settings)}",))


def settings_text(settings: Profile | MetricPlan) -> dict[str, str]:
    """Return the settings of a profile or a plan as text.

    Example:
        >>> settings_text(PROFILES["rapid"])["sample"], settings_text(PROFILES["comprehensive"])["metrics"]
        ('20%,50', 'all')
    """
    return {
        "metrics": "all" if set(METRICS) <= {*settings.metrics} else ", ".join(settings.metrics),
        "cut-offs": ", ".join(map(str, settings.k)),
        "sample": settings.sample or "",
        "thresholds": str(settings.thresholds or ""),
    }


def _is_semantic(name: str) -> bool:
    return name in METRICS and METRICS[name].kind == "semantic"


def _problem(name: str) -> str:
    """Return what is wrong with a metric name, with or without a cut-off; "" when it is valid."""
    if name in METRICS or not (problem := name_problem(name)):
        return ""
    base = name.partition("@")[0]
    if base in METRICS:
        return f"{name!r} is not a valid cut-off of {base}, write {base + '@5' if METRICS[base].at_k else base}"
    near = difflib.get_close_matches(base, [*METRICS, *RUN_METRICS], n=3)
    return f"{name!r} is not a metric; similar names are {', '.join(near)}" if near else f"{name!r} {problem}"
