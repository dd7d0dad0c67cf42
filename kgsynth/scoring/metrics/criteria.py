"""What a run computes and what it must reach: profiles, and the conditions of gates and thresholds.

A profile is a preset of metrics, cut-offs, sample and thresholds; explicit options override it. Metrics that are not
asked for are not computed, except four from which the cause of a failure is derived.

A gate (``recall@5>=0.8``) and a threshold (a value at which to warn and one at which to fail, from a preset or a TOML
file) are both a ``Condition``. A metric without a value fails the run; only a condition of a preset is "not assessed"
if the golden set has no question for its metric, as the presets name metrics of every kind.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from kgsynth.base.config import Config
from kgsynth.base.errors import ConfigError
from kgsynth.base.settings import parse_toml, table_of
from kgsynth.scoring.metrics import METRICS, RUN_METRICS
from kgsynth.scoring.metrics.judged import JUDGED_METRICS
from kgsynth.scoring.metrics.lookup import RUN_OUTCOMES, full_names, name_problem, share_problem, split_name
from kgsynth.scoring.metrics.overall_score import parse_weights
from kgsynth.scoring.metrics.own_metrics import OwnMetric, load_own_metrics
from kgsynth.scoring.metrics.summary import Value
from kgsynth.show.tables import figure

ANSWER_RUN_METRICS = tuple(name for name, metric in RUN_METRICS.items() if metric.kind != "resources")
"""The run metrics of answers and retrieval; resources are always measured."""

CUT_OFFS = (1, 3, 5, 10)
"""The default cut-offs of the @k metrics."""

ALWAYS_MEASURED = ("context_recall", "em", "sub_em", "token_recall")
"""The metrics that are always computed: the cause of a failure is derived from them."""

_RETRIEVAL = ("recall", "ndcg", "mrr", "context_precision", "context_recall", "file_recall")
_ANSWERS = ("em", "sub_em", "token_recall", "token_f1", "claim_recall", "claim_precision", "refusal")


@dataclass(frozen=True, slots=True)
class Profile:
    """What a run computes: metrics (() means all), cut-offs, sample, thresholds, embedding model, and report notes.

    ``what`` says what a preset is for.
    """

    what: str = ""
    metrics: tuple[str, ...] = ()
    k: tuple[int, ...] = CUT_OFFS
    sample: str | None = None
    thresholds: str | Path | None = None
    semantic: str | None = None
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


def plan_metrics(
    profile: str | None = None,
    metrics: Sequence[str] = (),
    *,
    k: Sequence[int] | None = None,
    sample: str | None = None,
    thresholds: str | Path | None = None,
    semantic: str | None = None,
) -> Profile:
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
    problems = [f"{name!r} {problem}" for name in metrics if name not in METRICS and (problem := name_problem(name))]
    if problems:
        raise ConfigError(f"--metrics cannot be used: {'; '.join(problems)}")
    base = PROFILES[profile] if profile is not None else Profile()
    names = tuple(metrics) or base.metrics
    plan = Profile(
        metrics=names,
        k=base.k if k is None else tuple(k),
        sample=base.sample if sample is None else sample,
        thresholds=base.thresholds if thresholds is None else thresholds,
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


def settings_text(settings: Profile) -> dict[str, str]:
    """Return the settings of a profile as text.

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


# ---- conditions ------------------------------------------------------------------------------------

