"""Review forms: import loses nothing, and every annotation with a problem is reported."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from annotated import DOCUMENTS, ITEMS
from bs4 import BeautifulSoup

from kgsynth.base.errors import InputError
from kgsynth.reviewing.annotation import Annotation
from kgsynth.reviewing.form import import_form
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


def test_the_letters_of_reasons_have_words() -> None:
    shown = BeautifulSoup(page(SUBJECT, IDS), "html.parser")
    words = [button.span.get_text() for button in shown.select("#reasons button") if button.span]
    assert words[0] == "not well formed" and words[-1] == "not worth asking" and len(words) == 7


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


def test_importing_a_file_again_changes_nothing(tmp_path: Path, store: ReviewStore) -> None:
    path = tmp_path / "form.json"
    path.write_text(json.dumps(form()), encoding="utf-8")
    assert [import_form(store, SUBJECT, IDS, path).new for _ in range(2)] == [1, 0]


def test_every_annotation_with_a_problem_is_reported_with_its_place_and_the_others_are_imported(
    tmp_path: Path, store: ReviewStore
) -> None:
    rows: list[dict[str, object]] = [
        {"id": IDS[0], "decision": "perhaps"},
        {"id": IDS[1], "decision": "accept", "grades": {"fluency": "good"}},
        {"id": IDS[2], "decision": "edit"},
        {"id": "q-none", "decision": "accept"},
        {"id": IDS[3], "decision": "accept"},
        {"id": IDS[3], "decision": "reject"},
    ]
    path = tmp_path / "form.json"
    path.write_text(json.dumps(form(judgements=rows)), encoding="utf-8")
    found = import_form(store, SUBJECT, IDS, path)
    assert [problem.removeprefix(f"{path}, ") for problem in found.problems] == [
        "annotation 1: the decision is 'perhaps' and must be accept, reject, edit or empty",
        "annotation 2: the grade of fluency is 'good' and must be 1 to 5",
        "annotation 3: the decision is edit, but there is no new question and no new answer",
        "annotation 4: the item 'q-none' is not under review",
        f"annotation 6: Ada has an earlier row for {IDS[3]}",
    ]
    assert found.rows == 1 and {each.item for each in store.annotations("Ada")} == {IDS[3]}


def test_a_form_without_a_name_needs_one(tmp_path: Path, store: ReviewStore) -> None:
    path = tmp_path / "form.json"
    path.write_text(json.dumps(form(annotator="")), encoding="utf-8")
    assert "the annotator's name is ''" in import_form(store, SUBJECT, IDS, path).problems[0]
    assert import_form(store, SUBJECT, IDS, path, "Bo").new == 1


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
