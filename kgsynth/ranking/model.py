"""The ranker: the probability that a strict reader keeps a question, by the weights of a readable JSON file.

There is a file for each language whose questions were graded; questions in others go by that of the default language.
For each letter of a grade the file has a logistic regression on standardised features. The product of their
probabilities, as log-odds, is calibrated by a straight line (Platt 1999), fitted to folders that were left out.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from kgsynth.base.atomic_files import replacing
from kgsynth.base.choices import DEFAULT_LANGUAGE
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
    """What a ranker was fitted to, in which languages, and how it did on folders that were left out.

    ``error`` is the standard deviation of a folder's share kept around the share predicted for it.
    """

    questions: int
    folders: int
    kept: float
    auc: float
    error: float
    languages: tuple[str, ...] = (DEFAULT_LANGUAGE,)


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
        standard = []
        for name, feature in self.features.items():
            value = found.get(name)
            if value is None:
                if not (name.startswith(CLASSES) and name.partition(".")[0] in groups):
                    continue  # the mean, which is 0 here
                value = 0.0
            value = (value - feature.mean) / feature.deviation
            standard.append((feature.weights, max(-_CLIPPED_AT, min(_CLIPPED_AT, value))))
        together = 1.0
        for letter, bias in self.biases.items():
            terms = [weights.get(letter, 0.0) * value for weights, value in standard]
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


class Rankers:
    """The ranker for each language: the one that kgsynth has, or that of a file for all of them.

    Raises:
        ConfigError: the file cannot be read, or is not a ranker.

    Example:
        >>> Rankers().of("en").fitted.languages
        ('en',)
    """

    def __init__(self, path: Path | None = None) -> None:
        self._given = _read(path) if path else None

    def of(self, code: str) -> Ranker:
        """Return the ranker for questions in a language, that for the default language where kgsynth has none."""
        return self._given or own_ranker(code) or shipped(DEFAULT_LANGUAGE)


@cache
def own_ranker(code: str) -> Ranker | None:
    """Return the ranker that kgsynth has for a language, None without one; "found" is for ``search_features``."""
    path = files("kgsynth.ranking") / "weights" / f"{code}.json"
    return _of(parse_json(path.read_bytes())) if path.is_file() else None


def shipped(name: str) -> Ranker:
    """Return a ranker of which kgsynth certainly has the weights."""
    ranker = own_ranker(name)
    assert ranker is not None, "it is part of the package"
    return ranker


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
    fitted = Fitted(**obj["fitted"])
    fitted = replace(fitted, languages=tuple(fitted.languages))
    return Ranker(features, biases, float(obj["slope"]), float(obj["shift"]), fitted)


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
