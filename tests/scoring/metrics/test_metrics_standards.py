"""Thresholds, weights, own metrics and samples: results and errors."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kgsynth.base.errors import ConfigError, InputError
from kgsynth.base.records import Answer, Item, Span
from kgsynth.scoring.flow import score
from kgsynth.scoring.inputs import choose, sample_error
from kgsynth.scoring.metrics.criteria import (
    PRESET_NAMES,
    PRESETS,
    preset,
    read_pass_criteria,
    read_thresholds,
    threshold,
)
from kgsynth.scoring.metrics.overall_score import overall_score, parse_weights
from kgsynth.scoring.metrics.own_metrics import load_own_metrics, measure_own
from kgsynth.scoring.metrics.summary import Value

VALUES = {
    "recall@3": Value(0.7, 9, 9),
    "recall@5": Value(0.9, 9, 9),
    "mrr": Value(0.6, 9, 9),
    "token_f1": Value(0.5, 9, 9),
    "refusal": Value(None, 0, 9, why="no unanswerable question"),
}

# ---- thresholds --------------------------------------------------------------------------------------


def test_presets_get_less_strict_and_warn_before_they_fail() -> None:
    for levels in PRESETS.values():
        assert len(levels) == len(PRESET_NAMES)
        assert all(0 < fail < warn <= 1 for warn, fail in levels)
        assert list(levels) == sorted(levels, reverse=True)


def test_lower_is_better_when_warn_is_below_fail() -> None:
    latency = threshold("answer_length", 50, 80)
    assert [latency.level(value) for value in (50, 51, 80, 81)] == ["passed", "warned", "warned", "failed"]


def test_a_file_overrides_thresholds_of_its_preset(tmp_path: Path) -> None:
    path = tmp_path / "thresholds.toml"
    path.write_text('preset = "standard"\nmrr = {warn = 0.5, fail = 0.4}\n"hit@2" = {warn = 1, fail = 0.9}\n')
    found = {each.metric: each for each in read_thresholds(path)}
    assert found["mrr"] == threshold("mrr", 0.5, 0.4)
    assert found["hit@2"] == threshold("hit@2", 1.0, 0.9)
    assert found["recall@5"] == preset("standard")[0]
    path.write_text("mine = {warn = 0.5, fail = 0.4}\n")
    assert read_thresholds(path, own=["mine"]) == (threshold("mine", 0.5, 0.4),)


def test_all_problems_of_a_file_are_reported_at_once(tmp_path: Path) -> None:
    path = tmp_path / "thresholds.toml"
    path.write_text('preset = "lax"\nglory = {warn = 1, fail = 0}\nmrr = {warn = 1}\nem = {warn = true, fail = 0}\n')
    with pytest.raises(ConfigError) as caught:
        read_thresholds(path)
    message = str(caught.value)
    assert "preset is 'lax', give one of mission_critical, standard, exploratory" in message
    assert "'glory' is not a metric; known are precision@k" in message
    assert all(f"'{name}' is not a pair of numbers" in message for name in ("mrr", "em"))
    with pytest.raises(ConfigError, match="--thresholds strict is neither a preset nor a file"):
        read_thresholds("strict")
    path.write_text("mrr = ")
    with pytest.raises(ConfigError, match="is not valid TOML"):
        read_thresholds(path)


# ---- the overall score -------------------------------------------------------------------------------


def test_the_overall_score_by_hand() -> None:
    found = overall_score(VALUES)
    assert found.weights == {"recall@5": 2.0, "mrr": 1.0, "token_f1": 2.0}, "recall at the cut-off nearest 5"
    assert found.value == pytest.approx((2 * 0.9 + 0.6 + 2 * 0.5) / 5)
    assert found.components == {"retriever": 0.8, "generator": 0.5}
    assert found.left_out == ("refusal",)


def test_weights_given_are_the_weights_used() -> None:
    own = {**VALUES, "mine": Value(0.1, 9, 9)}
    found = overall_score(own, parse_weights("recall@3=3,mine=1,mrr=0", own=["mine"]))
    assert (found.value, found.weights) == (pytest.approx((3 * 0.7 + 0.1) / 4), {"recall@3": 3.0, "mine": 1.0})
    assert found.components == {"retriever": 0.7, "own metrics": 0.1}
    assert overall_score({"refusal": VALUES["refusal"]}).value is None


def test_all_invalid_weights_are_reported_at_once() -> None:
    with pytest.raises(ConfigError) as caught:
        parse_weights("recall@5=-1,glory=1,mrr,answer_length=1,em=nan")
    message = str(caught.value)
    assert all(f"{piece!r} is not METRIC=WEIGHT" in message for piece in ("recall@5=-1", "mrr", "em=nan"))
    assert "'glory' is not a metric" in message
    assert "'answer_length' has no bounds" in message
    with pytest.raises(ConfigError, match="all weights are 0"):
        parse_weights("mrr=0")


def test_bounded_run_metrics_may_be_weighted() -> None:
    values = {"corpus_bleu": Value(0.2, 9, 9), "availability": Value(1.0, 9, 9), "bertscore": Value(0.6, 9, 9)}
    found = overall_score(values, parse_weights("corpus_bleu=1,availability=2,bertscore=1"))
    assert found.value == pytest.approx((0.2 + 2 * 1.0 + 0.6) / 4)
    assert found.components == {"generator": pytest.approx(0.4), "resources": 1.0}
    with pytest.raises(ConfigError, match="'latency_p95' has no bounds"):
        parse_weights("latency_p95=1")


# ---- own metrics -------------------------------------------------------------------------------------

OWN = """
def cites(item, answer):
    return "[1]" in answer.answer

