"""``kgsynth score`` as a user runs it: what is printed, and the exit codes."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from click.testing import CliRunner, Result

from kgsynth.base.records import Item, Span
from kgsynth.cli import main
from kgsynth.golden.dataset import write

TEXT = "Staff have 25 days of leave.\n\nThe badge is blue and must be worn at all times.\n"
DAYS = Span("leave.md", 0, 28, TEXT[:28])
BADGE = Span("leave.md", 30, 47, TEXT[30:47])
ITEMS = [
    Item("q1", "How many days of leave?", ("25",), "simple", "factoid", "en", ((DAYS,),), difficulty="easy"),
    Item("q2", "What colour is the badge?", ("blue",), "conditional", "scoped", "en", ((BADGE,),), difficulty="hard"),
]
RAG = """
def ask(question):
    if "badge" in question:
        return "blue", [{"doc": "leave.md", "start": 30, "end": 50}]
    return "many", ["The badge is blue"]

def half(question):
    if "badge" in question:
        raise RuntimeError("no connection")
    return "25"

def down(question):
    raise RuntimeError("no connection")
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write(ITEMS, tmp_path / "golden.jsonl")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "leave.md").write_bytes(TEXT.encode())
    (tmp_path / "rag.py").write_text(RAG, encoding="utf-8")
    (tmp_path / "some.jsonl").write_text('{"id": "q1", "answer": "25"}\n', encoding="utf-8")
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["score", "golden.jsonl", *arguments])


def test_a_run_prints_metrics_breakdowns_gates_and_matching(here: Path) -> None:
    result = run("--rag", "rag.py:ask", "--docs", "docs", "-o", "out", "--gate", "recall@5>=0.5", "-k", "5")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0] == "rag.py:ask: 1 of 2 questions passed, 1 failed"
    assert lines.index("gate recall@5>=0.5: passed (0.500)") < lines.index(
        "pass rate by words 50 % (of 2 checked questions)"
    )
    (head,) = [at for at, line in enumerate(lines) if line.split()[:2] == ["metric", "value"]]
    assert head > lines.index("pass rate by words 50 % (of 2 checked questions)"), (
        "the result comes first, the metrics follow"
    )
    (recall,) = [line.split() for line in lines if line.startswith("recall@5 ")]
    assert recall[1:3] == ["0.500", "█" * 10 + "·" * 10]
    assert len(lines) <= 22, "one screen"
    assert "gate recall@5>=0.5: passed (0.500)" in lines
    assert sorted(path.name for path in (here / "out").iterdir()) == [
        "answers.jsonl",
        "items.jsonl",
        "plots",
        "report.html",
        "run.json",
        "scores.json",
        "scores.md",
    ]


def test_a_failed_gate_is_exit_1_and_everything_is_still_written(here: Path) -> None:
    result = run("--rag", "rag.py:ask", "--docs", "docs", "-o", "out", "--gate", "em>0.9", "--gate", "mrr>0")
    assert result.exit_code == 1
    assert "error: 1 of 2 gates failed: em>0.9" in result.stderr
    assert json.loads((here / "out/scores.json").read_text(encoding="utf-8"))["gates"][0]["passed"] is False


@pytest.mark.parametrize(
    ("arguments", "code", "reason"),
    [
        (["--rag", "rag.py:ask", "--gate", "glory>=1"], 2, "'glory' is not a metric"),
        (["--rag", "oracle"], 2, "'oracle' is not a system kgsynth can call"),
        (["--rag", "bm25"], 2, "give their folder with --docs"),
        (["--rag", "rag.py:ask", "--cover", "0"], 2, "--cover"),
        ([], 2, "--rag"),
        (["--rag", "rag.py:ask", "--fail-on-error", "few"], 2, "--fail-on-error 'few' is not a valid limit"),
        (["--rag", "rag.py:ask", "--retry-errors"], 2, "--retry-errors needs the folder of the run"),
        (["--rag", "rag.py:ask", "--rag-config", "rag.toml"], 2, "not for rag.py:ask: leave it out"),
        (["--rag", "bm25", "--docs", "docs", "--max-calls", "5"], 2, "--max-calls needs a language model; name one"),
        (["--rag", "exec:no-such-program"], 4, "there is no program no-such-program"),
        (["--rag", "rag.py:half", "--fail-on-error", "0"], 4, "1 of 2 questions failed or have no record"),
        (["--rag", "rag.py:half", "--fail-on-error", "49%", "--gate", "em>=1"], 4, "more than --fail-on-error 49%"),
        (["--rag", "rag.py:half", "--fail-on-error", "50%", "--gate", "em>=1"], 1, "1 of 1 gates failed"),
        (["--rag", "some.jsonl", "--fail-on-error", "0"], 4, "1 of 2 questions failed or have no record"),
        (["--rag", "none.jsonl"], 3, "none.jsonl cannot be read"),
        (["--rag", "none.py:ask"], 2, "there is no file none.py"),
        (["--rag", "rag.py:nobody"], 2, "has no function 'nobody'; it has ask, down, half"),
        (["--rag", "rag.py:down"], 4, "failed on all 2 questions, first with: RuntimeError: no connection"),
    ],
)
def test_exit_codes_and_sentences(here: Path, arguments: list[str], code: int, reason: str) -> None:
    result = run(*arguments)
    assert (result.exit_code, reason in result.stderr) == (code, True), result.output
    assert "Traceback" not in result.output


