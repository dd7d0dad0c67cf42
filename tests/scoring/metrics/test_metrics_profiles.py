"""Profiles and explicitly named metrics: what is computed, which option wins, and errors."""

from __future__ import annotations

import json
import re
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
from kgsynth.scoring.inputs import sample_size
from kgsynth.scoring.metrics import METRICS, RUN_METRICS
from kgsynth.scoring.metrics.criteria import ALWAYS_MEASURED, PRESETS, PROFILES, plan_metrics
from kgsynth.scoring.metrics.judged import Judge
from kgsynth.scoring.metrics.judged.replies import ClaimsReply, JudgedClaim
from kgsynth.scoring.metrics.lookup import full_names

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
def test_a_profile_gives_the_same_values_as_a_run_of_all_metrics(name: str, hashed: None) -> None:
    whole = score(ITEMS, rag, docs=[LEAVE], semantic="hashing")
    found = score(ITEMS, rag, docs=[LEAVE], profile=name)
    assert found.metrics == {name: whole.metrics[name] for name in found.metrics}
    assert {metric.partition("@")[0] for metric in found.metrics} == set(PROFILES[name].metrics)
    assert {int(cut) for _, at, cut in (each.partition("@") for each in found.metrics) if at} == set(PROFILES[name].k)
    assert [item.cause for item in found.items] == [item.cause for item in whole.items]
    assert found.resources.keys() == whole.resources.keys()


def test_profiles_name_existing_metrics_and_those_of_their_thresholds() -> None:
    for profile in PROFILES.values():
        assert set(profile.metrics) <= {*METRICS, *RUN_METRICS} and set(ALWAYS_MEASURED) <= set(profile.metrics)
    assert {name.partition("@")[0] for name in PRESETS} <= {*PROFILES["continuous"].metrics, "pass_rate"}
    assert len(PROFILES["rapid"].metrics) < len(PROFILES["focused"].metrics) < len(PROFILES["comprehensive"].metrics)


def test_metrics_that_are_not_wanted_are_not_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> float:
        raise AssertionError("computed")

    for name in METRICS:
        if name not in ALWAYS_MEASURED and name != "mrr":
            monkeypatch.setitem(METRICS, name, replace(METRICS[name], compute=never))  # type: ignore[index]
    monkeypatch.setitem(RUN_METRICS, "corpus_bleu", replace(RUN_METRICS["corpus_bleu"], compute=never))  # type: ignore[index]
    assert list(score(ITEMS, rag, docs=[LEAVE], metrics=["mrr"]).metrics) == ["mrr", *ALWAYS_MEASURED]
    for wanted in (["mrr", "bleu"], ["corpus_bleu"], []):
        with pytest.raises(AssertionError, match="computed"):
            score(ITEMS, rag, docs=[LEAVE], metrics=wanted)


def test_a_metric_may_be_named_with_or_without_a_cut_off() -> None:
    assert plan_metrics(metrics=["recall@7", "ndcg"], k=[1, 3]).full_names([1, 3])[:3] == [
        "recall@7",
        "ndcg@1",
        "ndcg@3",
    ]
    assert plan_metrics().full_names([5]) == [*full_names([5]), "corpus_bleu", "document_coverage"]


def test_metrics_named_by_gates_thresholds_and_weights_are_computed() -> None:
    found = score(ITEMS, rag, docs=[LEAVE], metrics=["mrr"], gates=["rouge1>=0.5"], weights="hit@2=1,mrr=1")
    assert list(found.metrics) == ["hit@2", "mrr", "context_recall", "em", "sub_em", "token_recall", "rouge1"]
    assert found.passed and found.overall is not None and found.overall.weights == {"hit@2": 1, "mrr": 1}
    held = score(ITEMS, rag, docs=[LEAVE], metrics=["mrr"], thresholds="standard").thresholds
    assert [each.metric for each in held] == list(PRESETS)


def test_explicit_options_override_the_profile_and_both_are_reported() -> None:
    found = plan_metrics("rapid", k=[3], sample="10%", thresholds="exploratory")
    assert (found.metrics, found.k, found.sample, found.thresholds) == (
        PROFILES["rapid"].metrics,
        (3,),
        "10%",
        "exploratory",
    )
    (note,) = plan_metrics("continuous", ["mrr", "em"], thresholds="exploratory").notes
    assert (
        note
        == "profile continuous: metrics mrr, em (set explicitly); cut-offs 5; thresholds exploratory (set explicitly)"
    )
    assert plan_metrics().notes == () and plan_metrics("comprehensive").notes == (
        "profile comprehensive: metrics all; cut-offs 1, 3, 5, 10",
    )


