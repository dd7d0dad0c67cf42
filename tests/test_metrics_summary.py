"""Means, counts, intervals over clusters, and gates."""

from __future__ import annotations

import numpy as np
import pytest

from kgsynth.base.errors import ConfigError
from kgsynth.scoring.metrics import METRICS
from kgsynth.scoring.metrics.gates import parse_gates
from kgsynth.scoring.metrics.summary import Value, summarise

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


def test_sixty_right_of_sixty_is_not_certainty() -> None:
    clusters = [str(at) for at in range(60)]
    assert summarise(rows(*[1.0] * 60), clusters, WHY)["em"].ci95 == (0.939828, 1.0)  # 60 / (60 + 1.96²)
    assert summarise(rows(*[0.0] * 60), clusters, WHY)["em"].ci95 == (0.0, 0.060172)
    of_two_documents = summarise(rows(*[1.0] * 60), ["a", "b"] * 30, WHY)["em"].ci95
    assert of_two_documents == (0.34238, 1.0), "sixty questions on two documents prove no more than two"
    assert summarise(rows(*[1.0] * 60), clusters, WHY, unbounded={"em"})["em"].ci95 == (1.0, 1.0)
