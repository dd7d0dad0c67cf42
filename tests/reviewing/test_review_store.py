"""The file of a review: the sample is stored, the newest annotation counts, nothing is lost or mixed up."""

from __future__ import annotations

import ast
import re
import sqlite3
import threading
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from annotated import DOCUMENTS, ITEMS

from kgsynth.base.errors import ConfigError, InputError
from kgsynth.base.records import Item
from kgsynth.reviewing.annotation import Annotation, normalised_name, parse_annotation
from kgsynth.reviewing.store import ReviewStore, store_path
from kgsynth.reviewing.subject import Subject

SUBJECT = Subject(Path("golden.jsonl"), ITEMS, DOCUMENTS)
ACCEPT, REJECT = Annotation("accept"), Annotation("reject", {"fluency": 2}, "no")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "golden.review.sqlite"


def test_a_sample_is_drawn_by_type_and_stored(path: Path) -> None:
    ids = ReviewStore(path).begin(SUBJECT, "40%")
    types = Counter(item.question_type for item in ITEMS if item.id in ids)
    assert types == {"simple": 4, "reasoning": 2, "conditional": 2}, "40 % of ten, five and five"
    assert list(ids) == [item.id for item in ITEMS if item.id in ids], "in the order of the set"
    assert ReviewStore(path).begin(SUBJECT) == ids == ReviewStore(path).begin(SUBJECT, "40%", 0)


def test_the_sample_depends_on_the_seed_alone(tmp_path: Path) -> None:
    drawn = [ReviewStore(tmp_path / f"{n}.sqlite").begin(SUBJECT, "5", seed) for n, seed in enumerate((1, 1, 2))]
    assert drawn[0] == drawn[1] != drawn[2]


def test_another_sample_or_seed_is_refused_with_the_original_one(path: Path) -> None:
    ReviewStore(path).begin(SUBJECT, "40%")
    with pytest.raises(ConfigError, match="began with --sample 40%, not 10"):
        ReviewStore(path).begin(SUBJECT, "10")
    with pytest.raises(ConfigError, match="began with --seed 0, not 3"):
        ReviewStore(path).begin(SUBJECT, seed=3)


def test_an_item_that_was_changed_is_named(path: Path) -> None:
    ReviewStore(path).begin(SUBJECT)
    changed = (*ITEMS[:3], replace(ITEMS[3], question="Where?"), *ITEMS[4:])
    with pytest.raises(InputError, match=f"1 of the 20 items under review, such as {ITEMS[3].id}"):
        ReviewStore(path).begin(replace(SUBJECT, items=changed))


def test_an_item_may_move(path: Path) -> None:
    ReviewStore(path).begin(SUBJECT)
    moved = replace(ITEMS[3], evidence=tuple((replace(group[0], doc="b.md"),) for group in ITEMS[3].evidence))
    ReviewStore(path).begin(replace(SUBJECT, items=(*ITEMS[:3], moved, *ITEMS[4:])))
    assert len(ReviewStore(path).begin(SUBJECT)) == 20


def test_an_item_outside_the_sample_may_change(path: Path) -> None:
    ids = ReviewStore(path).begin(SUBJECT, "2")
    rest = next(item for item in ITEMS if item.id not in ids)
    fewer = tuple(item for item in ITEMS if item.id != rest.id)
    assert ReviewStore(path).begin(replace(SUBJECT, items=fewer)) == ids


def test_the_newest_annotation_counts_and_older_ones_stay_in_the_file(path: Path) -> None:
    store = ReviewStore(path)
    first = store.begin(SUBJECT)[0]
    assert [store.save("Ada", [(first, each)]) for each in (ACCEPT, REJECT, REJECT)] == [1, 1, 0]
    assert [each.annotation for each in store.annotations("Ada")] == [REJECT]
    store.close()
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT count(*) FROM judgements").fetchone() == (2,)
    connection.close()


