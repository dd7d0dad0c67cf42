"""The ranker: the probability that a strict reader keeps a question, by the weights of a readable JSON file.

For each letter of a grade the file has a logistic regression on standardised features. The product of their
probabilities, as log-odds, is calibrated by a straight line (Platt 1999), fitted to folders that were left out.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from kgsynth.base.atomic_files import replacing
from kgsynth.base.errors import ConfigError
from kgsynth.base.json_reading import JsonError, parse_json

_FORMAT = 1
_CLIPPED_AT = 4.0  # standard deviations: a value beyond those of the graded questions counts like a rare one
_LEAST = 1e-6  # probability


@dataclass(frozen=True, slots=True)
class Feature:
    """What is known of a feature: its mean, which stands in for a missing one, its deviation, and weights by letter."""

    mean: float
    deviation: float
    weights: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Fitted:
    """What a ranker was fitted to, and how it did on folders that were left out.

    ``error`` is the standard deviation of a folder's share kept around the share predicted for it.
    """

    questions: int
    folders: int
    kept: float
    auc: float
    error: float


@dataclass(frozen=True, slots=True)
class Ranker:
    """The weights by feature and letter, the log-odds of each letter, and the calibration: a slope and a shift."""

    features: Mapping[str, Feature]
    biases: Mapping[str, float]
    slope: float
    shift: float
    fitted: Fitted

    def keep(self, found: Mapping[str, float]) -> float:
        """Return the probability that a question with these features is kept, rounded to four digits.

        A feature of a class ("kind.term") that is missing is 0 if another of its group is there.
        """
        groups = {name.partition(".")[0] for name in found}
        standard = {}
        for name, feature in sorted(self.features.items()):
            absent = 0.0 if name.startswith(CLASSES) and name.partition(".")[0] in groups else feature.mean
            value = (found.get(name, absent) - feature.mean) / feature.deviation
            standard[name] = max(-_CLIPPED_AT, min(_CLIPPED_AT, value))
        together = 1.0
        for letter, bias in self.biases.items():
            terms = (feature.weights.get(letter, 0.0) * standard[name] for name, feature in self.features.items())
            together *= _logistic(bias + math.fsum(terms))
        return round(_logistic(self.slope * log_odds(together) + self.shift), 4)

    def save(self, path: Path) -> None:
        """Write the ranker as JSON, a line per feature."""
        about = {"format": _FORMAT, "fitted": asdict(self.fitted)}
        about |= {"biases": dict(self.biases), "slope": self.slope, "shift": self.shift}
        head = json.dumps(about, indent=1)[:-2]
        lines = (f'  "{name}": {json.dumps(asdict(feature))}' for name, feature in sorted(self.features.items()))
        with replacing(path) as part:
            part.write_text(head + ',\n "features": {\n' + ",\n".join(lines) + "\n }\n}\n", encoding="utf-8")


CLASSES = ("kind.", "opening.")
"""Groups of features: in each, a question has at most one feature, with the value 1."""


def load_ranker(path: Path | None = None) -> Ranker:
    """Return the ranker of a file, by default the one that kgsynth has.

    Raises:
        ConfigError: the file cannot be read, or is not a ranker.
    """
    return _read(path) if path else _own()


@cache
def _own() -> Ranker:
    return _of(parse_json((files("kgsynth.ranking") / "weights.json").read_bytes()))


def _read(path: Path) -> Ranker:
    try:
        return _of(parse_json(path.read_bytes()))
    except OSError as error:
        raise ConfigError(f"{path} cannot be read ({error.strerror}); give a file that kgsynth rank wrote") from error
    except (JsonError, KeyError, TypeError, ValueError) as error:
        raise ConfigError(f"{path} is not a ranker ({error}); give a file that kgsynth rank wrote") from error


def _of(obj: Any) -> Ranker:
    if obj["format"] != _FORMAT:
        raise ValueError(f"its format is {obj['format']!r}, not {_FORMAT}")
    features = {
        name: Feature(float(one["mean"]), float(one["deviation"]), {k: float(v) for k, v in one["weights"].items()})
        for name, one in obj["features"].items()
    }
    if any(feature.deviation <= 0 for feature in features.values()):
        raise ValueError("a deviation is not above 0")
    biases = {letter: float(value) for letter, value in obj["biases"].items()}
    return Ranker(features, biases, float(obj["slope"]), float(obj["shift"]), Fitted(**obj["fitted"]))


def log_odds(probability: float) -> float:
    """Return the log-odds of a probability, which is kept away from 0 and 1.

    Example:
        >>> log_odds(0.5)
        0.0
    """
    clipped = min(1 - _LEAST, max(_LEAST, probability))
    return math.log(clipped / (1 - clipped))


def _logistic(value: float) -> float:
    return 1 / (1 + math.exp(-max(-500.0, min(500.0, value))))


# ---- what a set is worth ---------------------------------------------------------------------------

_WIDTH = 1.96


@dataclass(frozen=True, slots=True)
class Promise:
    """The share of some questions that a strict reader would keep, as estimated, with its 95 % interval."""

    share: float
    low: float
    high: float
    questions: int

    def text(self) -> str:
        """Return the promise in words.

        Example:
            >>> Promise(0.61, 0.5, 0.72, 60).text()
            '61 % (95 % interval 50 to 72)'
        """
        low, high = (round(end * 100) for end in (self.low, self.high))
        return f"{self.share * 100:.0f} % (95 % interval {low} to {high})"


def promise(keeps: Iterable[float], fitted: Fitted) -> Promise | None:
    """Return the mean of some estimates, None without any.

    Its interval has the chance of each question, and the error of a whole folder.

    Example:
        >>> promise([0.5] * 100, Fitted(1000, 12, 0.3, 0.7, 0.1))
        Promise(share=0.5, low=0.2809, high=0.7191, questions=100)
    """
    values = list(keeps)
    if not values:
        return None
    share = math.fsum(values) / len(values)
    chance = math.fsum(value * (1 - value) for value in values) / len(values) ** 2
    half = _WIDTH * math.sqrt(chance + fitted.error**2)
    return Promise(round(share, 4), round(max(0.0, share - half), 4), round(min(1.0, share + half), 4), len(values))
