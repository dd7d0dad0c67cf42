"""The file of a review: what is drawn is remembered, the last word holds, nothing is lost, and nothing is mixed up."""

from __future__ import annotations

import sqlite3
import threading
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from reviewing import DOCUMENTS, ITEMS

from kgsynth.base.errors import ConfigError, InputError
from kgsynth.reviewing.judgement import Judgement, name_of, read
from kgsynth.reviewing.store import Store, store_of
from kgsynth.reviewing.subject import Subject

SUBJECT = Subject(Path("golden.jsonl"), ITEMS, DOCUMENTS)
ACCEPT, REJECT = Judgement("accept"), Judgement("reject", {"fluency": 2}, "no")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "golden.review.sqlite"


def test_a_sample_is_drawn_by_type_and_remembered(path: Path) -> None:
    ids = Store(path).begin(SUBJECT, "40%")
    kinds = Counter(item.question_type for item in ITEMS if item.id in ids)
    assert kinds == {"simple": 4, "reasoning": 2, "conditional": 2}, "two fifths of ten, five and five"
    assert list(ids) == [item.id for item in ITEMS if item.id in ids], "in the order of the set"
    assert Store(path).begin(SUBJECT) == ids == Store(path).begin(SUBJECT, "40%", 0)


def test_a_seed_draws_others_and_the_same_seed_the_same(tmp_path: Path) -> None:
    drawn = [Store(tmp_path / f"{n}.sqlite").begin(SUBJECT, "5", seed) for n, seed in enumerate((1, 1, 2))]
    assert drawn[0] == drawn[1] != drawn[2]


def test_another_sample_or_seed_is_refused_with_the_one_it_was_begun_with(path: Path) -> None:
    Store(path).begin(SUBJECT, "40%")
    with pytest.raises(ConfigError, match="begun with --sample 40%, not 10"):
        Store(path).begin(SUBJECT, "10")
    with pytest.raises(ConfigError, match="begun with --seed 0, not 3"):
        Store(path).begin(SUBJECT, seed=3)


def test_an_item_that_was_changed_since_is_named(path: Path) -> None:
    Store(path).begin(SUBJECT)
    changed = (*ITEMS[:3], replace(ITEMS[3], question="Where?"), *ITEMS[4:])
    with pytest.raises(InputError, match=f"1 of the 20 items under review, {ITEMS[3].id} among them"):
        Store(path).begin(replace(SUBJECT, items=changed))


def test_an_item_outside_the_sample_may_change(path: Path) -> None:
    ids = Store(path).begin(SUBJECT, "2")
    rest = next(item for item in ITEMS if item.id not in ids)
    fewer = tuple(item for item in ITEMS if item.id != rest.id)
    assert Store(path).begin(replace(SUBJECT, items=fewer)) == ids


def test_the_last_word_holds_and_the_earlier_ones_stay_on_file(path: Path) -> None:
    store = Store(path)
    first = store.begin(SUBJECT)[0]
    assert [store.say("Ada", [(first, each)]) for each in (ACCEPT, REJECT, REJECT)] == [1, 1, 0]
    assert [each.judgement for each in store.said("Ada")] == [REJECT]
    store.close()
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT count(*) FROM judgements").fetchone() == (2,)
    connection.close()


def test_a_name_goes_by_how_it_was_first_spelt_and_each_sees_the_own(path: Path) -> None:
    store = Store(path)
    a, b, *_ = store.begin(SUBJECT)
    store.say("Ada Berg", [(a, ACCEPT)])
    store.say("ada berg", [(b, REJECT)])
    store.say("Bo", [(b, ACCEPT)])
    assert store.annotators() == {"Ada Berg": 2, "Bo": 1}
    assert {each.item for each in store.said("ADA BERG")} == {a, b}
    assert [(each.annotator, each.judgement) for each in store.said("Bo")] == [("Bo", ACCEPT)]


def test_an_item_that_is_not_under_review_keeps_nothing_of_the_lot(path: Path) -> None:
    store = Store(path)
    first = store.begin(SUBJECT)[0]
    with pytest.raises(ValueError, match="'q-none' is not under review"):
        store.say("Ada", [(first, ACCEPT), ("q-none", ACCEPT)])
    assert store.said() == []


def test_two_annotators_at_once_lose_nothing(path: Path) -> None:
    ids = Store(path).begin(SUBJECT)

    def work(name: str) -> None:
        own = Store(path)  # a connection of its own, as of another process
        for item in ids:
            own.say(name, [(item, Judgement("accept", comment=f"{name} on {item}"))])
        own.close()

    workers = [threading.Thread(target=work, args=(name,)) for name in ("Ada", "Bo")]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert Store(path).annotators() == {"Ada": 20, "Bo": 20}


def test_the_review_of_answers_is_another(path: Path) -> None:
    from kgsynth.base.records import Answer

    Store(path).begin(SUBJECT)
    answered = replace(SUBJECT, answers={item.id: Answer(item.id, "x") for item in ITEMS})
    with pytest.raises(InputError, match="is a review of questions, not of answers"):
        Store(path).begin(answered)


def test_a_file_of_something_else_is_left_alone(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE mine (a)")
    connection.close()
    with pytest.raises(InputError, match="a database of another kind"):
        Store(path).begin(SUBJECT)


def test_where_it_lies() -> None:
    assert store_of(Path("runs/demo/golden.jsonl")) == Path("runs/demo/golden.review.sqlite")


# ---- judgements --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "fault"),
    [
        ([], "is no judgement"),
        ({"decision": "maybe"}, "the decision is 'maybe' and must be accept, reject, edit or nothing"),
        ({"decision": ["accept"]}, "the decision is"),
        ({"grades": {"fluency": 6}}, "the grade of fluency is 6 and must be 1 to 5"),
        ({"grades": {"fluency": True}}, "the grade of fluency is True"),
        ({"grades": {"beauty": 3}}, "'beauty' is no criterion"),
        ({"grades": [3]}, r"the grades are \[3\]"),
        ({"comment": 3}, "comment is 3 and must be text"),
        ({"comment": "x" * 20_001}, "comment has 20,001 characters and may have 20,000"),
        ({"comment": "\ud800"}, "half a character"),
        ({"answers": "Ada"}, "the answers are 'Ada' and must be a list"),
        ({"answers": [3]}, "an answer is 3"),
        ({"verdict": "good"}, "it has 'verdict', which is none of"),
    ],
)
def test_what_is_no_judgement_is_told_in_words(said: object, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        read(said)


def test_every_fault_is_told_at_once() -> None:
    with pytest.raises(ValueError, match=r"maybe.*; .*fluency is 9"):
        read({"decision": "maybe", "grades": {"fluency": 9}})


def test_answers_are_correct_or_wrong_and_questions_are_not() -> None:
    assert read({"decision": "wrong"}, "answers").decision == "wrong"
    with pytest.raises(ValueError, match="must be correct, wrong or nothing"):
        read({"decision": "accept"}, "answers")


def test_blanks_are_folded_and_a_comment_keeps_its_lines() -> None:
    judgement = read({"decision": "edit", "comment": " a\nb ", "question": " Who\n is it? ", "answers": [" Ada ", " "]})
    assert judgement == Judgement("edit", {}, "a\nb", "Who is it?", ("Ada",))


@pytest.mark.parametrize("name", ["", "  ", "x" * 81, None, "\ud800"])
def test_what_is_no_name(name: object) -> None:
    with pytest.raises(ValueError, match="name"):
        name_of(name)
