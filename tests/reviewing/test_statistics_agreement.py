"""Krippendorff's alpha: the examples of his papers, nltk on random ratings, and the cases without an alpha."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from nltk.metrics.agreement import AnnotationTask
from nltk.metrics.distance import binary_distance, interval_distance

from kgsynth.reviewing.results import MeasurementLevel, interpretation, krippendorff_alpha

# Krippendorff (2011), section C: four observers, twelve units, "." is missing.
OBSERVERS = ("1233214 12...", "1233224 125.3", ".333234 2251.", "1233244 1251.")
FOUR = [
    [int(each) for each in unit if each != "."]
    for unit in zip(*(row.replace(" ", "") for row in OBSERVERS), strict=True)
]


@pytest.mark.parametrize(("level", "expected"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_the_example_with_missing_ratings(level: MeasurementLevel, expected: float) -> None:
    assert krippendorff_alpha(FOUR, level) == pytest.approx(expected, abs=5e-4)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [("0100000010", "1110010000", 0.095), ("aabbdcccedda", "babbbccceddd", 0.692)],
)
def test_the_examples_of_two_observers(first: str, second: str, expected: float) -> None:
    """Sections A and B of the same paper: two categories, and five."""
    assert krippendorff_alpha([*zip(first, second, strict=True)], "nominal") == pytest.approx(expected, abs=5e-4)


def ordinal_distance(units: list[list[int]]) -> Callable[[int, int], float]:
    """The ordinal metric of the paper: all ratings from a to b, those two counted half."""
    counts = Counter(rating for unit in units if len(unit) > 1 for rating in unit)

    def distance(a: int, b: int) -> float:
        low, high = sorted((a, b))
        between = sum(count for rating, count in counts.items() if low <= rating <= high)
        return float((between - (counts[a] + counts[b]) / 2) ** 2) if a != b else 0.0

    return distance


@pytest.mark.parametrize("seed", range(8))
def test_random_ratings_with_gaps_agree_with_nltk(seed: int) -> None:
    rng = random.Random(seed)
    units = [[rng.choice((1, 2, 2, 3, 4, 5)) for _ in range(rng.randint(0, 4))] for _ in range(30)]
    data = [(f"c{coder}", f"u{at}", rating) for at, unit in enumerate(units) for coder, rating in enumerate(unit)]
    distances: dict[MeasurementLevel, Any] = {
        "nominal": binary_distance,
        "interval": interval_distance,
        "ordinal": ordinal_distance(units),
    }
    for level, distance in distances.items():
        assert krippendorff_alpha(units, level) == pytest.approx(AnnotationTask(data, distance).alpha(), abs=1e-12), (
            level
        )


def test_the_order_of_ratings_and_units_does_not_matter() -> None:
    reversed_units = [unit[::-1] for unit in FOUR[::-1]]
    assert krippendorff_alpha(reversed_units, "ordinal") == pytest.approx(
        krippendorff_alpha(FOUR, "ordinal"), abs=1e-12
    )


def test_distant_grades_count_more_unless_nominal() -> None:
    near, far = [[1, 1], [5, 5], [1, 2]], [[1, 1], [5, 5], [1, 5]]
    for level in ("ordinal", "interval"):
        a, b = krippendorff_alpha(near, level), krippendorff_alpha(far, level)  # type: ignore[arg-type]
        assert a is not None and b is not None and a > b


@pytest.mark.parametrize("units", [[], [[3]], [[3], [4], [5]], [[3, 3], [3, 3]], [[3, 3], [4]]])
def test_without_pairs_or_variation_alpha_is_none(units: list[list[int]]) -> None:
    assert [krippendorff_alpha(units, level) for level in ("nominal", "ordinal", "interval")] == [None, None, None]


def test_full_agreement_is_1_and_full_disagreement_is_negative() -> None:
    assert krippendorff_alpha([["a", "a"], ["b", "b"]], "nominal") == 1.0
    assert krippendorff_alpha([["a", "b"], ["b", "a"]], "nominal") == pytest.approx(-0.5)  # observed 1, expected 2/3


def test_the_interpretation_changes_at_krippendorffs_thresholds() -> None:
    texts = [interpretation(value) for value in (0.8, 0.7999, 0.667, 0.6669, 0.01, 0.0, -0.4, None)]
    assert [texts.index(each) for each in texts] == [0, 1, 1, 3, 3, 5, 5, 7]
