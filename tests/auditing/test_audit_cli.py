import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import kgsynth
from kgsynth.base.records import Item, Span
from kgsynth.cli import main
from kgsynth.golden.dataset import write

TEXT = "# Teams\n\nAda Low leads the Borealis team in Leeds.\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "teams.md").write_text(TEXT, encoding="utf-8")
    return tmp_path


def golden(folder: Path, start: int) -> Path:
    span = Span("teams.md", start, start + 7, "Ada Low")
    path = folder / "golden.jsonl"
    write([Item("h-1", "Who leads the Borealis team?", ("Ada Low",), "simple", "factoid", "en", ((span,),))], path)
    return path


def run(folder: Path, start: int, *options: str) -> Result:
    return CliRunner().invoke(main, ["audit", str(golden(folder, start)), "--docs", str(folder / "docs"), *options])


def test_a_sound_set_passes(folder: Path) -> None:
    result = run(folder, TEXT.index("Ada"), "--fail-on", "warning")
    assert (result.exit_code, "0 errors, 0 warnings" in result.output) == (0, True), result.output


def test_a_shifted_span_is_reported_and_fails_the_command(folder: Path) -> None:
    assert run(folder, 0, "--fail-on", "never").exit_code == 0
    assert run(folder, 0, "--fix", str(folder / "fixed.jsonl")).exit_code == 3, "it is the only item"
    result = run(folder, 0)
    assert result.exit_code == 1
    assert "error unsettled: 1" in result.output and "it is at teams.md [9, 16)" in result.output
    assert "has 1 finding of severity error or higher" in result.output


def test_json_and_files(folder: Path) -> None:
    result = run(folder, 0, "--json", "-o", str(folder / "out"))
    assert json.loads(result.stdout) == json.loads((folder / "out" / "audit.json").read_text(encoding="utf-8"))
    assert json.loads(result.stdout)["counts"] == {"unsettled": 1}
    assert "error unsettled: 1" in (folder / "out" / "audit.txt").read_text(encoding="utf-8")


def test_the_mix_comes_from_the_option_or_the_run_and_the_advice_knows_the_run(folder: Path) -> None:
    assert "balance" not in run(folder, 9).output
    items = [Item(f"h-{n}", f"Who is {n}?", ("Ada Low",), "simple", "", "en", ()) for n in range(9)]
    write(items, folder / "nine.jsonl")
    arguments = ["audit", str(folder / "nine.jsonl"), "--docs", str(folder / "docs")]
    assert "balance" in CliRunner().invoke(main, [*arguments, "--mix", "simple=0.5,reasoning=0.5"]).output
    assert "balance" not in CliRunner().invoke(main, arguments).output
    manifest = {"config": {"mix": {"simple": 0.5, "reasoning": 0.5}}}
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    assert "balance" in CliRunner().invoke(main, arguments).output
    assert "balance" in kgsynth.audit(kgsynth.load(folder / "nine.jsonl"), folder / "docs", quick=True).counts, (
        "a set knows its run"
    )
    (folder / "docs" / "long.md").write_text("# Long\n\n" + "Nobody asks about it. " * 60, encoding="utf-8")
    assert "generate more questions, or write some about them" in CliRunner().invoke(main, arguments).output
    short = manifest | {"config": manifest["config"] | {"n": 20}, "counts": {"golden": 9}}
    (folder / "manifest.json").write_text(json.dumps(short), encoding="utf-8")
    assert "the run found no more to ask" in CliRunner().invoke(main, arguments).output, "the run has fewer than asked"
    (folder / "manifest.json").write_text("[]", encoding="utf-8")
    assert CliRunner().invoke(main, [*arguments, "--fail-on", "never"]).exit_code == 0, "an odd manifest is no problem"


