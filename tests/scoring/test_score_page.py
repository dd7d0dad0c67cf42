"""The page of ``score``: numbers of questions beside shares, plots, and what is shown of a failing question."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from bs4 import BeautifulSoup, Tag
from click.testing import CliRunner

from kgsynth.base.records import Document, Item, Span
from kgsynth.base.thresholds import LIMITS
from kgsynth.cli import main
from kgsynth.golden.dataset import write
from kgsynth.golden.metadata import with_scores
from kgsynth.scoring.flow import score
from kgsynth.scoring.metrics.scores import Scores

TEXT = "".join(f"Depot {n} keeps {n} barrels.\n" for n in range(10, 22))
DOCS = [Document("depots.md", TEXT, "Depots", "md", "", (), ())]


def item(n: int, answer: str = "", *, evidence: bool = True) -> Item:
    start = TEXT.index(f"Depot {n} ")
    span = Span("depots.md", start, start + 24, TEXT[start : start + 24])
    spans = ((span,),) if evidence else ()
    subtype = "factoid" if n < 19 else "definition"
    return Item(f"q-{n}", f"What does depot {n} keep?", (answer or f"{n} barrels",), "simple", subtype, "en", spans)


def answer(question: str) -> object:
    number = int(re.findall(r"\d+", question)[0])
    return f"{number} barrels" if number % 2 else "many crates", [f"Depot {number} keeps {number} barrels."]


def scored(tmp_path: Path, items: list[Item], **options: object) -> tuple[Scores, BeautifulSoup]:
    scores = score(items, answer, docs=DOCS, out=tmp_path / "run", history=False, **options)  # type: ignore[arg-type]
    return scores, BeautifulSoup((tmp_path / "run/report.html").read_text(encoding="utf-8"), "html.parser")


def text(tag: Tag | None) -> str:
    assert tag is not None
    return " ".join(tag.get_text(" ").split())


def tiles(page: BeautifulSoup) -> dict[str, str]:
    return {text(each.small): text(each) for each in page.select(".figures > div")}


def test_a_failing_question_shows_the_expected_answer_beside_the_given_one(tmp_path: Path) -> None:
    _, page = scored(tmp_path, [item(n) for n in range(10, 22)])
    rows = {text(row.select_one(".q")): row for row in page.select("#list > details")}
    failing = rows["What does depot 10 keep?"].summary
    assert failing is not None
    expected, given = failing.select(".a.two > span")
    assert (text(expected), text(given)) == ("expected 10 barrels", "given many crates")
    passed = rows["What does depot 11 keep?"].summary
    assert passed is not None and not passed.select(".two") and text(passed.select_one(".a")) == "11 barrels"


def test_every_share_has_its_number_of_questions(tmp_path: Path) -> None:
    items = [item(n, evidence=n < 15) for n in range(10, 22)]
    _, page = scored(tmp_path, items, gates=["recall@5>=0.5", "em>=0.1"])
    shown = tiles(page)
    assert all(re.search(r"\bn \d+$", each) for each in shown.values()), shown
    assert next(each for label, each in shown.items() if "recall@5" in label).endswith("n 5")
    assert next(each for label, each in shown.items() if label.startswith("em")).endswith("n 12")
    gates = page.find("h2", id="gates")
    assert isinstance(gates, Tag)
    rows = [[text(cell) for cell in row.select("td")] for row in gates.find_next("table").select("tbody tr")]  # type: ignore[union-attr]
    assert [row[2] for row in rows] == ["5", "12"]
    assert "(5 questions)" in text(page.h1) and "(12 questions)" in text(page.h1)


def test_shares_of_fewer_than_five_questions_are_grey_with_a_legend(tmp_path: Path) -> None:
    _, page = scored(tmp_path, [item(n, evidence=n != 20) for n in range(10, 22)])
    (table,) = [each for each in page.select("table") if each.th is not None and text(each.th) == "subtype"]
    rows = {text(row.td): row for row in table.select("tbody tr")}
    cells = [text(cell) for cell in rows["definition"].select("td.number")]
    assert cells[:2] == ["3", "1.000 (n 2)"], "one of its three questions has no evidence"
    assert all("soft" in str(cell["class"]) for cell in rows["definition"].select("td.number")[1:])
    assert not any("soft" in str(cell["class"]) for cell in rows["factoid"].select("td.number"))
    assert "Grey: fewer than 5 questions" in page.get_text()


def test_there_is_no_legend_without_small_shares(tmp_path: Path) -> None:
    _, page = scored(tmp_path, [item(n) for n in range(10, 19)])
    assert "Grey: fewer than" not in page.get_text()


def test_one_value_is_no_plot(tmp_path: Path) -> None:
    scores, _ = scored(tmp_path, [item(n) for n in range(10, 22)])
    assert scores.metrics["document_coverage"].value == 1.0, "the only bounded one of its group"
    assert len(scores.causes) == 1
    names = {path.stem for path in (tmp_path / "run/plots").glob("*.png")}
    assert {"metrics-retrieval", "metrics-answers"} <= names and not {"metrics-knowledge-base", "causes"} & names


def test_long_golden_answers_are_not_judged_by_shared_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    long = "the depot keeps as many barrels as its number says, which the clerk counts every Monday before noon"
    scores, page = scored(tmp_path / "long", [item(n, long) for n in range(10, 22)])
    shown = " ".join(tiles(page))
    assert "token_f1" not in shown and "em " not in shown and "rougeL" in shown and "recall@5" in shown
    assert "shares" not in text(page.h1) and scores.metrics["token_f1"].value is not None, "it is still measured"
    monkeypatch.setattr(LIMITS, "answer_max_words", 30)
    _, page = scored(tmp_path / "short", [item(n, long) for n in range(10, 22)])
    assert "token_f1" in " ".join(tiles(page))


def test_questions_that_nothing_was_compared_for_are_not_praised(tmp_path: Path) -> None:
    def retrieves_only(question: str) -> object:
        return None, answer(question)[1]  # type: ignore[index]

    items = [item(n, evidence=n < 15) for n in range(10, 22)]
    scores = score(items, retrieves_only, docs=DOCS)
    assert (
        "7 of 12 questions were not checked: they have no evidence, and there is no answer to compare" in scores.notes
    )
    assert (scores.questions, scores.pass_rate) == ({"passed": 5, "failed": 0, "not checked": 7}, 1.0)
    assert repr(scores).startswith("Scores(") and "5 of 12 questions passed, 0 failed, 7 were not checked" in repr(
        scores
    )


def test_the_note_on_documents_only_is_printed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write([item(10)], tmp_path / "golden.jsonl")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/depots.md").write_text(TEXT, encoding="utf-8")
    code = "def ask(q):\n    return None, [{'doc': 'depots.md'}]\n"
    (tmp_path / "rag.py").write_text(code, encoding="utf-8")
    result = CliRunner().invoke(main, ["score", "golden.jsonl", "--rag", "rag.py:ask", "--docs", "docs"])
    assert result.exit_code == 1, "no question was checked"
    assert result.stdout.count("passages came without text or offsets, so they were matched by document") == 1
    first = result.stdout.splitlines()[0]
    assert first.startswith(
        "rag.py:ask: none of 1 questions could be checked, so nothing passed – passages came without text or offsets"
    )


def test_a_set_of_drawn_documents_shows_estimates_over_the_whole_folder(tmp_path: Path) -> None:
    """Ten questions of weight 1, five of them right, and two of weight 4, one right: 9 of 18."""
    items = [with_scores(item(n), drawn=0.25 if n > 19 else 1.0) for n in range(10, 22)]
    items[0] = replace(items[0], golden_answers=("many crates",))  # 6 of the 10 are right now, so 10 of 18
    scores, page = scored(tmp_path, items)
    folder = scores.to_json()["folder"]["pass_rate"]  # type: ignore[index]
    assert folder["value"] == pytest.approx(10 / 18, abs=1e-6) and scores.pass_rate == pytest.approx(7 / 12)
    assert scores.folder["em"].value == folder["value"] and "answer_length" not in scores.folder
    shown = text(page.find("h3", string="Over the whole folder").find_next("table"))  # type: ignore[union-attr,arg-type]
    assert "pass_rate 0.583 0.556" in shown and "pass_rate" in (tmp_path / "run/scores.md").read_text(encoding="utf-8")
    plain, page = scored(tmp_path, [item(n) for n in range(10, 22)])
    assert not plain.folder and "folder" not in plain.to_json() and "whole folder" not in text(page.body)