def share(item, answer):
    return None if item.id == "q1" else 0.25

def endless(item, answer):
    return float("inf")

recall = latency_mean = share
"""
ITEMS = [Item(f"q{at}", "Who?", ("Ada",), "simple", "factoid", "en", ()) for at in (1, 2, 3)]
ANSWERS = {"q1": Answer("q1", "Ada [1]"), "q2": Answer("q2", "Ada"), "q3": Answer("q3", None, error="timeout")}


@pytest.fixture
def own(tmp_path: Path) -> str:
    (tmp_path / "own.py").write_text(OWN, encoding="utf-8")
    return str(tmp_path / "own.py")


def test_own_metrics_get_item_and_answer_and_failures_are_reported(own: str) -> None:
    rows, values, notes = measure_own(
        load_own_metrics([f"{own}:cites", f"{own}:share", f"{own}:endless"]), ITEMS, ANSWERS
    )
    assert [row["cites"] for row in rows] == [1.0, 0.0, None]
    assert (values["cites"].value, values["cites"].n_scored) == (0.5, 2)
    assert values["endless"].to_json() == {"value": None, "n_scored": 0, "n_total": 3, "why": "it gave no value"}
    assert [row["share"] for row in rows] == [None, 0.25, 0.25]
    assert notes == (
        "endless failed on 3 of 3 questions, first on q1 with ValueError: it returned inf",
        "cites failed on 1 of 3 questions, first on q3 with TypeError: argument of type 'NoneType' is not iterable",
    )


def test_own_metrics_that_cannot_be_loaded_are_errors(own: str, tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("import nothing_of_that_name\n", encoding="utf-8")
    for target, reason in {
        "own:cites": "is not a function: give FILE.py:FUNCTION",
        f"{tmp_path}/none.py:cites": "cannot be loaded: there is no file",
        f"{own}:nobody": "own.py has no function 'nobody'",
        f"{own}:recall": "the name recall is taken by another metric",
        f"{own}:latency_mean": "the name latency_mean is taken by another metric",
        f"{tmp_path}/broken.py:f": "fails on import (ModuleNotFoundError: No module named 'nothing_of_that_name'",
    }.items():
        with pytest.raises(ConfigError) as caught:
            load_own_metrics([target])
        assert reason in str(caught.value)


def test_gates_thresholds_and_weights_may_name_own_metrics_and_add_cut_offs(own: str) -> None:
    criteria = read_pass_criteria(["cites>=1", "recall@7>0"], None, "cites=1,ndcg@4=1", [f"{own}:cites"])
    assert criteria.cut_offs([1]) == [1, 4, 7]
    with pytest.raises(ConfigError, match="'cites' is not a metric"):
        read_pass_criteria(["cites>=1"])


def test_gates_and_thresholds_apply_to_run_question_and_own_metrics(own: str, tmp_path: Path) -> None:
    path = tmp_path / "thresholds.toml"
    path.write_text("error_rate = {warn = 0.1, fail = 0.5}\nshare = {warn = 0.5, fail = 0.2}\n", encoding="utf-8")

    def system(question: str) -> str:
        return "Ada"

    gates = ["availability>=1", "em>=1", "share>0.3"]
    scores = score(ITEMS, system, gates=gates, thresholds=path, own=[f"{own}:share"])
    assert [gate.passed for gate in scores.gates] == [True, True, False]
    assert [threshold.level for threshold in scores.thresholds] == ["passed", "warned"]
    assert "error_rate" not in scores.metrics


def test_an_answer_that_no_pattern_matches_is_wrong() -> None:
    item = replace(ITEMS[0], golden_answers=("re:Ada|Grace",))
    found = [score([item], lambda _, said=said: said).items[0].cause for said in ("It was Grace.", "Alan")]
    assert [cause and cause.kind for cause in found] == [None, "wrong answer"]


# ---- which questions ---------------------------------------------------------------------------------

MANY = [
    Item(f"q{at:03}", f"What is {at}?", ("x",), "simple" if at % 4 else "reasoning", "factoid", "en", ())
    for at in range(400)
]


def test_a_sample_keeps_the_shares_of_the_types_and_states_its_error() -> None:
    chosen, (note,) = choose(MANY, sample="10%")
    assert [sum(item.question_type == kind for item in chosen) for kind in ("simple", "reasoning")] == [30, 10]
    assert chosen == [item for item in MANY if item in chosen], "in the order of the set"
    assert choose(MANY, sample="40") == (chosen, (note,)), "the same every time"
    assert note.startswith("a sample of 40 of 400 questions, drawn by type with seed 0")
    assert "within 0.147 of the share in the sample" in note


def test_the_sampling_error_holds_in_about_95_percent_of_samples() -> None:
    rng = np.random.default_rng(2)
    full_set = np.repeat([0.0, 1.0], 2000)
    within = [abs(rng.permutation(full_set)[:400].mean() - 0.5) <= sample_error(400, 4000) for _ in range(2000)]
    assert np.mean(within) == pytest.approx(0.95, abs=0.02)


@pytest.mark.parametrize("sample", ["0", "0%", "401", "101%", "1.5", "-3", "ten", ""])
def test_an_invalid_sample_is_an_error(sample: str) -> None:
    with pytest.raises(ConfigError, match=r"is not a share or number of the 400 questions: give one such as 10% or 40"):
        choose(MANY, sample=sample)


def test_since_asks_what_is_new_or_changed(tmp_path: Path) -> None:
    score(MANY[:3], lambda question: "x", out=tmp_path)
    changed = [
        MANY[0],
        replace(MANY[1], golden_answers=("y",)),
        replace(MANY[2], evidence=((Span("a.md", 0, 1, "x"),),)),
        MANY[3],
    ]
    chosen, (note,) = choose(changed, since=tmp_path)
    assert [item.id for item in chosen] == ["q001", "q002", "q003"]
    assert note.startswith("only the 3 of 4 questions that are new or changed since")
    with pytest.raises(InputError, match="none of the 3 questions is new or changed since"):
        choose(MANY[:3], since=tmp_path)
    with pytest.raises(InputError, match="give a folder that kgsynth score wrote"):
        choose(MANY, since=tmp_path / "gone")


def test_since_ignores_where_the_evidence_is(tmp_path: Path) -> None:
    old, moved = (replace(MANY[0], evidence=((Span(doc, at, at + 1, "x"),),)) for doc, at in (("a.md", 0), ("b.md", 7)))
    score([old], lambda question: "x", out=tmp_path)
    with pytest.raises(InputError, match="none of the 1 questions is new or changed since"):
        choose([moved], since=tmp_path)
