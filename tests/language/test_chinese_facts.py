"""Chinese sentences, names and facts: what a form proves is read, and what it leaves in doubt is not."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from planted import read_markdown

from kgsynth.base.vocabulary import Flag
from kgsynth.language.chinese.clauses import Split, clauses, flags_of, sentences, subject_of
from kgsynth.language.chinese.names import aliases, is_person
from kgsynth.language.chinese.reading import analyse, read


def parts(text: str, known: frozenset[str] = frozenset()) -> list[dict[str, str]]:
    """The phrases of each fact of one sentence, by role."""
    found = read(Split(text, tuple(clauses(text)), known))
    return [{str(part.role): text[part.start : part.end] for part in fact.parts} for fact in found]


# ---- sentences -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("水泵停了。为什么？不知道！", ["水泵停了。", "为什么？", "不知道！"]),
        ("甲停了；乙没停。", ["甲停了；", "乙没停。"]),
        ("他说“停。再开。”然后走了。", ["他说“停。再开。”", "然后走了。"]),
        ("泵（见图。）停了。", ["泵（见图。）停了。"]),
        ("用 pip 3.11 安装 FastAPI. 然后启动", ["用 pip 3.11 安装 FastAPI. 然后启动"]),
        ("「停。」是口令。", ["「停。」是口令。"]),
        ("没有右括号（停了。又开了。", ["没有右括号（停了。", "又开了。"]),
    ],
)
def test_sentences_end_at_their_marks_but_not_inside_quotes_and_brackets(text: str, expected: list[str]) -> None:
    assert [text[start:end] for start, end in sentences(text)] == expected


def test_clauses_leave_figures_and_brackets_whole() -> None:
    text = "共1,200台，其中（大，小）各半：甲、乙。"
    assert [text[start:end] for start, end in clauses(text)] == ["共1,200台", "其中（大，小）各半", "甲、乙"]


# ---- subjects and names ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("云雀网关会先删除数据", "云雀网关"),
        ("青禾（简称）成立于2014年", "青禾（简称）"),
        ("用于研究的读数必须加密", "用于研究的读数"),
        ("FastAPI 使用类型提示", "FastAPI"),
        ("该功能会停止", ""),
        ("它会停止", ""),
        ("会停止", ""),
        ("全国范围内拥有9家店", ""),
        ("与李明结婚", ""),
    ],
)
def test_a_subject_is_a_noun_phrase_that_says_by_itself_what_it_means(text: str, subject: str) -> None:
    found = subject_of(text)
    assert (text[: found.end] if found else "") == subject


def test_a_frequent_noun_alone_does_not_say_which_one(move: Callable[[str, float], None]) -> None:
    assert Flag.LOOSE in flags_of("比赛")
    assert Flag.LOOSE not in flags_of("试用期")
    move("common_noun_frequency", 100)
    assert Flag.LOOSE in flags_of("试用期")


@pytest.mark.parametrize(
    ("text", "person"),
    [("沈若溪", True), ("欧阳明日", True), ("保罗·皮尔斯", True), ("总经理", False), ("安装", False), ("高度", False)],
)
def test_a_person_has_a_surname_or_a_point(text: str, person: bool) -> None:
    assert is_person(text) is person


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("青禾农业科技有限公司（简称青禾）成立于2014年", [("青禾农业科技有限公司", "青禾")]),
        ("北京大学（以下称“北大”）位于海淀区", [("北京大学", "北大")]),
        ("水泵（红色）停了", []),
    ],
)
def test_a_bracket_gives_the_short_form_of_a_name(text: str, pairs: list[tuple[str, str]]) -> None:
    assert list(aliases(text)) == pairs


def test_a_document_has_sentences_mentions_aliases_and_facts_with_their_places() -> None:
    page = read_markdown(
        "公司.md", "# 公司\n\n青禾农业科技有限公司（简称青禾）成立于2014年。青禾用 `FastAPI` 提供**开放接口**。"
    )
    found = analyse(page, "")
    assert [page.text[each.start : each.end] for each in found.sentences] == [
        "青禾农业科技有限公司（简称青禾）成立于2014年。",
        "青禾用 `FastAPI` 提供**开放接口**。",
    ]
    assert found.aliases == (("青禾农业科技有限公司", "青禾"),)
    assert {(each.text, each.label) for each in found.mentions} >= {("FastAPI", "CODE")}
    assert all(page.text[each.start : each.end] == each.text for each in found.mentions)
    (fact,) = found.facts
    assert [(str(p.role), page.text[p.start : p.end]) for p in fact.phrases] == [
        ("subject", "青禾农业科技有限公司（简称青禾）"),
        ("time", "2014年"),
    ]


# ---- facts -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("静默期是指不再重复通知的时间段。", {"subject": "静默期", "attribute": "不再重复通知的时间段"}),
        ("所谓静默期，是指不再通知的时间段。", {"subject": "静默期", "attribute": "不再通知的时间段"}),
        ("放线菌酮是一种具苦味的物质，可溶于水。", {"subject": "放线菌酮", "attribute": "一种具苦味的物质，可溶于水"}),
        ("由于长江涨水，肥东仓库被淹，损失很大。", {"cause": "长江涨水", "outcome": "肥东仓库被淹"}),
        ("密钥不得写入代码仓库，因为仓库会公开。", {"outcome": "密钥不得写入代码仓库", "cause": "仓库会公开"}),
        ("为了节省电量，田讯3号只上传变化。", {"purpose": "为了节省电量", "outcome": "田讯3号只上传变化"}),
        ("Pydantic 是一个校验数据的库。", {"subject": "Pydantic", "attribute": "一个校验数据的库"}),
        ("环境变量（env var）是一种存在于系统中的值。", {"subject": "环境变量", "attribute": "一种存在于系统中的值"}),
        ("甘霖系统是一个智能灌溉控制平台。", {"subject": "甘霖系统", "attribute": "一个智能灌溉控制平台"}),
        ("如需报销差旅费，请在系统里提交申请。", {"purpose": "报销差旅费", "complement": "在系统里提交申请"}),
        ("如果你想关闭传感器，可以把开关设为零：", {"purpose": "关闭传感器", "complement": "把开关设为零"}),
        ("要导出读数，必须使用接口，否则会丢数据。", {"purpose": "导出读数", "complement": "使用接口"}),
        ("如果你删除了田块，禾图会停止告警。", {"condition": "如果你删除了田块", "outcome": "禾图会停止告警"}),
        ("如果客户端重试请求，它会收到错误。", {"condition": "如果客户端重试请求", "outcome": "会收到错误"}),
        (
            "如果断网时间超过7天，云雀网关会删除数据。",
            {"condition": "如果断网时间超过7天", "outcome": "云雀网关会删除数据"},
        ),
        ("当土壤温度回升时，田讯2号会恢复采集。", {"condition": "当土壤温度回升时", "outcome": "田讯2号会恢复采集"}),
        ("一台云雀网关最多可以接入64台传感器。", {"subject": "一台云雀网关", "attribute": "64台", "other": "传感器"}),
        ("每台传感器的押金为300元。", {"subject": "每台传感器的押金", "attribute": "300元"}),
        (
            "1960年5月17日，苏佩维埃尔在巴黎去世。",
            {"time": "1960年5月17日", "subject": "苏佩维埃尔", "other": "在巴黎去世"},
        ),
        ("财务总监由乔敏担任。", {"subject": "财务总监", "agent": "乔敏", "complement": "担任"}),
        ("沈若溪任总经理，负责经营。", {"subject": "沈若溪", "object": "总经理"}),
        ("部门负责人是郝知远。", {"subject": "部门负责人", "agent": "郝知远"}),
    ],
)
def test_a_form_proves_a_fact(text: str, expected: dict[str, str]) -> None:
    assert expected in parts(text, frozenset({"云雀"}))


@pytest.mark.parametrize(
    "text",
    [
        "它由于停电，停止了工作。",  # a pronoun is no subject
        "由于有不同的亚种，花色各异。",  # of what the colours are is said before
        "不仅因为停电，水泵也停了。",  # only a part of the cause
        "因此水泵停了。",  # the cause is in the sentence before
        "李明的理论是希望用尽信息。",  # 是 does not say what a theory is
        "北京是中国最大的城市。",  # a superlative identifies
        "CMD 指令有两种写法。",  # 指 is a part of a word
        "这是一种方法。",
        "郭子仪攻城时，诸军皆溃。",  # 时 tells a story here
        "如果你想安装，可以运行脚本。",  # what the reader wants
        "如果副值也没有应答，系统会报警。",  # 也 adds to a condition before
        "病假超过三天的，必须提供证明。",  # the figure is a condition
        "禾图是一个平台。",  # 一个 counts nothing
        "1220年，耶律留哥死后，其妻统治辽东。",  # the clause leads to another
        "2007年，与李明结婚。",  # no subject
        "移除：短信告警，因为到达率不足。",  # a label is no subject
        "水泵为什么停了？",
        "如需报销差旅费，请参见报销制度。",
        "如需报销差旅费，请使用以下表格。",
        "如果你需要帮助，可以联系值班员。",
        "要安装网关，首先断开电源。",
        "要校验读数，可以使用接口，比如禾图接口，然后导出结果。",
        "如果你想解决类似问题，可以重启网关。",
        "如果你打开告警页面，你会看到两个按钮。",
        "如果你刚开始使用禾图，可能暂时用不到接口。",
        "硬枝黄蝉是一种灌木。",
        "若王国继续存在，他将会成为国王。",
        "变量 items 是一个含有三个元素的元组。",
        "李明的主演电视剧《十七岁不哭》位于北京。",
        "全线均位于长江以北。",
    ],
)
def test_what_the_form_leaves_in_doubt_is_no_fact(text: str) -> None:
    assert parts(text) == []