def test_the_embedding_model_is_used_when_a_semantic_metric_is_wanted(
    hashed: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    semantic_names = [name for name in METRICS if METRICS[name].kind == "semantic"]
    added = plan_metrics("focused", semantic="hashing").full_names([5])
    assert [name for name in added if name in semantic_names] == semantic_names, "--semantic alone means all of them"
    (one,) = [name for name in score(ITEMS, rag, metrics=["bertscore"]).metrics if name in semantic_names]
    assert one == "bertscore"
    monkeypatch.delattr(encoder, "load_encoder")
    assert score(ITEMS, rag, profile="focused").metrics["em"].value == 0.5


def test_only_the_judged_metrics_requested_are_added_to_a_profile() -> None:
    judge = Judge(ScriptedModel(lambda _: ClaimsReply((JudgedClaim("ten", "…", "supported"),))), ("faithfulness",))
    found = score(ITEMS, rag, docs=[LEAVE], profile="focused", judge=judge).metrics
    assert [name for name in found if METRICS[name.partition("@")[0]].kind == "judged"] == ["faithfulness"]
    assert found["faithfulness"].value == 1.0


def test_an_unknown_metric_is_an_error_with_the_nearest_one() -> None:
    with pytest.raises(ConfigError) as caught:
        plan_metrics(metrics=["recal", "mrr", "mrr@5", "hit@0", "zzz", "token_f2@5"])
    problems = re.split("; (?=')", str(caught.value).removeprefix("--metrics cannot be used: "))
    assert problems[:3] == [
        "'recal' is not a metric; did you mean recall@5?",
        "'mrr@5' is not a metric; did you mean mrr?",
        "'hit@0' is not a metric; did you mean hit@5?",
    ]
    assert problems[3].startswith("'zzz' is not a metric; known are precision@k, ")
    assert problems[4] == "'token_f2@5' is not a metric; did you mean token_f1?" and len(problems) == 5
    with pytest.raises(ConfigError, match="--profile quick is unknown: give one of comprehensive, focused, rapid, "):
        plan_metrics("quick")


@pytest.mark.parametrize(("total", "asked"), [(30, 30), (100, 50), (1000, 200)])
def test_of_a_share_and_a_number_the_larger_counts(total: int, asked: int) -> None:
    assert sample_size("20%,50", total) == asked


@pytest.mark.parametrize("sample", ["20%,0", "0%,50", "20%,50,60", "20%,", ",", "20%,ten"])
def test_an_incomplete_sample_is_an_error(sample: str) -> None:
    with pytest.raises(ConfigError, match="is not a share or number of the 1000 questions"):
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
    assert result.stdout.startswith("rag.py:ask: ") and " of 50 questions passed, " in result.stdout
    assert "rouge" not in result.stdout
    written = json.loads((here / "out/scores.json").read_text(encoding="utf-8"))
    assert (
        written["notes"][0].startswith("profile rapid: metrics recall, mrr, ")
        and "sample 20%,50" in written["notes"][0]
    )
    assert written["notes"][1].startswith("a sample of 50 of 80 questions, drawn by type")
    assert list(written["metrics"]) == plan_metrics("rapid").full_names([1, 5], ["hit@1"])


def test_a_continuous_run_checks_the_standard_thresholds_and_works_with_since(here: Path) -> None:
    result = run("--profile", "continuous", "-o", "out")
    assert result.exit_code == 1, result.output
    assert "of 8 gates and thresholds failed: recall@5>=0.75, " in result.stderr
    write([replace(ITEMS[0], id="new")], here / "golden.jsonl")
    result = run("--profile", "continuous", "--since", "out", "-o", "next", "-k", "1")
    assert result.exit_code == 0, result.output
    assert " of 1 questions passed" in result.stdout and "cut-offs 1 (set explicitly)" in result.stdout


def test_metrics_are_named_with_commas(here: Path) -> None:
    result = run("--metrics", "mrr, recall@3,", "--json")
    assert list(json.loads(result.stdout)["metrics"]) == ["recall@3", "mrr", *ALWAYS_MEASURED]
    lines = [line.split() for line in run("--metrics", "recall@7,ndcg", "-k", "3").stdout.splitlines()]
    assert [line[0] for line in lines if line and line[0].startswith(("recall", "ndcg"))] == ["recall@7", "ndcg@3"]
    result = run("--metrics", "mrr,recal")
    assert (result.exit_code, "'recal' is not a metric; did you mean recall@5?" in result.stderr) == (2, True)
    assert "it names no metric; give for example" in run("--metrics", " ,").stderr
    assert (run("--profile", "quick").exit_code, "Traceback" in result.output) == (2, False)


def test_a_profile_uses_the_embedding_model_that_is_named(here: Path, hashed: None) -> None:
    result = run("--profile", "comprehensive", "--sample", "2", "--json", "--embedding-model", "hashing")
    written = json.loads(result.stdout)
    assert written["metrics"]["bertscore"]["n_scored"] == 2 and "model:hashing" in written["signatures"]["bertscore"]
