"""The codec must give back every record as it was, whatever text, number or absence it holds."""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from enum import Enum
from types import NoneType
from typing import get_args, get_origin, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgsynth.base import records as r
from kgsynth.base.records_json import from_json, to_json

TYPES: dict[object, st.SearchStrategy[object]] = {
    str: st.text(max_size=8),
    int: st.integers(0, 10**6),
    bool: st.booleans(),
}


def of(hint: object) -> st.SearchStrategy[object]:
    """A strategy for a type hint; it fills every field of a record, so a new field is tested as it comes."""
    if hint in TYPES:
        return TYPES[hint]
    if isinstance(hint, type) and issubclass(hint, Enum):
        return st.sampled_from(hint)
    if is_dataclass(hint):
        hints = get_type_hints(hint)
        TYPES[hint] = st.builds(hint, **{entry.name: of(hints[entry.name]) for entry in fields(hint)})
        return TYPES[hint]
    parts = get_args(hint)
    if get_origin(hint) is frozenset:
        return st.frozensets(of(parts[0]), max_size=3)
    if get_origin(hint) is tuple and parts[-1] is ...:
        return st.lists(of(parts[0]), max_size=2).map(tuple)
    if get_origin(hint) is tuple:
        return st.tuples(*(of(part) for part in parts))
    return st.one_of(*(st.none() if part is NoneType else of(part) for part in parts))


TYPES[float] = st.floats(allow_nan=False, allow_infinity=False)
record = st.one_of(*(of(kind) for kind in (r.Document, r.Chunk, r.Analysis, r.Answer, r.Entity)))
chunk = of(r.Chunk)


@settings(max_examples=60, deadline=None)
@given(record)
def test_every_record_comes_back_as_it_was(record: object) -> None:
    line = to_json(record)
    assert "\n" not in line
    assert from_json(type(record))(line) == record


@settings(max_examples=30, deadline=None)
@given(st.lists(chunk, max_size=3).map(tuple))
def test_a_list_of_records_is_one_line(chunks: tuple[r.Chunk, ...]) -> None:
    assert from_json(tuple[r.Chunk, ...])(to_json(chunks)) == chunks


def test_defaults_are_left_out_and_sets_are_sorted() -> None:
    phrase = r.Phrase("subject", "Ada", 0, 3, "ada", flags=frozenset({"person", "definite"}))
    assert json.loads(to_json(phrase)) == {
        "role": "subject",
        "text": "Ada",
        "start": 0,
        "end": 3,
        "head": "ada",
        "flags": ["definite", "person"],
    }


def test_chinese_is_kept_readable_and_half_a_surrogate_pair_becomes_one_character_that_can_be_written() -> None:
    assert "模型" in to_json(r.Mention("模型", "", "a.md", 0, 2))
    line = to_json(r.Mention("a\ud800", "", "a.md", 0, 2))
    line.encode()  # must be writable as UTF-8
    assert from_json(r.Mention)(line) == r.Mention("a?", "", "a.md", 0, 2)


@pytest.mark.parametrize("line", ["{", "[]", "3", '{"doc":"a.md"}'])
def test_a_line_that_is_no_such_record_is_a_value_error(line: str) -> None:
    with pytest.raises(ValueError) as raised:
        from_json(r.Span)(line)
    assert "\n" not in str(raised.value)
