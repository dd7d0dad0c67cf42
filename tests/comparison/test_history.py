"""The history of runs: what ``score`` adds to it, and how it is shown."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup
from click.testing import CliRunner, Result

from kgsynth.base.errors import InputError
from kgsynth.base.records import Item
from kgsynth.cli import main
from kgsynth.comparison.history import bar, lines, terminal
from kgsynth.golden.dataset import write
from kgsynth.scoring.history import Entry, History

GOLDEN, OTHER = "sha256:" + "a" * 64, "sha256:" + "b" * 64


def planted(folder: Path, value: float, day: int = 1, golden: str = GOLDEN, system: str = "mine", **more: Any) -> Path:
    """The folder of a run on 2026-03-``day`` with a recall@5 of ``value``, as ``score`` writes it."""
    folder.mkdir(parents=True, exist_ok=True)
    metrics = {
        "recall@5": {"value": value, "n_scored": 9, "n_total": 9, "ci95": [value - 0.1, value + 0.05]},
        "mrr": {"value": value / 2, "n_scored": 9, "n_total": 9},
        "em": {"value": None, "n_scored": 0, "n_total": 9, "why": "no answers"},
    }
    scores = {"golden": golden, "system": system, "signature": f"{system}|k:5", "n_items": 9, "n_errors": 1}
    resources = {"latency_p95": {"value": 2000 * value, "n_scored": 9, "n_total": 9}}
    rest = {"metrics": metrics, "resources": resources, "overall": {"value": value / 3}, "gates": []}
    (folder / "scores.json").write_text(json.dumps({**scores, **rest, **more}), encoding="utf-8")
    moment = datetime(2026, 3, day, 12, 30, tzinfo=UTC).timestamp()
    os.utime(folder / "scores.json", (moment, moment))
    return folder


def added(base: Path, *runs: Path) -> list[Entry]:
    history = History(base / "history.sqlite")
    for run in runs:
        history.add(run)
    try:
        return history.entries()
    finally:
        history.close()


def command(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["history", *map(str, arguments)])


# ---- what score adds -------------------------------------------------------------------------------


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write([Item("q1", "How many?", ("25",), "simple", "factoid", "en", ())], tmp_path / "golden.jsonl")
    for name, answer in (("right", "25"), ("wrong", "7")):
        (tmp_path / f"{name}.jsonl").write_text(json.dumps({"id": "q1", "answer": answer}) + "\n", encoding="utf-8")
    return tmp_path


def score(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["score", "golden.jsonl", *arguments])


def test_score_adds_its_run_beside_the_folder_and_the_same_answers_once(here: Path) -> None:
    assert score("--rag", "right.jsonl", "-o", "runs/one").exit_code == 0
    assert score("--rag", "right.jsonl", "-o", "runs/one").exit_code == 0, "scored again from the stored answers"
    (found,) = added(here / "runs")
    assert (found.folder, found.n_items, found.metrics["em"].value, found.passed) == ("one", 1, 1.0, None)
    assert found.golden == json.loads((here / "runs/one/scores.json").read_text(encoding="utf-8"))["golden"]
    assert score("--rag", "wrong.jsonl", "-o", "runs/one").exit_code == 0
    assert [entry.metrics["em"].value for entry in added(here / "runs")] == [1.0, 0.0], "other answers are another run"
    assert command("runs").stdout.splitlines()[1].split()[2:4] == ["one", found.system]


def test_a_run_whose_gate_failed_is_added_too(here: Path) -> None:
    assert score("--rag", "wrong.jsonl", "-o", "runs/one", "--gate", "em>=0.5", "--json").exit_code == 1
    (found,) = added(here / "runs")
    assert found.passed is False


def test_the_index_may_be_elsewhere_or_switched_off(here: Path) -> None:
    score("--rag", "right.jsonl", "-o", "runs/one", "--no-history")
    score("--rag", "right.jsonl")
    assert not list(here.rglob("*.sqlite"))
    score("--rag", "right.jsonl", "-o", "runs/one", "--history", "all/mine.sqlite")
    assert command("all/mine.sqlite").stdout.splitlines()[1].split()[2] == str(here / "runs/one"), "not below the index"
    refused = score("--rag", "right.jsonl", "--history", "x.sqlite")
    assert refused.exit_code == 2 and "--history needs the folder of the run; give it with -o" in refused.stderr


def test_a_run_from_python_is_added_and_compares_with_one_of_the_command(here: Path) -> None:
    import kgsynth

    score("--rag", "right.jsonl", "-o", "runs/one")
    kgsynth.score(kgsynth.load("golden.jsonl"), "wrong.jsonl", out="runs/two")
    kgsynth.score("golden.jsonl", "wrong.jsonl", out="runs/three", history=False)
    found = added(here / "runs")
    assert [entry.folder for entry in found] == ["one", "two"]
    assert len({entry.golden for entry in found}) == 1, "the set is the same, however it was given"
    assert CliRunner().invoke(main, ["compare", "runs/one", "runs/two"]).exit_code == 0


def test_an_unusable_index_does_not_lose_the_run(here: Path) -> None:
    (here / "runs").mkdir()
    (here / "runs" / "history.sqlite").write_text("not a database, by its look and by its length" * 9, encoding="utf-8")
    result = score("--rag", "right.jsonl", "-o", "runs/one", "--json")
    assert result.exit_code == 0 and json.loads(result.stdout)["n_items"] == 1
    note = json.loads(result.stdout)["notes"][-1]
    assert note.startswith("the run was not added to the history: ") and "cannot be used as a database" in note


# ---- the index -------------------------------------------------------------------------------------


def test_an_entry_has_the_results_of_the_run(tmp_path: Path) -> None:
    thresholds = [{"metric": "mrr", "warn": 0.9, "fail": 0.8, "value": 0.25, "level": "failed"}]
    own = {"cites": {"value": 0.5, "n_scored": 2, "n_total": 9}}
    gates = [{"gate": "recall@5>=0.4", "passed": True, "value": 0.5}]
    run = planted(tmp_path / "a", 0.5, thresholds=thresholds, own_metrics=own, gates=gates)
    (found,) = added(tmp_path, run)
    assert (found.when, found.n_errors, found.passed) == ("2026-03-01T12:30:00.000+00:00", 1, False)
    assert found.metrics["recall@5"].ci95 == (0.4, 0.55)
    values = {name: metric.value for name, metric in found.metrics.items()}
    assert values == {"recall@5": 0.5, "mrr": 0.25, "cites": 0.5, "latency_p95": 1000.0, "overall": 0.5 / 3}


def test_runs_are_sorted_by_when_they_were_scored_not_added(tmp_path: Path) -> None:
    runs = [planted(tmp_path / f"r{day}", 0.5, day) for day in (3, 1, 2)]
    assert [entry.folder for entry in added(tmp_path, *runs)] == ["r1", "r2", "r3"]


ADDING = """
import sys
from pathlib import Path
from kgsynth.scoring.history import History
base = Path(sys.argv[1])
print("ready", flush=True)
sys.stdin.readline()
for at in range(15):
    history = History(base / "history.sqlite")
    history.add(base / f"{sys.argv[2]}{at}")
    history.close()
