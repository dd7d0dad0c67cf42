"""``compare``: read runs from their folders, refuse or compare them, rank them, list the changed questions."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from kgsynth.base.errors import ConfigError, InputError
from kgsynth.base.records import Item, Span
from kgsynth.cli import main
from kgsynth.comparison.page import page
from kgsynth.comparison.runs import _outcome, compare
from kgsynth.golden.dataset import write
from kgsynth.scoring.flow import score

N = 40
ITEMS = [
    Item(f"q{at:02}", f"What is {at}?", (f"thing {at}",), "simple", "factoid", "en", ((Span(f"d{at}.md", 0, 1, "x"),),))
    for at in range(N)
]


def run(folder: Path, name: str, right: Callable[[int], bool], n: int = N) -> Path:
    """The folder of a scored run whose system answers question ``at`` correctly when ``right(at)``."""
    write(ITEMS[:n], folder / "golden.jsonl")
    answers = [
        {"id": item.id, "answer": item.golden_answers[0] if right(at) else "odd"} for at, item in enumerate(ITEMS)
    ]
    (folder / f"{name}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in answers), encoding="utf-8")
    score(folder / "golden.jsonl", str(folder / f"{name}.jsonl"), out=folder / name)
    return folder / name


def command(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["compare", *map(str, arguments)])


def test_a_significant_difference_is_reported_with_the_changed_questions(tmp_path: Path) -> None:
    a, b = run(tmp_path, "old", lambda at: at < 20), run(tmp_path, "new", lambda at: 2 <= at < 32)
    (pair,) = compare([a, b]).pairs
    em = next(row for row in pair.rows if row.metric == "em")
    assert [row.metric for row in pair.rows] == ["em", "token_f1"], "retrieval has no value in these runs"
    assert (em.difference.a, em.difference.b, em.difference.difference) == (0.5, 0.75, 0.25)
    assert (em.difference.higher, em.difference.same, em.difference.lower) == (12, 26, 2)
    # 14 coin flips, at most 2 on either side: 2 * (1 + 14 + 91) / 2**14
    assert em.difference.p_flip == pytest.approx(212 / 2**14, abs=0.004)
    assert em.p_holm == pytest.approx(2 * (em.difference.p_flip or 0), abs=1e-9), "two metrics are shown"
    assert em.significant
    assert len(pair.changed) == 14
    gained = next(each for each in pair.changed if each.id == "q20")
    assert (gained.question, gained.expected, gained.a, gained.b) == ("What is 20?", "thing 20", "odd", "thing 20")
    assert gained.deltas == {"em": 1.0, "token_f1": 1.0}


def test_runs_before_and_after_a_fix_are_compared(tmp_path: Path) -> None:
    """The documents are renamed between the runs; the questions, answers and evidence are the same."""
    a = run(tmp_path, "old", lambda at: at < 20)
    moved = [replace(item, evidence=((replace(item.evidence[0][0], doc=f"new/d{item.id}.md"),),)) for item in ITEMS]
    write(moved, tmp_path / "golden.jsonl")
    score(tmp_path / "golden.jsonl", str(tmp_path / "old.jsonl"), out=tmp_path / "b")
    found = compare([a, tmp_path / "b"])
    assert (found.n_items, found.pairs[0].changed) == (N, ())
    assert found.notes == ("b: the same questions, answers and evidence text as old, but another file",)
    write([replace(moved[0], question="What else?"), *moved[1:]], tmp_path / "golden.jsonl")
    score(tmp_path / "golden.jsonl", str(tmp_path / "old.jsonl"), out=tmp_path / "c")
    with pytest.raises(InputError, match="different golden sets"):
        compare([a, tmp_path / "c"])


def test_a_run_does_not_differ_from_itself(tmp_path: Path) -> None:
    a, b = (run(tmp_path, name, lambda at: at % 2 == 0) for name in ("one", "two"))
    (pair,) = compare([a, b]).pairs
    assert not any(row.significant for row in pair.rows) and pair.changed == ()
    assert "No significant difference on any metric." in command(a, b).stdout


def test_several_systems_are_ranked_with_ties(tmp_path: Path) -> None:
    rights: Mapping[str, Callable[[int], bool]] = {
        "weak": lambda at: at < 8,
        "good": lambda at: at < 30,
        "equal": lambda at: 1 <= at < 32,
    }
    runs = [run(tmp_path, name, right) for name, right in rights.items()]
    comparison = compare(runs, ["em"])
    assert [(pair.a, pair.b) for pair in comparison.pairs] == [("weak", "good"), ("weak", "equal")]
    assert comparison.rankings[0].ranks == {"equal": 1, "good": 1, "weak": 3}
    lines = command(*runs, "--metric", "em").stdout.splitlines()
    assert ["weak", "3", "(0.200)"] in [line.split() for line in lines]


def test_runs_on_different_golden_sets_are_refused_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    (tmp_path / "y").mkdir()
    a, b = run(tmp_path / "x", "a", lambda at: True), run(tmp_path / "y", "b", lambda at: True, n=39)
    result = command(a, b)
    assert result.exit_code == 3
    assert "a and b were scored on different golden sets (sha256:" in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_an_invalid_run_or_metric_is_reported(tmp_path: Path) -> None:
    a, b = run(tmp_path, "a", lambda at: True), run(tmp_path, "b", lambda at: True)
    with pytest.raises(ConfigError, match="2 runs given, 1 of them different"):
        compare([a, a])
    with pytest.raises(ConfigError, match="metric 'recall@5' does not have a value in every run: give one of em, "):
        compare([a, b], ["recall@5"])
    with pytest.raises(InputError, match=r"nowhere has no readable scores\.json and items\.jsonl"):
        compare([a, tmp_path / "nowhere"])
    for broken in ("[]\n", "", '{"id": "q00"}\n', "{"):
        (b / "items.jsonl").write_text(broken, encoding="utf-8")
        with pytest.raises(InputError, match="give a folder that kgsynth score wrote with -o"):
            compare([a, b])


def test_runs_with_the_same_folder_name_are_labelled_by_path_and_errors_and_variants_are_noted(tmp_path: Path) -> None:
    a = run(tmp_path, "old", lambda at: True)
    (tmp_path / "later").mkdir()
    b = run(tmp_path / "later", "old", lambda at: at > 1)
    comparison = compare([a, b])
    assert list(comparison.runs) == [str(a), str(b)]
    scores = json.loads((b / "scores.json").read_text(encoding="utf-8"))
    (b / "scores.json").write_text(json.dumps({**scores, "n_errors": 2}), encoding="utf-8")
    assert compare([a, b]).notes == (f"{b} failed on 2 questions",)
    signatures = {**scores["signatures"], "em": "em|another"}
    (b / "scores.json").write_text(json.dumps({**scores, "signatures": signatures}), encoding="utf-8")
    note = "em: not the same variant in every run, see signatures in their scores.json"
    assert compare([a, b]).notes == (note,)
    assert compare([a, b], ["sub_em"]).notes == (), "only for metrics that are shown"


def test_the_files_are_written_the_same_every_time(tmp_path: Path) -> None:
    a, b = run(tmp_path, "a", lambda at: at < 9), run(tmp_path, "b", lambda at: at < 30)
    for name in ("one", "two"):
        assert command(a, b, "-o", tmp_path / name).exit_code == 0
    for file in ("compare.json", "compare.md"):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()
    written = json.loads((tmp_path / "one" / "compare.json").read_text(encoding="utf-8"))
    assert written == json.loads(command(a, b, "--json").stdout)
    assert written["pairs"][0]["metrics"]["em"]["significant"] is True
    assert len(written["pairs"][0]["changed"]) == 21
    assert "| q09 | What is 9? | thing 9 | odd | thing 9 | em | +1.000 |" in (tmp_path / "one/compare.md").read_text()


def test_without_answers_the_ranks_of_the_evidence_are_shown() -> None:
    assert _outcome({"actual": None, "group_ranks": [2, None]}) == "evidence ranks: 2, not found"


@pytest.mark.parametrize(
    ("rights", "title"),
    [
        ((8, 30), "b is significantly higher than a on em"),
        ((30, 30), "No significant difference between a and b"),
        ((30, 30, 8), "No significant difference between a and b; c is significantly lower on em"),
        ((30, 30, 30), "No significant difference between a, b and c"),
        ((8, 20, 32), "a is significantly lower on em; b is significantly lower on em"),
    ],
)
def test_the_report_s_title_says_which_runs_differ(tmp_path: Path, rights: tuple[int, ...], title: str) -> None:
    runs = [run(tmp_path, name, lambda at, n=n: at < n) for name, n in zip("abc", rights, strict=False)]
    assert f"<h1>{title}</h1>" in page(compare(runs, ["em"])).html
