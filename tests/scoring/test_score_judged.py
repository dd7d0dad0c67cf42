"""A judge in a complete run of ``score``: results, gates, budgets, and a server that is asked only once."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result
from scripted import ScriptedModel
from services import Request, Service, service

from kgsynth.base.errors import ConfigError
from kgsynth.base.records import Item, Span
from kgsynth.cli import main
from kgsynth.golden.dataset import write
from kgsynth.models.llm import Failure, Prompt
from kgsynth.scoring.flow import score
from kgsynth.scoring.junit import junit
from kgsynth.scoring.metrics.judged import JUDGED_METRICS, Judge
from kgsynth.scoring.metrics.judged.replies import (
    ClaimsReply,
    ContextReply,
    GoldenStatement,
    GradesReply,
    JudgedClaim,
)
from kgsynth.scoring.metrics.scores import Scores
from kgsynth.scoring.text import markdown, terminal

__all__ = ["service"]

TEXT = "Staff have 25 days of leave.\n\nThe badge is blue and must be worn at all times.\n"
DAYS, BADGE = Span("leave.md", 0, 28, TEXT[:28]), Span("leave.md", 30, 47, TEXT[30:47])
ITEMS = [
    Item("q1", "How many days of leave?", ("25",), "simple", "factoid", "en", ((DAYS,),)),
    Item("q2", "What colour is the badge?", ("blue",), "simple", "factoid", "en", ((BADGE,),)),
]


def rag(question: str) -> tuple[str, list[str]]:
    return ("blue" if "badge" in question else "many"), ["The badge is blue."]


def reply(prompt: Prompt) -> object:
    """A judge that is right: of the two answers, the second is correct."""
    correct = "badge?" in prompt.user or "\nblue\n" in prompt.user
    return {
        "claims": ClaimsReply((JudgedClaim("blue many", "…", "supported" if correct else "contradicted"),)),
        "grades": GradesReply("…", 5, 5 if correct else 1),
        "context": ContextReply("…", (1,) if correct else (), (GoldenStatement("…", correct),)),
    }[prompt.stage]


def scored(judge: Judge | str | None, **options: Any) -> Scores:
    return score(ITEMS, rag, judge=judge, **options)


# ---- metrics, gates, reports -----------------------------------------------------------------------


def test_judged_metrics_are_reported_like_the_others(hashed: None, tmp_path: Path) -> None:
    scores = scored(Judge(ScriptedModel(reply)), out=tmp_path)
    assert {name: scores.metrics[name].value for name in list(JUDGED_METRICS)[:6]} == {
        "faithfulness": 0.5,
        "answer_relevancy": 1.0,
        "answer_correctness": 0.5,
        "context_precision_judged": 0.5,
        "context_recall_judged": 0.5,
        "contextual_relevancy": 0.5,
    }
    assert (scores.metrics["faithfulness"].n_scored, scores.metrics["bertscore"].value) == (2, None)
    assert scores.by["question_type"]["simple"]["faithfulness"].value == 0.5
    written = json.loads((tmp_path / "scores.json").read_text(encoding="utf-8"))
    assert written["judge"]["model"] == "scripted" and written["judge"]["usage"]["claims"]["calls"] == 2
    assert written["judge"]["verdicts"]["contradicted"] == 1 and "replies" not in written["judge"]
    assert "|judge:scripted|prompt:" in written["signatures"]["faithfulness"]
    lines = [json.loads(line) for line in (tmp_path / "judged.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [(line["call"], line["id"]) for line in lines[:3]] == [("claims", "q1"), ("claims", "q2"), ("grades", "q1")]
    assert lines[0]["reply"]["claims"][0]["verdict"] == "contradicted" and lines[0]["figures"] == {"faithfulness": 0.0}
    items = [json.loads(line) for line in (tmp_path / "items.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [item["metrics"]["answer_correctness"] for item in items] == [0.0, 1.0]


def test_without_a_judge_they_are_null_and_a_gate_on_one_fails() -> None:
    scores = scored(None, gates=["faithfulness>=0.8"])
    for name in JUDGED_METRICS:
        value = scores.metrics[name]
        assert (value.value, value.n_scored, value.why) == (None, 0, "no judge: give --judge")
    assert [text for text, _ in scores.failed_checks] == ["faithfulness>=0.8"], (
        "a gate that cannot be evaluated must not pass"
    )
    assert scores.judge is None and "judge" not in scores.to_json()
    assert "gate faithfulness>=0.8: FAILED (no judge: give --judge)" in terminal(scores)
    assert "faithfulness" not in str(scores.overall)


@pytest.mark.parametrize("strict", [False, True])
def test_gates_and_thresholds_on_judged_metrics_warn_unless_strict(strict: bool, tmp_path: Path) -> None:
    path = tmp_path / "t.toml"
    path.write_text("answer_correctness = {warn = 0.9, fail = 0.8}\nem = {warn = 0.4, fail = 0.3}\n", encoding="utf-8")
    judge = Judge(ScriptedModel(reply), ("faithfulness", "answer_correctness"), strict=strict)
    scores = scored(judge, gates=["faithfulness>=0.9", "em>=0.9", "answer_correctness>=0.5"], thresholds=path)
    assert [text for text, _ in scores.failed_checks] == [
        *(["faithfulness>=0.9"] if strict else []),
        "em>=0.9",
        *(["answer_correctness>=0.8"] if strict else []),
    ]
    assert [gate.outcome for gate in scores.gates] == ["FAILED" if strict else "warned", "FAILED", "passed"]
    assert [threshold.level for threshold in scores.thresholds] == ["failed" if strict else "warned", "passed"]
    assert scores.gates[0].to_json() == {"gate": "faithfulness>=0.9", "passed": False, "value": 0.5} | (
        {} if strict else {"warns": True}
    )
    assert "warns" not in scores.gates[1].to_json()
    suite = ElementTree.fromstring(junit(scores).encode())
    found = suite.find(".//testcase[@name='faithfulness>=0.9']")
    assert found is not None and [each.tag for each in found] == ["failure" if strict else "system-out"]
    assert f"| faithfulness>=0.9 | {scores.gates[0].outcome} | 0.500 |" in markdown(scores)


def test_judged_metrics_count_for_the_overall_score_and_their_components() -> None:
    metrics = ("faithfulness", "contextual_relevancy", "context_recall_judged")
    found = scored(Judge(ScriptedModel(reply), metrics), docs=None).overall
    assert found is not None
    judged = {"faithfulness": 1.0, "contextual_relevancy": 1.0}
    assert found.weights == {"recall@5": 2.0, "ndcg@5": 1.0, "mrr": 1.0, "token_f1": 2.0, "sub_em": 1.0, **judged}
    assert set(found.components) == {"generator", "retriever"}
    weighed = scored(
        Judge(ScriptedModel(reply), metrics), weights="context_recall_judged=1,answer_correctness=1"
    ).overall
    assert weighed is not None and weighed.components == {"retriever": 0.5}
    assert weighed.left_out == ("answer_correctness",), "it was not requested"


def test_the_text_reports_spending_claims_spread_and_unusable_replies() -> None:
    def shaky(prompt: Prompt) -> object:
        return Failure("no reply in 120 s") if prompt.stage == "claims" and prompt.repeat else reply(prompt)

    scores = scored(Judge(ScriptedModel(shaky), ("faithfulness", "answer_correctness"), repeats=2))
    for text in (terminal(scores), markdown(scores)):
        assert "judged by scripted: 8 calls, 0 replies from the cache, 80 tokens in, 40 out, cost 8e-05" in text
        assert "claims: 1 supported, 0 partly supported, 0 not supported, 1 contradicted" in text
        assert "standard deviation over 2 repeats of the judging: answer_correctness 0.000" in text
        assert (
            "2 of 8 replies of the judge cannot be used and give no value, the first (claims of q1): no reply" in text
        )
    assert scores.metrics["faithfulness"].value == 0.5, "the other repeat has a value"


# ---- a server --------------------------------------------------------------------------------------

REPLIES: Mapping[str, object] = {
    "faithful": {"claims": [{"answer_says": "blue many", "passages_say": "…", "verdict": "supported"}]},
    "grade an answer": {"reasoning": "…", "relevancy": 4, "correctness": 3},
}


def chat(request: Request) -> dict[str, object]:
    system = request.body["messages"][0]["content"]
    (said,) = [json.dumps(said) for words, said in REPLIES.items() if words in system]
    usage = {"prompt_tokens": 100, "completion_tokens": 20}
    return {"choices": [{"message": {"content": f"Sure: {said}"}}], "usage": usage}


@pytest.fixture
def here(service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A golden set and a system in the working folder, and a server whose model knows what a judge is asked."""
    service.says = chat
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_BASE_URL", service.url.removesuffix("/ask"))
    monkeypatch.setenv("OPENAI_API_KEY", "sk-none")
    write(ITEMS, tmp_path / "golden.jsonl")
    (tmp_path / "rag.py").write_text(
        'def ask(question):\n    return ("blue" if "badge" in question else "many"), ["The badge is blue."]\n',
        encoding="utf-8",
    )
    (tmp_path / "llm.toml").write_text("at_once = 1\nretries = 0\nprice_in = 1\nprice_out = 2\n", encoding="utf-8")
    return tmp_path