"""


def test_two_processes_that_add_runs_at_once_lose_nothing(tmp_path: Path) -> None:
    names = [f"{letter}{at}" for letter in "xy" for at in range(15)]
    for name in names:
        planted(tmp_path / name, 0.5)
    pipe = subprocess.PIPE
    both = [
        subprocess.Popen([sys.executable, "-c", ADDING, str(tmp_path), letter], stdin=pipe, stdout=pipe, text=True)
        for letter in "xy"
    ]
    for process in both:
        assert process.stdout and process.stdout.readline() == "ready\n"
    for process in both:
        process.communicate("go\n", timeout=60)
    assert [process.returncode for process in both] == [0, 0]
    assert sorted(entry.folder for entry in added(tmp_path)) == sorted(names)


def test_a_folder_that_is_not_a_run_is_reported_with_the_next_step(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no readable scores.json .*give a folder that kgsynth score wrote"):
        added(tmp_path, tmp_path / "nothing")
    (tmp_path / "half").mkdir()
    (tmp_path / "half" / "scores.json").write_text('{"golden": "x"}', encoding="utf-8")
    with pytest.raises(InputError, match="the key 'system' is missing"):
        added(tmp_path, tmp_path / "half")


# ---- what is shown ---------------------------------------------------------------------------------


@pytest.fixture
def five(tmp_path: Path) -> Path:
    """Five runs of two systems; from the fourth on, on another golden set."""
    plan = [
        (0.5, GOLDEN, "mine"),
        (0.9, GOLDEN, "bm25"),
        (0.7, GOLDEN, "mine"),
        (0.6, OTHER, "mine"),
        (0.8, OTHER, "mine"),
    ]
    runs = [planted(tmp_path / f"r{day}", *each[:1], day, *each[1:]) for day, each in enumerate(plan, 1)]
    added(tmp_path, *runs)
    return tmp_path


def test_the_table_has_a_row_for_each_run_and_a_trend_for_each_system(five: Path) -> None:
    rows = [line.split() for line in command(five).stdout.splitlines()]
    assert rows[0] == ["when", "(UTC)", "run", "system", "golden", "n", "errors", "gates", "overall", "recall@5", "mrr"]
    assert rows[2] == ["2026-03-02", "12:30", "r2", "bm25", "aaaaaaaa", "9", "1", "–", "0.300", "0.900", "0.450"]
    # 0.5, 0.7 then 0.6, 0.8 on a scale from 0.5 to 0.8: sevenths 0, 4.67, 2.33, 7
    assert ["recall@5", "mine", "▁▆│▃█", "0.500", "0.800", "0.500", "0.800"] in rows
    assert not any(row[:2] == ["recall@5", "bm25"] for row in rows), "one run is not a trend"


def test_metrics_are_selected_and_runs_filtered(five: Path) -> None:
    shown = command(five, "--metric", "latency_p95", "--golden", "sha256:bb", "--system", "mine").stdout.splitlines()
    assert shown[0].split()[-2:] == ["overall", "latency_p95"]
    assert [line.split()[2] for line in shown[1:3]] == ["r4", "r5"] and shown[2].split()[-1] == "1,600"
    printed = json.loads(command(five, "--golden", "b", "--json").stdout)
    assert [(run["folder"], run["metrics"]["recall@5"]["ci95"]) for run in printed] == [
        ("r4", [0.5, 0.65]),
        ("r5", [pytest.approx(0.7), pytest.approx(0.85)]),
    ]
    assert command(five, "--system", "nobody").stdout == "no runs to show\n"
    unknown = command(five, "--metric", "glory")
    assert (
        unknown.exit_code == 2
        and "no run shown has a value of metric 'glory': give one of recall@5, mrr" in unknown.stderr
    )


def test_an_older_run_is_added_and_a_missing_index_is_not_created(tmp_path: Path) -> None:
    run = planted(tmp_path / "old" / "r1", 0.5)
    missing = command(tmp_path / "old")
    assert missing.exit_code == 3 and not (tmp_path / "old" / "history.sqlite").exists()
    assert command("--add", run).stdout.splitlines()[1].split()[2] == "r1"
    assert len(added(tmp_path / "old")) == 1, "beside the run by default"
    assert command(tmp_path / "all.sqlite", "--add", run).stdout.splitlines()[1].split()[2] == "old/r1"


def test_without_a_path_the_history_below_outputs_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The demo of the README writes to outputs/demo/bm25, so its history is outputs/demo/history.sqlite."""
    monkeypatch.chdir(tmp_path)
    outputs = tmp_path / "outputs"
    nothing = command()
    assert nothing.exit_code == 3
    assert nothing.stderr == "error: no history.sqlite in or below outputs; score with -o, or give its path\n"
    added(outputs / "demo", planted(outputs / "demo" / "bm25", 0.5))
    found = command()
    assert found.exit_code == 0 and "bm25" in found.stdout
    assert found.stderr == "history: outputs/demo/history.sqlite\n"
    assert command("-q").stderr == ""
    added(outputs / "other", planted(outputs / "other" / "dense", 0.5))
    several = command()
    assert several.exit_code == 3 and several.stderr == (
        "error: 2 histories below outputs: outputs/demo/history.sqlite, outputs/other/history.sqlite; "
        "give one of them\n"
    )
    added(outputs, planted(outputs / "mine", 0.5))
    assert command().stderr == "history: outputs/history.sqlite\n", "the one at the top is taken"
    assert command("outputs/other").stderr == "", "a given path needs no note"


