"""The forms of each language: the example of a row is its test, and nothing in the files of data is without a use."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

import kgsynth
from kgsynth.language.chinese import headings as chinese
from kgsynth.language.chinese.lexicon import CHINESE
from kgsynth.language.english import forms as english
from kgsynth.language.english.lexicon import ENGLISH
from kgsynth.language.lexicon import Asker, Form, Lexicon
from kgsynth.language.text_words import NOTE_KINDS, PARAMETER_TRAITS

ROOT = Path(kgsynth.__file__).parent
LANGUAGE = ROOT / "language"
FOLDERS = {"en": "english", "zh": "chinese"}
ASKED: dict[str, dict[str, Callable[..., str]]] = {
    "en": {
        "heading": english.heading_question,
        "document": english.topic_question,
        "lead_in": english.lead_in_question,
        "list_heading": english.heading_list_question,
        "cell": english.cell_question,
        "placed": english.placed_question,
        "members": english.record_question,
        "description": english.description_question,
        "term": english.term_question,
    },
    "zh": {
        "document": chinese.topic_question,
        "cell": chinese.cell_question,
        "members": chinese.record_question,
        "entry": chinese.entry_question,
        "use": chinese.entry_by_use,
        "lead_in": chinese.lead_in_question,
    },
}
FORMS = {"en": ENGLISH.forms, "zh": CHINESE.forms}
ROWS = [
    pytest.param(code, kind, number, id=f"{code}-{kind}-{number}")
    for code, forms in FORMS.items()
    for kind, rows in forms.items()
    for number in range(len(rows))
]


@pytest.mark.parametrize(("code", "kind", "number"), ROWS)
def test_a_row_asks_what_its_example_says(code: str, kind: str, number: int) -> None:
    form = FORMS[code][kind][number]
    assert ASKED[code][kind](**form.example) == form.asks


@pytest.mark.parametrize(("code", "kind", "number"), ROWS)
def test_the_example_of_a_row_needs_that_row(
    code: str, kind: str, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = FORMS[code][kind]
    form = rows[number]
    monkeypatch.setitem(FORMS[code], kind, [form] if form.ask else [*rows[:number], *rows[number + 1 :]])
    assert (ASKED[code][kind](**form.example) == form.asks) is bool(form.ask)


@pytest.mark.parametrize(
    ("code", "owner"),
    [("en", r"(?<!ANY\.)(?<!\w)"), ("zh", r"(?<!ANY\.)(?<!\w)"), ("any", r"ANY\.")],
)
def test_every_class_and_pattern_is_used_and_every_one_used_is_there(code: str, owner: str) -> None:
    data = (LANGUAGE / f"{code}.toml").read_text(encoding="utf-8")
    lexicon = Lexicon(LANGUAGE / f"{code}.toml")
    known = {*lexicon.words, *lexicon.patterns.sources}
    files = (file for file in sorted(ROOT.rglob("*.py")) if code == "any" or FOLDERS[code] in file.parts)
    source = "\n".join(file.read_text(encoding="utf-8") for file in files)
    named = {*re.findall(rf"{owner}(?:words|WORDS|patterns|PATTERNS|sources)\[[\"'](\w+)[\"']\]", source)}
    needs = {need for rows in lexicon.forms.values() for form in rows for need in form.needs}
    within = {*re.findall(r"\{([a-z]\w*)\}", data), *(test.lstrip("!") for need in needs for test in need.split()[1:])}
    listed = {*NOTE_KINDS, *(name for names in PARAMETER_TRAITS.values() for name in names)} if code == "any" else set()
    assert not known - named - within - listed
    assert not named - known


def test_a_need_is_a_part_in_a_shape_and_the_tests_that_it_passes_or_fails() -> None:
    lexicon = Lexicon(LANGUAGE / "en.toml")
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