def test_names_ignore_case_and_each_annotator_sees_only_own_annotations(path: Path) -> None:
    store = ReviewStore(path)
    a, b, *_ = store.begin(SUBJECT)
    store.save("Ada Berg", [(a, ACCEPT)])
    store.save("ada berg", [(b, REJECT)])
    store.save("Bo", [(b, ACCEPT)])
    assert store.decided_counts() == {"Ada Berg": 2, "Bo": 1}
    assert {each.item for each in store.annotations("ADA BERG")} == {a, b}
    assert [(each.annotator, each.annotation) for each in store.annotations("Bo")] == [("Bo", ACCEPT)]


def test_with_an_item_that_is_not_under_review_nothing_is_saved(path: Path) -> None:
    store = ReviewStore(path)
    first = store.begin(SUBJECT)[0]
    with pytest.raises(ValueError, match="'q-none' is not under review"):
        store.save("Ada", [(first, ACCEPT), ("q-none", ACCEPT)])
    assert store.annotations() == []


def test_two_annotators_at_once_lose_nothing(path: Path) -> None:
    ids = ReviewStore(path).begin(SUBJECT)

    def work(name: str) -> None:
        own = ReviewStore(path)  # an own connection, as another process has
        for item in ids:
            own.save(name, [(item, Annotation("accept", comment=f"{name} on {item}"))])
        own.close()

    workers = [threading.Thread(target=work, args=(name,)) for name in ("Ada", "Bo")]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert ReviewStore(path).decided_counts() == {"Ada": 20, "Bo": 20}


def test_a_review_of_answers_is_another_review(path: Path) -> None:
    from kgsynth.base.records import Answer

    ReviewStore(path).begin(SUBJECT)
    answered = replace(SUBJECT, answers={item.id: Answer(item.id, "x") for item in ITEMS})
    with pytest.raises(InputError, match="is a review of questions, not of answers"):
        ReviewStore(path).begin(answered)


