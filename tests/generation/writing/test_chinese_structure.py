"""Chinese questions on tables, lists, terms and headings: each form asked for, and each that is left out."""

from __future__ import annotations

from planted import knowledge_of

from kgsynth.base.records import Item
from kgsynth.evidence.derivation import recompute, same_answer
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions import EVOLUTIONS
from kgsynth.generation.writing import compose

SENSORS = """# 土壤传感器

| 型号 | 电池寿命 | 防护等级 | 备注 |
|---|---|---|---|
| 田讯1号 | 12个月 | IP65 | 旧 |
| 田讯2号 | 24个月 | IP67 | 新 |
| 田讯3号 | 36个月 | IP68 | 新 |
| 田讯4号 | 48个月 | IP68 | 新 |
"""


def items(kind: str, **pages: str) -> list[Item]:
    found = knowledge(**pages)
    made = [candidate.item for candidate in compose(EVOLUTIONS[kind](found), found)]
    for item in made:
        (proved,) = recompute(item.derivation, found.documents)
        assert same_answer(proved, item.golden_answers[0], "zh")
        assert item.language == "zh"
    return made


def knowledge(**pages: str) -> Knowledge:
    return knowledge_of({f"{name}.md": text for name, text in pages.items()})


def asked(kind: str, **pages: str) -> dict[str, str]:
    return {item.question: item.golden_answers[0] for item in items(kind, **pages)}


# ---- tables ----------------------------------------------------------------------------------------


def test_a_cell_is_asked_for_and_its_value_is_the_whole_answer() -> None:
    found = asked("look_up", a=SENSORS)
    assert found["《土壤传感器》中，田讯3号的电池寿命是多少？"] == "36个月"
    assert found["《土壤传感器》中，田讯3号的防护等级是什么？"] == "IP68"
    assert not any("备注" in question for question in found)


def test_a_table_whose_columns_are_things_is_asked_by_them() -> None:
    text = (
        "# 价格\n\n| | 标准版 | 专业版 |\n|---|---|---|\n| 附件空间 | 5 GB | 20 GB |\n| 审计保留 | 90 天 | 1 年 |\n"
        "| 并发数 | 3 | 5 |\n"
    )
    found = asked("look_up", a=text)
    assert found["《价格》中，专业版的附件空间是多少？"] == "20 GB"
    assert found["《价格》中，标准版的审计保留是多久？"] == "90 天", "asked by the kind of value that the row has"


def test_a_figure_without_a_unit_among_others_with_one_is_no_answer() -> None:
    text = "# 字段\n\n| 类型 | 上限 |\n|---|---|\n| 签名 | 1 |\n| 富文本 | 1 MB |\n| 多行文本 | 20 MB |\n"
    found = asked("look_up", a=text)
    assert found["《字段》中，富文本的上限是多少？"] == "1 MB"
    assert not any("签名" in question for question in found)


def test_a_cell_is_asked_in_the_scope_of_its_page_and_section() -> None:
    rows = "| 级别 | 一线城市 | 其他城市 |\n|---|---|---|\n| 经理 | 600 元 | 450 元 |\n| 员工 | 500 元 | 350 元 |\n"
    text = f"# 差旅制度\n\n## 住宿\n\n{rows}"
    assert asked("look_up", a=text)["《差旅制度》的“住宿”中，经理级别的一线城市是多少？"] == "600 元"


def test_a_row_of_one_common_word_is_asked_with_its_kind_and_an_error_with_what_to_do() -> None:
    nodes = "# 流程\n\n| 节点 | 限制 |\n|---|---|\n| 抄送 | 最多 200 人 |\n| 条件分支 | 最多 16 条 |\n"
    assert asked("look_up", a=nodes) == {
        "《流程》中，抄送节点有什么限制？": "最多 200 人",
        "《流程》中，条件分支有什么限制？": "最多 16 条",
    }
    errors = "# 错误\n\n| 错误码 | 怎么处理 |\n|---|---|\n| API-40 | 重新获取密钥 |\n| API-41 | 联系管理员 |\n"
    assert asked("look_up", a=errors)["遇到错误码 API-40 时怎么处理？"] == "重新获取密钥"


def test_a_remark_on_a_parameter_is_not_what_it_is_for() -> None:
    text = (
        "# 禾图开放接口\n\n接口用来查询读数。\n\n| 参数 | 说明 |\n|---|---|\n| `tz` | 必填，否则读数的时间不可用 |\n"
        "| `size` | 每页返回的读数的条数，最大为500 |\n"
    )
    assert "禾图开放接口的 size 参数有什么作用？" in (found := asked("look_up", a=text))
    assert not any("tz" in answer or "tz" in question for question, answer in found.items())


# ---- records ---------------------------------------------------------------------------------------

