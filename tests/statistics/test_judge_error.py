"""A judge corrected by people's labels: by hand, against other implementations, and in simulation."""

from __future__ import annotations

import random

import numpy as np
import pytest
from scipy.stats import false_discovery_control, ttest_1samp

from kgsynth.statistics.judge_error import (
    LabelledVerdict,
    alternative_annotator,
    corrected_rate,
    error_rates,
    rate_by_error_rates,
    strata,
)
from kgsynth.statistics.rates import wilson


def labelled(hits: int, false_alarms: int, misses: int, rejections: int) -> list[LabelledVerdict]:
    """Labels: right and called right, wrong and called right, right and called wrong, wrong and called wrong."""
    counts = ((True, 1.0, hits), (True, 0.0, false_alarms), (False, 1.0, misses), (False, 0.0, rejections))
    return [LabelledVerdict(judge, people) for judge, people, n in counts for _ in range(n)]


def test_the_corrected_rate_by_hand() -> None:
    """The judge calls 203 of 300 right; of 39 such labels 38 are right, of the 21 others 5."""
    labels = labelled(38, 1, 5, 16)
    found = corrected_rate(labels, 203, 300)
    assert found.value == pytest.approx(203 / 300 * 38 / 39 + 97 / 300 * 5 / 21)
    assert error_rates(labels) == (38 / 43, 16 / 17)
    # ppi-python 0.2.3: ppi_mean_pointestimate 0.73701, ppi_mean_ci 0.65561 to 0.81842 on these data
    assert found.value == pytest.approx(0.73701, abs=0.001)
    assert found.ci95 == pytest.approx((0.65561, 0.81842), abs=0.02)


def test_prediction_powered_inference_is_the_same_estimator() -> None:
    """PPI++: the mean of the labels plus w times (the judge's mean on all - that on the labelled), w the slope."""
    labels = labelled(30, 8, 4, 18)
    y, f = (np.array(values, dtype=float) for values in zip(*((b, a) for a, b in labels), strict=True))
    slope = np.cov(y, f)[0, 1] / np.var(f, ddof=1)
    assert corrected_rate(labels, 250, 400).value == pytest.approx(y.mean() + slope * (250 / 400 - f.mean()))


def test_labels_may_be_chosen_by_verdict() -> None:
    """Ten times as many labels of answers called wrong do not move the rate: 0.5 * 0.9 + 0.5 * 0.2."""
    assert corrected_rate(labelled(9, 1, 20, 80), 50, 100).value == pytest.approx(0.55)
    assert [stratum.labelled for stratum in strata(labelled(9, 1, 20, 80), 50, 100)] == [10, 100]


def test_with_labels_of_one_verdict_only_the_other_is_unknown() -> None:
    found = corrected_rate(labelled(20, 0, 0, 0), 50, 100)
    assert found.ci95[0] < 0.55 and found.ci95[1] > 0.9


def test_the_rate_by_sensitivity_and_specificity_by_hand() -> None:
    found = rate_by_error_rates(labelled(90, 20, 10, 80), 550, 1000)
    assert found is not None and found.value == pytest.approx((0.55 + 0.8 - 1) / (0.9 + 0.8 - 1))
    assert found.ci95[0] < 0.45 < 0.55 < found.ci95[1]
    assert rate_by_error_rates(labelled(50, 50, 50, 50), 500, 1000) is None, "a judge that tosses a coin"
    assert rate_by_error_rates(labelled(50, 0, 10, 0), 500, 1000) is None, "no wrong answer is labelled"


