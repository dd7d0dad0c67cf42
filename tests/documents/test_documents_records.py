"""JSON, JSONL and YAML: records as rows, objects as sections."""

from __future__ import annotations

import json
import pickle
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgsynth.base.records import Document
from kgsynth.documents.assembly import assemble
from kgsynth.documents.readers import records
from kgsynth.documents.structure import structure
from kgsynth.documents.unsupported import UnsupportedFileError


def read(text: str) -> Document:
    return assemble(records.read(text), id="a/my_plans.json", format="json", sha256="")


def facts(document: Document, kind: str = "cell") -> dict[tuple[str, ...], tuple[str, ...]]:
    found = [fact for fact in structure(document) if fact.kind == kind]
    for fact in found:
        for part in (fact.subject, *fact.heads, *fact.values):
            assert document.plain(part.start, part.end) == part.text, "every span is the text at its place"
    return {
        (fact.subject.text, *(head.text for head in fact.heads)): tuple(value.text for value in fact.values)
        for fact in found
    }


ROWS = (
    '[{"price": 5, "id": 1, "plan": "Team", "tags": ["a", "b"]}, {"price": 9.5, "id": 2, "plan": "Pro", "open": true}]'
)


@pytest.mark.parametrize("text", [ROWS, "\n".join(json.dumps(row) for row in json.loads(ROWS))])
def test_records_are_rows_named_by_the_key_that_tells_them_apart(text: str) -> None:
    assert facts(read(text)) == {
        ("Team", "price"): ("5",),
        ("Team", "id"): ("1",),
        ("Team", "tags"): ("a, b",),
        ("Pro", "price"): ("9.5",),
        ("Pro", "id"): ("2",),
        ("Pro", "open"): ("true",),
    }


YAML = """
title: My plans
released: 2024-01-05
version: 1.10
mode: on
limits:
  rate: {per_minute: 60, burst: 010}
tags: [red, blue]
about: |
  A long text.

  With two paragraphs.
"""


def test_objects_are_sections_and_dates_and_numbers_stay_as_written() -> None:
    document = read(YAML)
    assert document.title == "My plans"
    assert [section.path[1:] for section in document.sections[1:]] == [
        ("limits",),
        ("limits", "rate"),
        ("tags",),
        ("about",),
    ]
    assert facts(document) == {
        ("title",): ("My plans",),
        ("released",): ("2024-01-05",),
        ("version",): ("1.10",),
        ("mode",): ("on",),
        ("per_minute",): ("60",),
        ("burst",): ("010",),
    }
    assert facts(document, "member") == {("tags",): ("red", "blue")}
    assert document.text.endswith("about\n\nA long text.\n\nWith two paragraphs.")


def test_questions_with_long_answers_are_asked_and_answered() -> None:
    long = "It takes a long time. " * 8
    document = read(json.dumps([{"question": "How long?", "answer": long}, {"question": "Who?", "answer": "Ada."}]))
    assert facts(document, "answers") == {("How long?",): (long.strip(),), ("Who?",): ("Ada.",)}


API = """
openapi: 3.0.3
info: {title: Depot API, version: 1.2.0, description: "Books **parcels**.\\n\\nIt is:\\n\\n- fast\\n- safe"}
servers: [{url: https://api.example.org, description: Production}]
paths:
  /users/{id}:
    parameters:
      - {name: id, in: path, required: true, schema: {type: string}, description: The `id` of a user.}
    get:
      summary: Get a user
      deprecated: true
      parameters:
        - {$ref: '#/components/parameters/Limit'}
        - {name: order, in: query, schema: {type: string, enum: [asc, desc], default: asc}}
        - {$ref: 'other.yaml#/x'}
      responses:
        '200': {description: The user., content: {application/json: {schema: {$ref: '#/components/schemas/User'}}}}
        404: {description: No such user.}
    post:
      requestBody:
        required: true
        content: {application/json: {schema: {type: object, required: [nick], properties: {nick: {type: string}}}}}
components:
  parameters:
    Limit: {name: limit, in: query, schema: {type: integer, default: 20}, description: How many.}
  schemas:
    User:
      description: Someone.
      required: [uuid]
      properties:
        uuid: {type: string, format: uuid}
        friends: {type: array, items: {$ref: '#/components/schemas/User'}}
        plan: {type: string, enum: [team, pro], default: team}
    Loop: {$ref: '#/components/schemas/Loop'}
"""


def test_the_description_of_an_interface_is_read_as_data() -> None:
    document = read(API)
    paths = [section.path[1:] for section in document.sections]
    assert ("paths", "/users/{id}", "get", "responses", "404") in paths
    assert ("components", "schemas", "User", "properties", "plan") in paths
    assert "description\tNo such user." in document.text
    assert "summary\tGet a user\ndeprecated\ttrue" in document.text


def _bomb(body: str) -> str:
    return "".join(f"a{level}: &a{level} {body.format(*[f'*a{level - 1}'] * 10)}\n" for level in range(1, 12))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"a": ', r"damaged: not JSON \(.*line 1"),
        ("[" * 5000, "nested more than 100 levels deep"),
        ("a: " + "[" * 3000 + "]" * 3000, "nested more than 100 levels deep"),
        ("a: &a [*a]", "nested more than 100 levels deep"),
        ("a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n" + _bomb("[{},{},{},{},{},{},{},{},{},{}]"), "aliases stand for too many"),
        ("a: b: c", "not YAML, line 1"),
        (
            json.dumps([{f"a{n}": n, f"b{n}": n} for n in range(3_500)]),
            r"^too large: it has a list of 3,500 records with 7,000 different keys",
        ),
    ],
)
def test_what_is_damaged_or_hostile_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(UnsupportedFileError, match=reason):
        records.read(text)


@pytest.mark.parametrize(
    "text", ['{"na\\ud800": "Ada \\ud83d"}', '{"na\\ud800": "Ada \\ud83d"}\n{"na\\ud800": "Ada \\ud83d"}']
)
def test_halves_of_characters_are_replaced(text: str) -> None:
    assert "Ada \ufffd" in records.read(text).text
    records.read(text).text.encode()


def test_merged_keys_do_not_grow_without_end_and_tags_of_programs_are_not_obeyed() -> None:
    merges = _bomb("{{{{<<: [{},{},{},{},{},{},{},{},{},{}]}}}}".replace("{{{{", "{{").replace("}}}}", "}}"))
    assert len(records.read("a0: &a0 {x: 1, y: 2}\n" + merges).text) < 500
    assert records.read("a: !Ref Depot\nb: !!python/object/apply:os.system [echo]\n").text.startswith("a\tDepot")


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.text(alphabet="{}[]:,-&*!|>'\"\n a1", max_size=5))
def test_damaged_text_is_read_or_refused(at: int, new: str) -> None:
    at %= len(API)
    for text in (API[:at] + new + API[at + len(new) :], ROWS[: at % len(ROWS)] + new):
        with suppress(UnsupportedFileError):
            structure(read(text))


def test_records_can_be_sent_to_another_process_before_their_cells_are_made() -> None:
    text = '[{"plan": "Team", "price": 5}, {"plan": "Solo", "price": 3}]'
    assert pickle.loads(pickle.dumps(read(text))) == read(text)
