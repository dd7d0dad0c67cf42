"""Profiles: which metrics are computed, of how many questions, and what they are held against, under one name.

A profile stands for options that may be given one by one, and one given by hand goes before it. A metric that nobody
wants is not computed; four are in any case, since the cause of a failure is told from them.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from kgsynth.base.config import Config
from kgsynth.base.errors import ConfigError
from kgsynth.scoring.metrics import METRICS, RUN_METRICS, names
from kgsynth.scoring.metrics.gates import unknown

OF_ALL = tuple(name for name, metric in RUN_METRICS.items() if metric.kind != "resources")
"""The metrics of a run as a whole that tell of what it said and found, not of what it used."""

CUT_OFFS = (1, 3, 5, 10)
"""The cut-offs of the @k metrics when nothing is said."""

TELLING = ("context_recall", "em", "sub_em", "token_recall")
"""What is measured in any case: the cause of a failure is told from these."""

_RETRIEVAL = ("recall", "ndcg", "mrr", "context_precision", "context_recall", "file_recall")
_ANSWERS = ("em", "sub_em", "token_recall", "token_f1", "refusal")


class Profile(NamedTuple):
    """What a profile is for, and the options it stands for; () and "" leave one as it is without a profile."""

    what: str
    metrics: tuple[str, ...] = ()
    k: tuple[int, ...] = CUT_OFFS
    sample: str = ""
    thresholds: str = ""


PROFILES: Mapping[str, Profile] = {
    "comprehensive": Profile("every metric, those by meaning too, at every cut-off", (*METRICS, *OF_ALL)),
    "focused": Profile("the chief metrics of retrieval and answers", (*_RETRIEVAL, *_ANSWERS), (1, 5, 10)),
    "rapid": Profile("a first look, by few metrics of a sample", ("recall", "mrr", *TELLING), (5,), "20%,50"),
    "continuous": Profile(
        "for CI, the chief metrics held against thresholds", (*_RETRIEVAL, *_ANSWERS), (5,), thresholds="standard"
    ),
}
"""Every profile by name, the widest first."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run computes: metrics (() is all), cut-offs, sample, thresholds, embedding model, and what to tell."""

    metrics: tuple[str, ...]
    k: tuple[int, ...]
    sample: str | None
    thresholds: str | Path | None
    semantic: str | None
    notes: tuple[str, ...] = ()

    def names(self, ks: Iterable[int], also: Iterable[str] = ()) -> list[str]:
        """Return the full names of the metrics to compute, in the order of the report.

        ``ks`` are all cut-offs there are, ``also`` what gates and the like ask for besides.

        Example:
            >>> plan(metrics=["mrr", "recall"], k=[5]).names([3, 5], also=["ndcg@3"])[:4]
            ['recall@5', 'ndcg@3', 'mrr', 'context_recall']
        """
        every = [*names({*ks, *map(_cut, self.metrics)} - {0}), *OF_ALL]
        if not self.metrics:
            return every
        wanted = {*self.metrics, *TELLING, *also}
        if self.semantic and not any(_by_meaning(name) for name in wanted):
            wanted |= {name for name in METRICS if _by_meaning(name)}
        at_k = {f"{name}@{k}" for name in wanted for k in self.k}
        return [name for name in every if name in wanted or name in at_k]


def plan(
    profile: str | None = None,
    metrics: Sequence[str] = (),
    *,
    k: Sequence[int] | None = None,
    sample: str | None = None,
    thresholds: str | Path | None = None,
    semantic: str | None = None,
) -> Plan:
    """Settle what a run computes: what is given by hand, else what the profile sets, else everything of all questions.

    The embedding model is asked when ``semantic`` names it, or when a metric by meaning is named.

    Raises:
        ConfigError: no such profile, or with every metric that is none.

    Example:
        >>> plan("continuous", k=[3]).thresholds, plan("continuous", k=[3]).k
        ('standard', (3,))
    """
    if profile is not None and profile not in PROFILES:
        raise ConfigError(f"--profile {profile} is none of them: give {', '.join(PROFILES)}")
    if faults := [fault for name in metrics if (fault := _fault(name))]:
        raise ConfigError(f"--metrics cannot be used: {'; '.join(faults)}")
    base = PROFILES[profile] if profile is not None else Profile("")
    named = tuple(metrics) or base.metrics
    settled = Plan(
        metrics=named,
        k=base.k if k is None else tuple(k),
        sample=base.sample or None if sample is None else sample,
        thresholds=base.thresholds or None if thresholds is None else thresholds,
        semantic=semantic or (Config().embedding_model if any(map(_by_meaning, named)) else None),
    )
    if profile is None:
        return settled
    given = {"metrics": metrics or None, "cut-offs": k, "sample": sample, "thresholds": thresholds}
    told = [
        f"{what} {cell}{'' if given[what] is None else ' (by hand)'}" for what, cell in cells(settled).items() if cell
    ]
    return replace(settled, notes=(f"profile {profile}: {'; '.join(told)}",))


def cells(of: Profile | Plan) -> dict[str, str]:
    """Return what a profile or a plan sets, as text.

    Example:
        >>> cells(PROFILES["rapid"])["sample"], cells(PROFILES["comprehensive"])["metrics"]
        ('20%,50', 'all')
    """
    return {
        "metrics": "all" if set(METRICS) <= {*of.metrics} else ", ".join(of.metrics),
        "cut-offs": ", ".join(map(str, of.k)),
        "sample": of.sample or "",
        "thresholds": str(of.thresholds or ""),
    }


def _cut(name: str) -> int:
    return int(name.partition("@")[2] or 0)


def _by_meaning(name: str) -> bool:
    return name in METRICS and METRICS[name].kind == "semantic"


def _fault(name: str) -> str:
    """Say why no metric can be meant by ``name``, a full name or one without its cut-off; "" when one can."""
    if name in METRICS or not (fault := unknown(name)):
        return ""
    base = name.partition("@")[0]
    if base in METRICS:
        return f"{name!r} is no cut-off of {base}, write {base + '@5' if METRICS[base].at_k else base}"
    near = difflib.get_close_matches(base, [*METRICS, *RUN_METRICS], n=3)
    return f"{name!r} is none of the metrics, near it are {', '.join(near)}" if near else f"{name!r} {fault}"