def run(*arguments: str) -> Result:
    judge = ("--judge", "tiny", "--llm-config", "llm.toml", "--judge-metrics", "faithfulness, answer_correctness")
    return CliRunner().invoke(main, ["score", "golden.jsonl", "--rag", "rag.py:ask", *judge, *arguments])


def test_a_server_judges_and_is_not_asked_twice(here: Path, service: Service) -> None:
    first = run("-o", "out", "--gate", "answer_correctness>=0.9")
    assert first.exit_code == 0, first.output
    assert "judged by tiny: 4 calls, 0 replies from the cache, 400 tokens in, 80 out, cost 0.00056" in first.stdout
    assert re.search(r"^answer_correctness +0\.500", first.stdout, re.MULTILINE)
    assert "gate answer_correctness>=0.9: warned (0.500)" in first.stdout
    sent = [request.body for request in service.requests]
    assert len(sent) == 4 and {body["temperature"] for body in sent} == {0.0}
    again = run("-o", "out", "--judge-strict", "--gate", "answer_correctness>=0.9")
    assert again.exit_code == 1 and "1 of 1 gates failed: answer_correctness>=0.9" in again.stderr
    assert "judged by tiny: 0 calls, 4 replies from the cache" in again.stdout
    assert len(service.requests) == 4
    repeated = run("-o", "out", "--judge-repeats", "2")
    assert "4 calls, 4 replies from the cache" in repeated.stdout and "over 2 repeats" in repeated.stdout
    assert {request.body["seed"] for request in service.requests} == {0, 1}


