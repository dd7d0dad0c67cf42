"""``score`` and ``review`` on sets of other tools: evidence found in the documents, and what is scored without it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from kgsynth.cli import main
from kgsynth.golden.exchange.open_set import open_set
from kgsynth.reviewing.subject import open_subject
from kgsynth.scoring.flow import score

FOREIGN = Path(__file__).parents[1] / "foreign"
LEAVE = "# Leave\n\nStaff have 25 days of leave.\n\n## Parental leave\n\nParents have 14 weeks of leave.\n"
PAY = "# Pay\n\nPay is due on day 25.\n"
ROWS = """question,answer,note
How many days of leave do staff have?,25,a
How many weeks of leave do parents have?,14,b
What is the colour of the badge?,blue,c
Who wrote the handbook?,Ada,d
"""
RAG = """
def ask(question):
    if "days" in question:
        return "25 days", ["Staff have 25 days of leave."]
    return "blue", ["Pay is due on day 25."]
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/leave.md").write_text(LEAVE, encoding="utf-8")
    (tmp_path / "docs/pay.md").write_text(PAY, encoding="utf-8")
    (tmp_path / "qa.csv").write_text(ROWS, encoding="utf-8")
    (tmp_path / "rag.py").write_text(RAG, encoding="utf-8")
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def test_a_table_without_contexts_is_scored_by_the_evidence_that_is_found_and_the_rest_by_answers(here: Path) -> None:
    result = run("score", "qa.csv", "--rag", "rag.py:ask", "--docs", "docs", "-o", "out")
    assert result.exit_code == 0, result.output
    assert "note: evidence found for 2 of 4 questions; the other 2 are scored by their answers only" in result.stdout
    metrics = json.loads((here / "out/scores.json").read_text(encoding="utf-8"))["metrics"]
    assert (metrics["recall@5"]["value"], metrics["recall@5"]["n_scored"]) == (
        0.5,
        2,
    )  # of days and weeks, days is found
    assert (metrics["sub_em"]["value"], metrics["sub_em"]["n_scored"]) == (0.5, 4)  # days and badge are right
    (recall,) = [line for line in result.stdout.splitlines() if line.startswith("recall@5 ")]
    assert "(2 of 4 scored)" in recall
    assert "evidence found for 2 of 4 questions" in (here / "out/report.html").read_text(encoding="utf-8")


def test_without_documents_only_answers_are_scored_and_it_is_said(here: Path) -> None:
    result = run("score", "qa.csv", "--rag", "rag.py:ask")
    assert result.exit_code == 0, result.output
    note = "evidence found for 0 of 4 questions; the other 4 are scored by their answers only; give the documents with"
    assert note in result.stdout


def test_the_same_run_resumes(here: Path) -> None:
    for _ in range(2):
        assert run("score", "qa.csv", "--rag", "rag.py:ask", "--docs", "docs", "-o", "out").exit_code == 0
    assert not list((here / "out").glob("answers-*.jsonl")), "the answers belong to the same set both times"


def test_columns_can_be_named_and_rows_that_are_no_questions_are_counted(here: Path) -> None:
    (here / "mine.csv").write_text("Frage,Antwort\nHow many days of leave do staff have?,25\n,7\n", encoding="utf-8")
    refused = run("score", "mine.csv", "--rag", "rag.py:ask", "--docs", "docs")
    assert (refused.exit_code, "name the columns with --map" in refused.stderr) == (3, True)
    result = run("score", "mine.csv", "--rag", "rag.py:ask", "--docs", "docs", "--map", "question=Frage,answer=Antwort")
    assert result.exit_code == 0, result.output
    assert "note: 1 rows are not questions, first: mine.csv, line 3 is skipped: it has no question" in result.stdout


@pytest.mark.parametrize("name", ["beir", "llamaindex-pairs.json", "squad.json"])
def test_a_set_that_contains_its_documents_needs_no_folder(name: str) -> None:
    found = open_set(FOREIGN / name)
    assert found.documents and any(item.evidence for item in found.dataset)
    scores = score(FOREIGN / name, "bm25", docs=found.documents, metrics=("recall",))
    assert scores.metrics["recall@5"].value == 1.0


@pytest.mark.parametrize("name", ["ragas.csv", "deepeval.json", "columns.csv"])
def test_every_format_that_audit_reads_is_scored(name: str, here: Path) -> None:
    result = run("score", str(FOREIGN / name), "--rag", "bm25", "--docs", "docs", "--metrics", "recall")
    assert result.exit_code == 0, result.output
    assert "evidence found for 0 of 2 questions; the other 2 are scored by their answers only" in result.stdout


def test_review_opens_a_table_with_the_evidence_that_is_found(here: Path) -> None:
    subject = open_subject(here / "qa.csv", docs=here / "docs")
    assert [bool(item.evidence) for item in subject.items] == [True, True, False, False]
    assert subject.items[0].evidence[0][0].text == "25" and set(subject.documents) == {"leave.md", "pay.md"}
    result = run("review", "qa.csv", "--docs", "docs", "--form", "form.html")
    assert result.exit_code == 0 and "4 questions to review written to form.html" in result.output
