"""``score --baseline``: a run against an earlier one of the same set; only a significant loss fails."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

from kgsynth.base.errors import ConfigError, InputError
from kgsynth.base.records import Item, Span
from kgsynth.cli import main
from kgsynth.comparison.baseline import check_baseline, read_baseline
from kgsynth.comparison.runs import compare
from kgsynth.golden.dataset import write
from kgsynth.scoring.flow import score

N = 40
ITEMS = [
    Item(f"q{at:02}", f"What is {at}?", (f"thing {at}",), "simple", "factoid", "en", ((Span(f"d{at}.md", 0, 1, "x"),),))
    for at in range(N)
]
Right = Callable[[int], bool]


def answers(folder: Path, name: str, right: Right) -> Path:
    """A file of answers; question ``at`` is answered correctly when ``right(at)``."""
    lines = [{"id": item.id, "answer": item.golden_answers[0] if right(at) else "odd"} for at, item in enumerate(ITEMS)]
    path = folder / f"{name}.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def run(folder: Path, name: str, right: Right, items: list[Item] = ITEMS) -> Path:
    score(items, str(answers(folder, name, right)), out=folder / name)
    return folder / name


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write(ITEMS, tmp_path / "golden.jsonl")
    run(tmp_path, "main", lambda at: at < 30)
    return tmp_path


def command(right: Right, *arguments: str) -> Result:
    rag = str(answers(Path(), "new", right))
    return CliRunner().invoke(main, ["score", "golden.jsonl", "--rag", rag, "--baseline", "main", *arguments])


def gates(folder: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((folder / "scores.json").read_text(encoding="utf-8"))["gates"]
    return found


def test_a_significant_loss_fails_with_the_numbers_of_compare(here: Path) -> None:
    result = command(lambda at: at < 20, "-o", "new", "--junit", "new.xml")
    assert result.exit_code == 1, result.output
    (gate,) = gates(here / "new")
    (pair,) = compare(["main", "new"]).pairs
    row = pair.rows[0]
    assert (gate["gate"], gate["passed"], gate["value"]) == ("pass_rate against main", False, -0.25)
    assert row.metric == "pass_rate" and row.significant
    assert gate["ci95"] == pytest.approx(row.difference.ci95, abs=1e-6) and gate["p"] == row.p_holm
    line = next(line for line in result.stdout.splitlines() if line.startswith("gate "))
    low, high = gate["ci95"]
    told = f"-0.250, 95 % interval {low:+.3f} to {high:+.3f}, p {gate['p']:.3f}: a significant loss"
    assert line == f"gate pass_rate against main: FAILED ({told})"
    assert f"1 of 1 gates failed: pass_rate against main ({told})" in result.stderr
    suite = ElementTree.parse(here / "new.xml").getroot()[0]
    (case,) = [each for each in suite if each.get("classname") == "gates"]
    failure = case.find("failure")
    assert case.get("name") == "pass_rate against main" and failure is not None and failure.get("message") == told
    assert "pass_rate against main" in (here / "new" / "scores.md").read_text(encoding="utf-8")


def test_a_loss_by_chance_is_shown_with_the_smallest_that_would_be_found(here: Path) -> None:
    result = command(lambda at: at < 28, "-o", "new", "--junit", "new.xml")  # two flips: p is 1/2
    assert result.exit_code == 0, result.output
    (gate,) = gates(here / "new")
    assert (gate["passed"], gate["value"]) == (True, -0.05) and gate["p"] == pytest.approx(0.5, abs=0.02)
    assert f"not significant; a loss below {gate['smallest']:.2f} is found in fewer than 8 of 10 such" in result.stdout
    assert 0.05 < gate["smallest"] < 0.5, "larger than the loss that was not found"
    suite = ElementTree.parse(here / "new.xml").getroot()[0]
    (case,) = [each for each in suite if each.get("classname") == "gates"]
    out = case.find("system-out")
    assert case.find("failure") is None and out is not None and "not significant" in str(out.text)


def test_a_gain_passes_however_large(here: Path) -> None:
    result = command(lambda at: True, "-o", "new")
    assert result.exit_code == 0, result.output
    (gate,) = gates(here / "new")
    assert (gate["passed"], gate["value"]) == (True, 0.25) and gate["p"] < 0.05


def test_named_metrics_are_corrected_together_and_stand_beside_other_gates(here: Path) -> None:
    wanted = ("--baseline-metric", "em", "--baseline-metric", "sub_em", "--gate", "pass_rate>=0.1")
    result = command(lambda at: at < 20, "-o", "new", *wanted)
    found = {gate["gate"]: gate for gate in gates(here / "new")}
    assert result.exit_code == 1 and list(found) == ["pass_rate>=0.1", "em against main", "sub_em against main"]
    (pair,) = compare(["main", "new"], ["em", "sub_em"]).pairs
    assert [found[f"{row.metric} against main"]["p"] for row in pair.rows] == [row.p_holm for row in pair.rows]
    assert pair.rows[0].p_holm == 2 * (pair.rows[0].difference.p_flip or 0)


def test_questions_of_one_run_only_are_said_and_left_out(here: Path) -> None:
    """Of 40 questions 5 are new and one has another answer now, so 34 are the same; the old set had 3 more."""
    changed = replace(ITEMS[5], golden_answers=("something else",))
    write([*ITEMS[3:5], changed, *ITEMS[6:35]], here / "golden.jsonl")
    run(here, "main", lambda at: at < 30, [*ITEMS[:30], *ITEMS[35:]])
    scores = check_baseline(
        score(here / "golden.jsonl", str(answers(here, "new", lambda at: at < 20))), read_baseline("main")
    )
    assert scores.notes[-1] == (
        "main is compared on the 26 questions that are the same in both runs: 6 of this run are new or changed, 9 of "
        "main are no longer asked"
    )
    (gate,) = scores.gates
    assert gate.value == pytest.approx(16 / 26 - 1, abs=1e-6), "of 3, 4 and 6 to 29, the new run has those below 20"


def test_what_cannot_be_compared_fails_with_the_reason(here: Path) -> None:
    (only,) = check_baseline(
        score(ITEMS, str(answers(here, "new", lambda at: True))), read_baseline("main", ["em"])
    ).gates
    assert only.passed
    score(ITEMS, lambda question: ["x"], out="passages", docs=None)
    with pytest.raises(ConfigError, match="'em' has no value in the baseline passages: give one of"):
        read_baseline("passages", ["em"])
    one = [replace(item, evidence=((Span("same.md", 0, 1, "x"),),)) for item in ITEMS]
    run(here, "one", lambda at: at < 30, one)
    (gate,) = check_baseline(score(one, str(answers(here, "new", lambda at: False))), read_baseline("one")).gates
    assert not gate.passed and gate.why == (
        "not tested: the questions in both runs are about one document, and documents are the unit of the test; add "
        "questions about others"
    )


def test_wrong_uses_are_refused_before_any_question_is_asked(here: Path) -> None:
    never = "raise AssertionError('asked')"
    (here / "rag.py").write_text(f"def ask(question):\n    {never}\n", encoding="utf-8")

    def told(*arguments: str) -> tuple[int, str]:
        result = CliRunner().invoke(main, ["score", "golden.jsonl", "--rag", "rag.py:ask", *arguments])
        return result.exit_code, result.stderr

    assert told("--baseline", "gone")[0] == 3
    assert told("--baseline-metric", "em")[0] == 2
    assert "needs the earlier run; give its folder with --baseline" in told("--baseline-metric", "em")[1]
    code, text = told("--baseline", "main", "--baseline-metric", "answer_length")
    assert code == 2 and "answer_length" in text and "higher is not better" in text
    code, text = told("--baseline", "main", "--baseline-metric", "latency_p95")
    assert code == 2 and "of the run as a whole" in text
    code, text = told("--baseline", "main", "--baseline-metric", "recal@5")
    assert code == 2 and "did you mean recall@5?" in text
    code, text = told("--baseline", "main", "-o", "main")
    assert code == 2 and "--baseline main would be overwritten: give another folder with -o" in text


def test_runs_without_a_common_question_are_refused(here: Path) -> None:
    other = [replace(item, id=f"x{item.id}") for item in ITEMS]
    scores = score(other, lambda question: "odd")
    with pytest.raises(InputError, match="no question of this run is in main: score the same golden set"):
        check_baseline(scores, read_baseline("main"))