def test_labels_on_the_command_line_correct_the_judge(here: Path, service: Service) -> None:
    (here / "labels.csv").write_text("id,right,annotator\nq1,wrong,Ada\nq2,correct,Ada\n", encoding="utf-8")
    refused = run("--judge-checked", "--gate", "answer_correctness>=0.1")
    assert refused.exit_code == 1 and "(no value: nobody checked this judge" in refused.stderr
    checked = run("--judge-checked", "--gate", "answer_correctness>=0.1", "--labels", "labels.csv")
    assert checked.exit_code == 0, checked.output
    assert "corrected by 2 labels of 2 answers" in checked.stdout, "both graded 3 of 5: the judge calls none right"
    missing = run("--labels", "none.csv")
    assert missing.exit_code == 3 and "none.csv is not a file of labels" in missing.stderr


def test_a_cap_stops_the_judge_and_the_same_command_resumes(here: Path, service: Service) -> None:
    stopped = run("-o", "out", "--max-calls", "3", "--gate", "em>=1")
    assert stopped.exit_code == 130, stopped.output
    reason = "the judge stopped after 3 calls to the language model, all that --max-calls allows"
    assert f"error: {reason}; with -o, the same command resumes with a higher cap" in stopped.stderr
    told = json.loads((here / "out" / "scores.json").read_text(encoding="utf-8"))
    assert told["metrics"]["faithfulness"] == {"value": 1.0, "n_scored": 2, "n_total": 2}
    assert told["metrics"]["answer_correctness"] == {"value": 0.5, "n_scored": 1, "n_total": 2}
    assert f"{reason}: 1 of 4 replies are missing" in told["notes"]
    assert run("-o", "out").exit_code == 0
    assert len(service.requests) == 4, "only one request was left"


