"""Chinese headings, leads of lists, column heads and definitions: what each form asks, and what is left out."""

from __future__ import annotations

import pytest

from kgsynth.language.chinese.headings import cell_question, counted, heading_question, lead_in_question, task_question

# ---- headings --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("title", "question"),
    [
        ("怎样轮换密钥", "怎样轮换密钥？"),
        ("如何重置网关", "如何重置网关？"),
        ("3.2 如何恢复数据库?", "如何恢复数据库？"),
        ("三、为什么读数会突然跳变？", "为什么读数会突然跳变？"),
        ("什么是「表单数据」", "什么是「表单数据」？"),
        ("入职第一天做什么", "入职第一天做什么？"),
        ("响应模型如何工作", "响应模型如何工作？"),
        ("传感器可以在冬天使用吗？", "传感器可以在冬天使用吗？"),
        ("如何安裝感測器", "如何安裝感測器？"),
        ("空间回收比较慢，如何处理？", "空间回收比较慢，如何处理？"),
    ],
)
def test_a_heading_that_asks_is_asked_in_its_own_words(title: str, question: str) -> None:
    assert heading_question(title) == question


@pytest.mark.parametrize(
    "title",
    [
        "型号对比",
        "原因",
        "决定你们如何执行行为守则",
        "反思什么使您失去平衡",
        "什么是开源，为什么要开源",
        "支持哪些协议，会过期吗？",
        "网关怎样工作？和平台的关系是？",
        "享受编码的乐趣？",
        "如何操作 - 诀窍",
        "为什么？",
        "如何使用它",
        "怎么办",
        "How to rotate a key",
    ],
)
def test_a_heading_that_asks_nothing_by_itself_gives_no_question(title: str) -> None:
    assert heading_question(title) == ""


# ---- leads of lists --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lead", "question"),
    [
        ("禾图支持以下几种告警：", "禾图支持哪些告警？"),
        ("青禾设有五个部门：", "青禾设有哪些部门？"),
        ("禾图有三种角色：", "禾图有哪些角色？"),
        ("发布之前必须完成以下检查：", "发布之前必须完成哪些检查？"),
        ("Response 类接受如下参数：", "Response 类接受哪些参数？"),
        ("一个典型的开源项目均会有如下类型的人：", "一个典型的开源项目均会有哪些类型的人？"),
        ("OpenAPI 中定义的安全模式包括：", "OpenAPI 中定义的安全模式包括哪些？"),
    ],
)
def test_a_lead_asks_for_its_members_in_their_place(lead: str, question: str) -> None:
    assert lead_in_question(lead) == question


@pytest.mark.parametrize(
    "lead",
    [
        "以下是一些可能的想法：",
        "层次结构如下：",
        "例如：",
        "它支持以下功能：",
        "支持以下参数：",
        "使用网关时请留意以下选项：",
        "要了解更多选项，请查看以下文档：",
        "如果密钥泄露，请执行以下操作：",
        "现在，你需要记住以下几点：",
        "该 get_openapi() 函数接收以下参数：",
        "我们提供以下服务：",
        "一些使用场景包括：",
        "函数参数按以下规则进行识别：",
        "剧透警告：教程包括：",
        ".add_task() 接收以下参数：",
    ],
)
def test_a_lead_that_names_no_subject_gives_no_question(lead: str) -> None:
    assert lead_in_question(lead) == ""


def test_a_lead_that_speaks_to_the_reader_asks_for_the_things_it_names() -> None:
    assert lead_in_question("你可以用作 TLS 终止代理的一些工具包括：") == "可以用作 TLS 终止代理的工具包括哪些？"


def test_a_question_keeps_the_script_of_its_lead() -> None:
    assert lead_in_question("禾圖支持以下幾種警報：") == "禾圖支持哪些警報？"


def test_a_counted_lead_knows_how_many_members_it_announces() -> None:
    assert [counted(lead) for lead in ("青禾设有五个部门：", "禾图支持以下3种告警：", "禾图支持以下几种告警：")] == [
        5,
        3,
        0,
    ]


# ---- tables ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("head", "row", "corner", "values", "question"),
    [
        ("数据保留期", "专业版", "套餐", ["3年", "1年"], "专业版套餐的数据保留期是多久？"),
        ("天数", "事假", "假期", ["每年不超过10天", "13天"], "事假的天数是多少？"),
        ("首次响应", "基础版", "套餐", ["两个工作日", "8小时"], "基础版套餐的首次响应是多久？"),
        ("通报对象", "二级", "故障等级", ["部门负责人", "值班群"], "故障等级为二级时，通报对象是谁？"),
        ("说明", "page_size", "参数", ["每页返回的条数", "时区"], "参数 page_size 有什么作用？"),
    ],
)
def test_a_cell_is_asked_for_in_its_place(head: str, row: str, corner: str, values: list[str], question: str) -> None:
    assert cell_question(head, row, values, corner=corner) == question


@pytest.mark.parametrize(
    ("head", "row", "corner", "values"),
    [
        ("住宿上限", "其他城市", "城市", ["每晚350元", "每晚600元"]),
        ("住宿上限", "北京、上海、深圳", "城市", ["每晚350元", "每晚600元"]),
        ("事件", "2014", "年份", ["公司成立", "投产"]),
        ("默认值", "field_id", "参数", ["无", "50"]),
        ("每月租金", "田讯1号", "型号", ["停止出租", "38元", "55元"]),
        ("含义", "绿色常亮", "颜色", ["网络正常", "正在补采"]),
        ("备注", "田讯1号", "型号", ["见下文", "无"]),
        ("类型", "page_size", "参数", ["整数", "字符串"]),
        ("说明", "title", "参数", ["标题", "版本"]),
        ("上门服务", "专业版", "套餐", ["每年一次", "每季度一次"]),
        ("截止日期", "修改租金页面", "事项", ["6月20日", "5月31日"]),
    ],
    ids=[
        "the rest",
        "several",
        "year",
        "none",
        "other kind",
        "no name",
        "remark",
        "a type",
        "a common word",
        "no noun",
        "a task",
    ],
)
def test_a_cell_that_nobody_looks_up_gives_no_question(head: str, row: str, corner: str, values: list[str]) -> None:
    assert cell_question(head, row, values, corner=corner) == ""


# ---- sentences -------------------------------------------------------------------------------------


def test_a_verb_with_its_object_asks_how_to_do_it() -> None:
    found = [
        task_question(title) for title in ("使用 Jinja2Templates", "提供静态文件", "静态文件", "使用它", "理解为什么")
    ]
    assert found == ["如何使用 Jinja2Templates？", "如何提供静态文件？", "", "", ""]