def test_lines_break_where_the_golden_set_changes_and_not_at_another_system(five: Path) -> None:
    found = {line.system: line for line in lines(added(five), ["recall@5"])}
    assert [[point.at for point in piece] for piece in found["mine"].pieces] == [[0, 2], [3, 4]]
    assert [[point.at for point in piece] for piece in found["bm25"].pieces] == [[1]]


def test_a_long_trend_is_cut_at_its_beginning(tmp_path: Path) -> None:
    (one,) = added(tmp_path, planted(tmp_path / "r", 0.5))
    trend = next(line for line in terminal([one] * 60, ["mrr"]).splitlines() if line.startswith("mrr"))
    assert trend.split()[2] == "…" + "▄" * 39, "all bars are equal"
    assert bar(0.75, 0.5, 1.0) == "▅"


# ---- the page --------------------------------------------------------------------------------------


def test_the_report_links_the_report_of_each_run_and_plots_the_runs_on_one_set(tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    added(
        runs, planted(runs / "old", 0.2, 1, golden=OTHER), planted(runs / "a b", 0.5, 2), planted(runs / "c", 0.25, 3)
    )
    for name in ("old", "a b"):
        (runs / name / "report.html").write_text("the report of a run", encoding="utf-8")
    done = command(runs, "-o", tmp_path / "out")
    assert done.exit_code == 0 and done.stdout.splitlines()[-1] == f"report: {tmp_path / 'out' / 'report.html'}"
    content = (tmp_path / "out" / "report.html").read_bytes()
    page = BeautifulSoup(content.decode(), "html.parser")
    assert [(a.get_text(), a["href"]) for a in page.select("td a")] == [
        ("a b", "../runs/a%20b/report.html"),
        ("old", "../runs/old/report.html"),
    ], "the run without a report is listed without a link"
    assert [row.find_all("td")[1].get_text() for row in page.select("tbody tr")] == ["c", "a b", "old"]
    assert page.h1.get_text() == "3 runs; the newest, c, has recall@5 0.250"
    assert page.select_one("meta[name=kgsynth]")["content"] == "History"
    table = (tmp_path / "out" / "plots" / "history-recall-at-5.csv").read_text(encoding="utf-8").splitlines()
    assert table[1:] == ["03-02 a b,0.5,0.4,0.55", "03-03 c,0.25,0.15,0.3"], "only the runs on the newest set"
    command(runs, "-o", tmp_path / "out")
    assert (tmp_path / "out" / "report.html").read_bytes() == content, "the same runs, the same bytes"


def test_only_the_newest_run_of_a_folder_has_its_report(tmp_path: Path) -> None:
    for value in (0.5, 0.25):
        added(tmp_path, planted(tmp_path / "a", value, 1 + int(value == 0.25)))
    (tmp_path / "a" / "report.html").write_text("the report of the newest run", encoding="utf-8")
    command(tmp_path, "-o", tmp_path / "out")
    page = BeautifulSoup((tmp_path / "out" / "report.html").read_text(encoding="utf-8"), "html.parser")
    assert [row.find("a") is not None for row in page.select("tbody tr")] == [True, False]


def test_a_history_without_runs_has_a_page(tmp_path: Path) -> None:
    added(tmp_path, planted(tmp_path / "a", 0.5))
    assert command(tmp_path, "--system", "none such", "-o", tmp_path / "out").exit_code == 0
    assert "No runs" in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")


def test_overall_scores_over_other_metrics_are_left_out_with_the_reason(tmp_path: Path) -> None:
    """Of a retriever alone and of one that answers; another set has its own weights."""
    retrieval, answers = {"recall@5": 2.0, "mrr": 1.0}, {"recall@5": 2.0, "mrr": 1.0, "sub_em": 1.0}

    def overall(value: float, weights: Mapping[str, float]) -> dict[str, Any]:
        return {"overall": {"value": value, "weights": weights}}

    added(
        tmp_path,
        planted(tmp_path / "bm25", 0.9, 1, **overall(0.95, retrieval)),
        planted(tmp_path / "rag", 0.8, 2, **overall(0.7, answers)),
        planted(tmp_path / "again", 0.8, 3, **overall(0.75, dict(reversed(answers.items())))),
        planted(tmp_path / "other", 0.8, 4, golden=OTHER, **overall(0.85, retrieval)),
    )
    why = (
        "overall is left out (–) where it weighs other metrics than that of the other runs on the set, and would not "
        "compare: 1 run (recall@5, mrr)"
    )
    shown = command(tmp_path, "-o", tmp_path / "out").stdout
    rows = [line.split() for line in shown.splitlines()]
    assert [(row[2], row[8]) for row in rows[1:5]] == [
        ("bm25", "–"), ("rag", "0.700"), ("again", "0.750"), ("other", "0.850"),
    ]  # fmt: skip
    assert why in shown.splitlines()
    page = BeautifulSoup((tmp_path / "out" / "report.html").read_text(encoding="utf-8"), "html.parser")
    assert [cell.get_text() for cell in page.select('td[data-label="overall"]')] == ["0.850", "0.750", "0.700", "–"]
    assert page.select_one("p.warn").get_text() == f"{why}."
    (line,) = lines(added(tmp_path), ["overall"])
    assert [point.metric.value for point in line.points] == [0.7, 0.75, 0.85], "nor in a trend or plot"
    printed = json.loads(command(tmp_path, "--json").stdout)
    assert [(run["metrics"]["overall"]["value"], run["weights"]) for run in printed[:2]] == [
        (0.95, retrieval),
        (0.7, answers),
    ]
    alone = command(tmp_path, "--system", "mine", "--golden", "b").stdout
    assert "0.850" in alone and "left out" not in alone
