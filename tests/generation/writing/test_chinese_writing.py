"""Chinese questions, from pages to candidates: the question word stands where the answer stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest
from doubles import HashingEncoder
from planted import read_markdown

from kgsynth.documents.chunking import chunk
from kgsynth.evidence.derivation import recompute
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions import prose
from kgsynth.generation.graph.build import build
from kgsynth.generation.graph.entities import resolve_entities
from kgsynth.generation.writing import compose
from kgsynth.generation.writing.chinese import write
from kgsynth.generation.writing.draft import UnwrittenError
from kgsynth.golden.subtypes import SUBTYPES
from kgsynth.language import language


def knowledge_of(texts: Mapping[str, str]) -> Knowledge:
    """Everything kgsynth knows of a corpus of Chinese markdown texts."""
    documents = [replace(read_markdown(doc, text), language="zh") for doc, text in sorted(texts.items())]
    chunks = [piece for source in documents for piece in chunk(source, strategy="recursive", size=200)]
    analyses = [language("zh").analyse(document, "") for document in documents]
    vectors = HashingEncoder().encode([piece.text for piece in chunks])
    entities = resolve_entities(analyses)
    return Knowledge(
        build(documents, chunks, analyses, entities, vectors), documents, chunks, analyses, entities, vectors
    )


def asked(text: str) -> dict[str, str]:
    """The questions of one page with their first answers, each of which its derivation yields again."""
    knowledge = knowledge_of({"页.md": text})
    found = {}
    for walk in (
        prose.walk_factoid,
        prose.walk_definition,
        prose.walk_cause,
        prose.walk_purpose,
        prose.walk_use,
        prose.walk_explicit,
    ):
        for candidate in compose(walk(knowledge), knowledge):
            item = candidate.item
            assert recompute(item.derivation, knowledge.documents) == item.golden_answers[:1]
            found[item.question] = item.golden_answers[0]
    return found


@pytest.mark.parametrize(
    ("sentence", "question", "answer"),
    [
        ("静默期是指不再重复通知的时间段。", "什么是静默期？", "不再重复通知的时间段"),
        ("甘霖是根据土壤读数自动开关阀门的灌溉控制器。", "甘霖是什么？", "根据土壤读数自动开关阀门的灌溉控制器"),
        ("天门冬（学名）是天门冬科天门冬属的植物。", "天门冬是什么？", "天门冬科天门冬属的植物"),
        ("2020年夏天，由于长江流域连续降雨，肥东仓库被淹。", "2020年夏天，为什么肥东仓库被淹？", "长江流域连续降雨"),
        ("为了节省电量，田讯3号只上传变化。", "为什么田讯3号只上传变化？", "为了节省电量"),
        ("如果土壤温度低于零度，田讯2号会停止采集。", "如果土壤温度低于零度，田讯2号会怎样？", "停止采集"),
        ("如果发生数据泄露，现场服务部会通知客户。", "如果发生数据泄露，现场服务部会怎么做？", "通知客户"),
        ("如果历史读数缺失，现场服务部不会计算基线。", "如果历史读数缺失，现场服务部会怎么做？", "不会计算基线"),
        ("如果你声明了响应模型，FastAPI 会转换数据。", "如果你声明了响应模型，FastAPI 会怎样？", "转换数据"),
        ("如需报销差旅费，请在系统里提交申请。", "怎么报销差旅费？", "在系统里提交申请"),
        ("要运行你的 Lantern 程序，可以使用启动命令。", "怎么运行 Lantern 程序？", "使用启动命令"),
        ("截至2024年年底，青禾共有186名员工。", "截至2024年年底，青禾共有多少名员工？", "186名"),
        ("开放接口的合同期为三个月。", "开放接口的合同期为几个月？", "三个月"),
        ("青禾农业科技有限公司（简称青禾）成立于2014年。", "青禾农业科技有限公司成立于哪一年？", "2014年"),
        ("1960年5月17日，苏佩维埃尔在巴黎去世。", "苏佩维埃尔是什么时候在巴黎去世的？", "1960年5月17日"),
        ("财务总监由乔敏担任。", "财务总监由谁担任？", "乔敏"),
        ("Hug 由 Timothy Crosley 创建。", "Hug 由谁创建？", "Timothy Crosley"),
    ],
)
def test_the_question_word_stands_in_the_place_of_the_answer(sentence: str, question: str, answer: str) -> None:
    assert asked(f"# 说明\n\n{sentence}").get(question) == answer


def test_a_role_and_an_attribute_get_what_they_belong_to() -> None:
    assert "现场服务部的部门经理是谁？" in asked("# 组织\n\n## 现场服务部\n\n部门经理是白露。")
    page = "# 鸡毛松\n\n鸡毛松生长在南方。树干直径达1米。"
    assert asked(page)["鸡毛松的树干直径达多少米？"] == "1米"
    assert "树干直径达多少米？" in asked("# 植物入门\n\n鸡毛松生长在南方。树干直径达1米。")


def test_an_amount_of_one_common_word_is_not_asked_for() -> None:
    assert asked("# 备份\n\n增量备份保留7天。")["增量备份保留多少天？"] == "7天"
    assert not asked("# 备份\n\n模板最大5 MB。单个附件不超过10 MB。"), "which template, of what"


@pytest.mark.parametrize(
    ("sentence", "named"),
    [
        ("密钥不得写入代码仓库，因为仓库会公开。", "FastAPI 的密钥不得写入代码仓库，因为仓库会公开。"),
        ("为了节省电量，普通的传感器只上传变化。", "为了节省电量，田讯3号的传感器只上传变化。"),
        ("如果客户端重试请求，它会收到错误。", "如果客户端重试请求，FastAPI 会收到错误。"),
        ("如果主进程停止，容器会停止。", "如果主进程停止，Docker 容器会停止。"),
    ],
)
def test_what_happens_to_a_thing_without_a_name_is_not_asked(sentence: str, named: str) -> None:
    assert not asked(f"# 说明\n\n{sentence}")
    assert asked(f"# 说明\n\n{named}")


def test_a_definition_is_the_rest_of_its_sentence() -> None:
    page = "# 说明\n\nThin 是一个简单快速的服务器，它不需要任何配置。Flask 是一个简洁的框架，而 Django 是一个大的框架。"
    found = asked(page)
    assert found["Thin 是什么？"] == "一个简单快速的服务器，它不需要任何配置"
    assert found["Flask 是什么？"] == "一个简洁的框架"


def test_a_person_is_not_defined() -> None:
    assert not asked("# 说明\n\n李明是一种会发光的植物。")
    assert not [text for text in asked("# 说明\n\n甘霖是自动开关阀门的灌溉控制器。") if "谁" in text]


def test_subtypes_without_a_chinese_writer_are_not_asked() -> None:
    knowledge = knowledge_of({"页.md": "# 说明\n\n静默期是指不再重复通知的时间段。"})
    (scenario,) = prose.walk_definition(knowledge)
    assert [draft.question for draft in write(scenario, knowledge)] == ["什么是静默期？"]
    with pytest.raises(UnwrittenError, match="not asked in this language"):
        list(write(replace(scenario, subtype="out_of_scope"), knowledge))
    assert "out_of_scope" in SUBTYPES
