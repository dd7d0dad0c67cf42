"""Questions for the cells of Chinese tables, by the head of the column: 田讯3号的电池寿命是多少？ 错误码40302表示什么？

The word that asks stands in the place of the value. Left out: columns of remarks, rows that name no thing by themselves
(其他城市), and values that are not of the kind of the others in their column.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from kgsynth.language.chinese.characters import plain
from kgsynth.language.chinese.quantities import quantity
from kgsynth.language.chinese.segmentation import tokens
from kgsynth.language.words import HAN

_MEANING_HEAD = re.compile(r"^(?:含义|意义|意思|说明|描述|解释|定义|作用|用途|释义|功能)$")
_NO_ATTRIBUTE = re.compile(
    r"^(?:备注|注释|注|其他|其它|示例|例子|样例|链接|参考|详情|状态|进度|序号|编号|事件|经过|内容|事项|操作|结果|标题|主题|优点|缺点"
    r"|建议|措施|步骤|来源|更多|数据|值|是|否|有|无|[^\u3400-\u9fff]{0,2})$"
)
_PERSON_HEAD = re.compile(
    r"(?:负责人|联系人|通报对象|通知对象|作者|维护者|审批人|经理|主管|组长|主任|校长|导演|主演|人选|发起人|创始人)$"
)
_IN_CHARGE = re.compile(r"^(?:负责人|责任人)$")
_DATE_HEAD = re.compile(r"(?:日期|截止时间|开始时间|结束时间|发布时间|上线时间|成立时间|生日)$")
_HOW_LONG = re.compile(r"(?:时间|期限?|时长|周期|响应|间隔)$")
_WHERE = re.compile(r"(?:地址|地点|位置|所在地|产地)$")
_AMOUNT = re.compile(r"(?:\d|[一二两三四五六七八九十百千万])\s*(?:[%℃°]|[a-zA-Z]{1,3}\b|[\u3400-\u9fff])|^\d[\d.,]*$")
_DURATION = re.compile(r"(?:秒钟?|分钟|小时|工作日|[天日周]|星期|个?月|年)(?:以[内上])?$")
_UNCOUNTED = re.compile(r"^(?:免费|不限|无限制?|不限制|面议|不设上限)$")
_IDENTIFIED = re.compile(
    r"(?:等级|级别|类型|格式|方式|名称|全称|简称|英文名?|中文名|颜色|材[料质]|协议|单位|语言|端口|默认值|状态码|编码|首都|类别|系统|"
    r"平台|许可证?|接口|型号|频段|工具|邮箱|电话|路径|命令|货币|学名|别名|职务|职位|部门|专业|性质|原料|产品|行业|总部)$"
)
"""The end of the head of a column whose values answer 是什么."""
_WHETHER = re.compile(r"^(?:是否|能否|可否)(?=.)")
_NOT_GIVEN = re.compile(
    r"^(?:无|没有|不适用|暂无|待定|未定|未知|同上|见[上下].*|详?见.*|略|[-–—/\\ ]*|n/?a|tbd|none|null)$", re.I
)
_TRUTH_VALUES = frozenset({"是", "否", "yes", "no", "true", "false", "支持", "不支持"})
_ROW_LEFT_OUT = re.compile(
    r"^(?:其[他它余]|所有|全部|任何|以上|以下|上述|合计|总计|小计|平均|总和|默认|无|是|否|第?[一二三四五六七八九十\d]+[步条]?)"
    r"|[，,、；;。：:？?！!…*=<>{}|]|^\W*\d[\d.,:/%-]*\W*$"
)
_CODE_KINDS = re.compile(r"(?:码|编号|代码|型号|版本|编码|工号|端口)$")
_LEVEL = re.compile(r"^(?:[一二三四五六七八九十]级|[A-Z]级?|[PLS]\d|高|中|低|严重|紧急|一般|[甲乙丙丁]等?)$")
_AFTER_NAME = re.compile(r"(?:套餐|版本|角色|参数|字段|选项|命令|接口|变量|属性|方法|函数|模式|指令|权限|事件|协议)$")
_PLAIN_KIND = re.compile(rf"^[{HAN}]{{2,6}}$")
_ATTRIBUTE_CORNER = re.compile(
    r"(?:名称?|名字|项目?|内容|事项|类别|序号|说明|年份|时间|日期|步骤|问题|场景|情况|操作|阶段)$"
)
_CODE_ROW = re.compile(r"^[`\-/\w.:\[\]()@{}]*[A-Za-z_][\w.\-/:\[\]()@{}]*$", re.ASCII)
_TELLING_CODE = re.compile(r"[_.\-/A-Z]")
"""What a name in code has that is no ordinary word: title, version."""
_LONGEST_ROW, _LONGEST_HEAD = 24, 12
_AMOUNT_HEAD = re.compile(
    r"(?:寿命|时间|期限?|时长|长度|周期|间隔|距离|响应|深度?|高度|价格?|费用?|金|补贴|餐补|补助|上限|下限|限制|阈值|率|温度|分数?|标准|额|海拔|电压|电流|功率|工资|"
    r"数量?|次数|天数|人数|人口|产量|流量|大小|尺寸|容量|内存|面积|直径|体积|重量|质量|速度|比例|占比|年龄|份额|长|宽|高|重|年费|假|额度|限额|预算)$"
)
"""The end of the head of a column whose values are amounts."""


def cell_question(head: str, row: str, values: Sequence[str], corner: str = "", owner: str = "") -> str:
    """Return the question for a cell, whose value is the first of those of its column; "" if nobody asks for it.

    ``corner`` is the head of the column of the rows, which says what kind of things they are; ``owner`` is the
    interface or function whose parameters they are.

    Example:
        >>> cell_question("电池寿命", "田讯3号", ["36个月", "24个月"], "型号")
        '田讯3号的电池寿命是多少？'
        >>> cell_question("含义", "40302", ["套餐不支持", "密钥已过期"], "错误码")
        '错误码40302表示什么？'
    """
    head, row, corner = (re.sub(r"[`*]", "", part).strip(" :：") for part in (head, row, corner))
    value = values[0].strip()
    if _NOT_GIVEN.match(plain(value)) or not 0 < len(row) <= _LONGEST_ROW or not _is_askable(plain(head)):
        return ""
    case = _LEVEL.match(row) and _PLAIN_KIND.match(corner) and not _ATTRIBUTE_CORNER.search(corner)
    if case:
        asked = _asked(head, value, values)
        return f"{corner}为{row}时，{head}{asked}？" if asked and not _MEANING_HEAD.match(plain(head)) else ""
    shown = row_name(row, corner)
    if shown and owner and _CODE_ROW.match(row):
        shown = f"{owner}的{shown}"
    elif _CODE_ROW.match(row) and not _TELLING_CODE.search(row) and not _CODE_KINDS.search(plain(corner)):
        return ""
    if _MEANING_HEAD.match(plain(head)):
        return f"{_spaced(shown)}表示什么？" if shown and names_itself(shown) else ""
    if not shown:
        return ""
    if tokens(row)[0].tag in ("v", "vn") and len(tokens(row)) > 1 and not names_itself(row[:1]):
        return f"谁负责{row}？" if _IN_CHARGE.match(plain(head)) else ""
    if _WHETHER.match(plain(head)):
        return f"{row}{head}？" if value.lower() in _TRUTH_VALUES else ""
    asked = _asked(head, value, values)
    kind = corner if _AFTER_NAME.search(plain(corner)) and not _CODE_ROW.match(row) and not row.endswith(corner) else ""
    trivial = _CODE_ROW.match(row) and head == "类型"
    return f"{_spaced(shown + kind)}的{head}{asked}？" if asked and not trivial else ""


def row_name(row: str, corner: str) -> str:
    """Return how a question names a row: with its kind before a code, otherwise by itself; "" if it names no thing.

    Example:
        >>> row_name("40302", "错误码"), row_name("田讯3号", "型号"), row_name("其他城市", "城市")
        ('错误码40302', '田讯3号', '')
    """
    if _CODE_KINDS.search(plain(corner)) and re.fullmatch(r"[\w.-]+", row, re.ASCII):
        return _beside(corner, row)
    if _ROW_LEFT_OUT.search(plain(row)):
        return ""
    if _CODE_ROW.match(row) and _AFTER_NAME.search(plain(corner)):
        return _beside(corner, row)
    return row


def _spaced(name: str) -> str:
    """Return a name with a blank after it if it ends in a Latin letter, as people write it before a Chinese word."""
    return f"{name} " if name[-1:].isascii() and name[-1:].isalpha() else name


def _beside(noun: str, code: str) -> str:
    """Return a noun before a code, with a blank before letters as people write it."""
    return f"{noun} {code}" if code[:1].isascii() and code[:1].isalpha() else f"{noun}{code}"


def names_itself(text: str) -> bool:
    """Check whether a name says by itself what it means: it has a letter or figure, or is in quotation marks.

    Example:
        >>> names_itself("错误码40302"), names_itself("绿色常亮")
        (True, False)
    """
    return bool(re.search(r"[A-Za-z\d“「《]", text))


def _is_askable(head: str) -> bool:
    known = re.search(f"[{HAN}]", head) and len(head) <= _LONGEST_HEAD
    return bool(known) and not _NO_ATTRIBUTE.match(head) and not re.search(r"[（(？?！!，,。；;/、]", head)


def _asked(head: str, value: str, values: Sequence[str]) -> str:
    """Return the end of a question, with the word that asks for a value of this column; "" if the value is odd."""
    name, read = plain(head), plain(value)
    amounts = [_AMOUNT.search(plain(each)) is not None or quantity(each) is not None for each in values]
    if not amounts[0] and 2 * sum(amounts) > len(amounts) and not _UNCOUNTED.match(read):
        return ""  # 停止出租 among prices
    if _PERSON_HEAD.search(name):
        return "是谁"
    if _DATE_HEAD.search(name):
        return "是什么时候"
    if _WHERE.search(name):
        return "在哪里" if not re.search(r"[@/:]", value) else "是什么"
    if _AMOUNT_HEAD.search(name) and (amounts[0] or _UNCOUNTED.match(read)):
        return "是多久" if _DURATION.search(read) and _HOW_LONG.search(name) else "是多少"
    if name == "默认值" and quantity(value) is not None:
        return "是多少"
    return "是什么" if _IDENTIFIED.search(name) and 2 * sum(amounts) <= len(amounts) else ""
