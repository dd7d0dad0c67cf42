"""Questions that headings, the sentences before lists, and the heads of columns ask, in their own words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kgsynth.language.chinese.characters import plain
from kgsynth.language.chinese.numbers import number
from kgsynth.language.chinese.quantities import quantity
from kgsynth.language.chinese.segmentation import tokens
from kgsynth.language.chinese.text_forms import content_stems
from kgsynth.language.words import HAN

# Questions that Chinese headings ask, in their own words: 怎样轮换密钥, 什么是流, 响应模型如何工作, …吗？
#
# A heading without a word that asks gives no question: 安装传感器 may introduce anything.

_NUMBERING = re.compile(
    r"^(?:第[\d一二三四五六七八九十]+[章节步条][：:、.\s]*|[（(]?[\d一二三四五六七八九十]+[）)][、.\s]*"
    r"|[一二三四五六七八九十]+、\s*|\d+(?:\.\d+)*[.、：:\s]\s*|[QＱ问]\d*[：:.]\s*)+"
)
_TITLE_MARKS = re.compile(r"[`*]|\s+\{#[^}]*\}$|[\u2600-\u27bf\U0001f000-\U0001faff\ufe0f]+\s*")
_SLOT = r"什么|怎么|怎样|如何|为什么|为何|哪[里儿些个种一几]|多少|多久|多长时间|谁|何时"
_OPENS_ASKING = re.compile(
    r"^(?:(?P<how>如何|怎么(?:样)?|怎样)(?:才能|去|来)?|为什么|为何|什么(?:是|时候|情况下)|何时|哪些|哪里|哪种|哪个|谁|多久)(?=.)"
)
_SLOTS = re.compile(_SLOT)
_ASKS_YES_NO = re.compile(r"吗$|^是否|是不是|能不能|有没有|能否|可否|是否")
_POINTS_BEYOND = re.compile(
    r"[它其该此]|这(?!么)|那(?!么)|以上|以下|上述|下面|前面|(?<![文版样脚])本[文章节页](?!件)|我们|你们|咱们|怎么办$"
)
_BREAKS = re.compile(r"[，,；;：:。！!…/|]| - |——|–|—")
_ABOUT_A_QUESTION = re.compile(
    r"^(?:请|先|再|要)?(?:决定|反思|了解|说明|选择|理解|学习|学会|知道|查看|看看?|介绍|解释|确[定认]|思考|考虑|明白|讨论|弄清|搞清|定义|描述|分析|"
    r"告诉|记[住录]|想想?|发现|评估|判断|检查|探[索讨]|关于|谈谈?|研究|总结|回顾|演示|展示|教|询问|问|如果|当)"
)
"""How a heading begins that speaks about a question and does not ask it: 决定如何执行."""
_IN_TASK = frozenset("n ng nr ns nt nz nrt nrfg eng vn j l b s m q x uj v f c".split())
_OBJECT = frozenset("n ng nr ns nt nz nrt nrfg eng vn j l".split())
_NO_ORDER = frozenset("是 有 没有 会 能 可以 可能 应该 需要 包括 支持 要 具有 存在 属于 没".split())
_EMPTY = frozenset("做 作 进行 工作 操作 使用 用 开始 办 帮助 参与 处理 实现 运行".split())
_HEADING_CONTENT = 1


def bare_title(title: str) -> str:
    """Return a heading without its number, marks and end punctuation.

    Example:
        >>> bare_title("3.2 如何恢复`数据库`？"), bare_title("一、概况")
        ('如何恢复数据库', '概况')
    """
    return _NUMBERING.sub("", _TITLE_MARKS.sub("", title).strip()).strip().rstrip("?？。：: ")


def heading_question(title: str, names: frozenset[str] = frozenset()) -> str:
    """Return the question that a heading asks, with its question mark, "" for none; ``names`` change nothing here.

    Example:
        >>> heading_question("怎样轮换密钥"), heading_question("密钥管理"), heading_question("密钥会过期吗？")
        ('怎样轮换密钥？', '', '密钥会过期吗？')
    """
    text = bare_title(title)
    read = plain(text)
    if not re.search(f"[{HAN}]", text) or _POINTS_BEYOND.search(read) or not _is_balanced(read):
        return ""
    asked = title.rstrip().endswith(("?", "？"))
    return f"{text}？" if _asks(read, asked=asked) and _says_enough(read) else ""


def task_question(title: str) -> str:
    """Return the question how to do what a heading names, "" if it is not a verb with its object.

    A heading is only known to be a task by what stands below it: a list of orders.

    Example:
        >>> task_question("安装传感器"), task_question("传感器的安装"), task_question("安装")
        ('如何安装传感器？', '', '')
    """
    text = bare_title(title)
    words = [each for each in tokens(plain(text)) if each.text.strip()]
    usual = len(words) > 1 and opens_with_verb(text) and all(each.tag in _IN_TASK for each in words[1:])
    fits = usual and words[-1].tag in _OBJECT and not _POINTS_BEYOND.search(plain(text)) and not _BREAKS.search(text)
    return f"如何{text}？" if fits else ""


def opens_with_verb(text: str) -> bool:
    """Check whether a text opens with a verb, as an order does, or with where or with what to do it before one.

    Example:
        >>> opens_with_verb("创建密钥。"), opens_with_verb("在设置里创建密钥。"), opens_with_verb("密钥已创建。")
        (True, True, False)
    """
    words = [each for each in tokens(plain(text)) if each.text.strip()]
    if not words or words[0].tag in ("v", "vn", "vd") or words[0].text in ("请", "将", "把"):
        return bool(words) and words[0].text not in _NO_ORDER
    return words[0].text in ("在", "从", "用", "向") and any(each.tag in ("v", "vn") for each in words[2:])


def _asks(text: str, *, asked: bool) -> bool:
    """Check whether a heading, which has a question mark if ``asked``, is one whole question."""
    slots = _SLOTS.findall(text)
    if re.search("[?？]", text):
        return False
    several = len(slots) + bool(_ASKS_YES_NO.search(text)) > 1
    if several or _BREAKS.search(re.sub("[，,]", "", text) if asked else text):
        return False
    if _OPENS_ASKING.match(text):
        return True
    if asked:
        return bool(slots or _ASKS_YES_NO.search(text))
    return bool(slots) and not _ABOUT_A_QUESTION.match(text)


def _says_enough(text: str) -> bool:
    """Check whether a question has a content word besides the ones that say nothing: 如何操作."""
    told = [word for word in content_stems(_SLOTS.sub(" ", text)) if word not in _EMPTY]
    return len(told) >= _HEADING_CONTENT and sum(map(len, told)) > 1


def _is_balanced(text: str) -> bool:
    return all(text.count(one) == text.count(other) for one, other in ("()", "「」", "“”", "《》"))


# Questions for the members of a list, from the sentence that leads into it: 禾图支持以下几种告警 → 禾图支持哪些告警？
#
# The word that asks takes the place of the members. Left out: leads without a subject, and those that point
# elsewhere.

_COUNT = r"(?P<number>几|多|[一二两三四五六七八九十]{1,3}|\d{1,2})"
_MEASURE = r"(?:个|种|类|项|条|款|层|级|档|大)"
_FOLLOWING = r"(?:以下|如下|下列|下述|下面)(?:的|这)?"
_IN_PLACE = re.compile(
    rf"^(?P<before>.{{2,40}}?){_FOLLOWING}(?:{_COUNT}\s*{_MEASURE})?的?(?P<noun>[^，,。：:；;（(]{{1,16}})(?P<rest>，.{{2,20}})?$"
)
_COUNTED_MEMBERS = re.compile(
    rf"^(?P<before>.{{2,30}}?[，,]?(?P<verb>设有|拥有|具有|共有|分为|分成|包括|包含|提供|支持|(?<![没还只所])有))(?:了|共|以下)?"
    rf"{_COUNT}\s*{_MEASURE}(?:不同的|主要的?|常见的?)?(?P<noun>[^，,。：:；;（(]{{2,12}})$"
)
_INCLUDES = re.compile(
    r"^(?P<before>.{3,30}?)[，,]?(?:主要)?(?P<verb>包括|包含)(?:了|如下|以下)?(?:几|多)?[种个类项]?$"
)
_LEADS_INTO_TASK = re.compile(
    r"^(?:要|若要|如需|如要|为了)(?P<task>[^，,]{3,20})[，,](?:你?需要|请|可以|可|应)?(?:按照?|执行|完成|遵循|依照)?"
    r"(?:以下|如下|下列|这些|下面的?)(?:几个|步骤)?.{0,6}$"
)
_LACKS_NAME = re.compile(
    r"^(?:一些|几|部分|有些|以下|如下|下列|下面|上面|这|那|它|他|她|其|该|此|本|我|你|您|咱|大家|现在|然后|接着|接下来|因此|所以|于是|但|而|并|且|或|还|也|又|"
    r"例如|比如|如果|当|若|假如|因为|由于|为了|要|请|让|从|除|通过|根据|按|在(?!线)|对于|关于|有|没有|是|可以|可能|支持|包括|"
    r"包含|提供|接受|需要|应|必须|使用|查看|运行|执行|尝试|记住|目前|同样|另外|此外|首先|其次|最后|一般|通常|不过|虽然|只|就)"
)
_POINTS_AWAY = re.compile(
    r"[它其该此]|这(?!么)|那(?!么)|我们?|[你您咱]|上述|前面|上面|(?<![文版样脚])本[文章节页例](?!件)|例如|比如|参见|参阅|查看|考虑|记住|注意"
)
_TELLS_NO_KIND = re.compile(
    r"^(?:步骤|内容|方式|操作|命令|代码|事项|问题|几?点|例子|示例|格式|文档|部分|链接|页面|资源|图|表|情况|原因|信息|事情)"
)
_SPEAKS_TO_READER = re.compile(r"^[你您](?=可以[^，,]{4,24}的(?:一些)?[^，,的]{2,6}(?:包括|包含|有)$)")
"""What a lead says to the reader before it names things: 你可以用作代理的工具包括."""
_LACKS_SUBJECT = re.compile(r"^(?:支持|接受|接收|包含|包括|提供|具备|具有|有)")
_IS_CODE = re.compile(r"^(?=.*[A-Z_.])[A-Za-z_][\w.]*$", re.ASCII)
_SOME = re.compile(r"(?:一些|几[个种类项])(?=\S{2,6}$)")
_OPENS_WITH_TIME = re.compile(r"^[^，,]{2,8}(?:之前|之后|以前|以后|前|后|时)")
_PREPOSED = re.compile(r"(?:按照?|根据|通过|以|用|从|在|对|将|把|为|依照?|遵循|执行|参考|遇到)$")
_TOO_OPEN = re.compile(r"(?:含义|结构|如图|所示|一样|不同)$")
_SUBJECT_TAGS = frozenset("n ng nr ns nt nz nrt nrfg eng vn an l j i m b s t".split())
_LEAD_CONTENT = 2


def lead_in_question(lead: str, title: str = "") -> str:
    """Return the question for the members of a list from its lead, "" for none.

    ``title`` is the heading above, which is the subject of a lead without one if it is nothing but a name in code.

    Example:
        >>> lead_in_question("禾图支持以下几种告警："), lead_in_question("禾图有三种角色："), lead_in_question("例如：")
        ('禾图支持哪些告警？', '禾图有哪些角色？', '')
    """
    text = _SPEAKS_TO_READER.sub("", re.sub(r"[`*]", "", lead).strip().rstrip("：: "))
    name = title.replace("`", "").strip()
    if _LACKS_SUBJECT.match(text) and _IS_CODE.match(name):
        text = f"{name} {text}"
    read = plain(text)
    if not re.search(f"[{HAN}]", text) or re.search(r"[。！？?!:]|^\W", read):
        return ""
    if (match := _LEADS_INTO_TASK.match(read)) and not _POINTS_AWAY.search(match["task"]) and _is_task(match["task"]):
        return f"怎样{match['task']}？"
    place = _slot(read) if len(read) == len(text) else None
    if place is None or _POINTS_AWAY.search(read) or _LACKS_NAME.match(read.removeprefix("可以")):
        return ""
    if not read.startswith("可以用") and not _opens_with_subject(read):
        return ""
    before = re.sub(r"[，,](?=\S{1,2}$)", "", _SOME.sub("", text[: place[0]]))
    question = f"{before}哪些{text[place[1] :]}？"
    return question if len(content_stems(question)) >= _LEAD_CONTENT else ""


def counted(lead: str) -> int:
    """Return how many members a lead announces, 0 if it does not say.

    Example:
        >>> counted("禾图有三种角色："), counted("禾图支持以下告警：")
        (3, 0)
    """
    text = plain(lead).strip().rstrip(":： ")
    match = _IN_PLACE.match(text) or _COUNTED_MEMBERS.match(text)
    found = match["number"] if match and match["number"] else ""
    return int(found) if found.isdigit() else int(number(found) or 0)


def _slot(text: str) -> tuple[int, int] | None:
    """Return the part of a lead that the word that asks takes the place of, None if there is none."""
    match = _IN_PLACE.match(text) or _COUNTED_MEMBERS.match(text)
    if match and (_PREPOSED.search(match["before"]) or not _is_noun(match["noun"])):
        return None
    if match:
        before = match.end("verb") if "verb" in match.groupdict() else match.end("before")
        return None if _TELLS_NO_KIND.match(match["noun"]) else (before, match.start("noun"))
    match = _INCLUDES.match(text)
    if match and not _TOO_OPEN.search(match["before"]) and _ends_in_noun(match["before"]):
        return match.end("verb"), len(text)
    return None


def _opens_with_subject(text: str) -> bool:
    return tokens(text)[0].tag in _SUBJECT_TAGS or bool(_OPENS_WITH_TIME.match(text))


def _ends_in_noun(text: str) -> bool:
    words = [each for each in tokens(text) if each.text.strip()]
    return words[-1].tag in _SUBJECT_TAGS


def _is_noun(text: str) -> bool:
    """Check whether a text may be a noun: one word, which jieba may take for a verb, or words that end in a noun."""
    return len(tokens(text)) == 1 or _ends_in_noun(text)


def _is_task(text: str) -> bool:
    words = [each for each in tokens(text) if each.text.strip()]
    return len(words) > 1 and words[0].tag in ("v", "vn")


# Questions for the cells of Chinese tables, by the head of the column: 田讯3号的电池寿命是多少？ 错误码40302表示什么？
#
# The word that asks stands in the place of the value. Left out: columns of remarks, rows that name no thing by
# themselves (其他城市), and values that are not of the kind of the others in their column.

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
