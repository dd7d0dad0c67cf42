"""Questions that Chinese headings ask, in their own words: 怎样轮换密钥, 什么是流, 响应模型如何工作, …吗？

A heading without a word that asks gives no question: 安装传感器 may introduce anything.
"""

from __future__ import annotations

import re

from kgsynth.language.chinese.characters import plain
from kgsynth.language.chinese.segmentation import tokens
from kgsynth.language.chinese.text_forms import content_stems
from kgsynth.language.words import HAN

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
