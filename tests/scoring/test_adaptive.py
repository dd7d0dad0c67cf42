"""``score --until``: earlier runs say what to ask, and the metric of the whole set is estimated with its interval."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

from kgsynth.base.errors import InputError
from kgsynth.base.records import Item, Span
from kgsynth.cli import main
from kgsynth.comparison.runs import compare
from kgsynth.golden.dataset import write
from kgsynth.scoring.adaptive import LEAST_RUNS
from kgsynth.scoring.adaptive.stopping import (
    KnownRun,
    RandomOrder,
    estimate,
    estimate_mean,
    most_telling,
    predict,
    random_order,
    try_on_past,
    variances,
)
from kgsynth.scoring.flow import score
from kgsynth.statistics.item_response import ResponseModel, fit_responses

N = 120


def planted(systems: int, seed: int, questions: int = N) -> tuple[ResponseModel, np.ndarray]:
    rng = np.random.default_rng(seed)
    model = ResponseModel(rng.normal(-1, 1.5, questions), np.exp(rng.normal(0.5, 0.3, questions)))
    return model, (rng.random((systems, questions)) < model.probabilities(rng.normal(0, 1, systems))).astype(float)


# ---- choosing ----------------------------------------------------------------------------------------


def test_the_most_telling_questions_are_asked_first_and_spread_over_documents() -> None:
    """At ability 0 the information is a² p (1 - p): greatest for difficulty 0, and for a of 2 rather than 1."""
    model = ResponseModel(np.array([0.0, 0.1, 3.0, 0.0]), np.array([2.0, 2.0, 2.0, 1.0]))
    nothing = np.full(4, np.nan)
    assert most_telling(model, nothing, ["a", "b", "c", "d"], 2) == [0, 1]
    assert most_telling(model, nothing, ["a", "a", "a", "b"], 3) == [0, 3, 1], (
        "the other document before a second of one"
    )
    known = np.array([np.nan, 1.0, np.nan, np.nan])
    assert most_telling(model, known, ["a", "a", "b", "c"], 9) == [3, 2, 0]


def test_the_chances_of_the_random_order_are_those_with_which_questions_are_asked() -> None:
    """Of many orders, a question is among the first n as often as its chance says on average."""
    model = ResponseModel(np.array([0.0] * 5 + [-4.0] * 5), np.full(10, 1.5), systems=24)
    orders = [random_order(model, np.full(10, np.nan), seed) for seed in range(3000)]
    asked, chances = np.zeros(10), np.zeros(10)
    for order in orders:
        asked[order.questions[:4]] += 1
        chances[order.questions] += order.chances(4)
    assert asked[:5].sum() > 2 * asked[5:].sum() > 0, "uncertain questions more often, but not they alone"
    # the inverse of the chances counts every question once, whatever its size
    counted = np.zeros(10)
    for order in orders:
        counted[order.questions[:4]] += 1 / order.chances(4)[:4]
    assert counted / 3000 == pytest.approx(np.ones(10), abs=0.12)


def test_no_result_is_taken_as_certain() -> None:
    """Of 9 systems all agree on the first question: p is 0.05 from 1, the variance 0.05 x 0.95."""
    model = ResponseModel(np.array([-40.0, 0.0]), np.array([1.0, 1.0]), systems=9)
    assert variances(model, np.full(2, np.nan)) == pytest.approx([0.0475, 0.25])


# ---- estimating --------------------------------------------------------------------------------------


def test_when_all_were_asked_the_estimate_is_the_mean_and_has_no_width() -> None:
    model, table = planted(1, 3, 30)
    values = table[0]
    order = RandomOrder(np.arange(10, 30), np.full(20, 0.5), np.sort(np.random.default_rng(0).random(20)))
    assert estimate(model, values, order, 20) == pytest.approx((values.mean(),) * 3)


def test_a_wrong_model_widens_the_interval_but_does_not_bias_the_estimate() -> None:
    """The model takes all questions as nearly certain; half of them fail."""
    model = ResponseModel(np.full(N, -9.0), np.full(N, 1.5), systems=24)
    found = []
    for seed in range(200):
        truth = np.random.default_rng(seed).permutation(np.repeat([0.0, 1.0], N // 2))
        order = random_order(model, np.full(N, np.nan), seed)
        values = np.full(N, np.nan)
        values[order.questions[:40]] = truth[order.questions[:40]]
        found.append(estimate(model, values, order, 40))
    means, lows, highs = np.array(found).T
    assert means.mean() == pytest.approx(0.5, abs=0.02), "on average right"
    assert np.mean((lows <= 0.5) & (highs >= 0.5)) > 0.85, "although the model expects a deviation a fifth as large"


def two_kinds() -> tuple[ResponseModel, np.ndarray]:
    """Of eight systems four answer only the even of 100 questions, four only the odd ones; the run is like the even."""
    even = np.tile([1.0, 0.0], 50)
    return fit_responses(np.array([even] * 4 + [1 - even] * 4)), even


def test_a_system_that_deviates_from_the_model_as_earlier_ones_did_is_predicted() -> None:
    """The model expects 0.5 of each, a variance of 0.25, and the deviations are 0.5 either way.

    With 40 answers the coefficients add up to 8 x 40 / (8 x 40 + 8) = 0.976, so the predictions are 0.012 from the
    truth. Of 40 real and 20 imagined residuals the real ones vanish: the half width shrinks by the root of 20 / 60.
    """
    model, truth = two_kinds()
    order = RandomOrder(np.arange(100), np.full(100, 0.5), np.sort(np.random.default_rng(0).random(100)))
    values = np.where(np.arange(100) < 40, truth, np.nan)
    assert predict(model, values)[0] == pytest.approx(np.where(truth == 1, 0.988, 0.012), abs=0.002)
    mean, low, high = estimate(model, values, order, 40)
    _, wide_low, wide_high = estimate(replace(model, deviations=None), values, order, 40)
    assert mean == pytest.approx(0.5, abs=0.005)
    assert (high - low) / (wide_high - wide_low) == pytest.approx((20 / 60) ** 0.5, abs=0.03)


def test_deviations_that_mislead_do_not_bias_the_estimate() -> None:
    model, _ = two_kinds()
    found = []
    for seed in range(200):
        truth = np.random.default_rng(seed).permutation(np.repeat([0.0, 1.0], [30, 70]))
        order = random_order(model, np.full(100, np.nan), seed)
        values = np.full(100, np.nan)
        values[order.questions[:40]] = truth[order.questions[:40]]
        found.append(estimate(model, values, order, 40))
    means, lows, highs = np.array(found).T
    assert means.mean() == pytest.approx(0.7, abs=0.02)
    assert np.mean((lows <= 0.7) & (highs >= 0.7)) > 0.92


def test_the_leverage_of_a_question_is_how_far_its_own_result_moves_its_prediction() -> None:
    """The residual divided by 1 - leverage is the residual from a prediction without the question."""
    rng = np.random.default_rng(2)
    model = ResponseModel(np.zeros(30), np.zeros(30), 5, rng.normal(0, 0.4, (5, 30)))
    values = np.where(np.arange(30) < 20, rng.integers(0, 2, 30), np.nan)
    predicted, leverages = predict(model, values)
    without = values.copy()
    without[3] = np.nan
    assert (values[3] - predicted[3]) / (1 - leverages[3]) == pytest.approx(values[3] - predict(model, without)[0][3])
    assert leverages[20:].tolist() == [0.0] * 10, "no result, no leverage"


def test_the_interval_contains_the_full_value_in_95_of_100_planted_systems() -> None:
    _, past = planted(20, 7)
    model, documents = fit_responses(past), [f"d{at // 3}" for at in range(N)]
    truth, _ = planted(1, 7)
    rng = np.random.default_rng(8)
    hits, asked = 0, 0
    for seed in range(100):
        row = (rng.random(N) < truth.probabilities(rng.normal(0, 1, 1))[0]).astype(float)
        found = estimate_mean(model, documents, KnownRun(row), 0.05, seed)
        assert found.high - found.low <= 0.1 + 1e-9
        hits += found.low - 1e-9 <= row.mean() <= found.high + 1e-9
        asked += found.asked
    assert hits >= 90
    assert asked / (100 * N) < 0.6


def test_runs_that_the_model_misses_are_counted() -> None:
    _, past = planted(12, 9)
    documents = [f"d{at // 3}" for at in range(N)]
    trial = try_on_past(past, documents, 0.05, 1)
    assert (trial.runs, trial.allowed) == (12, 2) and trial.missed <= 2 and 0.1 < trial.share_asked < 0.9


# ---- the command -------------------------------------------------------------------------------------

ITEMS = [
    Item(
        f"q{at:03}",
        f"What is {at}?",
        (f"thing {at}",),
        "simple",
        "factoid",
        "en",
        ((Span(f"d{at // 2}.md", 0, 1, "x"),),),
    )
    for at in range(N)
]


def answers(folder: Path, name: str, right: np.ndarray) -> Path:
    lines = [
        {"id": item.id, "answer": item.golden_answers[0] if value else "odd"}
        for item, value in zip(ITEMS, right, strict=True)
    ]
    path = folder / f"{name}.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A golden set with as many earlier runs as are needed, and the answers of one more system."""
    monkeypatch.chdir(tmp_path)
    write(ITEMS, tmp_path / "golden.jsonl")
    _, table = planted(LEAST_RUNS + 1, 11)
    for at, row in enumerate(table[:-1]):
        score("golden.jsonl", str(answers(tmp_path, f"old{at}", row)), out=f"runs/old{at}", metrics=["em"])
    answers(tmp_path, "new", table[-1])
    return tmp_path