ROLES = """# 内置角色

| 角色 | 导出审计 | 管理成员 |
|---|---|---|
| 所有者 | ✓ | ✓ |
| 管理员 | ✓ | ✓ |
| 审计员 | – | – |
| 访客 | – | 本空间 |
"""
PLANS = """# 计费

| 套餐 | 数据保留期 | 用户数 | 负责人 |
|---|---|---|---|
| 基础版 | 1年 | 3 | 简宁 |
| 专业版 | 3年 | 20 | 简宁 |
| 企业版 | 5年 | 100 | 罗一鸣 |
| 教育版 | 1年 | 50 | 罗一鸣 |
"""


def test_the_records_that_share_a_value_are_asked_for() -> None:
    assert asked("members", a=PLANS) == {
        "哪些套餐的数据保留期是1年？": "基础版; 教育版",
        "简宁负责哪些套餐？": "基础版; 专业版",
        "罗一鸣负责哪些套餐？": "企业版; 教育版",
    }


def test_who_may_do_a_thing_is_not_asked_where_somebody_may_in_part() -> None:
    assert asked("members", a=ROLES) == {"哪些内置角色可以导出审计？": "所有者; 管理员"}


def test_a_cell_that_two_tables_have_is_not_asked_for() -> None:
    assert not asked("look_up", a=SENSORS, b=SENSORS.replace("36个月", "30个月"))


def test_the_parameters_of_an_interface_are_asked_with_its_name() -> None:
    text = (
        "# 禾图开放接口\n\n接口用来查询读数。\n\n| 参数 | 默认值 |\n|---|---|\n| `tz` | 北京时间 |\n| `size` | 50 |\n"
    )
    assert asked("look_up", a=text) == {
        "禾图开放接口的 tz 参数的默认值是什么？": "北京时间",
        "禾图开放接口的 size 参数的默认值是多少？": "50",
    }


COMPONENT = """# Upload 上传

## API

### Upload Props

| 名称 | 类型 | 默认值 | 描述 |
|---|---|---|---|
| max | Number | 5 | 限制上传文件的最大数量，超过时会提示 |
| files | Array | {} | 文件列表 |
| preview | Boolean | true | 是否支持图片预览 |
| style | String | - | 已废弃。请使用 class 属性来代替它 |

### Upload Events

| 名称 | 描述 | 参数 |
|---|---|---|
| success | 上传成功后触发 | - |

### CSS Variables

| 名称 | 默认值 |
|---|---|
| --td-upload-gap | 8px |
| --td-upload-color | red |
| --td-upload-width | 100px |
"""


def test_the_row_of_a_parameter_is_asked_with_its_component_and_by_what_it_does() -> None:
    assert asked("look_up", a=COMPONENT) == {
        "Upload 的 max 属性的默认值是多少？": "5",
        "Upload 的 max 属性有什么作用？": "限制上传文件的最大数量，超过时会提示",
        "Upload 的哪个属性用来限制上传文件的最大数量？": "max",
        "Upload 的 preview 属性的默认值是什么？": "true",
        "Upload 的哪个属性控制是否支持图片预览？": "preview",
    }, "no empty default, nothing out of use, no name of code of which no kind is said"


def test_two_parameters_that_do_the_same_are_not_asked_for_by_that() -> None:
    both = COMPONENT.replace("文件列表", "是否支持图片预览，默认支持")
    assert "Upload 的哪个属性控制是否支持图片预览？" not in asked("look_up", a=both)


def test_parameters_of_one_name_are_told_apart_by_their_component() -> None:
    found = asked("look_up", a=COMPONENT, b=COMPONENT.replace("Upload", "Image").replace("| 5 |", "| 9 |"))
    assert found["Upload 的 max 属性的默认值是多少？"] == "5"
    assert found["Image 的 max 属性的默认值是多少？"] == "9"
    assert not asked("look_up", a=COMPONENT, b=COMPONENT)


def test_a_row_in_code_is_asked_with_what_most_pages_are_about() -> None:
    types = (
        "# 使用限制\n\nTiDB 的限制。\n\n| 类型 | 最大限制 |\n|---|---|\n| CHAR | 256 字符 |\n| VARCHAR | 16383 字符 |\n"
    )
    found = asked("look_up", a=types, b="# 部署\n\n部署 TiDB 需要三台机器。\n")
    assert found["在 TiDB 中，VARCHAR 的最大限制是多少？"] == "16383 字符"


# ---- lists -----------------------------------------------------------------------------------------


def test_a_lead_asks_for_the_members_in_their_place() -> None:
    text = "# 告警\n\n禾图支持以下几种告警：\n\n- 含水率过低；\n- 设备离线，以及\n- 电量不足。\n"
    assert asked("listing", a=text) == {"禾图支持哪些告警？": "含水率过低; 设备离线; 电量不足"}


