"""Calibration: tau and lexical bias on small score tables, the retriever variants, and the command."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from bs4 import BeautifulSoup
from click.testing import CliRunner
from numpy.typing import NDArray
from scipy.stats import kendalltau

from kgsynth.base.records import Chunk, Document, Item, Span, item_id
from kgsynth.base.thresholds import LIMITS
from kgsynth.cli import main
from kgsynth.comparison.calibration import _LocatedItem, _reciprocal_rank, _units_of, _without_repetitions
from kgsynth.comparison.calibration.report import asked as asked_text
from kgsynth.documents import read_documents
from kgsynth.golden.dataset import write
from kgsynth.scoring.systems.bundled import variants
from kgsynth.statistics.rank_agreement import RankAgreement, SetScores, kendall_tau, rank_agreement, tau_interval

SYSTEMS = ("bm25", "dense", "third")
Move = Callable[[str, float], None]


def scores(*rows: Sequence[float]) -> SetScores:
    return SetScores(np.array(rows, dtype=float), tuple(f"{at}.md" for at in range(len(rows))))


def test_identical_scores_agree_perfectly() -> None:
    same = scores((0.9, 0.5, 0.1), (0.8, 0.6, 0.2))
    found = rank_agreement(same, same, SYSTEMS, "bm25", "dense")
    assert (found.tau, found.bias, found.halves) == (1.0, 0.0, 1.0)
    assert found.tau_ci95 == (1.0, 1.0)
    assert found.questions == (2, 2)


def test_reversed_scores_disagree_completely() -> None:
    found = rank_agreement(scores((0.9, 0.5, 0.1)), scores((0.1, 0.5, 0.9)), SYSTEMS, "bm25", "dense")
    assert found.tau == -1.0 and found.halves is None, "one question has no halves"
    assert "Cannot tell" in found.verdict, "from one question"


def test_the_bias_is_lexical_minus_dense_relative_to_the_human_set() -> None:
    people, ours = scores((0.6, 0.5, 0.1)), scores((0.9, 0.5, 0.1))
    found = rank_agreement(people, ours, SYSTEMS, "bm25", "dense")
    assert found.bias == pytest.approx((0.9 - 0.5) - (0.6 - 0.5))


def agreement(tau: tuple[float, float], bias: tuple[float, float] = (0.0, 0.0), n: int = 100) -> RankAgreement:
    middle = sum(tau) / 2
    return RankAgreement(middle, tau, 0.9, (0.8, 1.0), sum(bias) / 2, bias, {}, (n, 100), (n, 50), (0, 0))


@pytest.mark.parametrize(
    ("tau", "verdict"),
    [
        ((0.91, 1.0), "The set ranks systems as the human set does: Kendall's tau is 0.91 to 1.00."),
        ((0.81, 0.95), "The set ranks systems much as the human set does"),
        ((0.5, 0.79), "The set does not rank systems as the human set does: Kendall's tau is 0.50 to 0.79."),
        (
            (0.7, 0.95),
            "Cannot tell whether the set ranks systems as the human set does: Kendall's tau is 0.70 to 0.95,",
        ),
    ],
)
def test_the_verdict_rules_only_where_the_whole_interval_does(tau: tuple[float, float], verdict: str) -> None:
    assert agreement(tau).verdict.startswith(verdict)


@pytest.mark.parametrize(
    ("bias", "verdict"),
    [
        ((-0.04, 0.04), "It has no notable lexical bias: relative to dense, BM25 scores -0.04 to +0.04"),
        ((0.06, 0.2), "It favours lexical retrieval: relative to dense, BM25 scores +0.06 to +0.20"),
        ((-0.2, -0.06), "It disfavours lexical retrieval"),
        ((0.01, 0.09), "Cannot tell whether it has a lexical bias: relative to dense, BM25 scores +0.01 to +0.09"),
    ],
)
def test_the_verdict_on_bias_follows_its_interval(bias: tuple[float, float], verdict: str) -> None:
    assert verdict in agreement((0.95, 1.0), bias).verdict


def test_too_few_questions_or_documents_give_no_verdict(move: Move) -> None:
    sure = agreement((0.95, 1.0), n=2)
    why = "the human set has 2 questions, and at least 30 are needed"
    assert sure.verdict == f"Cannot tell whether the set ranks systems as the human set does: {why}."
    move("calibration_min_questions", 2)
    assert sure.shortage == "the human set has 2 documents, and at least 10 are needed"
    move("calibration_min_documents", 2)
    assert sure.verdict.startswith("The set ranks systems as")


def test_the_interval_contains_tau_although_the_samples_are_lower() -> None:
    """Samples repeat some questions and so agree less: here all of them have a lower tau than the sets."""
    assert tau_interval(0.9, [0.7] * 50 + [0.8] * 50) == pytest.approx((0.7, 1.0))
    assert tau_interval(0.5, [0.4] * 50 + [0.6] * 50) == pytest.approx((0.4, 0.6))
    assert tau_interval(-0.9, [-1.0] * 100) == pytest.approx((-1.0, -0.8))


def test_the_interval_covers_a_known_truth() -> None:
    """Twelve systems of known strength, two of them swapped in the golden set: tau of the populations is 0.91 or so."""
    strengths = np.linspace(0, 1.1, 12)
    theirs = strengths.copy()
    theirs[[3, 5, 8, 9]] = strengths[[5, 3, 9, 8]]
    truth, rng, covered = kendall_tau(strengths, theirs), np.random.default_rng(3), 0
    for _ in range(25):
        sets = [
            SetScores(own + rng.normal(0, 1, (60, 1)) + rng.normal(0, 0.6, (60, 12)), tuple(map(str, range(60))))
            for own in (strengths, theirs)
        ]
        found = rank_agreement(sets[0], sets[1], [*map(str, range(12))], "0", "1")
        covered += found.tau_ci95[0] <= truth <= found.tau_ci95[1]
        assert found.tau_ci95[0] <= found.tau <= found.tau_ci95[1]
    assert covered >= 22


def test_the_interval_resamples_documents() -> None:
    """The questions of a document are drawn together, so with one document every sample is the same."""
    rng = np.random.default_rng(0)
    values = rng.random((40, 3))
    one = SetScores(values, ("a.md",) * 40)
    many = SetScores(values, tuple(f"{at}.md" for at in range(40)))
    assert rank_agreement(one, one, SYSTEMS, "bm25", "dense").bias_ci95 == (0.0, 0.0)
    low, high = rank_agreement(many, many, SYSTEMS, "bm25", "dense").bias_ci95
    assert low < 0 < high


def test_tau_with_ties_is_that_of_scipy() -> None:
    rng = np.random.default_rng(2)
    for _ in range(5):
        a, b = rng.integers(0, 4, (2, 9)).astype(float)
        assert kendall_tau(a, b) == pytest.approx(float(kendalltau(a, b).statistic))


def test_tau_is_0_when_one_side_does_not_vary() -> None:
    assert kendall_tau(np.zeros(3), np.array([1.0, 2.0, 3.0])) == 0.0


UNITS = {"a.md": [(0, Chunk("c-0", "a.md", "s-0", 0, 100, "")), (1, Chunk("c-1", "a.md", "s-0", 100, 200, ""))]}


@pytest.mark.parametrize(
    ("start", "end", "units"),
    [
        (10, 20, [0]),  # within a unit
        (90, 110, [0, 1]),  # half in each
        (60, 115, [0]),  # most in the first
        (0, 200, [0, 1]),  # the units lie within the span
    ],
)
def test_a_unit_holds_a_span_when_they_share_half_of_either(start: int, end: int, units: list[int]) -> None:
    assert [*_units_of(Span("a.md", start, end, ""), UNITS)] == units


def test_the_reciprocal_rank_averages_the_best_unit_of_each_group_and_ties_share_the_middle_rank() -> None:
    item = Item("q-1", "?", ("x",), "simple", "", "en", ())
    values = np.array([5.0, 4.0, 3.0, 0.0, 0.0])
    assert _reciprocal_rank(values, _LocatedItem(item, ((1, 2),))) == 1 / 2
    assert _reciprocal_rank(values, _LocatedItem(item, ((0,), (2,)))) == pytest.approx((1 + 1 / 3) / 2)
    assert _reciprocal_rank(values, _LocatedItem(item, ((3,),))) == 1 / 4.5


TEXTS = ["the depot in Kiel stores nets", "the office in Halifax pays claims", "boats are mended in spring"]


def letters(texts: Sequence[str]) -> NDArray[np.float32]:
    """A double of an embedding model: letter counts of a text, scaled to length 1."""
    rows = np.array([[text.lower().count(chr(97 + at)) for at in range(26)] for text in texts], dtype=np.float32)
    unit: NDArray[np.float32] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit


def test_every_variant_that_is_not_weak_by_design_finds_a_text_by_its_own_words() -> None:
    found = dict(variants(TEXTS, TEXTS, letters))
    assert {scores.shape for scores in found.values()} == {(3, 3)}
    weak = {"at random", "bm25, long words"} | {name for name in found if "noise" in name or "16" in name}
    for name in found.keys() - weak:
        assert (found[name].argmax(axis=1) == [0, 1, 2]).all(), name


def test_the_variants_give_the_same_scores_every_time() -> None:
    first, again = (dict(variants(TEXTS, ["who pays?"], letters)) for _ in range(2))
    assert all((first[name] == again[name]).all() for name in first)


def test_a_vocabulary_of_the_commonest_words_has_no_others() -> None:
    texts = ["a b"] * 101 + [f"x{at} x{at}" for at in range(101)]  # among words that occur twice, x97 to x99 come last
    found = dict(variants(texts, ["x99"], lambda texts: np.ones((len(texts), 4), dtype=np.float32) / 2))
    assert found["bm25"][0].argmax() == 101 + 99
    assert not found["bm25, 100 commonest words"].any()


# ---- the command -----------------------------------------------------------------------------------


def question(text: str, document: Document, sentence: str) -> Item:
    start = document.text.index(sentence)
    evidence = ((document.span(start, start + len(sentence)),),)
    return Item(item_id(text, ("x",), evidence), text, ("x",), "simple", "factoid", "en", evidence)


ASKED = ("Where are nets kept?", "Who settles expenses?", "When do ships get repaired?")


@pytest.fixture
def sets(tmp_path: Path) -> Path:
    docs = tmp_path / "docs"
    docs.mkdir()
    for at, text in enumerate(TEXTS):
        (docs / f"{at}.md").write_text(f"# Page {at}\n\n{text.capitalize()}.\n", encoding="utf-8")
    pages = {page.id: page for page in read_documents(docs)}
    people = [question(text, pages[f"{at}.md"], TEXTS[at].capitalize()) for at, text in enumerate(ASKED)]
    write(people, tmp_path / "people.jsonl")
    lost = Item("q-lost", "Where?", ("x",), "simple", "factoid", "en", ((Span("gone.md", 0, 4, "gone"),),))
    write([*people, lost], tmp_path / "ours.jsonl")
    return tmp_path


def test_the_command_prints_the_verdict_and_writes_the_files(sets: Path) -> None:
    args = ["calibrate", str(sets / "ours.jsonl"), "--human", str(sets / "people.jsonl"), "--docs", str(sets / "docs")]
    done = CliRunner().invoke(main, [*args, "-q", "-o", str(sets / "out")])
    assert done.exit_code == 0, done.output
    unsure = "Cannot tell whether the set ranks systems as the human set does: the human set has 3 questions"
    assert done.output.startswith(unsure)
    assert "Asked: 3 questions of the human set (from 3 documents) and 3 questions of the golden set" in done.output
    assert "Left out of this set: 1 question without evidence in the documents." in done.output
    written = json.loads((sets / "out" / "calibration.json").read_text(encoding="utf-8"))
    assert (written["tau"], written["bias"], written["untied"]) == (1.0, 0.0, [0, 1])
    assert len(written["systems"]) >= 20
    page = BeautifulSoup((sets / "out" / "report.html").read_text(encoding="utf-8"), "html.parser")
    assert page.h1 is not None and page.h1.text.startswith(unsure)
    assert "3 questions of the human set" in page.select(".lead")[0].text
    assert page.select(".figures b")[0].text.endswith("to 1.00"), "the interval first"
    assert {row.select("td")[1].text for row in page.select("tbody tr")} == set(written["systems"])
    numbers = {row.td.text for row in page.select("tbody tr") if row.td}
    assert numbers <= {text.text for text in page.select("figure svg text")}, "every dot has its number"
    assert "at random," in (sets / "out" / "plots" / "systems.csv").read_text(encoding="utf-8")
    assert (sets / "out" / "plots" / "systems.png").read_bytes().startswith(b"\x89PNG")


def test_writers_of_a_set_are_compared_with_its_rules_or_with_people(
    sets: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kgsynth.statistics.rank_agreement.LIMITS", replace(LIMITS, calibration_min_questions=2))
    pages = {page.id: page for page in read_documents(sets / "docs")}

    def written(writer: str, *questions: tuple[int, str]) -> list[Item]:
        made = [question(text, pages[f"{at}.md"], TEXTS[at].capitalize()) for at, text in questions]
        return [replace(item, metadata={"writer": writer}) for item in made]

    rules = written("rules", (0, "Which nets are kept?"), (1, "Which expenses are settled?"))
    first = written("llm:a", (0, "Where do nets stay?"), (1, "Who pays expenses?"))
    other = written("llm:b", (2, "When are ships mended?"))

    def lines(items: Sequence[Item]) -> list[str]:
        write(items, sets / "ours.jsonl")
        args = ["--human", str(sets / "people.jsonl"), "--docs", str(sets / "docs"), "-q", "-o", str(sets / "out")]
        done = CliRunner().invoke(main, ["calibrate", str(sets / "ours.jsonl"), *args])
        assert done.exit_code == 0, done.output
        return [line for line in done.output.splitlines() if line.startswith("Self-bias")]

    (line,) = lines([*rules, *first, *other])
    assert re.fullmatch(
        r"Self-bias, by tau with the questions of the rules: llm:a too few questions; llm:b too few questions\.", line
    ), "two documents, and ten are needed"
    assert line in (sets / "out" / "report.html").read_text(encoding="utf-8")
    monkeypatch.setattr(
        "kgsynth.statistics.rank_agreement.LIMITS",
        replace(LIMITS, calibration_min_questions=2, calibration_min_documents=2),
    )
    (line,) = lines([*rules, *first, *other])
    assert re.search(r"llm:a -?\d\.\d\d to \d\.\d\d \(95 % interval; estimate .*; llm:b too few questions", line)
    kept = json.loads((sets / "out" / "calibration.json").read_text(encoding="utf-8"))
    assert kept["by_writer"]["llm:a"]["questions"] == [2, 2], "those of the rules first"
    assert lines([*first, *other])[0].startswith("Self-bias, by tau with the human set: llm:a ")
    assert lines(rules) == lines(first) == [], "one writer has no other to compare with"


def test_the_human_set_may_be_a_csv_table(sets: Path) -> None:
    rows = ["question,answer,contexts"]
    rows += [f"{ask},x,{text.capitalize()}." for ask, text in zip(ASKED, TEXTS, strict=True)]
    (sets / "people.csv").write_text("\n".join(rows), encoding="utf-8")
    args = ["--human", str(sets / "people.csv"), "--docs", str(sets / "docs"), "-q", "--json"]
    done = CliRunner().invoke(main, ["calibrate", str(sets / "ours.jsonl"), *args])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["questions"] == [3, 3]


def test_a_set_about_other_documents_is_refused(sets: Path, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "page.md").write_text("# Other\n\nNothing of it.\n", encoding="utf-8")
    args = ["--human", str(sets / "people.jsonl"), "--docs", str(tmp_path / "other"), "-q"]
    done = CliRunner().invoke(main, ["calibrate", str(sets / "ours.jsonl"), *args])
    assert done.exit_code == 3
    assert done.output == ("error: no question of the human set has its evidence in the documents: check --docs\n")


def test_a_question_asked_in_more_words_counts_once(tmp_path: Path) -> None:
    texts = [f"Depot number {n} is led by Person{n} of the district." for n in range(4)]
    docs = [Document(f"d{n}.md", text, "", "md", "", (), ()) for n, text in enumerate(texts)]

    def asked(n: int, question: str, answer: str) -> Item:
        evidence = ((docs[n].span(0, len(texts[n])),),)
        return Item(item_id(question, (answer,), evidence), question, (answer,), "simple", "", "en", evidence)

    plain = [asked(n, f"Who leads depot number {n}?", f"Person{n}") for n in range(4)]
    again = [asked(n, f"Please tell me: who leads depot number {n}?", f"person{n}") for n in range(4)]
    other = asked(0, "What does the district of Person0 have?", "depot number 0")
    kept = _without_repetitions([_LocatedItem(each, ((0,),)) for each in [*again, *plain, other]])
    assert [each.item for each in kept] == [*plain, other]
    found = replace(agreement((0.9, 1.0)), questions=(25, 100), repeated=(50, 0))
    assert asked_text(found).startswith(
        "Asked: 25 questions of the human set (from 100 documents; 50 repetitions of them"
    )
