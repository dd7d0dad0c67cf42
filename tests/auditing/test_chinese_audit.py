"""Rules of the audit that look for words, on Chinese text."""

from __future__ import annotations

from dataclasses import replace

import pytest
from planted import read_markdown

from kgsynth.auditing.answer_support import _places
from kgsynth.auditing.flow import check_set
from kgsynth.auditing.question_wording import names_of
from kgsynth.base.records import Item
from kgsynth.documents.structure import structure
from kgsynth.evidence.list_answers import said
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


# ---- planted defects -----------------------------------------------------------------------------------

DAYS = "云雀网关最多可以缓存7天的数据，并且在每天晚上把前一天的读数上传到禾图平台。"
FULL = "如果断网时间超过7天，云雀网关会先删除最早的数据，然后继续缓存新的数据。"
GATEWAY = f"# 云雀网关\n\n{DAYS}{FULL}\n"
CONTROLLER = "# 甘霖控制器\n\n甘霖控制器最多控制8个阀门。甘霖控制器由郝知远在2019年设计。\n"
DOCUMENTS = {"网关.md": read_markdown("网关.md", GATEWAY), "控制器.md": read_markdown("控制器.md", CONTROLLER)}
VALVES = "甘霖控制器最多控制8个阀门。"


def asked(question: str, answer: str, doc: str, evidence: str, ident: str = "q-1") -> Item:
    document = DOCUMENTS[doc]
    start = document.text.index(evidence)
    return Item(ident, question, (answer,), "simple", "", "zh", ((document.span(start, start + len(evidence)),),))


def codes(*items: Item) -> set[str]:
    findings = check_set(Dataset(items), DOCUMENTS).findings
    return {each.code for each in findings if each.item} - {"id", "length", "schema"}


GOOD = asked("云雀网关最多可以缓存多少天的数据？", "7天", "网关.md", DAYS)


@pytest.mark.parametrize(
    ("item", "code"),
    [
        (GOOD, ""),
        (asked("如果断网时间超过7天，云雀网关会怎样？", "先删除最早的数据", "网关.md", FULL), ""),
        (asked("为什么断网时间超过7天，云雀网关会先删除最早的数据？", "然后继续缓存", "网关.md", FULL), ""),
        (
            asked(FULL[2:-1].replace("最早的数据", "什么") + "？", "最早的数据", "网关.md", FULL),
            "copied",
        ),
        (replace(GOOD, golden_answers=("9天",)), "evidence"),
        (replace(GOOD, golden_answers=("郝知远",)), "kind"),
        (replace(GOOD, evidence=asked("", "", "控制器.md", VALVES).evidence), "evidence"),
        (replace(GOOD, question="它最多可以缓存多少天的数据？"), "self_contained"),
        (replace(GOOD, question="该网关最多可以缓存多少天的数据？"), "self_contained"),
        (replace(GOOD, question="上述网关最多可以缓存多少天的数据？"), "self_contained"),
        (replace(GOOD, question="云雀网关最多可以缓存7天的数据吗？"), "leaking"),
        (replace(GOOD, question="甘霖控制器最多可以缓存多少天的数据？"), "subject"),
        (replace(GOOD, question="郝知远最多可以缓存多少天的数据？"), "subject"),
        (replace(GOOD, question="How many days of data are kept there?"), "language"),
    ],
)
def test_a_planted_defect_is_found(item: Item, code: str) -> None:
    found = codes(item)
    assert code in found if code else not found, found


def test_a_question_asked_twice_is_found() -> None:
    assert codes(GOOD, replace(GOOD, id="q-2")) == {"duplicate"}
    assert codes(GOOD, replace(GOOD, id="q-2", question="请问云雀网关最多可以缓存多少天的数据？")) == {"near_duplicate"}


def test_evidence_of_another_document_than_that_of_the_derivation_is_found() -> None:
    """A derivation from the layout names a document and a fact, and no place in the text."""
    table = "# 土壤传感器\n\n| 型号 | 电池寿命 |\n|---|---|\n| 田讯1号 | 12个月 |\n| 田讯2号 | 24个月 |\n"
    sensors = read_markdown("传感器.md", table)
    cell = next(fact for fact in structure(sensors) if said(fact) == "24个月")
    steps = [{"fact": cell.id, "doc": sensors.id}]
    row = sensors.span(table.index("| 田讯2号"), len(table) - 1)
    good = replace(
        GOOD,
        question="田讯2号的电池寿命是多少？",
        golden_answers=("24个月",),
        evidence=((row,),),
        derivation={"operator": "said", "steps": steps},
    )
    documents = {**DOCUMENTS, sensors.id: sensors}
    wrong = replace(good, evidence=GOOD.evidence)
    found, none = (
        [each.message for each in check_set(Dataset([item]), documents).findings if each.code == "derivation"]
        for item in (wrong, good)
    )
    assert (found, none) == (["the derivation uses 传感器.md, which is not in the evidence"], [])