def test_a_lead_that_counts_another_number_than_there_is_gives_no_question() -> None:
    assert not asked("listing", a="# 角色\n\n禾图有三种角色：\n\n- 查看者\n- 管理员\n")


def test_the_steps_below_a_heading_that_asks_how_are_its_answer() -> None:
    text = "# 密钥管理\n\n## 怎样轮换密钥\n\n1. 创建新密钥。\n2. 部署新密钥。\n3. 删除旧密钥。\n\n密钥有效期为180天。\n"
    (item,) = items("listing", a=text)
    assert (item.question, item.answer_kind) == ("怎样轮换密钥？", "steps")
    assert item.golden_answers == ("1. 创建新密钥。 2. 部署新密钥。 3. 删除旧密钥。",)
    assert not asked("page_question", a=text)  # the list answers it, not the whole section


def test_a_verb_and_its_object_above_a_list_of_orders_ask_how() -> None:
    text = "# 网页\n\n## 提供静态文件\n\n- 导入 StaticFiles。\n- 创建一个实例。\n"
    assert asked("listing", a=text) == {"如何提供静态文件？": "导入 StaticFiles; 创建一个实例"}
    assert not asked("listing", a=text.replace("导入 StaticFiles。", "速度很快。"))


# ---- terms -----------------------------------------------------------------------------------------


def test_a_glossary_says_what_its_terms_are() -> None:
    text = "# 术语表\n\n**静默期**：同一条告警发出之后，不再重复通知的时间段。\n\n**基线**：过去三年的平均含水率。\n"
    assert asked("term", a=text)["什么是静默期？"] == "同一条告警发出之后，不再重复通知的时间段"
    assert not asked("term", a=text.replace("术语表", "告警设计"))
    assert not asked("term", a="# 定义\n\n**自由的**：任何人都能使用和分发。\n\n**快的**：每天更新两次的做法。\n")


def test_a_single_word_is_asked_with_the_product_that_several_titles_name() -> None:
    text = "# 术语表\n\n**田块**：客户在禾图上划定的一块耕地。\n\n**灰度发布**：先向少量用户发布新版本的做法。\n"
    found = asked("term", a=text, b="# 禾图平台\n\n平台。\n", c="# 禾图开放接口\n\n接口。\n")
    assert set(found) == {"在禾图中，什么是田块？", "什么是灰度发布？"}


def test_a_parameter_is_asked_with_what_it_belongs_to() -> None:
    minimum = "- `minimum_size` - 小于该字节数的响应不压缩。默认值是 `500`。\n"
    level = "- `compresslevel` - 压缩使用的级别。默认为 `9`。\n- `skip` - 值为零的时候不会跳过。\n"
    text = f"# 中间件\n\n## `GZipMiddleware`\n\n支持以下参数：\n\n{minimum}{level}"
    found = asked("term", a=text)
    assert found["GZipMiddleware 的 minimum_size 参数的默认值是多少？"] == "500"
    assert found["GZipMiddleware 的 compresslevel 参数有什么作用？"] == "压缩使用的级别。默认为 9。"
    assert not any("skip 参数有什么" in question for question in found), "a remark on a value"
    assert not any("minimum_size 参数有什么" in question for question in found)  # 该 refers to the name itself


def test_parameters_of_one_name_are_told_apart_by_what_they_belong_to() -> None:
    one = "# 响应\n\n## `Response`\n\n接受以下参数：\n\n- `headers` - 一组响应头。\n- `status` - 状态码。\n"
    other = "\n## 使用 `FileResponse`\n\n接受以下参数：\n\n- `headers` - 自定义的响应头。\n- `path` - 文件的路径。\n"
    found = asked("term", a=one + other)
    assert found["Response 的 headers 参数有什么作用？"] == "一组响应头"
    assert found["FileResponse 的 headers 参数有什么作用？"] == "自定义的响应头"
    twice = asked("term", a=one, b=one)
    assert not twice


# ---- headings --------------------------------------------------------------------------------------

FAQ = """# 常见问题

## 为什么读数会突然跳变？

通常是因为探针周围的土壤出现了裂缝。把探针拔出来，在旁边重新插入即可。

## 怎么更换传感器的电池？

打开底盖，取出旧电池，装入两节新电池，再把底盖拧紧。更多信息请参阅安装指南。

## 传感器可以在冬天使用吗？

可以。田讯3号能在零下30摄氏度工作，冬天也不必取回。

## 什么是灰度发布？

发布有两种。灰度发布是先向少量用户发布新版本的做法。

## 如何批量导入？

导入数据的时候可以分批插入，每批最好不要超过一万行。

## 怎么导出文本文件？

在平台上选择文本文件的格式，再按导出键。

## 为什么安装时报错？

请手动下载安装包，再运行安装命令。

## 你喜欢写文档吗？

可以先从翻译文档开始，把感兴趣的页面翻译成中文再提交。
"""


