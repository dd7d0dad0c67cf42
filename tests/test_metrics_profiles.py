"""Profiles and metrics chosen by hand: what is computed and what is not, what goes before what, what is refused."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from scripted import ScriptedModel

from kgsynth.base.errors import ConfigError
from kgsynth.base.records import Document, Item
from kgsynth.cli import main
from kgsynth.golden.dataset import write
from kgsynth.models import encoder
from kgsynth.scoring.flow import score
from kgsynth.scoring.metrics import METRICS, RUN_METRICS, names
from kgsynth.scoring.metrics.judged import Judge
from kgsynth.scoring.metrics.judged.replies import Claim, Claims
from kgsynth.scoring.metrics.profiles import PROFILES, TELLING, plan
from kgsynth.scoring.metrics.thresholds import PRESETS
from kgsynth.scoring.sampling import sample_size

LEAVE = Document("leave.md", "Staff have 25 days of leave. Five days may be carried over.", "Leave", "md", "1", (), ())
ITEMS = [
    Item("q1", "How many days?", ("25 days",), "simple", "factoid", "en", ((LEAVE.span(11, 27),),)),
    Item("q2", "How many carried over?", ("five",), "simple", "factoid", "en", ((LEAVE.span(29, 59),),)),
    Item("q3", "Who leads Mars?", (), "unanswerable", "swapped_entity", "en", (), answerable=False),
]


def rag(question: str) -> tuple[str, list[str]]:
    """A system that knows the first answer, guesses the second, and never declines."""
    return ("25 days", ["Staff have 25 days of leave."]) if "many days" in question else ("ten", ["Five days"])


@pytest.mark.parametrize("name", PROFILES)
def test_a_profile_is_a_run_of_everything_with_the_rest_left_out(name: str, hashed: None) -> None:
    whole = score(ITEMS, rag, docs=[LEAVE], semantic="hashing")
    found = score(ITEMS, rag, docs=[LEAVE], profile=name)
    assert found.metrics == {name: whole.metrics[name] for name in found.metrics}
    assert {metric.partition("@")[0] for metric in found.metrics} == set(PROFILES[name].metrics)
    assert {int(cut) for _, at, cut in (each.partition("@") for each in found.metrics) if at} == set(PROFILES[name].k)
    assert [item.cause for item in found.items] == [item.cause for item in whole.items]
    assert found.resources.keys() == whole.resources.keys()


def test_the_profiles_name_what_there_is_and_what_their_standards_need() -> None:
    for profile in PROFILES.values():
        assert set(profile.metrics) <= {*METRICS, *RUN_METRICS} and set(TELLING) <= set(profile.metrics)
    assert {name.partition("@")[0] for name in PRESETS} <= set(PROFILES["continuous"].metrics)
    assert len(PROFILES["rapid"].metrics) < len(PROFILES["focused"].metrics) < len(PROFILES["comprehensive"].metrics)


def test_what_is_not_wanted_is_not_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> float:
        raise AssertionError("computed")

    for name in METRICS:
        if name not in TELLING and name != "mrr":
            monkeypatch.setitem(METRICS, name, replace(METRICS[name], compute=never))  # type: ignore[index]
    monkeypatch.setitem(RUN_METRICS, "corpus_bleu", replace(RUN_METRICS["corpus_bleu"], compute=never))  # type: ignore[index]
    assert list(score(ITEMS, rag, docs=[LEAVE], metrics=["mrr"]).metrics) == ["mrr", *TELLING]
    for wanted in (["mrr", "bleu"], ["corpus_bleu"], []):
        with pytest.raises(AssertionError, match="computed"):
            score(ITEMS, rag, docs=[LEAVE], metrics=wanted)


def test_a_metric_is_named_at_one_cut_off_or_at_all() -> None:
    assert plan(metrics=["recall@7", "ndcg"], k=[1, 3]).names([1, 3])[:3] == ["recall@7", "ndcg@1", "ndcg@3"]
    assert plan().names([5]) == [*names([5]), "corpus_bleu", "document_coverage"]


def test_what_gates_thresholds_and_weights_name_is_measured_along() -> None:
    found = score(ITEMS, rag, docs=[LEAVE], metrics=["mrr"], gates=["rouge1>=0.5"], weights="hit@2=1,mrr=1")
    assert list(found.metrics) == ["hit@2", "mrr", "context_recall", "em", "sub_em", "token_recall", "rouge1"]
    assert found.passed and found.overall is not None and found.overall.weights == {"hit@2": 1, "mrr": 1}
    held = score(ITEMS, rag, docs=[LEAVE], metrics=["mrr"], thresholds="standard").thresholds
    assert [each.metric for each in held] == list(PRESETS)


def test_what_is_given_by_hand_goes_before_the_profile_and_both_are_told() -> None:
    found = plan("rapid", k=[3], sample="10%", thresholds="exploratory")
    assert (found.metrics, found.k, found.sample, found.thresholds) == (
        PROFILES["rapid"].metrics,
        (3,),
        "10%",
        "exploratory",
    )
    (note,) = plan("continuous", ["mrr", "em"], thresholds="exploratory").notes
    assert note == "profile continuous: metrics mrr, em (by hand); cut-offs 5; thresholds exploratory (by hand)"
    assert plan().notes == () and plan("comprehensive").notes == (
        "profile comprehensive: metrics all; cut-offs 1, 3, 5, 10",
    )


def test_the_model_is_asked_when_a_metric_by_meaning_is_wanted(hashed: None, monkeypatch: pytest.MonkeyPatch) -> None:
    by_meaning = [name for name in METRICS if METRICS[name].kind == "semantic"]
    added = plan("focused", semantic="hashing").names([5])
    assert [name for name in added if name in by_meaning] == by_meaning, "asked for in general: all of them"
    (one,) = [name for name in score(ITEMS, rag, metrics=["bertscore"]).metrics if name in by_meaning]
    assert one == "bertscore"
    monkeypatch.delattr(encoder, "load_encoder")
    assert score(ITEMS, rag, profile="focused").metrics["em"].value == 0.5


def test_what_a_judge_is_asked_is_shown_beside_a_profile_and_nothing_else_of_its_kind() -> None:
    judge = Judge(ScriptedModel(lambda _: Claims((Claim("ten", "…", "supported"),))), ("faithfulness",))
    found = score(ITEMS, rag, docs=[LEAVE], profile="focused", judge=judge).metrics
    assert [name for name in found if METRICS[name.partition("@")[0]].kind == "judged"] == ["faithfulness"]
    assert found["faithfulness"].value == 1.0


def test_a_metric_that_is_none_is_told_with_those_near() -> None:
    with pytest.raises(ConfigError) as caught:
        plan(metrics=["recal", "mrr", "mrr@5", "hit@0", "zzz", "token_f2@5"])
    faults = str(caught.value).removeprefix("--metrics cannot be used: ").split("; ")
    assert faults[0].startswith("'recal' is none of the metrics, near it are recall, ")
    assert faults[1:3] == ["'mrr@5' is no cut-off of mrr, write mrr", "'hit@0' is no cut-off of hit, write hit@5"]
    assert faults[3].startswith("'zzz' is none of the metrics: precision@k, ")
    assert faults[4].startswith("'token_f2@5' is none of the metrics, near it are token_f1") and len(faults) == 5
    with pytest.raises(ConfigError, match="--profile quick is none of them: give comprehensive, focused, rapid, "):
        plan("quick")


@pytest.mark.parametrize(("whole", "asked"), [(30, 30), (100, 50), (1000, 200)])
def test_a_sample_of_a_share_and_a_number_is_the_larger_or_all(whole: int, asked: int) -> None:
    assert sample_size("20%,50", whole) == asked


@pytest.mark.parametrize("sample", ["20%,0", "0%,50", "20%,50,60", "20%,", ",", "20%,ten"])
def test_half_a_sample_is_none(sample: str) -> None:
    with pytest.raises(ConfigError, match="is no share or number of the 1000 questions"):
        sample_size(sample, 1000)


# ---- the command line --------------------------------------------------------------------------------


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write([replace(item, id=f"{item.id}-{n:02}") for n in range(40) for item in ITEMS[:2]], Path("golden.jsonl"))
    Path("docs").mkdir()
    Path("docs/leave.md").write_text(LEAVE.text, encoding="utf-8")
    Path("rag.py").write_text("def ask(question):\n    return '25 days', ['25 days of leave']\n", encoding="utf-8")
    return tmp_path


def run(*arguments: str) -> Result:
    base = ["score", "golden.jsonl", "--rag", "rag.py:ask", "--docs", "docs"]
    return CliRunner().invoke(main, [*base, *arguments])


def test_a_rapid_run_asks_a_sample_and_says_so(here: Path) -> None:
    result = run("--profile", "rapid", "-o", "out", "--gate", "hit@1>=0.1")
    assert result.exit_code == 0, result.output
    assert "rag.py:ask on 50 questions" in result.stdout and "rouge" not in result.stdout
    told = json.loads((here / "out/scores.json").read_text(encoding="utf-8"))
    assert told["notes"][0].startswith("profile rapid: metrics recall, mrr, ") and "sample 20%,50" in told["notes"][0]
    assert told["notes"][1].startswith("a sample of 50 of 80 questions, by type")
    assert list(told["metrics"]) == plan("rapid").names([1, 5], ["hit@1"])


def test_a_continuous_run_is_held_against_the_standard_and_goes_with_since(here: Path) -> None:
    result = run("--profile", "continuous", "-o", "out")
    assert result.exit_code == 1, result.output
    assert "of 7 gates and thresholds failed: recall@5>=0.75, " in result.stderr
    write([replace(ITEMS[0], id="new")], here / "golden.jsonl")
    result = run("--profile", "continuous", "--since", "out", "-o", "next", "-k", "1")
    assert result.exit_code == 0, result.output
    assert "on 1 questions" in result.stdout and "cut-offs 1 (by hand)" in result.stdout


def test_metrics_are_named_with_commas(here: Path) -> None:
    result = run("--metrics", "mrr, recall@3,", "--json")
    assert list(json.loads(result.stdout)["metrics"]) == ["recall@3", "mrr", *TELLING]
    lines = [line.split() for line in run("--metrics", "recall@7,ndcg", "-k", "3").stdout.splitlines()]
    assert ["metric", "@3", "@7", "95", "%", "interval", "@3"] in lines
    assert ["recall", "0.500"] in lines, "at 7 alone, and what is drawn is of 3 alone"
    result = run("--metrics", "mrr,recal")
    assert (result.exit_code, "'recal' is none of the metrics, near it are recall" in result.stderr) == (2, True)
    assert "it names no metric; give for example" in run("--metrics", " ,").stderr
    assert (run("--profile", "quick").exit_code, "Traceback" in result.output) == (2, False)


def test_the_model_that_is_named_is_asked_by_a_profile_too(here: Path, hashed: None) -> None:
    result = run("--profile", "comprehensive", "--sample", "2", "--json", "--embedding-model", "hashing")
    told = json.loads(result.stdout)
    assert told["metrics"]["bertscore"]["n_scored"] == 2 and "model:hashing" in told["signatures"]["bertscore"]
