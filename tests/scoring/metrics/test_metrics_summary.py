"""Means, counts, intervals over clusters, and gates."""

from __future__ import annotations

import random

import numpy as np
import pytest

from kgsynth.base.errors import ConfigError
from kgsynth.scoring.metrics import METRICS
from kgsynth.scoring.metrics.criteria import parse_gates
from kgsynth.scoring.metrics.summary import Value, summarise
from kgsynth.statistics.intervals import weighted_share
from kgsynth.statistics.rates import wilson

WHY = {"em": "nothing to score"}


def rows(*values: float | None) -> list[dict[str, float | None]]:
    return [{"em": value} for value in values]


def test_the_mean_is_over_scored_questions_and_has_their_number() -> None:
    value = summarise(rows(1.0, None, 0.0, 1.0), list("abcd"), WHY)["em"]
    assert (value.value, value.n_scored, value.n_total) == (0.666667, 3, 4)


def test_without_a_scored_question_the_value_is_null_with_the_reason() -> None:
    value = summarise(rows(None, None), list("ab"), WHY)["em"]
    assert value.to_json() == {"value": None, "n_scored": 0, "n_total": 2, "why": "nothing to score"}


def test_one_document_has_no_interval() -> None:
    assert summarise(rows(1.0, 0.0, 1.0), ["a"] * 3, WHY)["em"].ci95 is None
    assert summarise(rows(1.0, None), ["a", "b"], WHY)["em"].ci95 is None  # only one document is scored


def test_intervals_are_the_same_every_time_and_hold_the_mean() -> None:
    values = [float(at % 3 == 0) for at in range(60)]
    clusters = [f"d{at % 12}" for at in range(60)]
    first, again = (summarise(rows(*values), clusters, WHY)["em"] for _ in range(2))
    assert first == again
    assert first.ci95 is not None
    assert first.value is not None
    assert 0 <= first.ci95[0] <= first.value <= first.ci95[1] <= 1


