"""Words of a Chinese question that refer to something outside it: 该功能, 本文, 上述, and 它 before any noun."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kgsynth.language.chinese.characters import plain
from kgsynth.language.chinese.segmentation import Token, tokens

_QUOTED = re.compile(r"“[^”]*”|「[^」]*」|『[^』]*』|《[^》]*》|\"[^\"]*\"")
_A_NAME = "“A”"
"""What stands for a quoted text: a name, whose words refer to nothing."""
_POINTING = frozenset(
    """上述 下述 前述 上文 下文 前文 后文 文中 原文 全文 本文 本章 本节 本页 本篇 本例 本书 本站 本次 本届 本剧 本片
    本段 本表 本教程 本指南 本手册 如上 如下 如图 上图 下图 上表 下表 下列 该文 该书 该剧 该片 该院 该校 该词 该国
    该市 该省 该县 该镇 该区 该村 该岛 该站 该馆 该队 该族 该党 该会 该社 该寺 该山 该河 该湖 该所 此战 此剧 此书
    此片 此地 此处 此人 此事 此物 此法 此类 此种 此时 此次 此案 此鱼 此树 此役 此举 前者 后者""".split()
)
"""Words that point to a place in a text or to what was named there."""
_DETERMINING = frozenset("该 此 本".split())
_PRONOUNS = frozenset("他 她 它 他们 她们 它们 牠 其 之".split()) - {"之"}
_PLACE_WORDS = frozenset("以上 以下 上面 下面 前面 后面".split())
_IN_TEXT = re.compile(
    r"(?:根据|按照|依据|依照)(?:文章|短文|段落|材料|资料|原文|内容|描述|介绍|上下文)|(?:文章|段落|短文|材料|上下文)(?:中|里|内)"
    r"|(?:前面|上面|刚才|之前)(?:提到|提及|说|介绍|讲)|(?:所述|所示|提到的|提及的)"
)
_THAT = re.compile(r"那(?:个|些|种|样|位|次|时|家|部|座|项|类|条)")
_THIS = re.compile(r"这(?!么|须)")
_NO_DETERMINER_AFTER = frozenset("因 由 据 对 为 以 从 就 至 除 与 在 仅 如 于 彼".split())
_COUNTED = frozenset({"m", "q", "mq"})
_REFERENTS = frozenset("n nr ns nt nz nrt nrfg eng vn an l i j".split())


def outside_reference(question: str) -> str:
    """Return the word or phrase that refers to something outside the question, "" for none.

    A pronoun needs a noun before it. 该, 此 and 这 need the word after them before, or a name right before, to which it
    stands in apposition. Words in quotation marks and titles refer to nothing.

    Example:
        >>> outside_reference("它由谁负责？"), outside_reference("李明和他的父亲何时见面？")
        ('它', '')
        >>> outside_reference("该功能怎么用？"), outside_reference("我应该怎么安装 Redis？")
        ('该功能', '')
        >>> outside_reference("“水泵”这个名字从何而来？"), outside_reference("上述步骤需要多久？")
        ('', '上述')
    """
    text = _QUOTED.sub(_A_NAME, plain(question))
    if match := _IN_TEXT.search(text):
        return match.group()
    words = [each for each in tokens(text) if each.text.strip()]
    return next((phrase for at in range(len(words)) if (phrase := _refers_outside(words, at, text))), "")


def _refers_outside(words: Sequence[Token], at: int, text: str) -> str:
    """Return the phrase at a word if it refers to something outside the question, "" if it does not."""
    word, before = words[at].text, words[at - 1] if at else None
    after = words[at + 1].text if at + 1 < len(words) else ""
    if word in _POINTING:
        sides = word in {"前者", "后者"} and any(each.text in {"和", "与", "跟", "还是"} for each in words[:at])
        return "" if sides or _in_compound(before) else word
    if word in _PLACE_WORDS and not (
        before and (before.tag in _COUNTED or before.tag in _REFERENTS or before.text == "在")
    ):
        return word if after == "的" or after.startswith(("哪", "几")) or _is_noun(words, at + 1) else ""
    if word in _PRONOUNS:
        return "" if any(each.tag in _REFERENTS for each in words[:at]) else word
    if word in _DETERMINING or (_THIS.match(word) and word not in {"这样", "这一点"}) or _THAT.match(word):
        return _determined(words, at, text)
    return "作者" if word == "作者" and (before is None or before.tag == "x") else ""


def _determined(words: Sequence[Token], at: int, text: str) -> str:
    """Return the phrase that a determiner opens if nothing before it says what it means."""
    word, before = words[at].text, words[at - 1] if at else None
    rest = words[at + 1 :]
    if word == "本" and (
        before is not None and (before.tag in _COUNTED or before.text in {"哪", "几", "这", "那", "哪几"})
    ):
        return ""  # a measure word
    if word == "此" and before is not None and before.text in _NO_DETERMINER_AFTER and not _is_noun(words, at + 1):
        return ""
    if word == "该" and rest and rest[0].tag[:1] in "vrdp" and rest[0].tag != "vn":
        return ""  # should: 我该用
    named = {each.text for each in words[:at]}
    noun = next((each for each in rest if each.tag in _REFERENTS), None)
    apposed = (
        before is not None and word not in _DETERMINING and (before.tag in _REFERENTS or before.text in '”」』》"')
    )
    if apposed or (noun is not None and noun.text in named):
        return ""
    return text[words[at].start : noun.end if noun is not None and noun.start - words[at].end <= 2 else words[at].end]


def _is_noun(words: Sequence[Token], at: int) -> bool:
    return at < len(words) and words[at].tag in _REFERENTS


def _in_compound(before: Token | None) -> bool:
    """Check whether the word before makes a word such as 本市 the end of a name that was cut wrongly: 瓦士|本市."""
    return before is not None and before.tag in {"nrt", "nrfg"}