def test_a_missing_golden_set_is_exit_3(here: Path) -> None:
    (here / "golden.jsonl").unlink()
    result = run("--rag", "rag.py:ask")
    assert (result.exit_code, "golden.jsonl" in result.stderr) == (3, True)


def test_errors_are_counted_and_shown(here: Path) -> None:
    result = run("--rag", "rag.py:half")
    assert result.exit_code == 0
    assert "counted 0: 1 error, 0 without an answer record" in result.stdout
    assert "note: 1 of 2 questions failed: RuntimeError 1" in result.stdout


def test_what_the_terminal_leaves_out_is_on_the_page(here: Path) -> None:
    (here / "own.py").write_text("def words(item, answer):\n    return len((answer.answer or '').split())\n", "utf-8")
    options = ("--rag", "rag.py:ask", "--docs", "docs", "--metric-function", "own.py:words", "-o", "out")
    shown = run(*options).stdout
    page = BeautifulSoup((here / "out/report.html").read_text(encoding="utf-8"), "html.parser").get_text(
        " ", strip=True
    )
    written = json.loads((here / "out/scores.json").read_text(encoding="utf-8"))
    assert "by difficulty" not in shown and "latency_p95" not in shown and "precision@1" not in shown
    measured = {name for name, value in written["metrics"].items() if value["value"] is not None}
    missing = {re.sub(r"@\d+", "@k", name) for name, value in written["metrics"].items() if value["value"] is None}
    assert not [name for name in measured | missing | {"words", "latency_p95"} if name not in page]
    assert "By difficulty" in page and "with the passages" not in shown
    for text in (
        "questions that failed count 0 (",
        "; weights ",
        "answerable questions 2 answered, 0 declined",
    ):
        assert text in page
    assert "per question, " in page.partition("passages were matched")[2], "the number and size of passages"


def test_semantic_metrics_are_measured_with_the_flag(here: Path, hashed: None) -> None:
    result = run("--rag", "rag.py:ask", "--docs", "docs", "--semantic", "--gate", "semantic_similarity>=0.4")
    assert result.exit_code == 0, result.output
    (line,) = [line.split() for line in result.stdout.splitlines() if line.startswith("semantic_similarity ")]
    assert line[1] == "0.500"  # "many" for 25, "blue" for blue


def test_only_json_is_on_stdout(here: Path) -> None:
    result = run("--rag", "rag.py:ask", "--docs", "docs", "--json", "--gate", "em>0.9")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["metrics"]["em"]["value"] == 0.5


def test_bm25_over_the_folder_finds_passages_that_share_words(here: Path) -> None:
    result = run("--rag", "bm25", "--docs", "docs", "--chunking", "recursive:10:0", "--top", "1", "--gate", "mrr>=1")
    assert result.exit_code == 0, result.output
    assert "mrr          1.000" in result.stdout


def test_a_few_metrics_are_all_shown(here: Path) -> None:
    lines = run("--rag", "rag.py:ask", "--docs", "docs", "--metrics", "precision", "-k", "3").stdout.splitlines()
    (precision,) = [line.split() for line in lines if line.startswith("precision@3 ")]
    assert precision[1] == "0.167"  # one of the two found, over k


# ---- gates, thresholds, own metrics, samples ----------------------------------------------------------------------