def test_questions_of_a_document_that_fail_together_widen_the_interval() -> None:
    values = [1.0] * 100 + [0.0] * 100
    alone = summarise(rows(*values), [str(at) for at in range(200)], WHY)["em"].ci95
    together = summarise(rows(*values), [str(at // 20) for at in range(200)], WHY)["em"].ci95
    assert alone is not None
    assert together is not None
    # 10 documents of 20 equal answers carry the information of 10 questions: sqrt(20) = 4.5 times as wide
    assert (together[1] - together[0]) / (alone[1] - alone[0]) == pytest.approx(20**0.5, rel=0.2)


def test_the_interval_contains_the_true_mean_about_95_percent_of_the_time() -> None:
    rng = np.random.default_rng(11)
    inside = 0
    for _ in range(200):
        chance = rng.beta(6, 6, size=40)  # each document is easy or hard; the mean over documents is a half
        values = rng.binomial(1, np.repeat(chance, 4)).astype(float)
        interval = summarise(rows(*values.tolist()), [str(at // 4) for at in range(160)], WHY)["em"].ci95
        assert interval is not None
        inside += interval[0] <= 0.5 <= interval[1]
    assert 0.88 <= inside / 200 <= 0.99


@pytest.mark.parametrize(
    ("gate", "passed"),
    [("em>=0.8", True), ("em > 0.8", False), ("em<=.8", True), ("em<0.8", False), ("em>=8e-1", True), ("em>0", True)],
)
def test_gates_compare_as_written(gate: str, passed: bool) -> None:
    (parsed,) = parse_gates([gate])
    assert parsed.check({"em": Value(0.8, 10, 10)}).passed is passed


def test_a_gate_on_a_metric_without_a_value_fails_with_the_reason() -> None:
    (gate,) = parse_gates(["em>=0"])
    result = gate.check({"em": Value(None, 0, 10, why="the system gives no answers")})
    assert result.to_json() == {
        "gate": "em>=0",
        "passed": False,
        "value": None,
        "why": "the system gives no answers",
    }


def test_all_problems_of_all_gates_are_reported_at_once_with_the_known_metrics() -> None:
    with pytest.raises(ConfigError) as caught:
        parse_gates(["recall@5=0.8", "glory>=1", "recall>=0.5", "mrr>=0.1", "em@5>=1", "em>=80%"])
    message = str(caught.value)
    assert "'recall@5=0.8' is not METRIC>=NUMBER" in message
    assert "'em>=80%' is not METRIC>=NUMBER" in message
    assert all(f"'{name}' is not a metric" in message for name in ("glory", "recall", "em@5"))
    assert "'mrr'" not in message
    assert all(f"{name}@k" in message if metric.at_k else name in message for name, metric in METRICS.items())


def test_a_better_score_never_has_a_lower_interval() -> None:
    """13 documents with 30 questions: 29 right used to be 0.90 to 1, and 30 right 0.77 to 1."""
    clusters = [str(at % 13) for at in range(30)]
    scores = [rows(*[float(at >= wrong) for at in range(30)]) for wrong in range(9)]
    ends = [summarise(values, clusters, WHY)["em"].ci95 for values in scores]
    known = [each for each in ends if each]
    assert len(known) == 9
    for end in zip(*known, strict=True):
        assert list(end) == sorted(end, reverse=True)
    assert known[:2] == [(0.764926, 1.0), (0.764926, pytest.approx(0.996, abs=0.001))]
    graded = summarise(rows(*[0.99] + [1.0] * 29), clusters, WHY)["em"].ci95
    assert graded == pytest.approx(known[0], abs=0.01), "a graded value near the end too"


def test_the_effective_number_of_questions_by_hand() -> None:
    # 2 of 2 right on one document, 1 of 2 on another: mean 3/4; the squares about it are 3/4, between documents 1/4 and
    # within 1/2; with the imagined question, between (1/4 + 1) / 2 = 5/8, within (1/2) / 2 = 1/4
    # correlation (5/8 - 1/4) / (5/8 + 1/4) = 3/7, design effect 10/7; values of 0 and 1 vary as such: 4 / (10/7)
    found = summarise(rows(1.0, 1.0, 1.0, 0.0), list("aabb"), WHY)["em"].ci95
    low, high = wilson(0.75, 2.8)
    assert low < wilson(1.0, 2)[0], "that of a perfect score is no limit here"
    assert found == pytest.approx((low, high), abs=1e-6)
    # 1, 1/2, 1/2 and 0 on a document each: squares about the mean 1/2; 0 and 1 would have 4 * 1/4; each one more
    assert summarise(rows(1.0, 0.5, 0.5, 0.0), list("abcd"), WHY)["em"].ci95 == pytest.approx(
        wilson(0.5, 4 / (1.5 / 2)), abs=1e-6
    )


@pytest.mark.parametrize("graded", [False, True])
@pytest.mark.parametrize(("documents", "each"), [(60, 1), (13, 2), (40, 2)])
def test_intervals_near_the_end_contain_the_true_mean(documents: int, each: int, graded: bool) -> None:
    """A percentile bootstrap does so in 11 to 90 % of cases."""
    rng = np.random.default_rng(3)
    for mean in (0.8, 0.95, 0.99):
        inside = 0
        for _ in range(300):
            share = np.repeat(rng.beta(4 * mean, 4 * (1 - mean), documents), each)  # a correlation of 0.2
            drawn = rng.beta(3 * share + 1e-9, 3 * (1 - share) + 1e-9) if graded else rng.random(len(share)) < share
            clusters = [str(at // each) for at in range(len(share))]
            found = summarise(rows(*map(float, drawn)), clusters, WHY)["em"].ci95
            assert found is not None
            inside += found[0] <= mean <= found[1]
        assert inside / 300 >= 0.92, mean


def test_sixty_right_of_sixty_is_not_certainty() -> None:
    clusters = [str(at) for at in range(60)]
    assert summarise(rows(*[1.0] * 60), clusters, WHY)["em"].ci95 == (0.939828, 1.0)  # 60 / (60 + 1.96²)
    assert summarise(rows(*[0.0] * 60), clusters, WHY)["em"].ci95 == (0.0, 0.060172)
    of_two_documents = summarise(rows(*[1.0] * 60), ["a", "b"] * 30, WHY)["em"].ci95
    assert of_two_documents == (0.34238, 1.0), "sixty questions on two documents prove no more than two"
    assert summarise(rows(*[1.0] * 60), clusters, WHY, unbounded={"em"})["em"].ci95 == (1.0, 1.0)


def test_the_weighted_mean_holds_the_value_over_all_documents_in_95_percent_of_300_draws() -> None:
    """Long documents are drawn more often and answered better: the plain mean of the drawn is off, the weighted not."""
    rng = random.Random(7)
    words = [rng.randint(50, 3000) for _ in range(1000)]
    right = [[float(rng.random() < 0.3 + 0.6 * size / 3000) for _ in range(10)] for size in words]
    truth = sum(map(sum, right)) / 10_000
    inside, plain, weighted = 0, [], []
    for seed in range(300):
        draw, values, weights, clusters = random.Random(seed), [], [], []
        for number, size in enumerate(words):
            chance = min(1.0, size / 16_384)
            if draw.random() < chance:
                values += draw.sample(right[number], 2)
                weights += [1 / chance] * 2
                clusters += [str(number)] * 2
        mean, (low, high) = weighted_share(values, weights, clusters)
        inside += low <= truth <= high
        plain.append(sum(values) / len(values) - truth)
        weighted.append(mean - truth)
    assert 0.93 <= inside / 300 <= 0.97
    assert abs(sum(weighted)) / 300 < 0.01 < 0.08 < sum(plain) / 300