def test_unusable_inputs_exit_with_3(folder: Path) -> None:
    broken = folder / "broken.jsonl"
    broken.write_text("{\n", encoding="utf-8")
    result = CliRunner().invoke(main, ["audit", str(broken), "--docs", str(folder / "docs")])
    assert (result.exit_code, "line 1: not JSON" in result.output) == (3, True)
    result = CliRunner().invoke(main, ["audit", str(golden(folder, 9)), "--docs", str(folder / "none")])
    assert result.exit_code == 3 and "none" in result.output


def test_a_quick_audit_lists_the_checks_it_skips(folder: Path) -> None:
    result = run(folder, TEXT.index("Ada"), "--quick", "--fail-on", "warning")
    assert result.exit_code == 0, result.output
    assert "not checked: ambiguous, paraphrase, too_easy, hopeless (a quick audit loads no models)" in result.stdout
    assert "loading" not in result.stderr


def test_a_training_set_must_not_contain_the_questions(folder: Path) -> None:
    span = Span("teams.md", 9, 16, "Ada Low")
    write(
        [Item("t-1", "who leads the Borealis team", ("Ada Low",), "simple", "", "en", ((span,),))],
        folder / "train.jsonl",
    )
    result = run(folder, 9, "--quick", "--against", str(folder / "train.jsonl"), "--fail-on", "error")
    assert (
        result.exit_code == 1 and "error contamination: 1 (a question that is also in the other set)" in result.output
    )
    assert "of t-1" in result.output
    missing = run(folder, 9, "--against", str(folder / "none.jsonl"))
    assert missing.exit_code == 3 and "none.jsonl" in missing.output


def test_budget_options_need_an_llm(folder: Path) -> None:
    result = run(folder, 9, "--quick", "--max-calls", "3")
    assert result.exit_code == 2 and "--max-calls needs a language model" in result.output


def test_a_folder_without_any_of_the_evidence_is_the_wrong_one(folder: Path) -> None:
    (folder / "docs" / "teams.md").write_text(
        "# Fees\n\nA berth costs nine crowns a day in winter.\n", encoding="utf-8"
    )
    span = Span("teams.md", 9, 50, "Ada Low leads the Borealis team in Leeds.")
    item = Item("h-1", "Who leads the Borealis team?", ("Ada Low",), "simple", "factoid", "en", ((span,),))
    write([item], folder / "golden.jsonl")
    arguments = ["audit", str(folder / "golden.jsonl"), "--docs", str(folder / "docs"), "--quick"]
    for more in ([], ["--fix", str(folder / "fixed.jsonl")]):
        result = CliRunner().invoke(main, [*arguments, *more])
        assert result.exit_code == 3, result.output
        assert "none of 1 item" in result.output and f"{folder / 'docs'}: is this the right folder?" in result.output
    assert not (folder / "fixed.jsonl").exists()


def test_a_fix_that_would_keep_nothing_is_refused(folder: Path) -> None:
    (folder / "docs" / "teams.md").write_text(TEXT.replace("leads", "never led"), encoding="utf-8")
    span = Span("teams.md", 9, 50, "Ada Low leads the Borealis team in Leeds.")
    item = Item("h-1", "Who leads the Borealis team?", ("Ada Low",), "simple", "factoid", "en", ((span,),))
    write([item], folder / "golden.jsonl")
    arguments = ["audit", str(folder / "golden.jsonl"), "--docs", str(folder / "docs"), "--quick", "--fix"]
    result = CliRunner().invoke(main, [*arguments, str(folder / "fixed.jsonl")])
    assert result.exit_code == 3 and "--fix would keep none of 1 item" in result.output, result.output
    assert not (folder / "fixed.jsonl").exists()


def test_a_set_without_items_is_an_error(folder: Path) -> None:
    (folder / "empty.jsonl").write_text("", encoding="utf-8")
    result = CliRunner().invoke(main, ["audit", str(folder / "empty.jsonl"), "--docs", str(folder / "docs"), "--quick"])
    assert result.exit_code == 1 and "the set has no items" in result.output, result.output
