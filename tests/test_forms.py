"""The forms of each language: the example of a row is its test, and nothing in the files of data is without a use."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

import kgsynth
from kgsynth.language.english import forms as english
from kgsynth.language.english.lexicon import ENGLISH
from kgsynth.language.lexicon import Asker, Form, Lexicon

ROOT = Path(kgsynth.__file__).parent
CODE = "\n".join(file.read_text(encoding="utf-8") for file in sorted(ROOT.rglob("*.py")))
ASKED: dict[str, Callable[..., str]] = {
    "heading": english.heading_question,
    "lead_in": english.lead_in_question,
    "list_heading": english.heading_list_question,
    "cell": english.cell_question,
    "description": english.description_question,
    "term": english.term_question,
}
ROWS = [(kind, number, form) for kind, rows in ENGLISH.forms.items() for number, form in enumerate(rows)]
EACH_ROW = pytest.mark.parametrize(
    ("kind", "number", "form"), ROWS, ids=[f"{kind}-{form.pattern.pattern[:30]}" for kind, _, form in ROWS]
)


@EACH_ROW
def test_a_row_asks_what_its_example_says(kind: str, number: int, form: Form) -> None:
    assert ASKED[kind](**form.example) == form.asks


@EACH_ROW
def test_the_example_of_a_row_needs_that_row(
    kind: str, number: int, form: Form, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = ENGLISH.forms[kind]
    alone = [form] if form.ask else [*rows[:number], *rows[number + 1 :]]
    monkeypatch.setitem(ENGLISH.forms, kind, alone)
    assert (ASKED[kind](**form.example) == form.asks) is bool(form.ask)


@pytest.mark.parametrize("lexicon", [ENGLISH], ids=["en"])
def test_every_class_and_pattern_is_used_and_every_one_used_is_there(lexicon: Lexicon) -> None:
    data = (ROOT / "language" / "en.toml").read_text(encoding="utf-8")
    used = {*re.findall(r"\{([a-z]\w*)\}", data)}
    used |= {test.lstrip("!") for _, _, form in ROWS for need in form.needs for test in need.split()[1:]}
    named = {*re.findall(r"(?:WORDS|PATTERNS|sources)\[[\"'](\w+)[\"']\]", CODE)}
    known = set(lexicon.patterns.sources)
    assert not known - used - named
    assert not named - known


def test_a_need_is_a_part_in_a_shape_and_the_tests_that_it_passes_or_fails() -> None:
    lexicon = Lexicon("en")
    rows = [
        Form(
            re.compile("(?P<one>.*) and (?P<two>.*)"), {}, ["one:upper small", "values !small", "!kind"], "{one:upper}?"
        )
    ]
    lexicon.forms["pair"] = rows
    ask = Asker(lexicon, {"small": lambda text: len(text) < 3}, {"upper": lambda text, names: text.upper()})
    assert ask("pair", "ab and cde", values=["long", "longer"], kind="") == "AB?"
    assert ask("pair", "abc and cde", values=["long"], kind="") == "", "one is not small"
    assert ask("pair", "ab and cde", values=["long", "no"], kind="") == "", "a value is small"
    assert ask("pair", "ab and cde", values=["long"], kind="key") == "", "it has a kind"