def test_an_unreachable_judge_is_exit_4_and_the_answers_are_kept(here: Path, service: Service) -> None:
    service.says = lambda request: (401, {}, b"no such key")
    result = run("-o", "out")
    assert (result.exit_code, "refuses the language model 'tiny'" in result.stderr) == (4, True), result.output
    assert len((here / "out" / "answers.jsonl").read_text(encoding="utf-8").splitlines()) == 2
    assert not (here / "out" / "scores.json").exists()


def test_nonsense_from_the_model_is_null_and_the_run_continues(here: Path, service: Service) -> None:
    def vague(request: Request) -> dict[str, object]:
        grading = "grade an answer" in request.body["messages"][0]["content"]
        return {"choices": [{"message": {"content": "Fine by me."}}]} if grading else chat(request)

    service.says = vague
    result = run()
    assert result.exit_code == 0, result.output
    assert "2 of 4 replies of the judge cannot be used" in result.stdout
    assert "(grades of q1): a reply that cannot be used: it contains no JSON object" in result.stdout
    assert "answer_correctness  " not in result.stdout and re.search(r"^faithfulness +1\.000", result.stdout, re.M)


def test_invalid_options_are_reported_before_anything_is_asked(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    base = ["score", "golden.jsonl", "--rag", "rag.py:ask"]
    wrong = {
        ("--judge-repeats", "2"): "--judge-checked and --labels need a judge; add --judge MODEL",
        ("--judge-strict",): "--judge-strict, --judge-checked and --labels need a judge",
        ("--judge", "tiny", "--judge-metrics", "glory"): "--judge-metrics 'glory' cannot be judged",
        ("--judge", "tiny", "--max-cost", "1"): "max_cost needs prices",
    }
    for options, reason in wrong.items():
        result = CliRunner().invoke(main, [*base, *options])
        assert (result.exit_code, reason in result.stderr) == (2, True), result.output
    for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY"):
        monkeypatch.delenv(name)
    asked: list[str] = []
    with pytest.raises(ConfigError, match="no server for the language model 'tiny'"):
        score(ITEMS, lambda question: asked.append(question) or "x", judge=Judge("tiny", ("faithfulness",)))
    assert not asked


def test_named_metrics_determine_what_is_judged_and_judge_metrics_are_added(here: Path, service: Service) -> None:
    judge = ("--judge", "tiny", "--llm-config", "llm.toml")
    base = ["score", "golden.jsonl", "--rag", "rag.py:ask", *judge]
    named = CliRunner().invoke(main, [*base, "-o", "named", "--metrics", "em,faithfulness"])
    assert named.exit_code == 0, named.output
    assert len(service.requests) == 2, "one request per question"
    written = json.loads((here / "named" / "scores.json").read_text(encoding="utf-8"))
    assert written["metrics"]["faithfulness"]["value"] == 1.0 and "answer_correctness" not in written["metrics"]
    both = [*base, "-o", "both", "--metrics", "em", "--judge-metrics", "answer_correctness"]
    assert CliRunner().invoke(main, both).exit_code == 0
    written = json.loads((here / "both" / "scores.json").read_text(encoding="utf-8"))
    assert written["metrics"]["answer_correctness"]["value"] == 0.5 and "faithfulness" not in written["metrics"]


def test_a_model_under_test_and_the_judge_share_one_budget(here: Path, service: Service) -> None:
    service.says = lambda request: (
        {"choices": [{"message": {"content": "blue"}}], "usage": {"prompt_tokens": 10, "completion_tokens": 1}}
        if "answer questions about" in request.body["messages"][0]["content"]
        else chat(request)
    )
    arguments = ["score", "golden.jsonl", "--rag", "naive:small", "--judge", "tiny", "--llm-config", "llm.toml"]
    result = CliRunner().invoke(
        main, [*arguments, "--judge-metrics", "answer_correctness", "--max-calls", "3", "-o", "out"]
    )
    assert result.exit_code == 130, result.output
    assert "the judge stopped after 3 calls to the language model" in result.stderr
    told = json.loads((here / "out" / "scores.json").read_text(encoding="utf-8"))["judge"]
    assert (told["missing"], told["usage"]["grades"]["calls"]) == (1, 1)
    assert told["usage"]["cost"] == 0.00014 and "rag" not in told["usage"], "what the system used is not the judge's"
