"""Thresholds: for each metric a value at which to warn and one at which to fail, as a preset or from a TOML file.

Gates name one thing that must hold; thresholds say how good is good enough throughout. A metric the run could not
assess is said to be so and fails nothing; a gate on it would fail.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from kgsynth.base.errors import ConfigError
from kgsynth.scoring.metrics.gates import unknown
from kgsynth.scoring.metrics.judged import JUDGED
from kgsynth.scoring.metrics.summary import Value

NAMES = ("mission_critical", "standard", "exploratory")
"""The presets, the strictest first."""

PRESETS: Mapping[str, tuple[tuple[float, float], ...]] = {
    "recall@5": ((0.95, 0.90), (0.85, 0.75), (0.70, 0.50)),
    "ndcg@5": ((0.90, 0.85), (0.80, 0.70), (0.60, 0.45)),
    "mrr": ((0.90, 0.85), (0.80, 0.70), (0.60, 0.45)),
    "file_recall": ((0.98, 0.95), (0.90, 0.85), (0.80, 0.65)),
    "sub_em": ((0.90, 0.80), (0.75, 0.60), (0.50, 0.35)),
    "token_f1": ((0.80, 0.70), (0.60, 0.50), (0.40, 0.25)),
    "refusal": ((0.98, 0.95), (0.90, 0.80), (0.70, 0.50)),
}
"""Metric -> (warn, fail) for each of ``NAMES``: places to start from, chosen by us, not measured."""

LEVELS = ("failed", "warned", "passed", "not assessed")
"""What holding a value against a threshold may come to, in the order in which a report names them."""


@dataclass(frozen=True, slots=True)
class Threshold:
    """Where to warn and where to fail; with ``warn`` below ``fail`` less is better, as for a latency."""

    metric: str
    warn: float
    fail: float

    def level(self, value: float | None) -> str:
        """Return which of ``LEVELS`` ``value`` is on; the threshold itself still holds.

        Example:
            >>> [Threshold("mrr", 0.8, 0.7).level(value) for value in (0.8, 0.7, 0.69, None)]
            ['passed', 'warned', 'failed', 'not assessed']
            >>> Threshold("latency", 2, 5).level(3)
            'warned'
        """
        if value is None:
            return "not assessed"
        sign = -1 if self.warn < self.fail else 1
        if sign * value < sign * self.fail:
            return "failed"
        return "warned" if sign * value < sign * self.warn else "passed"

    def held(self, values: Mapping[str, Value], strict: bool = False) -> Held:
        """Hold the threshold against the values of a run; one on a judged metric only warns, unless ``strict``."""
        value = values[self.metric].value
        level = self.level(value)
        milder = level == "failed" and self.metric in JUDGED and not strict
        return Held(self.metric, self.warn, self.fail, value, "warned" if milder else level)


@dataclass(frozen=True, slots=True)
class Held:
    """A threshold with the value of a run, and the level that value is on."""

    metric: str
    warn: float
    fail: float
    value: float | None
    level: str

    def to_json(self) -> dict[str, object]:
        """Return it as scores.json holds it."""
        return asdict(self)


def preset(name: str) -> tuple[Threshold, ...]:
    """Return the thresholds of a preset.

    Example:
        >>> preset("standard")[0]
        Threshold(metric='recall@5', warn=0.85, fail=0.75)
    """
    at = NAMES.index(name)
    return tuple(Threshold(metric, *levels[at]) for metric, levels in PRESETS.items())


def read_thresholds(source: str | Path, own: Collection[str] = ()) -> tuple[Threshold, ...]:
    """Return the thresholds that ``source`` names: a preset, or a TOML file.

    In the file each metric has a table with ``warn`` and ``fail``; ``preset`` names one whose other values stay.
    ``own`` are the names of the user's own metrics.

    Raises:
        ConfigError: no such preset or file, or with every wrong entry of the file.
    """
    if str(source) in NAMES:
        return preset(str(source))
    try:
        given = tomllib.loads(Path(source).read_text(encoding="utf-8"))
    except OSError:
        raise ConfigError(
            f"--thresholds {source} is neither a preset nor a file: give {', '.join(NAMES)} or a TOML file"
        ) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"the thresholds {source} are no TOML ({error}): mend the file") from None
    base, faults = given.pop("preset", None), []
    if base is not None and base not in NAMES:
        faults.append(f"preset is {base!r}, give one of {', '.join(NAMES)}")
    held = {each.metric: each for each in preset(base)} if base in NAMES else {}
    for metric, levels in given.items():
        fault = unknown(metric, own) or _wrong(levels)
        if fault:
            faults.append(f"{metric!r} {fault}")
        else:
            held[metric] = Threshold(metric, float(levels["warn"]), float(levels["fail"]))
    if faults:
        raise ConfigError(f"the thresholds {source} cannot be used: {'; '.join(faults)}")
    return tuple(held.values())


def _wrong(levels: object) -> str:
    numbers = list(levels.values()) if isinstance(levels, dict) and set(levels) == {"warn", "fail"} else []
    right = numbers and all(isinstance(each, int | float) and not isinstance(each, bool) for each in numbers)
    return "" if right else "is no pair of numbers, write {warn = 0.9, fail = 0.8}"