def test_intervals_of_500_simulated_judges_hold_the_true_rate() -> None:
    rng = np.random.default_rng(7)
    covered, alone, widths = 0, 0, []
    for _ in range(500):
        rate, n = rng.uniform(0.2, 0.9), int(rng.integers(30, 201))
        sensitivity, specificity = rng.uniform(0.6, 0.95, 2)
        right = rng.random(500) < rate
        judge = np.where(right, rng.random(500) < sensitivity, rng.random(500) > specificity)
        labels = [LabelledVerdict(bool(a), float(b)) for a, b in zip(judge[:n], right[:n], strict=True)]
        low, high = corrected_rate(labels, int(judge.sum()), 500).ci95
        covered += low <= rate <= high
        low, high = wilson(float(judge.mean()), 500)
        alone += low <= rate <= high
    assert 0.93 <= covered / 500 <= 0.97 and alone / 500 < 0.5
    for _ in range(200):  # a judge of 0.85, 50 labels, a rate of one half
        right = rng.random(500) < 0.5
        judge = np.where(right, rng.random(500) < 0.85, rng.random(500) > 0.85)
        labels = [LabelledVerdict(bool(a), float(b)) for a, b in zip(judge[:50], right[:50], strict=True)]
        ends = [corrected_rate(labels, int(judge.sum()), 500).ci95, wilson(float(right[:50].mean()), 50)]
        widths.append([high - low for low, high in ends])
    corrected, people = np.mean(widths, axis=0)
    assert corrected < 0.8 * people


# ---- may the judge replace a person? -------------------------------------------------------------------


def annotators(
    number: int, answers: int, quality: float, seed: int = 0
) -> tuple[list[bool], dict[str, dict[str, bool]]]:
    rng = random.Random(seed)
    truth = [rng.random() < 0.6 for _ in range(answers)]
    return truth, {
        f"person {who}": {f"q{at}": t if rng.random() < quality else not t for at, t in enumerate(truth)}
        for who in range(number)
    }


def test_the_alternative_annotator_test_by_hand() -> None:
    """Forty answers, three people who agree but for Cy's last ten; the judge agrees with Ada and Bo on all.

    Ada and Bo are never better than the judge, and the judge is never better than they: differences of 0, whose mean
    is below 0.15 without spread, p 0. Cy is worse on ten: differences of -1, mean -0.25, so p is tiny. It beats all.
    """
    agreed = {f"q{at}": at % 2 == 0 for at in range(40)}
    cy = {key: right != (at >= 30) for at, (key, right) in enumerate(agreed.items())}
    found = alternative_annotator(agreed, {"Ada": agreed, "Bo": dict(agreed), "Cy": cy})
    assert found is not None and (found.people, found.winning_rate, found.advantage) == (3, 1.0, 1.0) and found.passed
    wrong = alternative_annotator(
        {key: not right for key, right in agreed.items()}, {"Ada": agreed, "Bo": agreed, "Cy": cy}
    )
    assert wrong is not None and (wrong.winning_rate, wrong.passed) == (0.0, False)


@pytest.mark.parametrize("quality", [0.6, 0.75, 0.8, 0.9])
def test_the_alternative_annotator_test_follows_its_formulas(quality: float) -> None:
    """W of judge and person from the mean agreement with the others, a one-sided t-test of their difference, BY."""
    truth, people = annotators(5, 60, 0.85)
    rng = random.Random(3)
    judge = {f"q{at}": t if rng.random() < quality else not t for at, t in enumerate(truth)}
    ps, advantages = [], []
    for name, own in people.items():
        rest = [labels for other, labels in people.items() if other != name]
        scores = [[np.mean([each[key] == said for each in rest]) for said in (judge[key], own[key])] for key in judge]
        w_judge, w_person = (np.array([a >= b for a, b in scores]), np.array([b >= a for a, b in scores]))
        ps.append(ttest_1samp(w_person.astype(int) - w_judge, 0.15, alternative="less").pvalue)
        advantages.append(w_judge.mean())
    found = alternative_annotator(judge, people)
    assert found is not None and found.advantage == pytest.approx(np.mean(advantages))
    assert found.winning_rate == np.mean(false_discovery_control(ps, method="by") <= 0.05)


def test_too_few_people_or_answers_give_no_verdict() -> None:
    truth, people = annotators(3, 40, 0.9)
    judge = {f"q{at}": t for at, t in enumerate(truth)}
    assert alternative_annotator(judge, people) is not None
    assert alternative_annotator(judge, dict(list(people.items())[:2])) is None
    assert alternative_annotator({key: judge[key] for key in list(judge)[:29]}, people) is None