def test_thresholds_weights_and_own_metrics_are_shown_and_a_missed_threshold_is_exit_1(here: Path) -> None:
    (here / "own.py").write_text("def words(item, answer):\n    return len(answer.answer.split())\n", encoding="utf-8")
    (here / "t.toml").write_text("em = {warn = 0.9, fail = 0.4}\nmrr = {warn = 0.8, fail = 0.7}\n", encoding="utf-8")
    result = run(
        *("--rag", "rag.py:ask", "--docs", "docs", "-o", "out", "--thresholds", "t.toml"),
        *("--metric-function", "own.py:words", "--weights", "em=3,mrr=1", "--gate", "words>=1"),
    )
    assert result.exit_code == 1
    assert "error: 1 of 3 gates and thresholds failed: mrr>=0.7" in result.stderr
    lines = [line.split() for line in result.stdout.splitlines()]
    assert ["mrr", "0.500", "0.8", "0.7", "FAILED"] in lines
    assert ["em", "0.500", "0.9", "0.4", "warned"] in lines
    assert ["words", "1.000"] in lines, "one document has no interval"
    assert not [line for line in lines if "passed" in line[-1:]], "thresholds that hold are on the page"
    overall = "0.500, questions that failed count 0 (generator 0.500, retriever 0.500)"
    assert f"overall {overall}\n" in result.stdout
    assert f"{overall}; weights em 3, mrr 1" in (here / "out/report.html").read_text(encoding="utf-8")
    assert result.stdout.startswith("rag.py:ask: 1 of 2 questions passed, 1 failed\n")
    written = json.loads((here / "out/scores.json").read_text(encoding="utf-8"))
    assert written["own_metrics"]["words"]["value"] == 1.0
    assert written["thresholds"][1] == {"metric": "mrr", "warn": 0.8, "fail": 0.7, "value": 0.5, "level": "failed"}
    assert (written["overall"]["value"], written["pass_rate"], written["causes"]) == (0.5, 0.5, {"not retrieved": 1})
    text = (here / "out/scores.md").read_text(encoding="utf-8")
    assert "| q1 | How many days of leave? | 25 | many | not retrieved: 1 of 1 evidence groups (leave.md) |" in text


def test_own_metrics_can_be_compared(here: Path) -> None:
    (here / "own.py").write_text("def size(item, answer):\n    return len(answer.answer or '')\n", encoding="utf-8")
    for out, function in (("a", "ask"), ("b", "half")):
        run("--rag", f"rag.py:{function}", "-o", out, "--metric-function", "own.py:size")
    result = CliRunner().invoke(main, ["compare", "a", "b", "--metric", "size", "--json"])
    found = json.loads(result.stdout)["pairs"][0]["metrics"]["size"]
    assert (found["a"], found["b"]) == (4.0, 1.0)  # "many" and "blue", "25" and nothing


def test_sample_and_since_ask_only_some_questions_and_report_it(here: Path) -> None:
    half = run("--rag", "rag.py:ask", "-o", "half", "--sample", "50%")
    assert "rag.py:ask: 1 of 1 questions passed, 0 failed" in half.output
    assert "note: a sample of 1 of 2 questions, drawn by type with seed 0" in half.output
    run("--rag", "rag.py:ask", "-o", "whole")
    refused = CliRunner().invoke(main, ["compare", "half", "whole"])
    assert (refused.exit_code, "different golden sets" in refused.stderr) == (3, True)
    again = run("--rag", "rag.py:ask", "--since", "whole")
    assert (again.exit_code, "none of the 2 questions is new or changed since whole" in again.stderr) == (3, True)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--since", "out", "-o", "./out"], "--since out would be overwritten: give another folder with -o"),
        (["--thresholds", "lax"], "--thresholds lax is neither a preset nor a file"),
        (["--weights", "glory=1"], "'glory' is not a metric"),
        (["--metric-function", "rag.py:nobody"], "rag.py has no function 'nobody'"),
        (["--sample", "200%"], "--sample 200% is not a share or number of the 2 questions"),
    ],
)
def test_invalid_options_are_exit_2(here: Path, arguments: list[str], reason: str) -> None:
    result = run("--rag", "rag.py:ask", *arguments)
    assert (result.exit_code, reason in result.stderr) == (2, True), result.output


def test_help_imports_no_heavy_library() -> None:
    heavy = ("numpy", "scipy", "rapidfuzz", "spacy")
    code = f"import sys, kgsynth.cli.score; print([name for name in {heavy} if name in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
