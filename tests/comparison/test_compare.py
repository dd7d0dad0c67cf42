"""``compare``: read runs from their folders, refuse or compare them, rank them, list the changed questions."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from click.testing import CliRunner, Result

from kgsynth.base.errors import ConfigError, InputError
from kgsynth.base.records import Document, Item, Span
from kgsynth.cli import main
from kgsynth.comparison.headline import headline
from kgsynth.comparison.page import page
from kgsynth.comparison.results import incomparable
from kgsynth.comparison.runs import compare, flips_for
from kgsynth.comparison.text import markdown
from kgsynth.golden.dataset import write
from kgsynth.scoring.flow import score
from kgsynth.scoring.metrics.answer_match import WORD_BY_WORD

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
    assert [row.metric for row in pair.rows] == ["pass_rate", "sub_em", "em", "token_f1"], "no retrieval"
    assert [row.primary for row in pair.rows] == [True, False, False, False]
    assert pair.rows[0].p_holm == pair.rows[0].difference.p_flip, "the primary metric alone decides"
    assert (em.difference.a, em.difference.b, em.difference.difference) == (0.5, 0.75, 0.25)
    assert (em.difference.higher, em.difference.same, em.difference.lower) == (12, 26, 2)
    # 14 coin flips, at most 2 on either side: 2 * (1 + 14 + 91) / 2**14
    assert em.difference.p_flip == pytest.approx(212 / 2**14, abs=0.004)
    assert em.p_holm == pytest.approx(3 * (em.difference.p_flip or 0), abs=1e-9), "three metrics are exploratory"
    assert em.significant
    changed = [each for each in compare([a, b]).questions if each.differs]
    assert len(changed) == 14
    gained = next(each for each in changed if each.id == "q20")
    assert (gained.question, gained.expected) == ("What is 20?", ("thing 20",))
    assert gained.given == {"old": "odd", "new": "thing 20"}
    names = ("pass_rate", "sub_em", "em", "token_f1")
    assert gained.values == {name: {"old": 0.0, "new": 1.0} for name in names}
    assert gained.spreads is gained.spreads and gained.lower is gained.lower, "computed once"


def test_runs_on_different_documents_are_told_apart(tmp_path: Path) -> None:
    """The text of q00 moved between two runs, and in a third it is gone."""
    texts = [f"The skua number {at} nests on the cliff." for at in range(3)]
    pages = [Document(f"d{at}.md", text, "", "md", "", (), ()) for at, text in enumerate(texts)]
    items = [replace(item, evidence=((page.span(0, 30),),)) for item, page in zip(ITEMS, pages, strict=False)]
    moved = replace(pages[0], text=f"New. {texts[0]}")
    gone = replace(pages[0], text="Nothing.")
    for name, first in (("old", pages[0]), ("same", pages[0]), ("moved", moved), ("gone", gone)):
        score(items, lambda question: "thing 1", docs=[first, *pages[1:]], out=tmp_path / name)
    note = "moved: scored on other documents than old, so a difference may come from them"
    assert compare([tmp_path / "old", tmp_path / "moved"]).notes == (
        note,
        "moved: the documents changed since the set was made: 1 span found at another place, 0 not found (kgsynth "
        "audit --fix renews the set)",
        WORD_BY_WORD,
    )
    assert compare([tmp_path / "old", tmp_path / "same"]).notes == (WORD_BY_WORD,)
    with pytest.raises(InputError, match="different documents, and the evidence of 1 questions is in those of one run"):
        compare([tmp_path / "old", tmp_path / "gone"])


def test_runs_before_and_after_a_fix_are_compared(tmp_path: Path) -> None:
    """The documents are renamed between the runs; the questions, answers and evidence are the same."""
    a = run(tmp_path, "old", lambda at: at < 20)
    moved = [replace(item, evidence=((replace(item.evidence[0][0], doc=f"new/d{item.id}.md"),),)) for item in ITEMS]
    write(moved, tmp_path / "golden.jsonl")
    score(tmp_path / "golden.jsonl", str(tmp_path / "old.jsonl"), out=tmp_path / "b")
    found = compare([a, tmp_path / "b"])
    assert found.n_items == N
    assert not any(each.differs for each in found.questions)
    assert found.notes == ("b: the same questions, answers and evidence text as old, but another file", WORD_BY_WORD)
    write([replace(moved[0], question="What else?"), *moved[1:]], tmp_path / "golden.jsonl")
    score(tmp_path / "golden.jsonl", str(tmp_path / "old.jsonl"), out=tmp_path / "c")
    with pytest.raises(InputError, match="different golden sets"):
        compare([a, tmp_path / "c"])


def test_a_run_does_not_differ_from_itself(tmp_path: Path) -> None:
    a, b = (run(tmp_path, name, lambda at: at % 2 == 0) for name in ("one", "two"))
    (pair,) = compare([a, b]).pairs
    assert not any(row.significant or row.caveat for row in pair.rows)
    assert not any(each.differs for each in compare([a, b]).questions)
    assert command(a, b).stdout.startswith("one and two are identical on all 40 questions.\n")


@pytest.mark.parametrize(
    ("count", "differences"),
    [
        (2, ["pass_rate    0.100  0.300  +0.200  +0.050 to +0.400  no"]),
        (3, ["a      c      pass_rate  0.100  0.500  +0.400  +0.200 to +0.600  B higher",
             "b      c      pass_rate  0.300  0.500  +0.200  +0.050 to +0.400  no"]),
        (4, ["a      c      pass_rate  0.100  0.500  +0.400  +0.200 to +0.600  B higher",
             "… and 3 more in the report"]),
    ],
)  # fmt: skip
def test_the_terminal_shows_what_one_decides_by(tmp_path: Path, count: int, differences: list[str]) -> None:
    """Of 20 questions the first run has 2 right, and each other one 4 more than the run before it."""
    runs = [
        answered(tmp_path, name, lambda golden, n=n: golden if int(golden[4:]) < n else "odd")
        for name, n in zip("abcd"[:count], range(2, 20, 4), strict=False)
    ]
    shown = command(*runs).stdout
    assert len(shown.splitlines()) <= 25, shown
    assert shown.startswith(f"{headline(compare(runs))}.\n")
    assert [line for line in differences if line not in shown.splitlines()] == [], shown
    assert "p Holm" not in shown and "p Holm" in markdown(compare(runs))


def test_several_systems_are_ranked_with_ties(tmp_path: Path) -> None:
    rights: Mapping[str, Callable[[int], bool]] = {
        "weak": lambda at: at < 8,
        "good": lambda at: at < 30,
        "equal": lambda at: 1 <= at < 32,
    }
    runs = [run(tmp_path, name, right) for name, right in rights.items()]
    comparison = compare(runs, ["em"])
    assert [(pair.a, pair.b) for pair in comparison.pairs] == [("weak", "good"), ("weak", "equal"), ("good", "equal")]
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
    with pytest.raises(
        ConfigError, match="metric 'recall@5' does not have a value in every run: give one of pass_rate, em, "
    ):
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
    assert compare([a, b]).notes == (f"{b} failed on 2 questions", WORD_BY_WORD)
    signatures = {**scores["signatures"], "em": "em|another"}
    (b / "scores.json").write_text(json.dumps({**scores, "signatures": signatures}), encoding="utf-8")
    reason = "another variant of the metric, see signatures in their scores.json"
    assert compare([a, b]).notes == (
        WORD_BY_WORD,
        f"not comparable: {reason} (em; not tested; --force tests them)",
    )
    (pair,) = compare([a, b]).pairs
    assert [(row.metric, row.comparable, row.comparisons) for row in pair.rows] == [
        ("pass_rate", True, 1), ("sub_em", True, 2), ("em", False, 2), ("token_f1", True, 2),
    ]  # fmt: skip
    assert "not comparable" in command(a, b).stdout
    assert compare([a, b], ["sub_em"]).notes == (WORD_BY_WORD,), "only for metrics that are shown"


def test_the_files_are_written_the_same_every_time(tmp_path: Path) -> None:
    a, b = run(tmp_path, "a", lambda at: at < 9), run(tmp_path, "b", lambda at: at < 30)
    for name in ("one", "two"):
        assert command(a, b, "-o", tmp_path / name).exit_code == 0
    for file in ("compare.json", "compare.md"):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()
    written = json.loads((tmp_path / "one" / "compare.json").read_text(encoding="utf-8"))
    assert written == json.loads(command(a, b, "--json").stdout)
    assert written["pairs"][0]["metrics"]["em"]["significant"] is True
    assert len(written["questions"]) == N
    assert "| q09 | What is 9? | thing 9 | odd | thing 9 | pass_rate | 0.000 | 1.000 |" in (
        tmp_path / "one/compare.md"
    ).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("rights", "title"),
    [
        ((8, 30), "b is significantly higher than a on em"),
        ((30, 30), "a and b are identical on all 40 questions"),
        ((30, 30, 8), "No significant difference between a and b on em; c is significantly lower than a and b on em"),
        ((30, 30, 30), "a, b and c are identical on all 40 questions"),
        ((30, 31), "No significant difference between a and b on em"),
        ((8, 20, 32), "a is significantly lower than b and c on em; b is significantly lower than c on em"),
        # 8 questions between b and c: p 2 / 2**8, times 3 pairs 0.023; 4 between the others: p 2 / 2**4
        ((20, 16, 24), "No significant difference between c and a on em; b is significantly lower than c on em"),
    ],
)
def test_the_headline_reads_all_pairs_and_is_the_same_everywhere(
    tmp_path: Path, rights: tuple[int, ...], title: str
) -> None:
    runs = [run(tmp_path, name, lambda at, n=n: at < n) for name, n in zip("abc", rights, strict=False)]
    assert f"<h1>{title}</h1>" in page(compare(runs, ["em"])).html
    assert command(*runs, "--metric", "em").stdout.startswith(f"{title}.\n")
    assert json.loads(command(*runs, "--metric", "em", "--json").stdout)["headline"] == title


def test_with_many_runs_the_headline_counts_the_pairs(tmp_path: Path) -> None:
    rights = {"a": 4, "b": 11, "c": 18, "d": 25, "e": 32, "f": 32}
    runs = [run(tmp_path, name, lambda at, n=n: at < n) for name, n in rights.items()]
    comparison = compare(runs, ["em"])
    # 7 questions apart, p is 2 / 2**7, times the 6 pairs that are left 0.09; 14 apart it is 2 / 2**14
    assert comparison.comparisons == 15
    apart = {frozenset((pair.a, pair.b)) for pair in comparison.pairs if any(row.significant for row in pair.rows)}
    assert len(apart) == 9 and frozenset("de") not in apart and frozenset("ab") not in apart
    assert headline(comparison) == (
        "9 of 15 pairs of runs differ significantly on em; 3 of 6 runs are not significantly lower than any other: "
        "e, f and d"
    )


def test_one_family_holds_every_metric_of_every_pair(tmp_path: Path) -> None:
    runs = [run(tmp_path, name, lambda at, n=n: at < n) for name, n in zip("abc", (20, 20, 24), strict=True)]
    comparison = compare(runs, ["em", "token_f1"])
    rows = [row for pair in comparison.pairs for row in pair.rows]
    assert comparison.comparisons == 6 and {row.comparisons for row in rows} == {6}, "2 metrics of 3 pairs"
    lowest = min(row.difference.p_flip or 0 for row in rows)
    assert min(row.p_holm or 0 for row in rows) == pytest.approx(6 * lowest)
    family = "em and token_f1 decide, corrected by Holm's method for 6 comparisons."
    assert family in command(*runs, "--metric", "em", "--metric", "token_f1").stdout
    assert family in unescape(page(comparison).html) and family in markdown(comparison)
    assert comparison.to_json()["family"] == {
        "method": "Holm", "level": 0.05, "metrics": ["em", "token_f1"], "pairs": 3, "comparisons": 6,
        "exploratory": {"metrics": [], "comparisons": 0},
    }  # fmt: skip


def test_one_metric_decides_and_the_others_are_exploratory(tmp_path: Path) -> None:
    """B lost the evidence of 6 of 20 questions: p is 2 / 2**6 = 0.03, which four metrics would multiply by 4."""
    runs = [retrieved(tmp_path, "a", lambda at: True), retrieved(tmp_path, "b", lambda at: at < 14)]
    comparison = compare(runs)
    (pair,) = comparison.pairs
    assert comparison.primary == ("recall@5",)
    assert comparison.exploratory == ("pass_rate", "ndcg@5", "mrr", "file_recall")
    assert (comparison.comparisons, comparison.exploratory_comparisons) == (1, 4)
    assert [row.significant for row in pair.rows] == [True, False, False, False, False]
    title = "b is significantly lower than a on recall@5"
    sentence = "recall@5 decides, corrected by Holm's method for 1 comparison; the other 4 metrics are exploratory."
    shown, html = command(*runs).stdout, unescape(page(comparison).html)
    assert shown.startswith(f"{title}.\n") and f"<h1>{title}</h1>" in html
    assert sentence in shown and sentence in html and sentence in markdown(comparison)
    assert "no (exploratory)" in shown and "no (exploratory)" in html and "no (exploratory)" in markdown(comparison)
    family = comparison.to_json()["family"]
    assert isinstance(family, dict) and family["exploratory"]["comparisons"] == 4
    assert compare(runs, ["mrr"]).primary == ("mrr",)


def test_the_smallest_detectable_difference_is_a_sentence(tmp_path: Path) -> None:
    runs = [retrieved(tmp_path, name, lambda at: at < 13) for name in "abc"]
    comparison = compare(runs, ["recall@5"])
    smallest = comparison.smallest["recall@5"]
    # Holm's first step asks for 0.05 / 3, so 7 documents must change: 2 / 2**7
    assert smallest is not None and 0.4 < smallest < 0.5
    sentence = (
        "3 runs on 20 questions from 20 documents. recall@5 decides, corrected by Holm's method for 3 comparisons. "
        f"A true difference below {smallest:.2f} in recall@5 is found in fewer than 8 of 10 such comparisons."
    )
    assert sentence in command(*runs, "--metric", "recall@5").stdout
    assert sentence in markdown(comparison) and sentence in unescape(page(comparison).html)


def test_runs_with_other_settings_are_not_compared_unless_forced(tmp_path: Path) -> None:
    a = retrieved(tmp_path, "a", lambda at: True)
    runs = [a, retrieved(tmp_path, "b", lambda at: at < 8, cover=0.9)]
    comparison = compare(runs)
    title = "Not comparable: --cover 0.5 against 0.9"
    assert headline(comparison) == title and command(*runs).stdout.startswith(f"{title}.\n")
    assert f"<h1>{title}</h1>" in page(comparison).html and f"**{title}.**" in markdown(comparison)
    assert json.loads(command(*runs, "--json").stdout)["headline"] == title
    (pair,) = comparison.pairs
    assert not any(row.comparable or row.significant for row in pair.rows) and comparison.comparisons == 0
    forced = compare(runs, force=True)
    assert headline(forced) == (
        "b is significantly lower than a on recall@5; exploratory: pass_rate of b is 0.600 below a (tested although "
        "not comparable: --cover 0.5 against 0.9)"
    )
    assert command(*runs, "--force").stdout.startswith(f"{headline(forced)}.\n")


def test_other_documents_and_another_judge_are_not_comparable() -> None:
    runs = [
        {"signature": f"bm25(k1=1.2)|docs:{docs}", "signatures": {"faithfulness": f"faithfulness|judge:{judge}|v:1"}}
        for docs, judge in (("6ba8", "gpt-a"), ("77c1", "gpt-b"))
    ]
    assert incomparable(runs, ["recall@5", "faithfulness"]) == {
        "recall@5": "documents 6ba8 against 77c1",
        "faithfulness": "judge gpt-a against gpt-b; documents 6ba8 against 77c1",
    }
    assert incomparable(runs[:1] * 2, ["recall@5", "faithfulness"]) == {}


@pytest.mark.parametrize(
    ("apart", "caveat"),
    [
        # p is 2 / 2**6 = 0.03, twice that is above 0.05
        (6, "interval excludes 0 before correction for 2 comparisons; not significant after it"),
        # p is 2 / 2**5 = 0.06; a sample without any of 5 in 40 documents is rarer than 2.5 %
        (5, "interval excludes 0, but the test is not significant even before correction"),
        (1, ""),
        (14, ""),
    ],
)
def test_an_interval_without_0_is_not_taken_for_significance(tmp_path: Path, apart: int, caveat: str) -> None:
    a, b = run(tmp_path, "a", lambda at: at < 10), run(tmp_path, "b", lambda at: at < 10 + apart)
    comparison = compare([a, b], ["em", "token_f1"])
    (pair,) = comparison.pairs
    assert {row.caveat for row in pair.rows} == {caveat}
    assert {row.significant for row in pair.rows} == {apart == 14}
    html, shown = page(comparison).html, command(a, b, "--metric", "em", "--metric", "token_f1").stdout
    assert (caveat in html and caveat in shown) if caveat else ("interval excludes 0" not in html + shown)
    drawn = next(plot for plot in page(comparison).plots if plot.name == "pair-1-differences").svg
    assert ("var(--good)" in drawn) == (apart == 14), "the colour follows the decision, not the interval"


def test_many_comparisons_get_enough_flips_to_become_significant() -> None:
    """With 1,104 comparisons and 9,999 flips, the smallest p after Holm is 0.11 however large the difference is."""
    assert flips_for(4) == 9999
    assert 1104 / (flips_for(1104) + 1) <= 0.05 / 5


# ---- side by side ----------------------------------------------------------------------------------


def retrieved(folder: Path, name: str, found: Callable[[int], bool], cover: float = 0.5) -> Path:
    """The folder of a scored run that retrieves the evidence of question ``at`` when ``found(at)``, with text."""
    items = [
        Item(f"q{at:02}", f"What is {at}?", (f"thing {at}",), "simple" if at % 2 else "reasoning", "factoid", "en",
             ((Span(f"d{at}.md", 0, 10, f"The thing {at}"[:10]),),))
        for at in range(20)
    ]  # fmt: skip
    write(items, folder / "golden.jsonl")
    lines = [
        {"id": item.id, "answer": None, "retrieved": [
            {"doc": f"d{at}.md", "start": 0, "end": 20, "text": f"{item.evidence[0][0].text} <b>is".ljust(20)}
            if found(at) else {"doc": "z.md", "start": 0, "end": 4, "text": "else"}]}
        for at, item in enumerate(items)
    ]  # fmt: skip
    (folder / f"{name}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    score(folder / "golden.jsonl", str(folder / f"{name}.jsonl"), out=folder / name, cover=cover)
    return folder / name


def test_the_page_shows_what_each_run_retrieved_side_by_side_with_filters(tmp_path: Path) -> None:
    runs = [retrieved(tmp_path, "a", lambda at: at < 12), retrieved(tmp_path, "b", lambda at: 2 <= at < 16)]
    html = page(compare(runs, ["recall@5"])).html
    found = BeautifulSoup(html, "html.parser")
    rows = {str(row.select(".mono")[-1].text): row for row in found.select("#list > details")}
    assert len(rows) == 20, "also those that are the same, which the filter hides at first"
    assert found.select_one("select[data-key=result] option[selected]")["value"] == "different"  # type: ignore[index]
    assert [key for key, row in rows.items() if row["data-worse"] == "b"] == ["q00", "q01"]
    assert [key for key, row in rows.items() if row["data-worse"] == "a"] == ["q12", "q13", "q14", "q15"]
    assert {select["data-key"] for select in found.select("[data-filters] select")} == {"result", "worse", "type"}
    a, b = rows["q00"].select(".runs > section")
    assert a.mark is not None and a.mark.text == "The thing " and b.mark is None
    assert "evidence ranks: 1" in a.text and "evidence ranks: not found" in b.text and "lower on recall@5" in b.text
    assert "z.md" in b.text and "&lt;b&gt;is" in html
    assert rows["q05"].select("blockquote") == [], "no passages where nothing differs"


def test_a_run_without_answers_or_of_an_older_version_is_shown_without_passages(tmp_path: Path) -> None:
    runs = [retrieved(tmp_path, "a", lambda at: at < 12), retrieved(tmp_path, "b", lambda at: at < 16)]
    (runs[0] / "answers.jsonl").unlink()
    lines = [json.loads(line) for line in (runs[1] / "items.jsonl").read_text(encoding="utf-8").splitlines()]
    for line in lines:
        del line["evidence"]
    (runs[1] / "items.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    html = page(compare([runs[1], runs[0]])).html
    assert "a has no answers.jsonl, so its passages are not shown." in html
    assert "covers evidence 1" in html and "<mark" not in html


def test_many_passages_are_left_out_with_a_note(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = [retrieved(tmp_path, "a", lambda at: at < 2), retrieved(tmp_path, "b", lambda at: at < 5)]
    monkeypatch.setattr("kgsynth.comparison.page._MAX_PASSAGES", 4)
    html = page(compare(runs)).html
    assert html.count("<blockquote") == 4
    assert "The passages of 1 question are not shown, to keep the page small" in html


# ---- what the first line must say --------------------------------------------------------------------


def answered(
    folder: Path, name: str, answer: Callable[[str], str], passages: bool | None = True, others: int = 0
) -> Path:
    """The folder of a run on 20 questions that answers ``answer(golden answer)``; passages are right, wrong or None.

    ``others`` are passages without evidence in front.
    """
    texts = [f"The thing of house {at} is a skua{at}." for at in range(20)]
    pages = [Document(f"d{at}.md", text, "", "md", "", (), ()) for at, text in enumerate(texts)]
    items = [
        Item(f"q{at:02}", f"What is the thing of house {at}?", (f"skua{at}",), "simple", "factoid", "en",
             ((page.span(0, len(page.text)),),))
        for at, page in enumerate(pages)
    ]  # fmt: skip
    replies = {
        item.question: (answer(item.golden_answers[0]),
                        [*(texts[at - 1 - n] for n in range(others)), texts[at if passages else at - 1]])
        if passages is not None else answer(item.golden_answers[0])
        for at, item in enumerate(items)
    }  # fmt: skip
    score(items, replies.__getitem__, docs=pages, out=folder / name)
    return folder / name


def test_the_pass_rate_decides_and_answers_that_are_denied_do_not_pass(tmp_path: Path) -> None:
    runs = [
        answered(tmp_path, "right", lambda golden: golden),
        answered(tmp_path, "negate", lambda golden: f"It is not true that the answer is {golden}."),
    ]
    comparison = compare(runs)
    assert comparison.primary == ("pass_rate",) and comparison.metrics[:2] == ("pass_rate", "sub_em")
    rate, sub_em = (
        comparison.pairs[0].rows[0],
        next(each for each in comparison.pairs[0].rows if each.metric == "sub_em"),
    )
    assert (rate.difference.a, rate.difference.b) == (1.0, 0.0)
    assert (sub_em.difference.a, sub_em.difference.b, sub_em.primary) == (1.0, 1.0, False)
    assert headline(comparison).startswith("negate is significantly lower than right on pass_rate")
    assert [row.split()[0] for row in command(*runs).stdout.splitlines() if row[:7] in ("pass_ra", "sub_em ")] == [
        "pass_rate", "sub_em",
    ]  # fmt: skip
    note = "answers are compared by words: a right answer in other words may fail"
    assert any(each.startswith(note) for each in comparison.notes)
    assert not any(each.startswith(note) for each in compare(runs, ["recall@5"]).notes)


def test_a_question_that_was_not_checked_has_no_pass_rate_and_runs_without_states_are_compared(tmp_path: Path) -> None:
    runs = [run(tmp_path, "a", lambda at: at < 10), run(tmp_path, "b", lambda at: at < 30)]
    lines = (runs[0] / "items.jsonl").read_text(encoding="utf-8").splitlines()
    first = {**json.loads(lines[0]), "state": "not checked"}
    (runs[0] / "items.jsonl").write_text("\n".join([json.dumps(first), *lines[1:]]) + "\n", encoding="utf-8")
    (rate, *_) = compare(runs).pairs[0].rows
    assert (rate.metric, rate.difference.same + rate.difference.higher) == ("pass_rate", 39)
    stateless = [{key: value for key, value in json.loads(line).items() if key != "state"} for line in lines]
    (runs[0] / "items.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in stateless), encoding="utf-8")
    assert compare(runs).primary == ("sub_em",) and "pass_rate" not in compare(runs).metrics


def test_only_pairs_with_other_settings_are_withheld(tmp_path: Path) -> None:
    runs = [
        retrieved(tmp_path, "good", lambda at: True),
        retrieved(tmp_path, "bad", lambda at: at < 8),
        retrieved(tmp_path, "strict", lambda at: True, cover=0.9),
    ]
    comparison = compare(runs, ["recall@5"])
    assert [[row.comparable for row in pair.rows] for pair in comparison.pairs] == [[True], [False], [False]]
    assert comparison.comparisons == 1
    assert headline(comparison) == (
        "bad is significantly lower than good on recall@5; not comparable: good and bad with strict: --cover 0.5 "
        "against 0.9"
    )
    assert comparison.rankings[0].ranks == {}
    shown = command(*runs, "--metric", "recall@5").stdout
    assert "– (1.000)" in shown and "1 (1.000)" not in shown
    assert "1.  good" not in page(comparison).html
    assert compare(runs, ["recall@5"], force=True).rankings[0].ranks == {"good": 1, "strict": 1, "bad": 3}


def test_the_first_line_names_a_large_exploratory_difference(tmp_path: Path) -> None:
    right = answered(tmp_path, "right", lambda golden: golden)
    lost = answered(tmp_path, "lost", lambda golden: golden, passages=False)
    assert headline(compare([right, lost])) == (
        "lost is significantly lower than right on pass_rate; exploratory: recall@5 of lost is 1.000 below right"
    )


def test_a_difference_that_the_deciding_metric_does_not_see_comes_first(tmp_path: Path) -> None:
    """Both give every right answer, one with its evidence at rank 7."""

    runs = [
        answered(tmp_path, "early", lambda golden: golden),
        answered(tmp_path, "late", lambda golden: golden, others=6),
    ]
    title = headline(compare(runs))
    assert title.startswith(
        "late is significantly lower than early on recall@5 (by 1.000; exploratory); no significant "
    )
    assert title.endswith(
        "difference between early and late on pass_rate, which counts a right answer whatever the rank of its evidence"
    )
    assert headline(compare(runs, ["em"])) == (
        "This set is too easy to tell early and late apart on em: each has 1.000, and a difference below 0.36 "
        "is often missed; look at recall@1 and mrr, or make a harder set (generate says how)"
    )


def test_a_run_of_which_nothing_was_checked_is_called_so() -> None:
    passages = {"metrics": {"context_recall": {"value": 0.5}}, "signatures": {"context_recall": "context_recall|v:1"}}
    found = incomparable([passages, {"metrics": {}}], ["pass_rate"])
    assert found == {"pass_rate": "questions checked by passages against nothing"}


def test_a_run_without_passages_is_compared_by_its_answers(tmp_path: Path) -> None:
    right = answered(tmp_path, "right", lambda golden: golden)
    bare = answered(tmp_path, "bare", lambda golden: golden, passages=None)
    comparison = compare([right, bare])
    assert comparison.primary == ("sub_em",)
    assert comparison.incomparable["pass_rate"] == "questions checked by passages and answers against answers"
    assert "retrieval was not compared: no passages of bare could be checked" in comparison.notes


def test_identical_runs_are_called_identical(tmp_path: Path) -> None:
    runs = [run(tmp_path, name, lambda at: at < 30) for name in "ab"]
    assert headline(compare(runs)) == "a and b are identical on all 40 questions"


def _retrieving(folder: Path, name: str, passages: Callable[[int], list[str]]) -> Path:
    """The folder of a run of ``score`` whose system only retrieves; question ``at`` gets ``passages(at)``."""
    words = ["".join(chr(97 + (at * 7 + step * step + 3 * step) % 26) for step in range(40)) for at in range(N)]
    docs = [Document(f"d{at}.md", words[at], "", "md", "1", (), ()) for at in range(N)]
    items = [replace(item, evidence=((doc.span(0, 40),),)) for item, doc in zip(ITEMS, docs, strict=True)]
    lines = [
        {"id": item.id, "retrieved": [{"doc": each, "text": words[int(each[1:-3])]} for each in passages(at)]}
        for at, item in enumerate(items)
    ]
    (folder / f"{name}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    score(items, str(folder / f"{name}.jsonl"), docs=docs, out=folder / name)
    return folder / name


def test_a_dump_of_all_documents_does_not_win_and_its_warning_is_shown(tmp_path: Path) -> None:
    names = [f"d{at}.md" for at in range(N)]
    honest = _retrieving(tmp_path, "honest", lambda at: [names[at if at % 4 else at - 1]])  # right on 30 of 40
    dump = _retrieving(tmp_path, "dump", lambda _: names)
    comparison = compare([honest, dump])
    assert comparison.primary == ("recall@5",)
    assert headline(comparison).startswith("dump is significantly lower than honest on recall@5")
    (warning,) = [note for note in comparison.notes if "100 % of the text of all documents" in note]
    assert warning.startswith("dump: the passages of a question hold")
    assert warning in command(honest, dump).stdout.replace("note: ", "")
    assert warning in unescape(page(comparison).html)


def test_a_longer_list_with_the_same_first_passages_is_not_better(tmp_path: Path) -> None:
    names = [f"d{at}.md" for at in range(N)]
    short = _retrieving(tmp_path, "short", lambda at: names[at // 2 : at // 2 + 5])
    long = _retrieving(tmp_path, "long", lambda at: list(dict.fromkeys(names[at // 2 : at // 2 + 5] + names[:25])))
    pair = compare([short, long]).pairs[0]
    assert {row.metric: row.difference.difference for row in pair.rows if row.metric in ("pass_rate", "recall@5")} == {
        "pass_rate": 0.0,
        "recall@5": 0.0,
    }


def test_a_difference_that_is_the_same_for_every_question_has_no_effect_size(tmp_path: Path) -> None:
    """The spread of 1/3 - 1 over the questions is only rounding."""
    names = [f"d{at}.md" for at in range(N)]
    first = _retrieving(tmp_path, "first", lambda at: [names[at], names[at - 1], names[at - 2]])
    third = _retrieving(tmp_path, "third", lambda at: [names[at - 1], names[at - 2], names[at]])
    row = next(row for row in compare([first, third]).pairs[0].rows if row.metric == "mrr")
    assert row.difference.difference == pytest.approx(-2 / 3) and row.significant
    assert (row.difference.cohens_d, row.difference.p_t, row.smallest) == (None, None, None)
    comparison = compare([first, third], ["mrr"])
    assert "8 of 10" not in markdown(comparison), "it was found"


def test_every_cell_of_a_table_is_below_the_heading_of_its_metric(tmp_path: Path) -> None:
    """Recall decides, so it is tested before the pass rate, which is the first column."""
    names = [f"d{at}.md" for at in range(N)]
    runs = [
        _retrieving(tmp_path, f"r{right}", lambda at, right=right: [names[at if at < right else at - 1]])
        for right in (10, 20, 30)
    ]
    comparison = compare(runs)
    assert comparison.metrics[:2] == ("pass_rate", "recall@5")
    assert [row.metric for row in comparison.pairs[0].rows][:2] == ["recall@5", "pass_rate"], "not in the same order"
    # a metric may lack a value in one of the pairs only, and later cells must not move to the left
    first = comparison.pairs[0]
    bare = replace(first, rows=tuple(row for row in first.rows if row.metric != "recall@5"))
    shown = BeautifulSoup(page(replace(comparison, pairs=(bare, *comparison.pairs[1:]))).html, "html.parser")
    tables = shown.select("table.cards")
    assert len(tables) >= 5, "the ranking, all pairs, and those of each pair"
    for each in tables:
        heads = [head.get_text() for head in each.select("th")]
        for row in each.select("tbody tr"):
            assert [cell["data-label"] for cell in row.select("td")] == heads
    gap = shown.find("h2", id="pairs").find_next("table").select_one('td[data-label="recall@5"]')
    assert gap.get_text(strip=True) == "–"


def test_a_set_that_all_runs_pass_is_called_too_easy(tmp_path: Path) -> None:
    """Of 40 questions all are found, a few at rank 2; 8 of 40 would be found, so 12 at rank 2 leave room at 1."""
    names = [f"d{at}.md" for at in range(N)]
    first = _retrieving(tmp_path, "first", lambda at: [names[at], names[at - 1]])
    second = _retrieving(tmp_path, "second", lambda at: [names[at], names[at - 1]][:: 1 if at > 2 else -1])
    third = _retrieving(tmp_path, "third", lambda at: [names[at], names[at - 1]][:: 1 if at > 11 else -1])
    two = compare([first, second])
    assert headline(two) == (
        "This set is too easy to tell first and second apart on recall@5: each has 1.000, and a difference "
        "below 0.20 is often missed; make a harder set (generate says how)"
    )
    assert two.to_json()["too_easy"] == {"recall@5": pytest.approx(0.195, abs=0.01)}
    assert f"<h1>{headline(two)}</h1>" in page(two).html
    assert command(first, second).stdout.startswith(headline(two))
    three = headline(compare([first, second, third], ["pass_rate"]))
    assert three.startswith("This set is too easy to tell first, second and third apart on pass_rate: each has 1.000")
    assert three.endswith("; look at recall@1, or make a harder set (generate says how)")
    half = _retrieving(tmp_path, "half", lambda at: [names[at if at % 2 else at - 1]])
    assert compare([first, second, half]).too_easy == {}, "the set tells half apart"
    also = _retrieving(tmp_path, "also", lambda at: [names[at if at % 2 == 0 else at - 1]])
    assert headline(compare([half, also])) == "No significant difference between half and also on recall@5"


def test_questions_are_led_by_a_metric_that_compares(tmp_path: Path) -> None:
    """One run passes by passages and answers, the other by its answers, so their pass rates do not compare."""
    right = answered(tmp_path, "right", lambda golden: golden)
    bare = answered(tmp_path, "bare", lambda golden: golden if int(golden[4:]) < 10 else "odd", passages=None)
    comparison = compare([right, bare])
    first, last = comparison.questions[0], comparison.questions[-1]
    assert comparison.metrics[0] == "pass_rate" and "pass_rate" in comparison.incomparable
    assert first.values["pass_rate"] == {"right": 1.0, "bare": 0.0}, "the largest difference, which does not count"
    assert (first.largest, "pass_rate" in first.spreads) == ("sub_em", False)
    assert last.largest == "sub_em" and not last.differs, "nor is it shown of a question without differences"
    assert "pass_rate" not in first.lower["bare"]
    shown = BeautifulSoup(page(comparison).html, "html.parser").select_one("#list details")
    assert shown.select_one(".a").get_text() == "sub_em: right 1.000 · bare 0.000"
    assert "  sub_em  " in command(right, bare).stdout.split("different results")[1]
    assert compare([right, bare], force=True).questions[0].largest == "pass_rate"
    nothing = compare([right, bare], ["pass_rate"])
    assert nothing.questions[0].largest == "pass_rate", "better than nothing"


# ---- runs of other tools: the files in tests/foreign were made by the tools, without what is not read --------------

FOREIGN = Path(__file__).parents[1] / "foreign"


def test_inspect_logs_are_compared_by_sample_with_the_mean_of_their_epochs() -> None:
    found = compare([FOREIGN / "inspect-a.json", FOREIGN / "inspect-b.json"])
    assert (found.metrics, found.primary, found.n_items, found.n_documents) == (("includes", "f1"), ("includes",), 3, 0)
    values = {each.id: dict(each.values["includes"]) for each in found.questions}
    assert values["q-1"] == {"inspect-a.json": 1.0, "inspect-b.json": 0.5}, "C, and I and C in two epochs"
    assert values["q-3"] == {"inspect-a.json": 0.0, "inspect-b.json": 0.5}
    row = found.pairs[0].rows[0].difference
    assert (row.a, row.b) == pytest.approx((2 / 3, 2 / 3))
    first = next(each for each in found.questions if each.id == "q-1")
    assert (first.expected, first.given["inspect-a.json"]) == (("Ada Low",), "Ada Low leads it")
    assert "taken to be independent" in " ".join(found.notes)
    assert "2 runs on 3 questions. includes decides" in " ".join(markdown(found).split())


def test_the_systems_in_results_of_promptfoo_are_runs() -> None:
    path = FOREIGN / "promptfoo-results.json"
    found = compare([path])
    labels = ["promptfoo-results.json: echo, {{a}}", "promptfoo-results.json: echo, {{b}}"]
    assert list(found.runs) == labels and found.primary == ("pass_rate",)
    assert set(found.metrics) == {"pass_rate", "score", "answer"}, "answer is a metric of its assertions"
    values = {each.question: [each.values["pass_rate"][label] for label in labels] for each in found.questions}
    assert values["Who leads the Borealis team?"] == [1.0, 0.0] and values["What is the warranty?"] == [0.0, 1.0]
    assert command(path).exit_code == 0


def test_tables_with_scores_as_of_ragas_are_compared_by_question(tmp_path: Path) -> None:
    found = compare([FOREIGN / "ragas-results-a.csv", FOREIGN / "ragas-results-b.jsonl"])
    assert found.metrics == ("exact_match",)
    values = {each.question: list(each.values["exact_match"].values()) for each in found.questions}
    assert values == {
        "Who leads the Borealis team?": [1.0, 0.0],
        "How many storerooms has Leeds?": [0.0, 1.0],
        "What is the warranty?": [0.0, 1.0],
    }
    out = tmp_path / "out"
    assert command(FOREIGN / "ragas-results-a.csv", FOREIGN / "ragas-results-b.jsonl", "-o", out).exit_code == 0
    assert (out / "report.html").is_file()


def test_a_file_without_scores_or_with_one_system_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"ragas\.csv has no scores of questions: give a folder that kgsynth score"):
        compare([FOREIGN / "ragas.csv", FOREIGN / "inspect-a.json"])
    with pytest.raises(ConfigError, match=r"inspect-a\.json has answers of one system only"):
        compare([FOREIGN / "inspect-a.json"])
    (tmp_path / "a.eval").write_bytes(b"PK\x03\x04")
    with pytest.raises(InputError, match=r"inspect log dump .*a\.eval > log\.json"):
        compare([tmp_path / "a.eval", FOREIGN / "inspect-a.json"])
    (tmp_path / "odd.json").write_text('{"samples": [{"input": 1, "target": 2, "epoch": 1, "scores": {"f1": 3}}]}')
    with pytest.raises(InputError, match=r"odd\.json has no scores of questions"):
        compare([tmp_path / "odd.json", FOREIGN / "inspect-a.json"])
    with pytest.raises(InputError, match="different golden sets"):
        compare([FOREIGN / "inspect-a.json", FOREIGN / "ragas-results-a.csv"])


def test_only_the_questions_with_a_tag_are_compared(tmp_path: Path) -> None:
    a, b = run(tmp_path, "old", lambda at: at < 5), run(tmp_path, "new", lambda at: at < 10)
    for folder in (a, b):
        lines = [json.loads(line) for line in (folder / "items.jsonl").read_text(encoding="utf-8").splitlines()]
        text = "".join(json.dumps(line | {"tags": ["first"]} if line["id"] < "q10" else line) + "\n" for line in lines)
        (folder / "items.jsonl").write_text(text, encoding="utf-8")
    found = compare([a, b], ["em"], only=["first"])
    difference = found.pairs[0].rows[0].difference
    assert (found.n_items, difference.a, difference.b) == (10, 0.5, 1.0)
    with pytest.raises(ConfigError, match="no question of old has the tag last"):
        compare([a, b], only=["last"])