_GATE = re.compile(r"\s*(?:([\w-]+)\s*:)?\s*([\w@]+)\s*(>=|<=|>|<)\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*")
_COMPARE = {">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt}

LEVELS = ("failed", "warned", "passed", "not assessed")
"""The possible results of a condition, in the order of the report."""

PRESET_NAMES = ("mission_critical", "standard", "exploratory")
"""The presets, the strictest first."""

PRESETS: Mapping[str, tuple[tuple[float, float], ...]] = {
    "recall@5": ((0.95, 0.90), (0.85, 0.75), (0.70, 0.50)),
    "ndcg@5": ((0.90, 0.85), (0.80, 0.70), (0.60, 0.45)),
    "mrr": ((0.90, 0.85), (0.80, 0.70), (0.60, 0.45)),
    "file_recall": ((0.98, 0.95), (0.90, 0.85), (0.80, 0.65)),
    "sub_em": ((0.90, 0.80), (0.75, 0.60), (0.50, 0.35)),
    "token_f1": ((0.80, 0.70), (0.60, 0.50), (0.40, 0.25)),
    "refusal": ((0.98, 0.95), (0.90, 0.80), (0.70, 0.50)),
    "pass_rate": ((0.90, 0.80), (0.75, 0.60), (0.50, 0.35)),
}
"""Metric -> (warn, fail) for each of ``PRESET_NAMES``: starting points chosen by judgement, not measured."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A value that fails the run unless it compares so with ``fail``; a threshold has a value at which to ``warn`` too.

    One ``from_preset`` does not apply to a golden set that has no question for its metric. One with a ``tag`` is on the
    questions that have it.
    """

    metric: str
    comparison: str
    fail: float
    warn: float | None = None
    from_preset: bool = field(default=False, repr=False, compare=False)
    tag: str = field(default="", repr=False)

    def level(self, value: float) -> str:
        """Return the level of ``value``, one of ``LEVELS``.

        Example:
            >>> [threshold("mrr", 0.8, 0.7).level(value) for value in (0.8, 0.7, 0.69)]
            ['passed', 'warned', 'failed']
            >>> threshold("latency", 2, 5).level(3)
            'warned'
        """
        holds = _COMPARE[self.comparison]
        if not holds(value, self.fail):
            return "failed"
        return "passed" if self.warn is None or holds(value, self.warn) else "warned"

    def check(self, values: Mapping[str, Value], strict: bool = False, *, applies: bool = True) -> Checked:
        """Check the values of a run; without a value the condition fails.

        A condition on a judged metric only warns unless ``strict``. ``applies`` says whether the golden set has a
        question for the metric.
        """
        found, warns = values[self.metric], self.metric in JUDGED_METRICS and not strict
        checked = Checked(
            f"{self.tag}{':' * bool(self.tag)}{self.metric}{self.comparison}{self.fail:.12g}",
            "failed",
            found.value,
            found.why,
            self,
            warns,
        )
        if found.value is None:
            return replace(checked, level="not assessed" if self.from_preset and not applies else "failed", warns=False)
        level = self.level(found.value)
        return replace(checked, level="warned" if level == "failed" and warns else level, why=None)


@dataclass(frozen=True, slots=True)
class Checked:
    """The level of a condition, with the value it was checked against, or the reason why there was none.

    ``detail`` says in words what it was checked against, if not a number, and ``numbers`` has what it rests on, for
    scores.json.
    """

    text: str
    level: str
    value: float | None
    why: str | None = None
    condition: Condition | None = None
    warns: bool = False
    detail: str = ""
    numbers: Mapping[str, object] = field(default_factory=dict)

    @property
    def metric(self) -> str:
        """The name of the metric, "" if no single one is checked."""
        return self.condition.metric if self.condition else ""

    @property
    def limits(self) -> tuple[float, float]:
        """Where a threshold warns and fails."""
        assert self.condition is not None and self.condition.warn is not None
        return self.condition.warn, self.condition.fail

    @property
    def passed(self) -> bool:
        """Whether the condition holds."""
        return self.level == "passed"

    @property
    def outcome(self) -> str:
        """The level, a failure in capitals."""
        return self.level.replace("failed", "FAILED")

    @property
    def value_text(self) -> str:
        """The value, in words if there are any, or why there is none."""
        return self.why or self.detail or figure(self.value)

    def to_json(self) -> dict[str, object]:
        """Return the result as it is written to scores.json."""
        why = {"why": self.why} if self.why else {}
        if self.condition and self.condition.warn is not None:
            warn, fail = self.limits
            return {"metric": self.metric, "warn": warn, "fail": fail, "value": self.value, "level": self.level} | why
        line = {"gate": self.text, "passed": self.passed, "value": self.value, **self.numbers}
        return line | ({"warns": True} if self.warns else {}) | why


def parse_gates(texts: Iterable[str], own: Collection[str] = ()) -> tuple[Condition, ...]:
    """Read gates as given on the command line; ``own`` are the names of the user's own metrics.

    Raises:
        ConfigError: names every gate that cannot be read, has an unknown metric, or has a number that is not a share
            although the metric is one.

    Example:
        >>> parse_gates(["recall@5 >= 0.8"])
        (Condition(metric='recall@5', comparison='>=', fail=0.8, warn=None),)
    """
    gates, problems = [], []
    for text in texts:
        match = _GATE.fullmatch(text)
        if not match:
            problems.append(
                f"gate {text!r} is not METRIC>=NUMBER (or >, <=, <), such as recall@5>=0.8, or TAG:METRIC>=NUMBER"
            )
            continue
        gates.append(Condition(match[2], match[3], float(match[4]), tag=match[1] or ""))
        if problem := _limit_problem(match[2], [gates[-1].fail], own):
            problems.append(f"gate {text!r}: {problem}")
    if problems:
        raise ConfigError("; ".join(problems))
    return tuple(gates)


def threshold(metric: str, warn: float, fail: float, *, from_preset: bool = False) -> Condition:
    """Return a threshold; if ``warn`` is below ``fail``, lower is better, as for a latency."""
    return Condition(metric, "<=" if warn < fail else ">=", fail, warn, from_preset)


def preset(name: str) -> tuple[Condition, ...]:
    """Return the thresholds of a preset.

    Example:
        >>> preset("standard")[0]
        Condition(metric='recall@5', comparison='>=', fail=0.75, warn=0.85)
    """
    column = PRESET_NAMES.index(name)
    return tuple(threshold(metric, *levels[column], from_preset=True) for metric, levels in PRESETS.items())


def read_thresholds(source: str | Path, own: Collection[str] = ()) -> tuple[Condition, ...]:
    """Return the thresholds of a preset or a TOML file.

    In the file, or in its table ``[score.thresholds]``, each metric has a table with ``warn`` and ``fail``. ``preset``
    names a preset whose other thresholds are kept. ``own`` are the names of the user's own metrics.

    Raises:
        ConfigError: there is no such preset or file, or the file has wrong entries, all of which are named.
    """
    if str(source) in PRESET_NAMES:
        return preset(str(source))
    try:
        entries = dict(table_of(parse_toml(Path(source).read_bytes()), "score", "thresholds")[0])
    except OSError:
        raise ConfigError(
            f"--thresholds {source} is neither a preset nor a file: give {', '.join(PRESET_NAMES)} or a TOML file"
        ) from None
    except ValueError as error:
        raise ConfigError(f"the thresholds file {source} is not valid TOML ({error}): correct it") from None
    base, problems = entries.pop("preset", None), []
    if base is not None and base not in PRESET_NAMES:
        problems.append(f"preset is {base!r}, give one of {', '.join(PRESET_NAMES)}")
    thresholds = {each.metric: each for each in preset(base)} if base in PRESET_NAMES else {}
    for metric, levels in entries.items():
        if not _is_pair(levels):
            problems.append(f"{metric!r} is not a pair of numbers, write {{warn = 0.9, fail = 0.8}}")
        elif problem := _limit_problem(metric, levels.values(), own):
            problems.append(problem)
        else:
            thresholds[metric] = threshold(metric, float(levels["warn"]), float(levels["fail"]))
    if problems:
        raise ConfigError(f"the thresholds file {source} cannot be used: {'; '.join(problems)}")
    return tuple(thresholds.values())


def _is_pair(levels: object) -> bool:
    numbers = list(levels.values()) if isinstance(levels, dict) and set(levels) == {"warn", "fail"} else []
    return bool(numbers) and all(isinstance(each, int | float) and not isinstance(each, bool) for each in numbers)


def _limit_problem(name: str, limits: Iterable[float], own: Collection[str]) -> str:
    """Return what is wrong with a condition on the metric with this name, "" if nothing is."""
    if problem := name_problem(name, (*own, *RUN_OUTCOMES)):
        return f"{name!r} {problem}"
    return "" if name in own else next(filter(None, (share_problem(name, float(limit)) for limit in limits)), "")


# ---- what the user gives ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PassCriteria:
    """Gates, thresholds, weights (None: the default ones) and own metrics, all read and valid.

    With ``strict``, gates and thresholds on judged metrics can fail a run; otherwise they warn.
    """

    gates: tuple[Condition, ...] = ()
    thresholds: tuple[Condition, ...] = ()
    weights: dict[str, float] | None = None
    own: tuple[OwnMetric, ...] = ()
    strict: bool = False

    @property
    def metric_names(self) -> list[str]:
        """The metrics that gates, thresholds and weights name, which must therefore be computed."""
        checked = [*(gate.metric for gate in self.gates), *(each.metric for each in self.thresholds)]
        return [*checked, *(self.weights or ())]

    def cut_offs(self, k: Sequence[int]) -> list[int]:
        """Return the cut-offs ``k`` together with those that gates, thresholds and weights name.

        Raises:
            ConfigError: ``k`` is empty, or a cut-off is below 1.

        Example:
            >>> PassCriteria(weights={"recall@7": 1.0, "mrr": 1.0}).cut_offs([1, 5])
            [1, 5, 7]
        """
        wrong = [each for each in k if each < 1]
        if wrong or not k:
            raise ConfigError(
                f"-k {wrong[0] if wrong else '(none)'} is not a valid cut-off: give whole numbers of 1 or more"
            )
        return sorted({*k, *(split_name(name)[1] for name in self.metric_names)} - {0})


def read_pass_criteria(
    gates: Sequence[str] = (),
    thresholds: str | Path | None = None,
    weights: str | None = None,
    own: Sequence[str] = (),
    *,
    strict: bool = False,
) -> PassCriteria:
    """Read gates, thresholds, weights and own metrics as given on the command line.

    Raises:
        ConfigError: one of them is invalid.
    """
    own_metrics = load_own_metrics(own)
    names = [metric.name for metric in own_metrics]
    return PassCriteria(
        gates=parse_gates(gates, names),
        thresholds=read_thresholds(thresholds, names) if thresholds is not None else (),
        weights=parse_weights(weights, names) if weights is not None else None,
        own=own_metrics,
        strict=strict,
    )
