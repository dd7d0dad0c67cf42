"""``kgsynth generate`` on unusual and wrong input: one sentence, the right exit code, and nothing lost."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from kgsynth.base.config import DEFAULT_MIX
from kgsynth.base.records import Item, Span
from kgsynth.cli import main
from kgsynth.generation.result import power_lines, power_of
from kgsynth.golden.dataset import load
from kgsynth.language import LANGUAGES

PAGE = (
    "# Borealis\n\nAda Low leads the Borealis team in Leeds. The Borealis team builds the Pike sensor. "
    "The Pike sensor weighs 340 grams. Orders are shipped on Friday because the courier comes once a week. "
    "Visitors must wear a badge if they enter the workshop.\n"
)

pytestmark = pytest.mark.usefixtures("hashed")


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    return folder


def run(docs: Path, *options: str, n: int = 4) -> Result:
    arguments = [str(docs), "-o", str(docs.parent / "out"), "-n", str(n), "--processes", "1", "-q", *options]
    return CliRunner().invoke(main, ["generate", *arguments])


def manifest(docs: Path) -> Any:
    return json.loads((docs.parent / "out" / "manifest.json").read_text(encoding="utf-8"))


def refused(result: Result, code: int, *parts: str) -> None:
    """Check for one sentence on stderr with these parts, nothing on stdout, and the exit code."""
    assert result.exit_code == code, result.output
    assert result.stdout == "" and len(result.stderr.splitlines()) == 1, result.output
    assert result.stderr.startswith("error: ") and "Traceback" not in result.stderr
    for part in parts:
        assert part in result.stderr


# ---- folders that cannot be used ---------------------------------------------------------------------


def test_a_missing_folder(docs: Path) -> None:
    refused(run(docs / "none"), 3, "There is no folder", "none")
    assert not (docs.parent / "out").exists(), "no run is begun"


def test_a_file_instead_of_a_folder(docs: Path) -> None:
    (docs / "a.md").write_text(PAGE)
    refused(run(docs / "a.md"), 3, "a.md' is not a folder")


def test_an_empty_folder(docs: Path) -> None:
    refused(run(docs), 3, "contains no usable document: it is empty; give a folder", ".md")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_folder(docs: Path) -> None:
    docs.chmod(0)
    refused(run(docs), 3, "cannot be read (Permission denied); check its permissions")
    docs.chmod(0o700)


def test_a_folder_with_only_unsupported_files(docs: Path) -> None:
    for name in ("a.xyz", "b.zip", "c.mp3", "d.png"):
        (docs / name).write_text("x")
    refused(
        run(docs), 3, "a.xyz: '.xyz' files are not supported", "and 1 more", "such as .md, .html, .docx or .pdf", ".txt"
    )


def test_a_folder_in_an_unsupported_language(docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(LANGUAGES, "zh")
    (docs / "a.md").write_text("# 团队\n\n李雷领导北极光团队。北极光团队制造梭鱼传感器。传感器重三百四十克。\n" * 5)
    refused(run(docs), 3, "a.md: its language is 'zh', and kgsynth reads 'en' only")


# ---- files that cannot be used, next to one that can -------------------------------------------------


def test_every_skipped_file_is_named_with_its_reason(docs: Path) -> None:
    (docs / "good.md").write_text(PAGE)
    (docs / "binary.md").write_bytes(b"\x7fELF\0\0\1")
    (docs / "wrong.txt").write_bytes("Zoë, Łódź".encode() + b"\xff")
    (docs / "empty.md").touch()
    (docs / "blank.md").write_text(" \n\t\n")
    (docs / "loop.md").symlink_to(docs / "loop.md")
    (docs / "image.png").write_bytes(b"\x89PNG")
    with (docs / "huge.txt").open("wb") as file:
        file.truncate(2**30)
    result = run(docs)
    assert result.exit_code == 0, result.output
    wanted = {
        "binary.md": "binary",
        "wrong.txt": "not UTF-8 at byte 13, though the rest of it is",
        "empty.md": "empty",
        "blank.md": "empty",
        "loop.md": "a circular link",
        "image.png": "a picture; kgsynth reads text only",
        "huge.txt": "too large: 1073741824 bytes, and at most 20000000 are read",
    }
    skipped = {each["path"]: each["reason"] for each in manifest(docs)["skipped"]}
    assert set(skipped) == set(wanted)
    for name, reason in wanted.items():
        assert reason in skipped[name], name
        assert f"  {name}: {skipped[name]}" in result.stdout.splitlines(), "the report names it too"
    assert "7 files not read:" in result.stdout


def test_the_output_names_ten_files_and_where_the_rest_is_listed(docs: Path) -> None:
    (docs / "good.md").write_text(PAGE)
    for number in range(13):
        (docs / f"{number:02}.bin").touch()
    result = run(docs)
    assert "13 files not read:" in result.stdout and "09.bin" in result.stdout and "10.bin" not in result.stdout
    assert f"and 3 more, listed in {docs.parent / 'out' / 'manifest.json'}" in result.stdout
    assert len(manifest(docs)["skipped"]) == 13


def test_unusual_file_names_newlines_and_a_byte_order_mark(docs: Path) -> None:
    names = ["with space.md", 'it\'s "quoted".md', "团队.md", "new\nline.md", "bom.txt", "windows.txt"]
    for number, name in enumerate(names):
        text = PAGE.replace("Ada Low", f"Ada Low{'abcdef'[number]}").replace("Borealis", f"Borealis{'abcdef'[number]}")
        data = text.replace("# Borealis", "Borealis") if name.endswith("txt") else text
        data = data.replace("\n", "\r\n") if name == "windows.txt" else data
        (docs / name).write_bytes((b"\xef\xbb\xbf" if name == "bom.txt" else b"") + data.encode())
    result = run(docs, "--fill", n=12)
    assert result.exit_code == 0, result.output
    golden = load(docs.parent / "out")
    assert set(manifest(docs)["inputs"]) == set(names)
    for item in golden:
        for span in (span for group in item.evidence for span in group):
            text = (docs / span.doc).read_bytes().decode("utf-8-sig")
            assert text[span.start : span.end] == span.text
    assert {"windows.txt", "bom.txt", "new\nline.md"} & {group[0].doc for item in golden for group in item.evidence}
    assert "\nline.md" not in result.stdout


# ---- few questions to find ---------------------------------------------------------------------------


def test_one_short_page_gives_a_small_set_and_the_shortage_is_explained(docs: Path) -> None:
    (docs / "a.md").write_text(PAGE)
    result = run(docs, "--fill", n=100)
    assert result.exit_code == 0, result.output
    golden = load(docs.parent / "out")
    assert 1 <= len(golden) < 20
    assert f"{100 - len(golden)} of 100 questions are missing, since no other candidates are valid:" in result.stdout
    about = manifest(docs)
    assert about["counts"]["golden"] == len(golden) and about["config"]["mix"]["simple"] == 0.4
    assert [line.split(":")[0] for line in about["shortage"]] == list(DEFAULT_MIX)
    for line in about["shortage"]:
        assert f"  {line}" in result.stdout.splitlines()
    assert sum(about["counts"]["valid"].values()) >= len(golden)


@pytest.mark.parametrize(
    "text",
    [
        "# Setup\n\n```sh\nmake all\n./run --fast\n```\n",
        "# Only\n\n# Headings\n",
        "ok\n",
        "# T\n\n| a | b |\n|-|-|\n| 1 | 2 |\n",
    ],
)
def test_a_document_without_a_sentence_gives_an_empty_set(docs: Path, text: str) -> None:
    (docs / "a.md").write_text(text)
    result = run(docs)
    assert result.exit_code == 0, result.output
    assert (docs.parent / "out" / "golden.jsonl").read_bytes() == b""
    assert "4 of 4 questions are missing" in result.stdout
    assert result.stdout.splitlines()[-2].startswith("read 1 document and wrote 0 questions to ")


def test_three_hundred_tiny_files(docs: Path) -> None:
    for number in range(300):
        (docs / f"{number:03}.txt").write_text(f"Part {number} weighs {number + 3} grams.\n")
    result = run(docs, n=10)
    assert result.exit_code == 0, result.output
    assert manifest(docs)["counts"]["documents"] == 300


# ---- wrong settings ----------------------------------------------------------------------------------


def test_all_wrong_settings_are_reported_together_and_no_run_is_begun(docs: Path) -> None:
    (docs / "a.md").write_text(PAGE)
    result = run(docs, "--mix", "simple=0.5,multicontext=0.2", n=0)
    assert result.exit_code == 2
    for problem in (
        "n is 0; it must",
        "'multicontext' is unknown, did you mean multi_context?",
        "sum to 0.7, not to 1",
    ):
        assert problem in result.stderr
    assert not (docs.parent / "out").exists()


@pytest.mark.parametrize("option", [["--seed", "x"], ["--chunking", "odd"], ["--unknown"]])
def test_wrong_usage(docs: Path, option: list[str]) -> None:
    assert run(docs, *option).exit_code == 2
    assert CliRunner().invoke(main, ["generate", str(docs)]).exit_code == 2, "-o is needed"


def test_a_broken_line_of_a_set_to_avoid_is_reported_before_a_run_is_begun(docs: Path) -> None:
    (docs / "a.md").write_text(PAGE)
    line = '{"id":"h-%d","question":"Who is %d?","golden_answers":["Ada"]}\n'
    earlier = docs.parent / "earlier.jsonl"
    earlier.write_text("".join(line % (n, n) if n != 17 else '{"id": \n' for n in range(1, 30)))
    refused(run(docs, "--avoid", str(earlier)), 3, f"{earlier}, line 17: not JSON")
    assert not (docs.parent / "out").exists()


def test_questions_to_avoid_are_not_asked_again(docs: Path) -> None:
    (docs / "a.md").write_text(PAGE)
    assert run(docs, n=50).exit_code == 0
    first = load(docs.parent / "out")
    (docs.parent / "out").rename(docs.parent / "first")
    assert run(docs, "--avoid", str(docs.parent / "first" / "golden.jsonl"), n=50).exit_code == 0
    assert not set(first.questions) & set(load(docs.parent / "out").questions)


# ---- the output folder -------------------------------------------------------------------------------


def test_a_run_whose_documents_changed_goes_on_but_not_with_settings_of_another(docs: Path) -> None:
    (docs / "a.md").write_text(PAGE)
    assert run(docs).exit_code == 0
    before = {path.name: path.read_bytes() for path in (docs.parent / "out").rglob("*") if path.is_file()}
    (docs / "b.md").write_text("# News\n\nNothing is new.\n")
    refused(run(docs, "--seed", "1"), 3, "(seed was 0 and is now 1), and its documents changed; give these settings as")
    assert {path.name: path.read_bytes() for path in (docs.parent / "out").rglob("*") if path.is_file()} == before
    ids = [item.id for item in load(docs.parent / "out")]
    result = run(docs)
    assert result.exit_code == 0 and "1 document added: b.md" in result.stdout, result.output
    assert set(manifest(docs)["inputs"]) == {"a.md", "b.md"}
    assert [item.id for item in load(docs.parent / "out")][: len(ids)] == ids
    assert run(docs, "--seed", "1", "--fresh").exit_code == 0
    assert "renewal" not in manifest(docs)


def test_a_folder_without_a_run_is_not_changed(docs: Path) -> None:
    (docs / "a.md").write_text(PAGE)
    out = docs.parent / "out"
    out.mkdir()
    (out / "thesis.tex").write_text("years of work")
    for options in ([], ["--fresh"]):
        refused(run(docs, *options), 3, "is not empty and contains no kgsynth run (thesis.tex); give another")
    assert [path.name for path in out.iterdir()] == ["thesis.tex"]
    refused(run(docs, "-o", str(docs / "a.md")), 3, "a.md is a file, not a folder; give another output folder")


def test_a_run_folder_among_the_documents_is_not_read(docs: Path) -> None:
    (docs / "a.md").write_text(PAGE)
    inside = ["-o", str(docs / "out")]
    assert run(docs, *inside).exit_code == 0
    golden = (docs / "out" / "golden.jsonl").read_bytes()
    (docs / "out" / "scores.md").write_text(PAGE)
    result = run(docs, *inside)
    assert result.exit_code == 0 and "not read" not in result.stdout, result.output
    assert (docs / "out" / "golden.jsonl").read_bytes() == golden


# ---- output ------------------------------------------------------------------------------------------


def test_the_output_is_the_same_when_a_run_is_repeated(docs: Path) -> None:
    (docs / "a.md").write_text(PAGE)
    first, second = run(docs, "--fill", n=3), run(docs, "--fill", n=3)
    assert first.stdout == second.stdout and first.stderr == second.stderr == ""
    lines = first.stdout.splitlines()
    assert lines[0].split() == ["type", "scenarios", "candidates", "valid", "wanted", "chosen"]
    counts = manifest(docs)["counts"]
    for name, reasons in counts["unwritten"].items():
        (line,) = (each for each in lines if each.startswith(f"  {name} ") and " of " in each)
        number = sum(reasons.values())
        assert f" {number} of {counts['scenarios'][name]}: " in line and number <= counts["scenarios"][name]
        assert all(f"{reason} ({found})" in line for reason, found in list(reasons.items())[:3])
    assert counts["unwritten"]["simple"]
    golden = load(docs.parent / "out")
    assert f"{len(golden)} of the {len(golden)} questions:" in lines
    promise = manifest(docs)["promise"]
    assert (promise["share"], promise["questions"]) == (None, len(golden))
    assert f"No estimate of the share that a strict reader would keep: {promise['why']}" in lines
    assert promise["why"] == f"{len(golden)} questions are fewer than 20"
    assert "The set is too small to tell systems apart; a bundled retriever should find all " in first.stdout
    for item in golden:
        assert f"  [{item.question_type}/{item.subtype}, {item.difficulty}] {item.question}" in lines
        assert f"      {item.golden_answers[0]}   (a.md)" in lines
    out = docs.parent / "out"
    wrote = f"read 1 document and wrote {len(golden)} questions to {out / 'golden.jsonl'}"
    assert lines[-2:] == [wrote, f"report: {out / 'report.html'}"]


def test_json_is_one_document_with_the_counts_of_the_manifest(docs: Path) -> None:
    (docs / "a.md").write_text(PAGE)
    made = run(docs, "--json", n=3)
    found = json.loads(made.stdout)
    assert made.stderr == "" and found["counts"] == manifest(docs)["counts"]
    assert found["golden"] == str(docs.parent / "out" / "golden.jsonl")


def test_a_whole_chunking_is_split_into_its_settings(docs: Path) -> None:
    (docs / "a.md").write_text(PAGE)
    assert run(docs, "--chunking", "fixed:90:9", n=3).exit_code == 0
    assert {key: manifest(docs)["config"][key] for key in ("chunking", "chunk_size", "chunk_overlap")} == {
        "chunking": "fixed",
        "chunk_size": 90,
        "chunk_overlap": 9,
    }
    refused(run(docs, "--chunking", "fixed:90"), 2, "--chunking 'fixed:90' is not strategy:size:overlap")


def test_equal_seeds_give_equal_sets_and_every_seed_a_complete_one(docs: Path) -> None:
    (docs / "a.md").write_text(PAGE)
    made = []
    for seed in ("7", "7", "8"):
        assert run(docs, "--seed", seed, "--fresh", "--fill", n=3).exit_code == 0
        made.append((docs.parent / "out" / "golden.jsonl").read_bytes())
        assert len(load(docs.parent / "out")) == 3
    assert made[0] == made[1]


def test_files_that_somebody_may_miss_are_named_before_hidden_ones() -> None:
    from kgsynth.base.records import Skipped
    from kgsynth.cli.folder_options import skipped_lines

    hidden = [Skipped(f".{number}.md", "a hidden file") for number in range(12)]
    scan = Skipped("scan.pdf", "no text on 3 of 3 pages; run it through OCR first")
    assert skipped_lines([*hidden, scan])[:2] == [
        "13 files not read:",
        "  scan.pdf: no text on 3 of 3 pages; run it through OCR first",
    ]


def test_what_a_set_can_show_follows_from_how_its_evidence_is_found() -> None:
    """60 questions of 60 documents: all are found, or 30 of them differ between two systems by chance."""
    spans = [Span(f"{n}.md", 0, 3, "Ada") for n in range(60)]

    def power(found: float) -> dict[str, Any]:
        scores = {"scores": {"found": found}}
        return power_of(
            Item(f"q{n}", "Who leads?", ("Ada",), "simple", "", "en", ((span,),), metadata=scores)
            for n, span in enumerate(spans)
        )

    passed, open_ = power(1.0), power(0.5)
    assert passed == {"questions": 60, "found": 1.0, "difference": pytest.approx(0.133, abs=0.001), "too_easy": True}
    assert not open_["too_easy"] and open_["difference"] > passed["difference"]
    easy = "Nearly all systems will pass this set"
    assert power_lines(passed)[0] == easy, "no harder set was tried"
    assert power_lines(passed | {"harder": 0.98})[0] == f"{easy}; these documents give no harder one", "2 points less"
    assert power_lines(passed | {"harder": 0.9})[0] == f"{easy}; --difficulty hard makes a harder one (90 % found)"
    assert power_lines(power_of([])) == [] and len(power_lines(open_)) == 1
