"""Calibration: the arithmetic on figures worked out here, and a set that copies its source beside one that does not."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from bs4 import BeautifulSoup
from click.testing import CliRunner
from numpy.typing import NDArray

from kgsynth.base.records import Chunk, Document, Item, Span, item_id
from kgsynth.cli import main
from kgsynth.comparison.calibration.flow import _holding, _reciprocal, _Tied
from kgsynth.documents import read_documents
from kgsynth.golden.dataset import write
from kgsynth.scoring.systems.retriever_variants import variants
from kgsynth.statistics.rank_agreement import Agreement, Figures, agreement, tau

SYSTEMS = ("bm25", "dense", "third")


def figures(*rows: Sequence[float]) -> Figures:
    return Figures(np.array(rows, dtype=float), tuple(f"{at}.md" for at in range(len(rows))))


def test_the_same_figures_agree_in_full() -> None:
    same = figures((0.9, 0.5, 0.1), (0.8, 0.6, 0.2))
    found = agreement(same, same, SYSTEMS, "bm25", "dense")
    assert (found.tau, found.bias, found.halves) == (1.0, 0.0, 1.0)
    assert found.tau_ci95 == (1.0, 1.0)
    assert found.questions == (2, 2)


def test_the_order_turned_round_disagrees_in_full() -> None:
    found = agreement(figures((0.9, 0.5, 0.1)), figures((0.1, 0.5, 0.9)), SYSTEMS, "bm25", "dense")
    assert found.tau == -1.0
    assert "does not rank systems" in found.verdict


def test_the_bias_is_the_lead_of_the_lexical_system_beyond_its_lead_with_people() -> None:
    people, ours = figures((0.6, 0.5, 0.1)), figures((0.9, 0.5, 0.1))
    found = agreement(people, ours, SYSTEMS, "bm25", "dense")
    assert found.bias == pytest.approx((0.9 - 0.5) - (0.6 - 0.5))
    assert "flatters the words of its source: lexical retrieval stands 0.30 better" in found.verdict


def test_a_set_that_slights_words_is_told_so() -> None:
    found = agreement(figures((0.9, 0.5, 0.1)), figures((0.7, 0.5, 0.1)), SYSTEMS, "bm25", "dense")
    assert "slights the words of its source: lexical retrieval stands 0.20 worse" in found.verdict


@pytest.mark.parametrize(("reached", "told"), [(0.9, "ranks systems as"), (0.85, "much as"), (0.79, "does not rank")])
def test_the_verdict_goes_by_tau(reached: float, told: str) -> None:
    found = Agreement(reached, (0.0, 1.0), 0.9, 0.0, (0.0, 0.0), {}, (1, 1), (0, 0))
    assert told in found.verdict


def test_the_interval_is_over_documents() -> None:
    """Questions of one document are drawn together: with one document there is nothing to draw."""
    rng = np.random.default_rng(0)
    values = rng.random((40, 3))
    one = Figures(values, ("a.md",) * 40)
    many = Figures(values, tuple(f"{at}.md" for at in range(40)))
    assert agreement(one, one, SYSTEMS, "bm25", "dense").bias_ci95 == (0.0, 0.0)
    low, high = agreement(many, many, SYSTEMS, "bm25", "dense").bias_ci95
    assert low < 0 < high


def test_tau_of_figures_that_do_not_vary_is_nothing() -> None:
    assert tau(np.zeros(3), np.array([1.0, 2.0, 3.0])) == 0.0


UNITS = {"a.md": [(0, Chunk("c-0", "a.md", "s-0", 0, 100, "")), (1, Chunk("c-1", "a.md", "s-0", 100, 200, ""))]}


@pytest.mark.parametrize(
    ("start", "end", "held"),
    [
        (10, 20, [0]),  # within a unit
        (90, 110, [0, 1]),  # half in each
        (60, 115, [0]),  # most in the first
        (0, 200, [0, 1]),  # the units lie within the span
    ],
)
def test_a_unit_holds_a_span_by_half_of_either(start: int, end: int, held: list[int]) -> None:
    assert [*_holding(Span("a.md", start, end, ""), UNITS)] == held


def test_the_reciprocal_rank_is_of_the_best_unit_of_each_group_and_ties_share_their_ranks() -> None:
    item = Item("q-1", "?", ("x",), "simple", "", "en", ())
    scores = np.array([5.0, 4.0, 3.0, 0.0, 0.0])
    assert _reciprocal(scores, _Tied(item, ((1, 2),))) == 1 / 2
    assert _reciprocal(scores, _Tied(item, ((0,), (2,)))) == pytest.approx((1 + 1 / 3) / 2)
    assert _reciprocal(scores, _Tied(item, ((3,),))) == 1 / 4.5


TEXTS = ["the depot in Kiel stores nets", "the office in Halifax pays claims", "boats are mended in spring"]


def letters(texts: Sequence[str]) -> NDArray[np.float32]:
    """A stand-in for an embedding model: how often each letter stands in a text, of length 1."""
    rows = np.array([[text.lower().count(chr(97 + at)) for at in range(26)] for text in texts], dtype=np.float32)
    unit: NDArray[np.float32] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit


def test_every_setting_but_chance_finds_a_text_by_its_own_words_or_is_weak_by_design() -> None:
    found = dict(variants(TEXTS, TEXTS, letters))
    assert {scores.shape for scores in found.values()} == {(3, 3)}
    weak = {"at random", "bm25, long words"} | {name for name in found if "noise" in name or "16" in name}
    for name in found.keys() - weak:
        assert (found[name].argmax(axis=1) == [0, 1, 2]).all(), name


def test_the_settings_give_the_same_scores_again() -> None:
    first, again = (dict(variants(TEXTS, ["who pays?"], letters)) for _ in range(2))
    assert all((first[name] == again[name]).all() for name in first)


def test_a_vocabulary_of_the_commonest_words_knows_no_other() -> None:
    texts = ["a b"] * 101 + [f"x{at} x{at}" for at in range(101)]  # of the words said twice, x97 to x99 come last
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


def test_the_command_tells_the_verdict_and_writes_the_figures(sets: Path) -> None:
    args = ["calibrate", str(sets / "ours.jsonl"), "--human", str(sets / "people.jsonl"), "--docs", str(sets / "docs")]
    told = CliRunner().invoke(main, [*args, "-q", "-o", str(sets / "out")])
    assert told.exit_code == 0, told.output
    assert told.output.startswith("The set ranks systems as the human set does. It neither flatters nor slights")
    assert "1 of this set were not: their evidence is not in the documents." in told.output
    written = json.loads((sets / "out" / "calibration.json").read_text(encoding="utf-8"))
    assert (written["tau"], written["bias"], written["untied"]) == (1.0, 0.0, [0, 1])
    assert len(written["systems"]) >= 20
    page = BeautifulSoup((sets / "out" / "report.html").read_text(encoding="utf-8"), "html.parser")
    assert page.h1 is not None and page.h1.text == "The set ranks systems as the human set does"
    assert {row.td.text for row in page.select("tbody tr") if row.td} == set(written["systems"])
    assert (sets / "out" / "plots" / "systems.png").read_bytes().startswith(b"\x89PNG")


def test_people_s_questions_may_come_in_a_table(sets: Path) -> None:
    rows = ["question,answer,contexts"]
    rows += [f"{ask},x,{text.capitalize()}." for ask, text in zip(ASKED, TEXTS, strict=True)]
    (sets / "people.csv").write_text("\n".join(rows), encoding="utf-8")
    args = ["--human", str(sets / "people.csv"), "--docs", str(sets / "docs"), "-q", "--json"]
    told = CliRunner().invoke(main, ["calibrate", str(sets / "ours.jsonl"), *args])
    assert told.exit_code == 0, told.output
    assert json.loads(told.stdout)["questions"] == [3, 3]


def test_a_set_about_other_documents_is_refused_in_a_sentence(sets: Path, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "page.md").write_text("# Other\n\nNothing of it.\n", encoding="utf-8")
    args = ["--human", str(sets / "people.jsonl"), "--docs", str(tmp_path / "other"), "-q"]
    told = CliRunner().invoke(main, ["calibrate", str(sets / "ours.jsonl"), *args])
    assert told.exit_code == 3
    assert told.output == ("error: no question of the human set has its evidence in the documents: check --docs\n")
