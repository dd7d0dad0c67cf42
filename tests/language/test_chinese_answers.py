"""What a system answered in Chinese: denials, alternatives, changed values, other values, the same value."""

from __future__ import annotations

import pytest

from kgsynth.language import chinese as zh

WHERE = ["仓库在哪里？"]


@pytest.mark.parametrize(
    ("answer", "kept"),
    [
        ("仓库在北京。", "仓库在北京。"),
        ("不在上海，在北京。", "在北京。"),
        ("在北京，而不是上海。", "在北京，。"),
        ("在北京而非上海。", "在北京。"),
        ("不是上海，而是北京。", "，而是北京。"),
        ("倉庫並不是在上海，是在北京。", "倉庫，是在北京。"),
        ("在上海，但这是错的。", ""),
        ("以前在上海，现在在北京。", "现在在北京。"),
        ("不太可能在上海，在北京。", "在北京。"),
        ("是不是在北京？", "是不是在北京？"),
    ],
)
def test_what_an_answer_denies_is_left_out(answer: str, kept: str) -> None:
    assert zh.affirmed(answer, WHERE, ["北京"], ["仓库在北京。"]) == kept


def test_a_denial_in_the_source_excuses_one_in_the_answer() -> None:
    assert zh.affirmed("不得在室内吸烟。", [], ["室内"], ["室内禁止吸烟。"]) == "不得在室内吸烟。"
    assert zh.affirmed("没有上级批准。", ["谁没有批准？"], ["上级"], []) == "没有上级批准。"


def test_clauses_that_guess_are_no_statements() -> None:
    assert zh.statements("我不知道，但牌子上写着北京。可能是上海。") == ["我不知道，", "但牌子上写着北京。"]


@pytest.mark.parametrize(
    ("answer", "evidence", "hedged"),
    [
        ("北京", [], False),
        ("北京或上海", [], True),
        ("上海還是北京", [], True),
        ("北京或上海", ["仓库在北京或上海。"], False),
        ("可能是北京，也可能是上海。", [], False),
        ("上海、北京、广州", [], True),
        ("上海、北京、广州", ["上海、北京和广州都有仓库。"], False),
        ("北京，中国", [], False),
    ],
)
def test_an_answer_that_offers_others(answer: str, evidence: list[str], hedged: bool) -> None:
    assert zh.hedged(answer, WHERE, ["北京"], evidence) is hedged


@pytest.mark.parametrize(
    ("answer", "evidence", "changed"),
    [
        ("62公斤", [], False),
        ("约62公斤", [], False),
        ("不到62公斤", [], True),
        ("超过62公斤", [], True),
        ("62公斤的一半", [], True),
        ("2至62公斤", [], True),
        ("62公斤以上", [], True),
        ("不到62公斤", ["重量低于62公斤。"], False),
        ("80公斤", [], False),
    ],
)
def test_words_beside_a_value_change_it(answer: str, evidence: list[str], changed: bool) -> None:
    assert zh.changed(answer, "有多重？", ["62公斤"], evidence, []) is changed


@pytest.mark.parametrize(
    ("answer", "golden", "question", "same"),
    [
        ("六十二千克", "62公斤", "", True),
        ("成立于二〇一八年三月。", "2018年3月", "", True),
        ("2018年", "2018年3月", "", False),
        ("三万元", "30,000元", "", True),
        ("三萬元", "3万元", "", True),
        ("两周", "14天", "", True),
        ("28", "28天", "一共有多少天？", True),
        ("28", "28天", "有多长时间？", False),
        ("不到62公斤", "62公斤", "", False),
        ("百分之五", "5%", "", True),
    ],
)
def test_the_same_value_in_another_form(answer: str, golden: str, question: str, same: bool) -> None:
    assert zh.same_value(answer, golden, question) is same


def test_words_in_one_form() -> None:
    assert (
        zh.content_stems("李明負責安裝的水泵")
        == zh.content_stems("李明负责安装了水泵")
        == ["李明", "负责", "安装", "水泵"]
    )
    assert zh.content_stems("它的呢") == []
    assert zh.answer_form("九臺水泵。") == zh.answer_form("9台水泵") == "9台水泵"
    assert zh.name_form("「臺灣大學」") == "台湾大学"
    assert zh.bare_name("李明先生") == "李明"
    assert zh.listed(["仓库", "磨坊", "码头"]) == "仓库、磨坊和码头"
    assert zh.singular("员工们") == "员工"
    assert zh.is_name("葡萄牙") and not zh.is_name("病假")
    assert zh.is_common_word("水泵") and not zh.is_common_word("redis")
