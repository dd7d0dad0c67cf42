"""The start page of a run folder: it links every page that kgsynth wrote there, and nothing else is touched."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from click.testing import CliRunner
from report_sets import HOSTILE

from kgsynth.base.run_folder import RunFolder
from kgsynth.cli import main
from kgsynth.golden.dataset import load
from kgsynth.show.pages import render
from kgsynth.show.start_page import INDEX, renew_start_pages, write_report

STAFF = "# Staff\n\nThe Kiel depot is led by Ada Berg, who keeps its keys. The Bergen depot opened in 1931.\n"
YEARS = "# Years\n\nAda Berg joined the company in 2003. The Halifax depot opened in 1947.\n"


def run_folder(folder: Path, command: str = "generate") -> Path:
    """A folder that looks as one of a finished run, without any page."""
    RunFolder.open(folder, config={}, inputs={}, command=command).close()
    return folder


def report(path: Path, kind: str, title: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    html = render("show/templates/report.html", kind=kind, title=title, lead="", version="1", pictures=())
    path.write_text(html, encoding="utf-8")
    return path


def test_every_page_in_a_run_links_to_its_start_page(tmp_path: Path) -> None:
    page = render("show/templates/report.html", kind="Scores", title="x", lead="", version="1", pictures=())
    run = run_folder(tmp_path / "run")

    def links(folder: Path) -> list[str]:
        write_report(folder, [("report.html", page.encode())])
        found = BeautifulSoup((folder / "report.html").read_text(encoding="utf-8"), "html.parser")
        return [str(a["href"]) for a in found.select("header a") if INDEX in str(a["href"])]

    assert (links(run), links(run / "bm25"), links(run / "a" / "b")) == ([INDEX], [f"../{INDEX}"], [f"../../{INDEX}"])
    assert links(tmp_path / "other") == [], "there is no start page"
    own = run_folder(tmp_path / "own")
    (own / INDEX).write_text("<title>mine</title>", encoding="utf-8")
    assert links(own) == [], "this one is not of kgsynth"


def lines(folder: Path) -> list[tuple[str, str, str]]:
    """The heading, address and text of each link of a start page."""
    page = BeautifulSoup((folder / INDEX).read_text(encoding="utf-8"), "html.parser")
    return [(a.find_previous("dt").get_text(), a["href"], a.get_text()) for a in page.select("main li a")]


def test_every_page_has_one_line_in_a_fixed_order(tmp_path: Path) -> None:
    run = run_folder(tmp_path / "run")
    report(run / "report.html", "Golden set", "60 questions with proof")
    report(run / "a b#1" / "report.html", "Scores", f"x finds 50% {HOSTILE}")
    report(run / "bm25" / "report.html", "Scores", "bm25 finds 97%")
    report(run / "cmp" / "report.html", "Comparison", "No significant difference")
    report(run / "audit" / "report.html", "Audit", "No errors")
    (run / "docs").mkdir()
    (run / "docs" / "report.html").write_text("<title>Annual report</title>", encoding="utf-8")
    renew_start_pages(run / "bm25")
    assert lines(run) == [
        ("Golden set", "report.html", "60 questions with proof"),
        ("Audits", "audit/report.html", "No errors"),
        ("Scores", "a%20b%231/report.html", f"x finds 50% {HOSTILE}"),
        ("Scores", "bm25/report.html", "bm25 finds 97%"),
        ("Comparisons", "cmp/report.html", "No significant difference"),
    ]
    page = BeautifulSoup((run / INDEX).read_text(encoding="utf-8"), "html.parser")
    assert page.h1.get_text() == "60 questions with proof" and "5 pages" in page.select_one(".lead").get_text()
    assert not (run / "bm25" / INDEX).exists(), "a folder inside the run gets none"


def test_the_same_pages_give_the_same_bytes_in_any_folder(tmp_path: Path) -> None:
    found = []
    for name in ("one", "two"):
        run = run_folder(tmp_path / name)
        for sub in ("b", "a") if name == "one" else ("a", "b"):
            report(run / sub / "report.html", "Scores", f"{sub} finds 50%")
        renew_start_pages(run)
        renew_start_pages(run)
        found.append((run / INDEX).read_bytes())
        assert not list(run.glob("*.tmp"))
    assert found[0] == found[1]


@pytest.mark.parametrize("command", [None, "score"])
def test_a_folder_that_generate_did_not_write_gets_no_start_page(tmp_path: Path, command: str | None) -> None:
    folder = tmp_path / "mine"
    if command:
        run_folder(folder, command)
    report(folder / "audit" / "report.html", "Audit", "No errors")
    (tmp_path / "state.json").write_text('{"format": "of another program"}', encoding="utf-8")
    renew_start_pages(folder / "audit")
    assert not list(tmp_path.rglob(INDEX))


def test_a_page_of_somebody_else_stays_as_it_is(tmp_path: Path) -> None:
    run = run_folder(tmp_path / "run")
    report(run / "report.html", "Golden set", "60 questions")
    (run / INDEX).write_text("<h1>My own page</h1>", encoding="utf-8")
    renew_start_pages(run)
    assert (run / INDEX).read_text(encoding="utf-8") == "<h1>My own page</h1>"


@pytest.mark.usefixtures("hashed")
def test_each_command_renews_the_start_page_when_it_finishes(tmp_path: Path) -> None:
    docs, run = tmp_path / "docs", tmp_path / "run"
    docs.mkdir()
    (docs / "staff.md").write_text(STAFF, encoding="utf-8")
    (docs / "years.md").write_text(YEARS, encoding="utf-8")
    answers = tmp_path / "given.jsonl"

    def told(*arguments: object) -> list[str]:
        done = CliRunner().invoke(main, [*map(str, arguments)])
        assert done.exit_code == 0, done.output
        return [f"{kind}: {address}" for kind, address, _ in lines(run)]

    assert told("generate", docs, "-o", run, "-n", 2, "--fill") == ["Golden set: report.html"]
    given = [{"id": item.id, "answer": "1931"} for item in load(run)]
    answers.write_text("".join(json.dumps(row) + "\n" for row in given), encoding="utf-8")
    assert "Audits: audit/report.html" in told(
        "audit", run, "--docs", docs, "--quick", "-o", run / "audit", "--fail-on", "never"
    )
    assert "Scores: a/report.html" in told("score", run, "--rag", answers, "--docs", docs, "-o", run / "a")
    told("score", run, "--rag", answers, "--docs", docs, "-o", run / "b")
    assert "Comparisons: compared/report.html" in told("compare", run / "a", run / "b", "-o", run / "compared")
    assert told("history", run, "-o", run / "history") == [
        "Golden set: report.html",
        "Audits: audit/report.html",
        "Scores: a/report.html",
        "Scores: b/report.html",
        "Comparisons: compared/report.html",
        "History: history/report.html",
    ]
    assert not (tmp_path / INDEX).exists() and not (docs / INDEX).exists()
    before = (run / INDEX).read_bytes()
    assert told("generate", docs, "-o", run, "-n", 2, "--fill") and (run / INDEX).read_bytes() == before


@pytest.mark.parametrize("command", ["audit golden.jsonl", "score golden.jsonl --rag bm25", "compare a b", "history"])
def test_no_command_replaces_the_report_of_a_run(tmp_path: Path, command: str) -> None:
    run = run_folder(tmp_path / "run")
    done = CliRunner().invoke(main, [*command.split(), "-o", str(run)])
    name = command.split()[0]
    assert done.exit_code == 2
    assert f"is a run of generate, whose report would be replaced; give {run / name}" in " ".join(done.output.split())
