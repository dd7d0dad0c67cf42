"""Review forms: export and import lose nothing, and every row with a problem is reported."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from annotated import DOCUMENTS, ITEMS
from bs4 import BeautifulSoup

from kgsynth.base.errors import InputError
from kgsynth.base.records import Answer, Item, Passage
from kgsynth.reviewing.annotation import Annotation
from kgsynth.reviewing.form import form_csv, import_form
from kgsynth.reviewing.page import page
from kgsynth.reviewing.store import ReviewStore, review_id
from kgsynth.reviewing.subject import Subject

SUBJECT = Subject(Path("golden.jsonl"), ITEMS[8:12], DOCUMENTS)
IDS = [item.id for item in SUBJECT.items]


@pytest.fixture
def store(tmp_path: Path) -> ReviewStore:
    store = ReviewStore(tmp_path / "golden.review.sqlite")
    store.begin(SUBJECT)
    return store


def filled(*rows: dict[str, str]) -> list[dict[str, str]]:
    """The exported table with these cells filled in, row by row."""
    out = list(csv.DictReader(io.StringIO(form_csv(SUBJECT, IDS).removeprefix("\ufeff"))))
    (reasons,) = [head for head in out[0] if head.startswith("reasons")]
    own = [{reasons if name == "reasons" else name: cell for name, cell in row.items()} for row in rows]
    return [row | cells for row, cells in zip(out, own, strict=False)]


def saved(path: Path, rows: list[dict[str, str]], delimiter: str = ",") -> Path:
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), delimiter=delimiter)
        writer.writeheader()
        writer.writerows(rows)
    return path


def test_the_letters_of_reasons_have_words() -> None:
    head = form_csv(SUBJECT, IDS).splitlines()[0]
    assert "reasons (W not well formed, S not self-contained, A not answerable, C not correct, U not unique, " in head
    shown = BeautifulSoup(page(SUBJECT, IDS), "html.parser")
    words = [button.span.get_text() for button in shown.select("#reasons button") if button.span]
    assert words[0] == "not well formed" and words[-1] == "not worth asking" and len(words) == 7


# ---- CSV ---------------------------------------------------------------------------------------------


def test_a_table_is_exported_and_imported_without_loss(tmp_path: Path, store: ReviewStore) -> None:
    rows = filled(
        {"annotator": "Ada", "decision": "Accept ", "fluency": "4.0", "relevance": "5", "comment": "a, b\n“c”"},
        {"annotator": "Ada", "decision": "edit", "new_question": "Which?", "new_answers": "x | y"},
        {},
        {"decision": "reject", "reasons": "s, W"},
    )
    found = import_form(store, SUBJECT, IDS, saved(tmp_path / "form.csv", rows), "Bo")
    assert (found.rows, found.new, found.empty, found.problems) == (3, 3, 1, ())
    assert {(each.annotator, each.item): each.annotation for each in store.annotations()} == {
        ("Ada", IDS[0]): Annotation("accept", {"relevance": 5, "fluency": 4}, "a, b\n“c”"),
        ("Ada", IDS[1]): Annotation("edit", question="Which?", answers=("x", "y")),
        ("Bo", IDS[3]): Annotation("reject", reasons=("W", "S")),
    }


def test_a_table_from_before_there_were_reasons_is_imported(tmp_path: Path, store: ReviewStore) -> None:
    (row,) = filled({"annotator": "Ada", "decision": "reject"})
    del row[next(head for head in row if head.startswith("reasons"))]
    assert import_form(store, SUBJECT, IDS, saved(tmp_path / "form.csv", [row])).problems == ()
    assert store.annotations()[0].annotation == Annotation("reject")


def test_places_in_the_evidence_column_are_joined_by_or_and_groups_by_and() -> None:
    first, second = SUBJECT.items[0].evidence[0], SUBJECT.items[1].evidence[0]
    item = replace(SUBJECT.items[0], evidence=(first + second, second))
    text = form_csv(replace(SUBJECT, items=(item,)), [item.id])
    row = next(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"))))
    a, b = (f"[{spans[0].doc}] {spans[0].text}" for spans in (first, second))
    assert row["evidence"] == f"{a}\nor\n{b}\nand\n{b}"


def test_importing_a_file_again_changes_nothing(tmp_path: Path, store: ReviewStore) -> None:
    path = saved(tmp_path / "form.csv", filled({"annotator": "Ada", "decision": "accept"}))
    assert [import_form(store, SUBJECT, IDS, path).new for _ in range(2)] == [1, 0]


def test_a_table_with_semicolons_is_read_too(tmp_path: Path, store: ReviewStore) -> None:
    path = saved(tmp_path / "form.csv", filled({"annotator": "Ada", "decision": "accept"}), ";")
    assert import_form(store, SUBJECT, IDS, path).rows == 1


def test_every_row_with_a_problem_is_reported_with_its_line_and_the_others_are_imported(
    tmp_path: Path, store: ReviewStore
) -> None:
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
    found = import_form(store, SUBJECT, IDS, saved(tmp_path / "form.csv", rows))
    assert [re.sub(r"^.*?(line \d+): ", r"\1 ", problem) for problem in found.problems] == [
        "line 2 the decision is 'perhaps' and must be accept, reject, edit or empty",
        "line 3 the grade of fluency is 'good' and must be 1 to 5",
        "line 4 the annotator's name is '' and must have 1 to 80 characters",
        "line 5 the decision is edit, but there is no new question and no new answer",
        "line 6 the item 'q-none' is not under review",
        "line 7 there is a new question or answer, but the decision is not edit",
        f"line 12 ada has an earlier row for {IDS[2]}",
    ]
    assert (found.rows, found.empty) == (2, 2)
    assert {each.item for each in store.annotations("Ada")} == {IDS[2], IDS[3]}


def test_a_comment_that_was_split_at_its_comma_is_reported(tmp_path: Path, store: ReviewStore) -> None:
    head = "id,annotator,decision,relevance,accuracy,completeness,coherence,fluency,comment"
    (tmp_path / "form.csv").write_text(f"{head}\n{IDS[0]},Ada,accept,,,,,,good, but long\n{IDS[1]},Ada,accept\n")
    found = import_form(store, SUBJECT, IDS, tmp_path / "form.csv")
    assert found.rows == 1 and [problem.partition(": ")[2] for problem in found.problems] == [
        "it has 10 cells, the first row 9: put quotes around text"
    ]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"a,b\n1,2\n", "has no column id"),
        (b"", "has no column id"),
        (b"id,decision\xff\n", "is not UTF-8"),
        (
            b'id,decision,relevance,accuracy,completeness,coherence,fluency,comment\n"a"b,c\n',
            "not valid CSV from line 2",
        ),
    ],
)
def test_an_invalid_table_is_reported(tmp_path: Path, store: ReviewStore, content: bytes, problem: str) -> None:
    path = tmp_path / "form.csv"
    path.write_bytes(content)
    with pytest.raises(InputError, match=problem):
        import_form(store, SUBJECT, IDS, path)


def test_no_cell_is_a_formula_and_an_id_that_looks_like_one_is_imported(tmp_path: Path) -> None:
    odd = Item("=1+1", "=HYPERLINK(1)?", ("-3 degrees",), "simple", "", "en", (), answerable=True)
    subject = Subject(Path("golden.jsonl"), (odd,))
    row = next(csv.DictReader(io.StringIO(form_csv(subject, [odd.id]).removeprefix("\ufeff"))))
    assert (row["id"], row["question"], row["golden_answers"]) == ("'=1+1", "'=HYPERLINK(1)?", "'-3 degrees")
    store = ReviewStore(tmp_path / "odd.sqlite")
    store.begin(subject)
    path = saved(tmp_path / "form.csv", [row | {"annotator": "Ada", "decision": "accept"}])
    assert import_form(store, subject, [odd.id], path).rows == 1


def test_a_table_of_answers_has_the_answer_and_the_retrieved_passages() -> None:
    answer = Answer(IDS[0], "48 barrels", (Passage("depots.md", 0, 12),))
    subject = Subject(Path("answers.jsonl"), SUBJECT.items[:1], DOCUMENTS, {IDS[0]: answer})
    row = next(csv.DictReader(io.StringIO(form_csv(subject, IDS[:1], "Ada").removeprefix("\ufeff"))))
    assert (row["answer"], row["retrieved"], row["annotator"]) == ("48 barrels", "Depot 0 keep", "Ada")
    assert "new_question" not in row


# ---- the page as a form ------------------------------------------------------------------------------


def form(**changed: Any) -> dict[str, Any]:
    row = {"id": IDS[0], **Annotation("accept", {"fluency": 3}).to_json()}
    return {"review": review_id(IDS), "annotator": "Ada", "judgements": [row]} | changed


def test_the_file_that_a_form_saved_is_imported(tmp_path: Path, store: ReviewStore) -> None:
    path = tmp_path / "form.json"
    abandoned = {
        "id": IDS[1],
        "decision": "reject",
        "reasons": ["V"],
        "question": "an edit begun and abandoned",
        "answers": ["x"],
    }
    path.write_text(
        json.dumps(form(judgements=[*form()["judgements"], abandoned, {"id": IDS[2]}, 7])), encoding="utf-8"
    )
    found = import_form(store, SUBJECT, IDS, path)
    assert (found.rows, found.empty) == (2, 1)
    assert found.problems == (f"{path}, annotation 4: 7 is not an object with decision, grades and comment",)
    assert {each.item: each.annotation for each in store.annotations("Ada")} == {
        IDS[0]: Annotation("accept", {"fluency": 3}),
        IDS[1]: Annotation("reject", reasons=("V",)),
    }


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("{", "is not JSON"),
        ("[]", "is not a review form"),
        (json.dumps(form(review="r-other")), "a form of another review"),
    ],
)
def test_an_invalid_form_is_reported(tmp_path: Path, store: ReviewStore, content: str, problem: str) -> None:
    (tmp_path / "form.json").write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=problem):
        import_form(store, SUBJECT, IDS, tmp_path / "form.json")


def test_alternatives_are_joined_by_or_and_groups_by_and_and_each_document_is_in_the_page_once() -> None:
    first, second = SUBJECT.items[0].evidence[0], SUBJECT.items[1].evidence[0]
    item = replace(SUBJECT.items[0], evidence=(first + second, second), golden_answers=("48", "48 barrels"))
    shown = page(replace(SUBJECT, items=(item,)), [item.id], form=True)
    assert '<p>48</p><small class="or">or</small><p>48 barrels</p>' in re.sub(r"\s*\n\s*", "", shown)
    assert (shown.count('<p class="or">or</p>'), shown.count('<p class="and">and</p>')) == (1, 1)
    data = json.loads(re.findall(r'id="data">(.*?)</script>', shown)[0])
    places = [[span.doc, span.start, span.end] for span in (*first, *second, *second)]
    assert data["evidence"] == {item.id: places}
    assert data["documents"] == {"depots.md": DOCUMENTS["depots.md"].text}


def test_the_form_contacts_no_server_and_document_text_is_escaped() -> None:
    shown = page(SUBJECT, IDS, form=True)
    assert "connect-src &#39;none&#39;" in shown
    assert not re.search(r"""(src|href)=["'](?!data:)""", shown)
    assert shown.count("<script") == 3, "that of every page, the data and the page's own"
    assert "&lt;script&gt;window.ran" in shown and "<img" not in shown and "{{ 7 * 7 }}" in shown
    assert page(SUBJECT, IDS, form=True) == shown, "the same bytes"


@pytest.mark.parametrize("item", [[None], {"a": 1}, 5, None])
def test_an_id_that_is_no_text_is_a_problem_of_its_row(tmp_path: Path, store: ReviewStore, item: object) -> None:
    path = tmp_path / "form.json"
    path.write_text(json.dumps(form(judgements=[{"id": item, "decision": "accept"}])), encoding="utf-8")
    found = import_form(store, SUBJECT, IDS, path)
    assert found.problems == (f"{path}, annotation 1: the item {str(item)!r} is not under review",)
