"""Which sentences of the form "X is a Y" say what X is, and where the answer ends."""

from __future__ import annotations

import pytest
from test_writing_worth import asked_on, written


@pytest.mark.parametrize(
    ("sentence", "answer"),
    [
        (
            "A Pike record is a single line of text and may contain one or more fields.",
            "a single line of text and may contain one or more fields",
        ),
        (
            "A Pike payroll is a record of wages, net pay, and deductions for an employee.",
            "a record of wages, net pay, and deductions for an employee",
        ),
    ],
)
def test_the_members_of_a_series_belong_to_a_definition(sentence: str, answer: str) -> None:
    (found,) = written(sentence, "definition", "Pike records and payrolls").values()
    assert found == answer


@pytest.mark.parametrize(
    "sentence",
    [
        "The Pike limit is a positive integer and defaults to 1000.",
        "A Pike offset is a property of the Oslo interface, which is supported by pumps.",
        "A Pike loop is a special variable available inside Oslo templates.",
        "The Pike society is the outcome of social struggle, which helps to create a movement.",
        "Pike theory is a cornerstone in the teaching of engineering.",
    ],
    ids=["type", "belonging", "place", "opinion", "praise"],
)
def test_types_belonging_and_opinions_are_no_definitions(sentence: str) -> None:
    assert written(sentence, "definition", "Pike limits, offsets, loops, society and theory") == {}


def test_a_thing_that_two_sections_define_in_other_words_is_not_asked_for() -> None:
    pump, other = "A Pike pump is a machine that lifts water.", "A Pike pump is a gift for sailors with much money."
    assert asked_on(pump, "definition", "Pike pumps") == {"What is a Pike pump?"}
    assert asked_on(pump, "definition", "Pike pumps", f"# Pike gifts\n\n{other}") == set()


def test_a_sentence_that_the_parser_cuts_inside_a_name_is_no_definition() -> None:
    text = "Pike pads are pads that are allowed to overlap the board outline on the Edge.Cuts layer."
    assert not any(answer.endswith("the Edge") for answer in written(text, "definition", "Pike pads").values())
