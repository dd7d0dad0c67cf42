"""Rules of the audit that look for words, on Chinese text."""

from __future__ import annotations

import pytest

from kgsynth.auditing.answer_support import _places
from kgsynth.auditing.case import AuditCase
from kgsynth.auditing.question_names import names_of
from kgsynth.auditing.question_wording import copied
from kgsynth.base.records import Document, Item
from kgsynth.golden.dataset import Dataset
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


def test_a_question_on_a_clause_may_repeat_it_as_the_generator_lets_it() -> None:
    text = "为了防止管道爆裂，甘霖在水压超过0.6兆帕时会关闭所有阀门。"
    page = Document("a.md", text, "", "md", "", (), ())
    question = "为什么甘霖在水压超过0.6兆帕时会关闭所有阀门？"
    evidence = ((page.span(0, len(text)),),)
    why = Item("q-1", question, ("防止管道爆裂",), "reasoning", "purpose", "zh", evidence, {"operator": "purpose"})
    other = Item("q-2", question, ("防止管道爆裂",), "reasoning", "", "zh", evidence)
    assert [found.item for found in copied(AuditCase(Dataset([why, other]), {"a.md": page}))] == ["q-2"]
