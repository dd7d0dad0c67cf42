"""Scores as OpenTelemetry events: their attributes, a file, and a collector."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from scripted import ScriptedModel
from services import Service, service

from kgsynth.base.records import Item, Span
from kgsynth.cli import main
from kgsynth.golden.dataset import write
from kgsynth.scoring.flow import score
from kgsynth.scoring.metrics.judged import Judge
from kgsynth.scoring.metrics.judged.replies import ClaimsReply, GradesReply, JudgedClaim
from kgsynth.scoring.opentelemetry import export_requests

__all__ = ["service"]

TEXT = "Staff have 25 days of leave.\n\nThe badge is blue and must be worn.\n"
ITEMS = [
    Item("q1", "How many days?", ("25",), "simple", "factoid", "en", ((Span("leave.md", 0, 28, TEXT[:28]),),)),
    Item("q2", "What colour?", ("blue",), "simple", "factoid", "en", ((Span("leave.md", 30, 47, TEXT[30:47]),),)),
]
NOW = 1_800_000_000_000_000_000


def rag(question: str) -> str:
    return "blue"


def read(requests: list[dict[str, Any]]) -> dict[tuple[str, str], dict[str, Any]]:
    """The attributes of all events by question and metric, as plain values."""
    found = {}
    for request in requests:
        for record in request["resourceLogs"][0]["scopeLogs"][0]["logRecords"]:
            assert record["eventName"] == "gen_ai.evaluation.result"
            own = {each["key"]: next(iter(each["value"].values())) for each in record["attributes"]}
            found[own["kgsynth.item"], own["gen_ai.evaluation.name"]] = own
    return found


def test_each_question_has_an_event_for_passing_and_for_every_metric_with_a_value() -> None:
    scores = score(ITEMS, rag)
    (request,) = export_requests(scores, NOW)
    events = read([request])
    wrong, right = events["q1", "passed"], events["q2", "passed"]
    assert (right["gen_ai.evaluation.score.value"], right["gen_ai.evaluation.score.label"]) == (1.0, "passed")
    assert "gen_ai.evaluation.explanation" not in right
    assert (wrong["gen_ai.evaluation.score.value"], wrong["gen_ai.evaluation.score.label"]) == (0.0, "failed")
    assert wrong["gen_ai.evaluation.explanation"] == str(scores.items[0].cause)
    assert (wrong["kgsynth.golden"], wrong["kgsynth.system"]) == (scores.golden, scores.system)
    measured = {(item.id, name) for item in scores.items for name, value in item.metrics.items() if value is not None}
    assert set(events) == {("q1", "passed"), ("q2", "passed"), *measured}
    assert events["q2", "em"]["gen_ai.evaluation.score.value"] == 1.0
    (record, *_) = request["resourceLogs"][0]["scopeLogs"][0]["logRecords"]
    assert record["timeUnixNano"] == str(NOW), "64-bit numbers are texts in OTLP/JSON"


def test_what_a_judge_said_is_the_explanation_of_its_metrics() -> None:
    replies = {
        "claims": ClaimsReply((JudgedClaim("blue", "…", "supported"),)),
        "grades": GradesReply("it is blue", 5, 5),
    }
    judge = Judge(ScriptedModel(lambda prompt: replies[prompt.stage]), ("faithfulness", "answer_correctness"))
    scores = score(ITEMS, lambda question: ("blue", ["The badge is blue"]), judge=judge)
    events = read([*export_requests(scores, NOW)])
    assert events["q2", "faithfulness"]["gen_ai.evaluation.explanation"] == "supported: blue"
    assert events["q2", "answer_correctness"]["gen_ai.evaluation.explanation"] == "it is blue"
    assert "gen_ai.evaluation.explanation" not in events["q2", "em"]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write(ITEMS, tmp_path / "golden.jsonl")
    (tmp_path / "rag.py").write_text("def ask(question):\n    return 'blue'\n", encoding="utf-8")
    return tmp_path


def run(target: str, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["score", "golden.jsonl", "--rag", "rag.py:ask", "--otel", target, *arguments])


def test_a_file_has_one_export_request_a_line(here: Path) -> None:
    result = run("out/events.jsonl")
    assert result.exit_code == 0, result.output
    lines = (here / "out" / "events.jsonl").read_text(encoding="utf-8").splitlines()
    events = read([json.loads(line) for line in lines])
    assert len(lines) == 1 and f"{len(events)} events: out/events.jsonl" in result.stdout
    assert {item for item, _ in events} == {"q1", "q2"}


def test_a_collector_gets_the_same_at_v1_logs_with_the_headers_of_the_environment(
    here: Path, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_HEADERS", "api-key=a%20b,x-scope=eval")
    service.says = lambda request: {}
    result = run(service.url.removesuffix("/ask"))
    assert result.exit_code == 0, result.output
    (request,) = service.requests
    assert (request.method, request.path) == ("POST", "/v1/logs")
    assert request.headers["content-type"] == "application/json"
    assert (request.headers["api-key"], request.headers["x-scope"]) == ("a b", "eval")
    assert {item for item, _ in read([request.body])} == {"q1", "q2"}
    assert "a b" not in result.output


def test_a_collector_that_refuses_or_is_down_is_exit_4_and_the_results_are_there(here: Path, service: Service) -> None:
    service.says = lambda request: (401, {}, b"no")
    result = run(f"{service.url}/v1/logs", "-o", "out")
    assert result.exit_code == 4
    assert f"the collector {service.url}/v1/logs refuses the events with status 401" in result.stderr
    assert (here / "out" / "scores.json").is_file() and "1 of 2 questions passed" in result.stdout
    service.says = lambda request: {"partialSuccess": {"rejectedLogRecords": "2", "errorMessage": "too old"}}
    result = run(service.url)
    assert result.exit_code == 4 and "rejects events" in result.stderr and "too old" in result.stderr
    down = run("http://me:secret@127.0.0.1:9")
    assert down.exit_code == 4 and "cannot be reached" in down.stderr and "secret" not in down.output


def test_a_wrong_url_is_reported_before_any_question_is_asked(here: Path) -> None:
    result = run("ftp://localhost", "-o", "out")
    assert result.exit_code == 2 and "'ftp://localhost' is not the URL of a server" in result.stderr
    assert not (here / "out").exists()
