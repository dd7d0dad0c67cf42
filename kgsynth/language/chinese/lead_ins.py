"""Questions for the members of a list, from the sentence that leads into it: 禾图支持以下几种告警 → 禾图支持哪些告警？

The word that asks takes the place of the members. Left out: leads without a subject, and those that point elsewhere.
"""

from __future__ import annotations

import re

from kgsynth.language.chinese.characters import plain
from kgsynth.language.chinese.numbers import number
from kgsynth.language.chinese.segmentation import tokens
from kgsynth.language.chinese.text_forms import content_stems
from kgsynth.language.words import HAN

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
