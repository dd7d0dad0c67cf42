"""Files of answers made elsewhere: rows with the question instead of an id, JSON arrays, and tables."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from kgsynth.base.errors import InputError
from kgsynth.base.records import Answer, Item, Passage
from kgsynth.reviewing.subject import open_subject
from kgsynth.scoring.flow import score
from kgsynth.scoring.systems.answers_file import read_answers

WHO = Item("q-1", "Who leads\nthe Linnet team?", ("Ada",), "simple", "factoid", "en", ())
WHERE = Item("q-2", "Where is the kiln?", ("Halifax",), "simple", "factoid", "en", ())
SET = [WHO, WHERE]
ROWS = [
    {"question": " Who leads the  Linnet team?", "answer": "Ada", "retrieved": [{"text": "Ada leads it."}]},
    {"id": "q-2", "answer": "Halifax", "latency_s": 0.5},
]
EXPECTED = {
    "q-1": Answer("q-1", "Ada", (Passage(text="Ada leads it."),)),
    "q-2": Answer("q-2", "Halifax", (), 0.5),
}


def written(path: Path, content: object) -> Path:
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.jsonl", "\n".join(map(json.dumps, ROWS))),
        ("a.json", ROWS),
        ("a.json", {"answers": ROWS}),
        ("a.json", {"model": "mine", "results": ROWS}),
        ("a.json", {"data": ROWS}),
        (
            "a.csv",
            "id,Question,answer,contexts,latency_s\n"
            ",Who leads the Linnet team?,Ada,\"['Ada leads it.']\",\nq-2,,Halifax,,0.5\n",
        ),
        ("a.csv", "question;answer;contexts\nWho leads the Linnet team?;Ada;Ada leads it.\n"),
    ],
)
def test_rows_are_matched_by_id_or_by_question(tmp_path: Path, name: str, content: object) -> None:
    answers = read_answers(written(tmp_path / name, content), items=SET)
    assert answers == {key: EXPECTED[key] for key in answers}
    assert len(answers) == 1 + ("q-2" in str(content))


def test_columns_of_other_tools_and_a_file_with_one_row(tmp_path: Path) -> None:
    ragas = {"user_input": [WHO.question, WHERE.question], "response": ["Ada", "Halifax"]}
    answers = read_answers(written(tmp_path / "ragas.json", ragas), items=SET)
    assert {key: each.answer for key, each in answers.items()} == {"q-1": "Ada", "q-2": "Halifax"}
    one = read_answers(written(tmp_path / "one.json", {"id": "q-2", "answer": ["Halifax"]}), items=SET)
    assert one["q-2"].answer == "Halifax"


def test_an_id_that_the_set_does_not_have_gives_way_to_the_question(tmp_path: Path) -> None:
    rows = [{"id": 7, "question": WHERE.question, "answer": "Halifax"}, {"id": "other", "answer": "?"}]
    assert read_answers(written(tmp_path / "a.json", rows), items=SET)["q-2"].answer == "Halifax"
    assert read_answers(written(tmp_path / "b.json", [{"id": 7, "answer": "?"}]), items=SET)["7"].answer == "?"


TWICE = [*SET, Item("q-3", "Where is the  kiln?", ("Salina",), "simple", "factoid", "en", ())]


@pytest.mark.parametrize(
    ("rows", "items", "problem"),
    [
        (
            [{"question": "Who?", "answer": "Ada"}],
            SET,
            "entry 1: the question 'Who\\?' is not in the golden set: correct",
        ),
        ([ROWS[1], {"question": WHERE.question}], TWICE, "entry 2: 2 questions of the golden set are 'Where is the k"),
        (
            [ROWS[0], ROWS[0]],
            SET,
            "entry 2: the question 'Who leads the Linnet team\\?' was answered before, in .*entry 1",
        ),
        ([ROWS[0], {"answer": "Ada"}], SET, "entry 2 is not an answer record .*has neither an id nor a question"),
        (["Ada"], SET, "entry 1 is not an answer record: 'Ada' is not an object"),
        ([], SET, "a.json has no answers"),
        (
            [{"id": "q-2", "question": "who leads  the Linnet Team?", "answer": "Ada"}],
            SET,
            "entry 1: the id 'q-2' is that of the question 'Where is the kiln\\?', but the row has the question "
            "'who leads the Linnet Team\\?': correct one of them",
        ),
        ([{"id": "q-1", "answer": "Ada", "latency_s": "x"}], SET, "record .the latency_s is 'x', not a finite number"),
    ],
)
def test_a_row_that_belongs_to_no_question_is_named(
    tmp_path: Path, rows: list[object], items: list[Item], problem: str
) -> None:
    with pytest.raises(InputError, match=problem):
        read_answers(written(tmp_path / "a.json", rows), items=items)


def test_score_and_review_take_such_files(tmp_path: Path) -> None:
    path = written(tmp_path / "mine.json", {"answers": ROWS})
    assert score(SET, str(path)).metrics["em"].value == 1.0
    sampled = score(SET, str(path), sample="1")
    assert sampled.metrics["em"].value == 1.0, "rows of the set's other questions are not unknown"
    with pytest.raises(InputError, match=r"'Who\?' is not in the golden set"):
        score(SET, str(written(tmp_path / "other.json", [{"question": "Who?", "answer": "Ada"}])))
    lines = [
        {"id": each.id, "question": each.question, "golden_answers": each.golden_answers, "question_type": "simple",
         "subtype": "factoid", "language": "en", "evidence": []} for each in SET
    ]  # fmt: skip
    golden = written(tmp_path / "golden.jsonl", "\n".join(map(json.dumps, lines)))
    assert open_subject(golden, path).answers["q-1"].answer == "Ada"


def test_an_id_and_a_question_that_agree_but_for_case_and_space_are_accepted(tmp_path: Path) -> None:
    rows = [{"id": "q-1", "question": "WHO leads the  Linnet team?", "answer": "Ada"}]
    assert read_answers(written(tmp_path / "a.json", rows), items=SET)["q-1"].answer == "Ada"


def test_questions_match_but_for_case_and_the_last_mark(tmp_path: Path) -> None:
    rows = [{"question": "who leads the Linnet team", "answer": "Ada"}]
    assert read_answers(written(tmp_path / "a.json", rows), items=SET)["q-1"].answer == "Ada"
    items = [*SET, replace(SET[0], id="q-9", question="who leads the linnet team")]
    rows = [{"question": "who leads the linnet team", "answer": "Bea"}]
    assert list(read_answers(written(tmp_path / "a.json", rows), items=items)) == ["q-9"], "the exact one counts"


def test_rows_with_an_unknown_id_are_counted_in_a_note(tmp_path: Path) -> None:
    rows = [*ROWS, {"id": "q-8", "answer": "?"}, {"id": "q-9", "question": "Which kiln?", "answer": "?"}]
    path = written(tmp_path / "mine.json", rows)
    note = "2 of 4 rows of mine.json were not used: the golden set has no question with the id, such as 'q-8'"
    assert note in score(SET, str(path)).notes
    assert not score(SET, str(written(tmp_path / "all.json", ROWS)), sample="1").notes[2:]
