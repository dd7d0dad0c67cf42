"""Fit a ranker to graded questions, and measure it on folders that were left out.

Only this module needs scikit-learn. A fold leaves out all questions of one folder; what a method says of them is fitted
to the others alone. These folds choose the strength of the penalty, and the calibration is fitted to what they say.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kgsynth.base.errors import InputError
from kgsynth.ranking.grades import BASELINE, LETTERS, GradedRow
from kgsynth.ranking.model import CLASSES, Feature, Fitted, Ranker, log_odds

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

STRENGTHS = (0.001, 0.003, 0.01, 0.03)
"""The values of C among which the folds choose: the inverse of the penalty on the weights."""

_MIN_ROWS_WITH = 8  # questions with a feature; of fewer nothing can be learned
_MIN_GRADES = 60
_MIN_FOLDERS = 2


@dataclass(frozen=True, slots=True)
class GradeTable:
    """Graded questions as numbers: standardised ``values`` (rows, features), grades (rows, letters), and folders."""

    names: tuple[str, ...]
    values: Numbers
    means: Numbers
    deviations: Numbers
    letters: Numbers
    kept: Numbers
    folders: tuple[str, ...]


def table_of(rows: Sequence[GradedRow], without: tuple[str, ...] = ()) -> GradeTable:
    """Return graded questions as numbers, a missing feature as its mean; ``without`` are groups to leave out.

    Raises:
        InputError: there are too few graded questions or folders, or all have the same grade.
    """
    import numpy as np

    if len(rows) < _MIN_GRADES or len({row.kept for row in rows}) < 2:
        raise InputError(
            f"{len(rows)} graded questions are too few or graded alike; grade {_MIN_GRADES} or more of both sorts"
        )
    if len({row.corpus for row in rows}) < _MIN_FOLDERS:
        raise InputError(f"all graded questions come from the folder {rows[0].corpus!r}; add grades of another folder")
    counts = Counter(name for row in rows for name in row.features)
    unused = (BASELINE, *without)
    names = sorted(name for name, count in counts.items() if count >= _MIN_ROWS_WITH and not name.startswith(unused))
    raw = np.array(
        [[row.features.get(name, 0.0 if name.startswith(CLASSES) else np.nan) for name in names] for row in rows]
    )
    means, deviations = np.nanmean(raw, axis=0), np.nanstd(raw, axis=0)
    varies = deviations > 1e-9
    names = [name for name, use in zip(names, varies, strict=True) if use]
    raw, means, deviations = raw[:, varies], means[varies], deviations[varies]
    values = np.clip((np.where(np.isnan(raw), means, raw) - means) / deviations, -4, 4)
    letters = np.array([[row.letters[letter] for letter in LETTERS] for row in rows], float)
    folders = tuple(row.corpus for row in rows)
    return GradeTable(tuple(names), values, means, deviations, letters, letters.min(axis=1), folders)


def left_out(folders: Sequence[str]) -> Iterator[tuple[NDArray[np.bool_], NDArray[np.bool_]]]:
    """Yield for each folder which rows are of the others, and which are its own.

    Example:
        >>> [(list(map(int, others)), list(map(int, own))) for others, own in left_out(["a", "b", "a"])]
        [([0, 1, 0], [1, 0, 1]), ([1, 0, 1], [0, 1, 0])]
    """
    import numpy as np

    every = np.array(folders)
    for folder in sorted(set(folders)):
        yield every != folder, every == folder


def out_of_fold(table: GradeTable, predict: Callable[[Numbers, Numbers, Numbers], Numbers]) -> Numbers:
    """Return what a method says of each question, fitted to the other folders.

    ``predict`` takes the values and letters of the others, and the values of the folder that is left out.
    """
    import numpy as np

    said = np.zeros(len(table.kept))
    for others, own in left_out(table.folders):
        said[own] = predict(table.values[others], table.letters[others], table.values[own])
    return said


def by_letter(strength: float) -> Callable[[Numbers, Numbers, Numbers], Numbers]:
    """Return a method: a logistic regression for each letter; the log-odds of the product of their probabilities."""
    import numpy as np

    def predict(values: Numbers, letters: Numbers, new: Numbers) -> Numbers:
        weights, biases = _regressions(values, letters, strength)
        each = 1 / (1 + np.exp(-(new @ weights + biases)))
        return _odds(each.prod(axis=1))

    return predict


def _odds(probabilities: Numbers) -> Numbers:
    import numpy as np

    return np.array([log_odds(float(one)) for one in probabilities])


def _regressions(values: Numbers, letters: Numbers, strength: float) -> tuple[Numbers, Numbers]:
    """Return the weights (features, letters) and biases (letters); a letter that is always the same has a bias only."""
    import numpy as np
    from sklearn.linear_model import LogisticRegression

    weights, biases = np.zeros((values.shape[1], letters.shape[1])), np.zeros(letters.shape[1])
    for at in range(letters.shape[1]):
        grades = letters[:, at]
        if grades.min() == grades.max():
            biases[at] = log_odds((grades.sum() + 0.5) / (len(grades) + 1))
            continue
        model = LogisticRegression(C=strength, max_iter=5000).fit(values, grades)
        weights[:, at], biases[at] = model.coef_[0], model.intercept_[0]
    return weights, biases


def fit(rows: Sequence[GradedRow], strengths: Sequence[float] = STRENGTHS) -> Ranker:
    """Return the ranker fitted to graded questions.

    Raises:
        InputError: there are too few graded questions or folders.
    """
    table = table_of(rows)
    said = {strength: out_of_fold(table, by_letter(strength)) for strength in strengths}
    best = max(strengths, key=lambda strength: (round(area(table.kept, said[strength]), 3), -strength))
    slope, shift = calibration(said[best], table.kept)
    weights, biases = _regressions(table.values, table.letters, best)
    features = {
        name: Feature(
            _short(table.means[at]),
            _short(table.deviations[at]),
            {letter: _short(weights[at, column]) for column, letter in enumerate(LETTERS)},
        )
        for at, name in enumerate(table.names)
    }
    levels = {letter: _short(biases[column]) for column, letter in enumerate(LETTERS)}
    languages = tuple(sorted({row.language for row in rows}))
    return Ranker(features, levels, slope, shift, fitted(table, said[best], languages))


def _short(value: Any) -> float:
    return float(f"{float(value):.5g}")


def calibration(said: Numbers, kept: Numbers) -> tuple[float, float]:
    """Return the slope and shift that turn what was said, as log-odds, into log-odds of being kept (Platt 1999).

    What does worse than chance has the slope 0, and every question the share kept: its order is not turned round.
    """
    from sklearn.linear_model import LogisticRegression

    line = LogisticRegression(C=1e6, max_iter=5000).fit(said[:, None], kept)
    if line.coef_[0, 0] < 0:
        return 0.0, _short(log_odds(float(kept.mean())))
    return _short(line.coef_[0, 0]), _short(line.intercept_[0])


def calibrated(said: Numbers, kept: Numbers, folders: Sequence[str]) -> Numbers:
    """Return the probabilities of being kept, each by a calibration that was fitted to the other folders."""
    import numpy as np

    found = np.zeros(len(said))
    for others, own in left_out(folders):
        slope, shift = calibration(said[others], kept[others])
        found[own] = 1 / (1 + np.exp(-(slope * said[own] + shift)))
    return found


def area(kept: Numbers, said: Numbers) -> float:
    """Return the area under the ROC curve.

    Example:
        >>> import numpy as np
        >>> area(np.array([0, 1, 1, 0]), np.array([0.1, 0.9, 0.4, 0.3]))
        1.0
    """
    from sklearn.metrics import roc_auc_score

    return float(roc_auc_score(kept, said))


def fitted(table: GradeTable, said: Numbers, languages: tuple[str, ...]) -> Fitted:
    """Return how well a method did; the error of folders is that of their share, without the part due to chance."""
    told = calibrated(said, table.kept, table.folders)
    squares, chance = [], []
    for _, own in left_out(table.folders):
        squares.append(float(table.kept[own].mean() - told[own].mean()) ** 2)
        chance.append(float((told[own] * (1 - told[own])).sum()) / int(own.sum()) ** 2)
    error = math.sqrt(max(0.0, (math.fsum(squares) - math.fsum(chance)) / len(squares)))
    return Fitted(
        questions=len(table.kept),
        folders=len(set(table.folders)),
        kept=_short(table.kept.mean()),
        auc=round(area(table.kept, said), 3),
        error=round(error, 4),
        languages=languages,
    )
