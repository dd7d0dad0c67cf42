"""Thresholds: for each metric a value at which to warn and one at which to fail, from a preset or a TOML file.

A metric without a value fails the run, as with a gate. Only a threshold of a preset is "not assessed" if the golden set
has no question for its metric: the presets name metrics of every kind.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from kgsynth.base.errors import ConfigError
from kgsynth.base.settings import parse_toml, table_of
from kgsynth.scoring.metrics.judged import JUDGED_METRICS
from kgsynth.scoring.metrics.lookup import RUN_OUTCOMES, name_problem, share_problem
from kgsynth.scoring.metrics.summary import Value

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

THRESHOLD_LEVELS = ("failed", "warned", "passed", "not assessed")
"""The possible results of a threshold, in the order of the report."""


@dataclass(frozen=True, slots=True)
class Threshold:
    """Where to warn and where to fail; if ``warn`` is below ``fail``, lower is better, as for a latency.

    A threshold ``from_preset`` does not apply to a golden set that has no question for its metric.
    """

    metric: str
    warn: float
    fail: float
    from_preset: bool = field(default=False, repr=False, compare=False)

    def level(self, value: float) -> str:
        """Return the level of ``value``, one of ``THRESHOLD_LEVELS``; a value equal to a threshold meets it.

        Example:
            >>> [Threshold("mrr", 0.8, 0.7).level(value) for value in (0.8, 0.7, 0.69)]
            ['passed', 'warned', 'failed']
            >>> Threshold("latency", 2, 5).level(3)
            'warned'
        """
        sign = -1 if self.warn < self.fail else 1
        if sign * value < sign * self.fail:
            return "failed"
        return "warned" if sign * value < sign * self.warn else "passed"

    def check(self, values: Mapping[str, Value], strict: bool = False, *, applies: bool = True) -> ThresholdResult:
        """Check the values of a run; a threshold on a judged metric only warns unless ``strict``.

        ``applies`` says whether the golden set has a question for the metric.
        """
        found = values[self.metric]
        if found.value is None:
            level = "not assessed" if self.from_preset and not applies else "failed"
            return ThresholdResult(self.metric, self.warn, self.fail, None, level, found.why)
        level = self.level(found.value)
        only_warns = level == "failed" and self.metric in JUDGED_METRICS and not strict
        return ThresholdResult(self.metric, self.warn, self.fail, found.value, "warned" if only_warns else level)


@dataclass(frozen=True, slots=True)
class ThresholdResult:
    """A threshold with the value of a run and the level of that value, or the reason why there is no value."""

    metric: str
    warn: float
    fail: float
    value: float | None
    level: str
    why: str | None = None

    @property
    def limit(self) -> str:
        """The condition of not failing, such as ``recall@5>=0.75``."""
        return f"{self.metric}{'<=' if self.warn < self.fail else '>='}{self.fail:g}"

    def to_json(self) -> dict[str, object]:
        """Return the result as it is written to scores.json."""
        line = asdict(self)
        if not self.why:
            line.pop("why")
        return line


def preset(name: str) -> tuple[Threshold, ...]:
    """Return the thresholds of a preset.

    Example:
        >>> preset("standard")[0]
        Threshold(metric='recall@5', warn=0.85, fail=0.75)
    """
    column = PRESET_NAMES.index(name)
    return tuple(Threshold(metric, *levels[column], from_preset=True) for metric, levels in PRESETS.items())


def read_thresholds(source: str | Path, own: Collection[str] = ()) -> tuple[Threshold, ...]:
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
        if problem := name_problem(metric, (*own, *RUN_OUTCOMES)) or _levels_problem(levels):
            problems.append(f"{metric!r} {problem}")
        elif (
            problem := ""
            if metric in own
            else next(filter(None, (share_problem(metric, float(each)) for each in levels.values())), "")
        ):
            problems.append(problem)
        else:
            thresholds[metric] = Threshold(metric, float(levels["warn"]), float(levels["fail"]))
    if problems:
        raise ConfigError(f"the thresholds file {source} cannot be used: {'; '.join(problems)}")
    return tuple(thresholds.values())


def _levels_problem(levels: object) -> str:
    numbers = list(levels.values()) if isinstance(levels, dict) and set(levels) == {"warn", "fail"} else []
    valid = numbers and all(isinstance(each, int | float) and not isinstance(each, bool) for each in numbers)
    return "" if valid else "is not a pair of numbers, write {warn = 0.9, fail = 0.8}"
