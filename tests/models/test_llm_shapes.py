"""The shape of a reply: described in the prompt and to the server, and read from the text of the reply."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgsynth.models.llm.prompts import ShapeError, outline, read, schema, with_outline


@dataclass(frozen=True)
class Point:
    claim: str
    holds: bool


@dataclass(frozen=True)
class Verdict:
    reasoning: str
    grade: int
    points: tuple[Point, ...]
    title: Literal["good", "bad"]


POINTS = ({"claim": "it flies", "holds": True},)
GOOD = {"reasoning": "so", "grade": 4, "points": list(POINTS), "title": "good"}
TEXT = json.dumps(GOOD)
VERDICT = Verdict("so", 4, (Point("it flies", True),), "good")


@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        f"Sure!\n```json\n{TEXT}\n```\nLet me know {{if}} you need more.",
        f"The form is {{reasoning}}, so: {TEXT}",
        f"[{TEXT}]",
        f"{json.dumps(schema(Verdict))}\n{TEXT}",  # the schema first, then the reply
        f"{TEXT}\n{json.dumps(GOOD | {'grade': 1})}",  # the first that fits
        json.dumps({**GOOD, "confidence": 0.9, "points": [{**POINTS[0], "why": "wings"}]}),  # keys of its own
        json.dumps({**GOOD, "points": [{"claim": "it flies", "holds": "True"}]}),  # a boolean as a string
        json.dumps({**GOOD, "grade": "4"}),
        json.dumps(GOOD, indent=2),
    ],
)
def test_a_reply_is_read_from_any_surrounding_text(text: str) -> None:
    assert read(text, Verdict) == VERDICT


def test_line_breaks_in_a_string_are_accepted() -> None:
    assert read('{"claim": "it\nflies", "holds": false}', Point) == Point("it\nflies", False)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "it is empty"),
        (" \n", "it is empty"),
        ("I cannot help with that.", "it contains no JSON object"),
        (TEXT[: len(TEXT) // 2], "it contains no JSON object"),  # cut off
        (json.dumps(schema(Verdict)), "reasoning: Field required"),  # an echo of the schema
        (outline(Verdict), "it contains no JSON object"),  # an echo of the form
        (json.dumps({"reply": GOOD}), "reasoning: Field required"),  # wrapped in another
        (json.dumps({**GOOD, "points": [{"claim": "it flies", "holds": "maybe"}]}), "points.0.holds: "),
        (json.dumps({**GOOD, "points": "none"}), "points: Input should be a valid tuple"),
        (json.dumps({**GOOD, "reasoning": 4}), "reasoning: Input should be a valid string"),
        (json.dumps({**GOOD, "reasoning": None}), "reasoning: Input should be a valid string"),
        (json.dumps({**GOOD, "title": "fair"}), "title: Input should be 'good' or 'bad'"),
        (json.dumps({**GOOD, "reasoning": "half \ud83d"}), "reasoning contains half of a character"),
        ('{"a":' * 100_000, "it contains no JSON object"),  # deeper than Python reads
    ],
)
def test_the_error_of_an_unusable_reply_says_why(text: str, problem: str) -> None:
    with pytest.raises(ShapeError) as error:
        read(text, Verdict)
    assert str(error.value).startswith(problem)


@given(st.text(), st.text())
def test_any_string_is_read_back_after_any_text(claim: str, before: str) -> None:
    assert read(f"{before.replace('{', '(')} {json.dumps({'claim': claim, 'holds': True})}", Point).claim == claim


def test_the_schema_allows_no_other_properties_and_a_field_may_be_called_title() -> None:
    complete = schema(Verdict)
    point = complete["$defs"]["Point"]
    for node in (complete, point):
        assert node["additionalProperties"] is False
        assert node["required"] == list(node["properties"])  # as strict servers require
        assert "title" not in {key for key in node if key != "properties"}
    assert complete["properties"]["title"] == {"enum": ["good", "bad"], "type": "string"}


def test_a_prompt_ends_with_an_outline_of_the_shape() -> None:
    form = (
        '{"reasoning": string, "grade": integer, "points": [{"claim": string, "holds": boolean}, ...], '
        '"title": "good" | "bad"}'
    )
    assert outline(Verdict) == form
    assert with_outline("Judge it.", Verdict).startswith("Judge it.\n\n")
    assert with_outline("Judge it.", Verdict).endswith(f"nothing else:\n{form}")


def test_no_reply_raises_another_error() -> None:
    """Whatever a server sends, the result is a value or a ShapeError."""
    for text in ("{}", "[]", "null", "{}" * 50, '{"reasoning": NaN}', '{"grade": 1e999}', "\x00{\x00", '{"": {}}'):
        with pytest.raises(ShapeError):
            read(text, Verdict)
