"""Rules of the audit that look for words, on Chinese text."""

from __future__ import annotations

import pytest

from kgsynth.auditing.answer_support import _places
from kgsynth.auditing.question_names import names_of
from kgsynth.base.records import Item
from kgsynth.language import LANGUAGES


def test_an_answer_is_found_between_chinese_characters_and_not_inside_a_latin_word() -> None:
    assert list(_places("仓库在北京南部。", ["北京"])) == [(3, 5)]
    assert list(_places("用FastAPI写。", ["FastAPI"])) == [(1, 8)]
    assert list(_places("用FastAPIs写。", ["FastAPI"])) == []
    assert list(_places("category", ["cat"])) == []


def test_a_latin_name_in_a_chinese_question_is_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LANGUAGES, "zh", "kgsynth.language.chinese")
    question = "2018年怎么用FastAPI写接口？"
    assert names_of(Item("q", question, ("1",), "simple", "", "zh", ())) == ["FastAPI"]