def test_what_a_thing_is_like_is_not_what_it_is() -> None:
    page = "# 入门\n\n## 灰度发布是什么意思？\n\n灰度发布是强大的，因为它降低了发布的风险，也让问题更早被发现。\n"
    assert not asked("page_question", a=page)
    assert asked("page_question", a=page.replace("是强大的，因为它", "是一种发布方式，它"))


def test_a_question_of_a_page_is_answered_by_the_shortest_whole_answer() -> None:
    found = asked("page_question", a=FAQ) | asked("page_reason", a=FAQ)
    assert found == {
        "为什么读数会突然跳变？": "通常是因为探针周围的土壤出现了裂缝。",
        "传感器可以在冬天使用吗？": "可以。田讯3号能在零下30摄氏度工作，冬天也不必取回。",
        "什么是灰度发布？": "灰度发布是先向少量用户发布新版本的做法。",
        "怎么导出文本文件？": "在平台上选择文本文件的格式，再按导出键。",
    }


def test_a_task_without_a_name_is_asked_with_what_all_pages_are_about() -> None:
    page = "# 账户\n\n## 如何修改密码和权限？\n\n在 TiDB 中用管理员账户修改密码，权限也用它来修改。\n"
    found = asked("page_question", a=page, b="# 部署\n\n部署 TiDB 需要三台机器。\n")
    assert set(found) == {"在 TiDB 中，如何修改密码和权限？"}
    assert set(asked("page_question", a=page, b="# 甲\n\n甲。\n", c="# 乙\n\n乙。\n")) == {"如何修改密码和权限？"}


def test_a_page_of_a_component_is_asked_about_with_its_name() -> None:
    text = (
        f"{COMPONENT}\n## 常见问题\n\n### 如何显示下载链接？\n\n设置数组项的 url 属性，下载链接就会显示在文件旁边。\n"
    )
    assert set(asked("page_question", a=text)) == {"在 Upload 中，如何显示下载链接？"}
    sent = text.replace("设置数组项的", "欢迎阅读手册里关于下载和数组项的")
    assert not asked("page_question", a=sent)


def test_a_question_that_two_pages_ask_is_not_asked() -> None:
    assert not asked("page_reason", a=FAQ, b=FAQ.replace("裂缝", "气泡"))


# ---- topics ----------------------------------------------------------------------------------------

LEAVE = """# 休假

## 年假

员工每年享有10天年假。年假必须在次年3月31日之前休完，逾期作废。申请年假要提前三个工作日。

## 经过

员工每年享有的其他假期，必须由部门负责人批准。

## 休假系统

休假系统用于登记所有员工的请假申请。系统由行政财务部维护，每周五晚上备份。

## 补休单

补休单是记录加班时间的单据。单据由经理签字，保存两年，到期之后销毁。

## 调休

你可以用加班的时间调休。调休的时间由你和经理商量，没有别的手续需要办理。
"""


def test_a_section_is_asked_for_its_rules_or_for_what_a_thing_is_or_does() -> None:
    found = asked("topic", a=LEAVE)
    said = {"《休假》对年假有什么说明？", "《休假》对调休有什么说明？"}
    assert set(found) == {*said, "休假系统有什么作用？", "什么是补休单？"}
    assert found["《休假》对年假有什么说明？"].endswith("申请年假要提前三个工作日。"), "the section is the whole answer"
    named = asked("topic", a=LEAVE.replace("# 休假\n", "# 青禾休假管理办法\n"))
    assert "《青禾休假管理办法》对年假有哪些规定？" in named


def test_a_section_that_points_out_or_is_not_all_that_is_said_is_not_asked_for_its_topic() -> None:
    assert "《休假》对年假有什么说明？" not in asked("topic", a=LEAVE.replace("申请年假", "如上所述，申请年假"))
    assert "《休假》对年假有什么说明？" not in asked(
        "topic", a=f"{LEAVE}\n## 年假的计算\n\n年假必须按月计算，不得超过15天。\n"
    )


def test_steps_are_read_in_traditional_characters_too() -> None:
    text = "# 金鑰\n\n## 怎樣更換金鑰\n\n1. 建立新金鑰。\n2. 刪除舊金鑰。\n"
    (item,) = items("listing", a=text)
    assert (item.question, item.answer_kind) == ("怎樣更換金鑰？", "steps")
    page = "# 常見問題\n\n## 為什麼讀數會突然跳變？\n\n因為探針周圍的土壤出現了裂縫。請重新插入探針即可恢復。\n"
    assert asked("page_reason", a=page) == {"為什麼讀數會突然跳變？": "因為探針周圍的土壤出現了裂縫。"}
