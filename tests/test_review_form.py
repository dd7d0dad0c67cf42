"""A review sent out and taken back in: nothing is lost on the way, and every faulty row is told."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from reviewing import DOCUMENTS, ITEMS

from kgsynth.base.errors import InputError
from kgsynth.base.records import Answer, Item, Passage
from kgsynth.reviewing.form import table, take_in
from kgsynth.reviewing.judgement import Judgement
from kgsynth.reviewing.page import page
from kgsynth.reviewing.store import Store, key
from kgsynth.reviewing.subject import Subject

SUBJECT = Subject(Path("golden.jsonl"), ITEMS[8:12], DOCUMENTS)
IDS = [item.id for item in SUBJECT.items]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    store = Store(tmp_path / "golden.review.sqlite")
    store.begin(SUBJECT)
    return store


def filled(*rows: dict[str, str]) -> list[dict[str, str]]:
    """The table that is sent out, with these cells filled in row by row."""
    out = list(csv.DictReader(io.StringIO(table(SUBJECT, IDS).removeprefix("\ufeff"))))
    return [row | own for row, own in zip(out, rows, strict=False)]


def saved(path: Path, rows: list[dict[str, str]], delimiter: str = ",") -> Path:
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), delimiter=delimiter)
        writer.writeheader()
        writer.writerows(rows)
    return path


# ---- CSV ---------------------------------------------------------------------------------------------


def test_a_table_goes_out_and_comes_back_with_all_that_was_said(tmp_path: Path, store: Store) -> None:
    rows = filled(
        {"annotator": "Ada", "decision": "Accept ", "fluency": "4.0", "relevance": "5", "comment": "a, b\n“c”"},
        {"annotator": "Ada", "decision": "edit", "new_question": "Which?", "new_answers": "x | y"},
        {},
        {"decision": "reject"},
    )
    taken = take_in(store, SUBJECT, IDS, saved(tmp_path / "form.csv", rows), "Bo")
    assert (taken.rows, taken.new, taken.empty, taken.faults) == (3, 3, 1, ())
    assert {(each.annotator, each.item): each.judgement for each in store.said()} == {
        ("Ada", IDS[0]): Judgement("accept", {"relevance": 5, "fluency": 4}, "a, b\n“c”"),
        ("Ada", IDS[1]): Judgement("edit", question="Which?", answers=("x", "y")),
        ("Bo", IDS[3]): Judgement("reject"),
    }


def test_the_same_file_again_says_nothing_new(tmp_path: Path, store: Store) -> None:
    path = saved(tmp_path / "form.csv", filled({"annotator": "Ada", "decision": "accept"}))
    assert [take_in(store, SUBJECT, IDS, path).new for _ in range(2)] == [1, 0]


def test_a_table_with_semicolons_is_read_too(tmp_path: Path, store: Store) -> None:
    path = saved(tmp_path / "form.csv", filled({"annotator": "Ada", "decision": "accept"}), ";")
    assert take_in(store, SUBJECT, IDS, path).rows == 1


def test_every_faulty_row_is_told_with_its_line_and_the_others_are_taken_in(tmp_path: Path, store: Store) -> None:
    rows = [
        *filled(
            {"annotator": "Ada", "decision": "perhaps"},
            {"annotator": "Ada", "decision": "accept", "fluency": "good"},
            {"decision": "accept"},
            {"annotator": "Ada", "decision": "edit"},
        ),
        *filled(
            {"id": "q-none", "annotator": "Ada", "decision": "accept"},
            {"annotator": "Ada", "decision": "accept", "new_question": "Which?"},
            {"annotator": "Ada", "decision": "reject"},
            {"annotator": "Ada", "decision": "accept"},
        ),
        *filled({}, {}, {"annotator": "ada", "decision": "accept"}),
    ]
    for row in rows:
        row["evidence"] = ""  # so that a row is a line
    taken = take_in(store, SUBJECT, IDS, saved(tmp_path / "form.csv", rows))
    assert [re.sub(r"^.*?(line \d+): ", r"\1 ", fault) for fault in taken.faults] == [
        "line 2 the decision is 'perhaps' and must be accept, reject, edit or nothing",
        "line 3 the grade of fluency is 'good' and must be 1 to 5",
        "line 4 the annotator's name is '' and must have 1 to 80 characters",
        "line 5 it says edit and holds neither a new question nor new answers",
        "line 6 the item 'q-none' is not under review",
        "line 7 it holds new words, but the decision is not edit",
        f"line 12 ada has said something of {IDS[2]} in an earlier row",
    ]
    assert (taken.rows, taken.empty) == (2, 2)
    assert {each.item for each in store.said("Ada")} == {IDS[2], IDS[3]}


def test_a_comment_that_was_split_by_its_comma_is_told(tmp_path: Path, store: Store) -> None:
    head = "id,annotator,decision,relevance,accuracy,completeness,coherence,fluency,comment"
    (tmp_path / "form.csv").write_text(f"{head}\n{IDS[0]},Ada,accept,,,,,,good, but long\n{IDS[1]},Ada,accept\n")
    taken = take_in(store, SUBJECT, IDS, tmp_path / "form.csv")
    assert taken.rows == 1 and [fault.partition(": ")[2] for fault in taken.faults] == [
        "it has 10 cells, the first row 9: put quotes round text"
    ]


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"a,b\n1,2\n", "has no column id"),
        (b"", "has no column id"),
        (b"id,decision\xff\n", "is not UTF-8"),
        (b'id,decision,relevance,accuracy,completeness,coherence,fluency,comment\n"a"b,c\n', "no CSV from line 2"),
    ],
)
def test_what_is_no_table_is_told(tmp_path: Path, store: Store, content: bytes, fault: str) -> None:
    path = tmp_path / "form.csv"
    path.write_bytes(content)
    with pytest.raises(InputError, match=fault):
        take_in(store, SUBJECT, IDS, path)


def test_no_cell_is_a_formula_and_an_id_that_looks_like_one_comes_back(tmp_path: Path) -> None:
    odd = Item("=1+1", "=HYPERLINK(1)?", ("-3 degrees",), "simple", "", "en", (), answerable=True)
    subject = Subject(Path("golden.jsonl"), (odd,))
    row = next(csv.DictReader(io.StringIO(table(subject, [odd.id]).removeprefix("\ufeff"))))
    assert (row["id"], row["question"], row["golden_answers"]) == ("'=1+1", "'=HYPERLINK(1)?", "'-3 degrees")
    store = Store(tmp_path / "odd.sqlite")
    store.begin(subject)
    path = saved(tmp_path / "form.csv", [row | {"annotator": "Ada", "decision": "accept"}])
    assert take_in(store, subject, [odd.id], path).rows == 1


def test_of_answers_the_table_has_what_was_said_and_retrieved() -> None:
    answer = Answer(IDS[0], "48 barrels", (Passage("depots.md", 0, 12),))
    subject = Subject(Path("answers.jsonl"), SUBJECT.items[:1], DOCUMENTS, {IDS[0]: answer})
    row = next(csv.DictReader(io.StringIO(table(subject, IDS[:1], "Ada").removeprefix("\ufeff"))))
    assert (row["answer"], row["retrieved"], row["annotator"]) == ("48 barrels", "Depot 0 keep", "Ada")
    assert "new_question" not in row


# ---- the page as a form ------------------------------------------------------------------------------


def form(**changed: Any) -> dict[str, Any]:
    row = {"id": IDS[0], **Judgement("accept", {"fluency": 3}).to_json()}
    return {"review": key(IDS), "annotator": "Ada", "judgements": [row]} | changed


def test_what_the_form_saved_comes_in(tmp_path: Path, store: Store) -> None:
    path = tmp_path / "form.json"
    tried = {"id": IDS[1], "decision": "reject", "question": "words tried and given up", "answers": ["x"]}
    path.write_text(json.dumps(form(judgements=[*form()["judgements"], tried, {"id": IDS[2]}, 7])), encoding="utf-8")
    taken = take_in(store, SUBJECT, IDS, path)
    assert (taken.rows, taken.empty) == (2, 1)
    assert taken.faults == (
        f"{path}, judgement 4: 7 is no judgement: it must be an object with decision, grades and comment",
    )
    assert {each.item: each.judgement for each in store.said("Ada")} == {
        IDS[0]: Judgement("accept", {"fluency": 3}),
        IDS[1]: Judgement("reject"),
    }


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        ("{", "is not JSON"),
        ("[]", "is no form of a review"),
        (json.dumps(form(review="r-other")), "the form of another review"),
    ],
)
def test_what_is_no_form_is_told(tmp_path: Path, store: Store, content: str, fault: str) -> None:
    (tmp_path / "form.json").write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=fault):
        take_in(store, SUBJECT, IDS, tmp_path / "form.json")


def test_the_form_asks_nobody_and_text_of_documents_stays_text() -> None:
    shown = page(SUBJECT, IDS, form=True)
    assert "connect-src &#39;none&#39;" in shown
    assert not re.search(r"""(src|href)=["'](?!data:)""", shown)
    assert shown.count("<script") == 2, "the data and the page's own"
    assert "&lt;script&gt;window.ran" in shown and "<img" not in shown and "{{ 7 * 7 }}" in shown
    assert page(SUBJECT, IDS, form=True) == shown, "the same bytes"