def command(*arguments: str) -> Result:
    wanted = ["score", "golden.jsonl", "--rag", "new.jsonl", "--metrics", "em", *arguments]
    return CliRunner().invoke(main, wanted)


def scores(folder: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(Path(folder, "scores.json").read_text(encoding="utf-8"))
    return found


def test_the_pass_rate_of_the_whole_set_is_estimated_from_some_questions(here: Path) -> None:
    result = command("--until", "0.06", "-o", "runs/new", "--gate", "pass_rate>=0.01")
    assert result.exit_code == 0, result.output
    command("-o", "full")
    whole, found = scores("full")["pass_rate"], scores("runs/new")
    estimate = found["estimate"]
    low, high = estimate["ci95"]
    assert (estimate["metric"], estimate["questions"], estimate["runs"]) == ("pass_rate", N, LEAST_RUNS)
    assert low <= whole <= high and high - low <= 0.12 + 1e-6 and 20 < estimate["asked"] < N
    assert found["n_items"] == estimate["asked"] and found["pass_rate"] == estimate["value"]
    assert len(Path("runs/new/answers.jsonl").read_text(encoding="utf-8").splitlines()) == estimate["asked"]
    assert result.stdout.splitlines()[0] == (
        f"new.jsonl: pass_rate of the whole set is estimated as {estimate['value']:.3f} (95 % interval {low:.3f} to "
        f"{high:.3f}) from {estimate['asked']} of its {N} questions"
    )
    assert found["metrics"]["em"]["value"] is None and "not typical" in found["metrics"]["em"]["why"]
    assert found["by"] == {} and [gate["passed"] for gate in found["gates"]] == [True]
    assert found["golden"] != scores("full")["golden"], "other questions, another set"


def test_a_gate_on_another_metric_fails_with_the_reason(here: Path) -> None:
    result = command("--until", "0.06", "-o", "runs/new", "--gate", "em>=0.01")
    assert result.exit_code == 1 and "questions were asked (--until), and they are not typical" in result.output


def test_a_run_of_some_questions_is_not_compared(here: Path) -> None:
    command("--until", "0.06", "-o", "runs/new")
    with pytest.raises(InputError, match=r"asked only \d+ of 120 questions \(--until\), and not typical ones"):
        compare(["runs/old0", "runs/new"])
    result = command("--baseline", "runs/new")
    assert result.exit_code == 3 and "score the whole set without --until" in result.stderr
    result = command("--until", "0.06", "-o", "runs/newer", "--baseline", "runs/old0")
    assert result.exit_code == 2 and "leave out --judge, --since and --baseline" in result.stderr


def test_an_interrupted_run_goes_on_and_ends_the_same(here: Path) -> None:
    command("--until", "0.06", "-o", "runs/new")
    first, kept = scores("runs/new"), Path("runs/new/answers.jsonl").read_text(encoding="utf-8")
    Path("runs/new/answers.jsonl").write_text("".join(kept.splitlines(keepends=True)[:17]), encoding="utf-8")
    command("--until", "0.06", "-o", "runs/new")
    assert scores("runs/new")["estimate"] == first["estimate"]
    assert Path("runs/new/answers.jsonl").read_text(encoding="utf-8") == kept


def test_the_answers_of_a_full_run_in_the_same_folder_are_kept(here: Path) -> None:
    command("-o", "runs/new")
    assert "answers reused" not in command("--until", "0.06", "-o", "runs/new").stdout
    assert f"note: {N} answers reused" in command("-o", "runs/new").stdout


def test_too_few_runs_are_refused_with_the_number_needed(here: Path) -> None:
    result = command("--until", "0.06", "-o", "elsewhere/new")
    assert result.exit_code == 3
    assert f"--until needs {LEAST_RUNS} earlier runs of the whole golden set with different results" in result.stderr
    assert "and elsewhere/history.sqlite has 0: first score" in result.stderr.replace(str(here) + "/", "")
    score("golden.jsonl", "old0.jsonl", out="runs/again", metrics=["em"])
    (here / "runs" / "old0" / "scores.json").unlink()
    (here / "runs" / "again" / "scores.json").unlink()
    result = command("--until", "0.06", "-o", "runs/new")
    assert result.exit_code == 3 and f"has {LEAST_RUNS - 1}: first score" in result.stderr


def test_an_interval_that_missed_earlier_runs_is_refused(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kgsynth.scoring.adaptive.stopping._NORMAL_QUANTILE", 0.001)
    result = command("--until", "0.06", "-o", "runs/new")
    assert result.exit_code == 3
    assert "so it cannot be trusted: score the whole set without --until" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--until", "0.06"], "give a folder beside theirs with -o"),
        (["--until", "0.06", "-o", "runs/new", "--sample", "10%"], "leave out --sample"),
        (["--until", "0.06", "-o", "runs/new", "--since", "runs/old0"], "leave out --judge, --since and --baseline"),
        (["--until", "0.9", "-o", "runs/new"], "0.9 is not in the range"),
    ],
)
def test_wrong_uses_are_refused(here: Path, arguments: list[str], told: str) -> None:
    result = command(*arguments)
    assert result.exit_code == 2 and told in result.stderr, result.output