def test_a_database_of_something_else_is_not_touched(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE mine (a)")
    connection.close()
    with pytest.raises(InputError, match="a database of another kind"):
        ReviewStore(path).begin(SUBJECT)


def test_the_file_lies_beside_the_set() -> None:
    assert store_path(Path("runs/demo/golden.jsonl")) == Path("runs/demo/golden.review.sqlite")


# ---- annotations -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "problem"),
    [
        ([], "is not an object with decision, grades and comment"),
        ({"decision": "maybe"}, "the decision is 'maybe' and must be accept, reject, edit or empty"),
        ({"decision": ["accept"]}, "the decision is"),
        ({"grades": {"fluency": 6}}, "the grade of fluency is 6 and must be 1 to 5"),
        ({"grades": {"fluency": True}}, "the grade of fluency is True"),
        ({"grades": {"beauty": 3}}, "'beauty' is not a criterion"),
        ({"grades": [3]}, r"the grades are \[3\]"),
        ({"comment": 3}, "comment is 3 and must be text"),
        ({"comment": "x" * 20_001}, "the comment has 20,001 characters and may have at most 20,000"),
        ({"comment": "\ud800"}, "half a character"),
        ({"answers": "Ada"}, "the answers are 'Ada' and must be a list"),
        ({"answers": [3]}, "an answer is 3"),
        ({"decision": "reject", "reasons": "WS"}, "the reasons are 'WS' and must be a list"),
        ({"decision": "reject", "reasons": ["S", "X"]}, "the reason 'X' is not one of W, S, A, C, U, T, V"),
        ({"decision": "reject", "reasons": [["S"]]}, r"the reason \['S'\] is not one of"),
        ({"decision": "accept", "reasons": ["S"]}, r"reasons for rejection \(S\), but the decision is not reject"),
        ({"seconds": -1}, "the seconds are -1 and must be a number from 0"),
        ({"seconds": float("nan")}, "the seconds are nan"),
        ({"seconds": True}, "the seconds are True"),
        ({"verdict": "good"}, "'verdict' is not one of the keys"),
    ],
)
def test_an_invalid_annotation_is_explained(values: object, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        parse_annotation(values)


def test_all_problems_are_reported_at_once() -> None:
    with pytest.raises(ValueError, match=r"maybe.*; .*fluency is 9"):
        parse_annotation({"decision": "maybe", "grades": {"fluency": 9}})


def test_reasons_are_stored_in_their_order_and_older_annotations_have_none(path: Path) -> None:
    store = ReviewStore(path)
    first, second, *_ = store.begin(SUBJECT)
    store.save("Ada", [(first, parse_annotation({"decision": "reject", "reasons": ["C", "W", "C"], "seconds": 3}))])
    store.close()
    old = '{"decision": "reject", "grades": {}, "comment": "", "question": "", "answers": []}'
    with sqlite3.connect(path) as connection:
        connection.execute("INSERT INTO judgements (annotator, item, said) VALUES ('Bo', ?, ?)", (second, old))
    connection.close()
    store = ReviewStore(path)
    assert [each.annotation for each in store.annotations()] == [
        Annotation("reject", reasons=("W", "C"), seconds=3.0),
        Annotation("reject"),
    ]
    assert store.save("Bo", [(second, Annotation("reject"))]) == 0, "the same annotation is not new"


def test_answers_are_correct_or_wrong_and_questions_are_not() -> None:
    assert parse_annotation({"decision": "wrong"}, "answers").decision == "wrong"
    with pytest.raises(ValueError, match="must be correct, wrong or empty"):
        parse_annotation({"decision": "accept"}, "answers")


def test_spaces_are_normalised_and_a_comment_keeps_its_lines() -> None:
    annotation = parse_annotation(
        {"decision": "edit", "comment": " a\nb ", "question": " Who\n is it? ", "answers": [" Ada ", " "]}
    )
    assert annotation == Annotation("edit", {}, "a\nb", "Who is it?", ("Ada",))


@pytest.mark.parametrize("name", ["", "  ", "x" * 81, None, "\ud800"])
def test_an_invalid_name_is_refused(name: object) -> None:
    with pytest.raises(ValueError, match="name"):
        normalised_name(name)


def test_a_damaged_annotation_is_reported(tmp_path: Path) -> None:
    store, path = ReviewStore(tmp_path / "r.sqlite"), tmp_path / "r.sqlite"
    subject = Subject(tmp_path / "golden.jsonl", (Item("q1", "Who?", ("Ada",), "simple", "factoid", "en", ()),))
    store.begin(subject)
    store.save("Ada", [("q1", Annotation("accept"))])
    for said in ("[" * 5000, "NaN", "{", '{"decision": 5}', '{"comment": "\\ud800"}'):
        with sqlite3.connect(path) as connection:
            connection.execute("UPDATE judgements SET said = ?", (said,))
        connection.close()
        with pytest.raises(InputError, match=r"r\.sqlite is damaged: what Ada said about q1 cannot be read"):
            store.annotations()
    store.close()


def test_the_day_of_an_annotation_and_its_tags_are_stored(path: Path) -> None:
    store = ReviewStore(path)
    store.begin(SUBJECT)
    said = parse_annotation({"decision": "accept", "tags": [" must  pass", "must pass", ""]})
    assert said.tags == ("must pass",) and parse_annotation({"decision": "accept"}).tags is None
    store.save("Ada", [(SUBJECT.items[0].id, said)])
    (kept,) = store.annotations()
    assert kept.annotation == said and re.fullmatch(r"\d{4}-\d\d-\d\d", kept.at)
    assert parse_annotation({"tags": []}).tags == (), "all tags are taken away"
    for wrong in ("'must'", "0", "None"):
        with pytest.raises(ValueError, match=f"the tags are {wrong} and must be a list"):
            parse_annotation({"tags": ast.literal_eval(wrong)})
    store.close()
