"""Questions that headings, the sentences before lists, and the heads of columns ask, in their own words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

from kgsynth.language.chinese.characters import plain
from kgsynth.language.chinese.lexicon import CHINESE, PATTERNS, WORDS
from kgsynth.language.chinese.numbers import number
from kgsynth.language.chinese.quantities import quantity
from kgsynth.language.chinese.segmentation import tokens
from kgsynth.language.chinese.text_forms import content_stems
from kgsynth.language.lexicon import Asker
from kgsynth.language.words import HAN

# Questions that Chinese headings ask, in their own words: 怎样轮换密钥, 什么是流, 响应模型如何工作, …吗？
#
# A heading without a word that asks gives no question: 安装传感器 may introduce anything.

_TITLE_MARKS = re.compile(r"[`*]|\s+\{#[^}]*\}$|[\u2600-\u27bf\U0001f000-\U0001faff\ufe0f]+\s*")
_SLOT = r"什么|怎么|怎样|如何|为什么|为何|哪[里儿些个种一几]|多少|多久|多长时间|谁|何时"
_SLOTS = re.compile(_SLOT)
_ASKS_YES_NO = re.compile(r"吗$|^是否|是不是|能不能|有没有|能否|可否|是否")
_SHORT_TOPIC = 4
_BREAKS = re.compile(r"[，,；;：:。！!…/|]| - |——|–|—")


def bare_title(title: str) -> str:
    """Return a heading without its number, marks and end punctuation.

    Example:
        >>> bare_title("3.2 如何恢复`数据库`？"), bare_title("一、概况")
        ('如何恢复数据库', '概况')
    """
    return PATTERNS["numbering"].sub("", _TITLE_MARKS.sub("", title).strip()).strip().rstrip("?？。：: ")


def topic_question(document: str, heading: str, names: frozenset[str] = frozenset()) -> str:
    """Return what a document is asked about the topic of a section, "" if the heading is no name of a topic.

    Example:
        >>> topic_question("青禾差旅管理办法", "3. 住宿标准"), topic_question("休假", "概述")
        ('《青禾差旅管理办法》对住宿标准有哪些规定？', '')
    """
    title = bare_title(document)
    return _ask("document", title, names, topic=bare_title(heading), document=title)


def _is_topic(text: str) -> bool:
    """Check whether a heading names a thing or an activity: nouns, or a short compound of verb and noun (灰度发布)."""
    words = [each for each in tokens(plain(text)) if each.text.strip()]
    nominal = all(each.tag in WORDS["in_task"] or each.tag[:1] in "av" for each in words)
    if len(text) > _SHORT_TOPIC and words[-1].tag[:1] == "a":
        return False  # 个别人慢
    return nominal and (not opens_with_verb(text) or len(text) <= _SHORT_TOPIC) and len(content_stems(text)) > 0


def heading_question(title: str, names: frozenset[str] = frozenset()) -> str:
    """Return the question that a heading asks, with its question mark, "" for none; ``names`` change nothing here.

    Example:
        >>> heading_question("怎样轮换密钥"), heading_question("密钥管理"), heading_question("密钥会过期吗？")
        ('怎样轮换密钥？', '', '密钥会过期吗？')
    """
    text = bare_title(title)
    read = plain(text)
    if not re.search(f"[{HAN}]", text) or PATTERNS["points_beyond"].search(read) or not _is_balanced(read):
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
    usual = len(words) > 1 and opens_with_verb(text) and all(each.tag in WORDS["in_task"] for each in words[1:])
    fits = (
        usual
        and words[-1].tag in WORDS["object"]
        and not PATTERNS["points_beyond"].search(plain(text))
        and not _BREAKS.search(text)
    )
    return f"如何{text}？" if fits else ""


def opens_with_verb(text: str) -> bool:
    """Check whether a text opens with a verb, as an order does, or with where or with what to do it before one.

    Example:
        >>> opens_with_verb("创建密钥。"), opens_with_verb("在设置里创建密钥。"), opens_with_verb("密钥已创建。")
        (True, True, False)
    """
    words = [each for each in tokens(plain(text)) if each.text.strip()]
    if not words or words[0].tag in ("v", "vn", "vd") or words[0].text in ("请", "将", "把"):
        return bool(words) and words[0].text not in WORDS["no_order"]
    return words[0].text in ("在", "从", "用", "向") and any(each.tag in ("v", "vn") for each in words[2:])


def _asks(text: str, *, asked: bool) -> bool:
    """Check whether a heading, which has a question mark if ``asked``, is one whole question."""
    slots = _SLOTS.findall(text)
    if re.search("[?？]", text):
        return False
    several = len(slots) + bool(_ASKS_YES_NO.search(text)) > 1
    if several or _BREAKS.search(re.sub("[，,]", "", text) if asked else text):
        return False
    if PATTERNS["opens_asking"].match(text):
        return True
    if asked:
        return bool(slots or _ASKS_YES_NO.search(text))
    return bool(slots) and not PATTERNS["about_a_question"].match(text)


def _says_enough(text: str) -> bool:
    """Check whether a question has a content word besides the ones that say nothing: 如何操作."""
    told = [word for word in content_stems(_SLOTS.sub(" ", text)) if word not in WORDS["empty"]]
    return sum(map(len, told)) > 1


def _is_balanced(text: str) -> bool:
    return all(text.count(one) == text.count(other) for one, other in ("()", "「」", "“”", "《》"))


# Questions for the members of a list, from the sentence that leads into it: 禾图支持以下几种告警 → 禾图支持哪些告警？
#
# The word that asks takes the place of the members. Left out: leads without a subject, and those that point
# elsewhere.

_SPEAKS_TO_READER = re.compile(r"^[你您](?=可以[^，,]{4,24}的(?:一些)?[^，,的]{2,6}(?:包括|包含|有)$)")
"""What a lead says to the reader before it names things: 你可以用作代理的工具包括."""
_SOME = re.compile(r"(?:一些|几[个种类项])(?=\S{0,6}$)")
_OPENS_WITH_TIME = re.compile(r"^[^，,]{2,8}(?:之前|之后|以前|以后|前|后|时)")
_LEAD_CONTENT = 2


def lead_in_question(lead: str) -> str:
    """Return the question for the members of a list from its lead, "" for none.

    Example:
        >>> lead_in_question("禾图支持以下几种告警："), lead_in_question("禾图有三种角色："), lead_in_question("例如：")
        ('禾图支持哪些告警？', '禾图有哪些角色？', '')
    """
    text = _SPEAKS_TO_READER.sub("", re.sub(r"[`*]", "", lead).strip().rstrip("：: "))
    read = plain(text)
    if len(read) != len(text) or not re.search(f"[{HAN}]", text) or re.search(r"[。！？?!:]|^\W", read):
        return ""
    question = _ask("lead_in", text)
    return question if len(content_stems(question)) >= _LEAD_CONTENT else ""


def counted(lead: str) -> int:
    """Return how many members a lead announces, 0 if it does not say.

    Example:
        >>> counted("禾图有三种角色："), counted("禾图支持以下告警：")
        (3, 0)
    """
    match = PATTERNS["announced"].search(plain(lead))
    found = match["number"] if match else ""
    return int(found) if found.isdigit() else int(number(found) or 0)


def _opens_with_subject(lead: str) -> bool:
    text = plain(lead)
    named = tokens(text)[0].tag in WORDS["subject_tags"]
    return named or text.startswith("可以用") or bool(_OPENS_WITH_TIME.match(text))


def _bare(text: str, names: frozenset[str]) -> str:
    """Return the beginning of a lead as it is in a question: without 一些, and no comma before its last word."""
    return re.sub(r"[，,](?=\S{0,2}$)", "", _SOME.sub("", text))


def _ends_in_noun(text: str) -> bool:
    words = [each for each in tokens(plain(text)) if each.text.strip()]
    return words[-1].tag in WORDS["subject_tags"]


def _is_noun(text: str) -> bool:
    """Check whether a text may be a noun: one word, which jieba may take for a verb, or words that end in a noun."""
    return len(tokens(text)) == 1 or _ends_in_noun(text)


# Questions for the cells of Chinese tables, by the head of the column: 田讯3号的电池寿命是多少？ 错误码40302表示什么？
#
# The word that asks stands in the place of the value. Left out: columns of remarks, rows that name no thing by
# themselves (其他城市), and values that are not of the kind of the others in their column.

_AMOUNT = re.compile(r"(?:\d|[一二两三四五六七八九十百千万])\s*(?:[%℃°]|[a-zA-Z]{1,3}\b|[\u3400-\u9fff])|^\d[\d.,]*$")
_CODE_KINDS = re.compile(r"(?:码|编号|代码|型号|版本|编码|工号|端口)$")
_LEVEL = re.compile(r"^(?:[一二三四五六七八九十]级|[A-Z]级?|[PLS]\d|高|中|低|严重|紧急|一般|[甲乙丙丁]等?)$")
_AFTER_NAME = re.compile(r"(?:套餐|版本|角色|参数|字段|选项|命令|接口|变量|属性|方法|函数|模式|指令|权限|事件|协议)$")
_PLAIN_KIND = re.compile(rf"^[{HAN}]{{2,6}}$")
_CODE_ROW = re.compile(r"^[`\-/\w.:\[\]()@{}]*[A-Za-z_][\w.\-/:\[\]()@{}]*$", re.ASCII)
_TELLING_CODE = re.compile(r"[_.\-/A-Z]")
"""What a name in code has that is no ordinary word: title, version."""
_LONGEST_ROW, _LONGEST_HEAD = 24, 12
ROW_MARKS = "`★☆※†* "
"""What stands around the name of a row and is no part of it: marks of a remark above or below the table."""


def cell_question(head: str, row: str, values: Sequence[str], corner: str = "") -> str:
    """Return the question for a cell, whose value is the first of those of its column; "" if nobody asks for it.

    ``corner`` is the head of the column of the rows, which says what kind of things they are.

    Example:
        >>> cell_question("电池寿命", "田讯3号", ["36个月", "24个月"], "型号")
        '田讯3号的电池寿命是多少？'
        >>> cell_question("含义", "40302", ["套餐不支持", "密钥已过期"], "错误码")
        '错误码40302表示什么？'
    """
    head, row, corner = (re.sub(r"[`*]", "", part).strip(" :：") for part in (head, row, corner))
    value, coded = values[0].strip(), bool(_CODE_ROW.match(row))
    if PATTERNS["not_given"].match(plain(value)) or not 0 < len(row) <= _LONGEST_ROW or not _is_askable(plain(head)):
        return ""
    case = _LEVEL.match(row) and _PLAIN_KIND.match(corner) and not PATTERNS["attribute_corner"].search(corner)
    shown = row_name(row, corner)
    if coded and not case and not _TELLING_CODE.search(row) and not _CODE_KINDS.search(plain(corner)):
        return ""
    kind = corner if _needs_kind(row, corner) and not coded else ""
    task = tokens(row)[0].tag in ("v", "vn") and len(tokens(row)) > 1 and not re.match(r"[A-Za-z\d“「《]", row)
    amounts = [_is_amount(each) for each in values]
    bare = [bool(PATTERNS["bare_number"].match(plain(each))) for each in values]
    if (
        bare[0]
        and not PATTERNS["default_head"].fullmatch(head)
        and any(amount and not alone for amount, alone in zip(amounts, bare, strict=True))
    ):
        return ""  # the others have units
    many = 2 * sum(amounts) > len(amounts)
    asked = _ask(
        "cell",
        plain(head),
        head=head,
        row=row,
        value=plain(value).lower(),
        name="" if case or not shown else _spaced(shown + kind),
        subject=f"{corner}为{row}时，" if case else f"{_spaced(shown + kind)}的" if shown else "",
        task="yes" if task and not case else "",
        coded="yes" if coded else "",
        amounts="many" if many else "few",
        measured=dimension_of(values),
    )
    return PATTERNS["beside_latin"].sub(" ", asked)


def _needs_kind(row: str, corner: str) -> bool:
    """Check whether a row is only understood with its kind: a plan or role, or one common word (抄送节点)."""
    if not _PLAIN_KIND.match(plain(corner)) or PATTERNS["attribute_corner"].search(plain(corner)):
        return False
    words = tokens(row)
    common = len(words) == 1 and len(row) > 1 and words[0].tag in WORDS["common_tags"] and not set(row) & set(corner)
    return common or bool(_AFTER_NAME.search(plain(corner)) and row[-1] not in corner)


def dimension_of(values: Sequence[str]) -> str:
    """Return what most of some values measure, "" if they measure different things or nothing with a unit.

    Example:
        >>> dimension_of(["5 秒", "10 秒", "不限"]), dimension_of(["5 GB", "3 天"]), dimension_of(["3", "4"])
        ('duration', '', '')
    """
    found = [read for each in values if (read := quantity(each))]
    kinds = {read.dimension for read in found}
    return kinds.pop() if len(kinds) == 1 and kinds != {"count:"} and 2 * len(found) > len(values) else ""


def record_question(head: str, records: str, value: str, others: Sequence[str]) -> str:
    """Return the question for all things of a kind that share a value, "" if nobody asks so.

    ``others`` are the values of the rest: that some may do a thing in part leaves open who may.

    Example:
        >>> record_question("导出审计", "角色", "✓", ["–"]), record_question("数据保留期", "套餐", "3年", ["1年"])
        ('哪些角色可以导出审计？', '哪些套餐的数据保留期是3年？')
    """
    if PATTERNS["not_given"].match(plain(value)) or PATTERNS["uncounted"].match(plain(value)):
        return ""
    asked = _ask("members", head, records=records, value=value, others=others) if _is_askable(plain(head)) else ""
    return PATTERNS["beside_latin"].sub(" ", asked)


def records_named(corner: str, titles: Sequence[str]) -> str:
    """Return what the rows of a table are called: the head above them, with what a title says of it; "" if nothing.

    Example:
        >>> records_named("套餐", ["价格"]), records_named("类型", ["字段类型参考"]), records_named("项目", [])
        ('套餐', '字段类型', '')
    """
    kind = corner.strip(" :：")
    if not _PLAIN_KIND.match(plain(kind)) or PATTERNS["attribute_corner"].search(plain(kind)):
        return ""
    for title in titles:
        words = tokens(title)
        at = next((number for number, word in enumerate(words) if word.text == kind), 0)
        before = [*takewhile(lambda word: word.tag in WORDS["before_kind"], reversed(words[:at]))]
        if before:
            return title[before[-1].start : words[at].end]
    return kind


def _is_amount(value: str) -> bool:
    return _AMOUNT.search(plain(value)) is not None or quantity(value) is not None


def row_name(row: str, corner: str) -> str:
    """Return how a question names a row: with its kind before a code, otherwise by itself; "" if it names no thing.

    Example:
        >>> row_name("40302", "错误码"), row_name("田讯3号", "型号"), row_name("其他城市", "城市")
        ('错误码40302', '田讯3号', '')
    """
    if _CODE_KINDS.search(plain(corner)) and re.fullmatch(r"[\w.-]+", row, re.ASCII):
        return _beside(corner, row)
    if PATTERNS["row_left_out"].search(plain(row)):
        return ""
    if _CODE_ROW.match(row) and _AFTER_NAME.search(plain(corner)):
        return _beside(corner, row)
    return row


# Questions for the rows of parameters, options and events: what one is for, and which one does something.


def is_code_row(row: str) -> bool:
    """Check whether a row has a name in code."""
    return bool(_CODE_ROW.match(row.strip(ROW_MARKS)))


def entry_kind(text: str) -> str:
    """Return what the things are that a heading or a head of a column names, "" if it names no such kind.

    Example:
        >>> entry_kind("Select Props"), entry_kind("请求参数"), entry_kind("名称")
        ('属性', '参数', '')
    """
    match = PATTERNS["entry_kind"].search(plain(text))
    return (match.lastgroup or "") if match else ""


def owner_in_title(title: str) -> str:
    """Return what has parameters by a heading, "" if it names only the parameters.

    Example:
        >>> owner_in_title("Col Props"), owner_in_title("Layout 布局"), owner_in_title("API")
        ('Col ', 'Layout ', '')
    """
    match = PATTERNS["owner_in_title"].fullmatch(bare_title(title))
    return _spaced(match["owner"] or match["body"] or match["thing"]) if match else ""


def entry_question(head: str, owner: str, row: str, kind: str, value: str) -> str:
    """Return what is asked of a parameter under the head of a column, "" if nobody asks for it.

    Example:
        >>> entry_question("默认值", "Image ", "lazy", "属性", "false")
        'Image 的 lazy 属性的默认值是什么？'
    """
    if PATTERNS["not_given"].match(plain(value)):
        return ""
    return PATTERNS["beside_latin"].sub(" ", _ask("entry", head, owner=owner, row=f" {row}", value=value, kind=kind))


def entry_by_use(use: str, owner: str, kind: str) -> str:
    """Return which parameter does what a use says, "" if that is none.

    Example:
        >>> entry_by_use("是否开启懒加载", "Image ", "属性"), entry_by_use("点击图标时触发", "Image ", "事件")
        ('Image 的哪个属性控制是否开启懒加载？', 'Image 的哪个事件在点击图标时触发？')
    """
    return _ask("use", use, owner=owner, kind=kind)


def _spaced(name: str) -> str:
    """Return a name with a blank after it if it ends in a word with Latin letters, as before a Chinese word."""
    return f"{name} " if re.search(r"[A-Za-z][\w.-]*$", name, re.ASCII) else name


def _beside(noun: str, code: str) -> str:
    """Return a noun before a code, with a blank before letters as people write it."""
    return f"{noun} {code}" if code[:1].isascii() and code[:1].isalpha() else f"{noun}{code}"


def _is_askable(head: str) -> bool:
    known = re.search(f"[{HAN}]", head) and len(head) <= _LONGEST_HEAD
    return bool(known) and not PATTERNS["no_attribute"].match(head) and not re.search(r"[（(？?！!，,。；;/、]", head)


_ask = Asker(
    CHINESE,
    tests={
        "amount": _is_amount,
        "ends_in_code": re.compile(r"[A-Za-z_\d]\s*$", re.ASCII).search,
        "noun": _is_noun,
        "noun_phrase": _ends_in_noun,
        "order": opens_with_verb,
        "topic": _is_topic,
        "opens_with_subject": _opens_with_subject,
    },
    shapes={"bare": _bare, "stated": lambda text, names: text.removeprefix("可以")},
    read=plain,
)
"""Writes the question of a lead or a head by the forms of ``zh.toml``."""
