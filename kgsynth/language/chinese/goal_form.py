"""How a goal is reached: 要/如需/如果想P，可以V, and 可以用X来P; both tell the reader what to do.

Left out: items of lists, whose first steps are not in them, steps that go on in the next sentence, goals that lead to
another page, and those that are denied.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kgsynth.base.vocabulary import Flag, Role
from kgsynth.language.chinese.headings import opens_with_verb
from kgsynth.language.chinese.segmentation import tokens
from kgsynth.language.chinese.stated import Part, Split, Stated
from kgsynth.language.chinese.subjects import points_out
from kgsynth.language.chinese.text_forms import content_stems

_READER_WORD = r"(?:[你您](?:们)?)"
_GOAL = re.compile(
    rf"(?:(?:若|如)?要(?![么求点是紧不])|如(?:需|想|欲)要?|(?:如果|若|假如|倘若){_READER_WORD}?(?:确实|还|只)?"
    r"(?:想要?|需要|希望|要(?!求)))"
)
_TELLS = re.compile(
    rf"(?:那么?|则|就)?{_READER_WORD}?(?:也|还|都|就|则)?"
    r"(?P<ought>只需要?|可以|可|请|应该|应当|应|建议|需要|需|必须|务必)?(?:直接)?"
)
_MEANS = re.compile(
    rf"{_READER_WORD}?可以(?:直接)?(?:使用|利用|借助|用)(?P<means>[^，,来]{{2,24}}?)\s?来\s?(?P<task>[^，,]{{4,40}})$"
)
_SENDS_AWAY = re.compile(
    r"(?:直接|先)?(?:参[见阅考照看]|查[看阅]|阅读|看|见|访问|了解|继续|回到|跳[过到]|首先|先|考虑|注意|记住|想象|尝试|试试|联系我们|加入)"
)
_POINTS_NEAR = re.compile(
    r"以[上下]|[上下][面述列]|如[上下图]|前面|同样|同一|类似|相关|某些|其[他它]|(?<![文版样脚])本[文章节页](?!件)"
)
_GOES_ON_BEYOND = re.compile(r"[，,](?:否则|不然|但|不过|因为|例如|比如|如(?!果)|这|它|从而|以便|以免|参见)")
_NEXT_STEP = re.compile(r"[，,](?:然后|再|并|最后|接着|同时)")
_STEP_AFTER = re.compile(r"\s*(?:[此这]时|然后|接着|随后|接下来|最后|再|完成后|[^，,。]{0,8}后，)")
"""How the next sentence begins if it is the next step."""
_BY_MEANS = re.compile(r"通过|借助|利用|不要|不用|改用")
_ACTS = re.compile(r"(?:点击|单击|双击|点选|输入|填写|选中|勾选|清除)")
_SAYS_WHERE = re.compile(r"在|[上中里内]|栏|菜单|对话框|窗口|面板|页| - |[>→»]")
"""What says where to click or enter something; otherwise it is the last of several steps."""
_FIRST_NEEDED = re.compile(r"安装|具备|具有|拥有|满足|启用|允许|准备")
"""How what must be there before a task begins, after 必须 or 需要; the task itself is done otherwise."""
_JUDGES = re.compile(r"往往|更[^，,改新换多高大]{1,3}$|(?:很|非常|会)有(?:用|帮助)|即可以|就可以了$")
_BEFORE_VERB = frozenset("可以 可 请 应该 应当 应".split())
_OUGHT = frozenset("只需要 需要 需 必须 务必 应该 应当 应".split())
_IN_BRACKETS = re.compile(r"（[^（）]*）")
_LONGEST_TOLD, _SHORTEST_TOLD, _LEAST_GOAL = 90, 4, 2


def goal_facts(split: Split) -> Iterator[Stated]:
    """Yield how the goal of a sentence is reached.

    Example:
        >>> text = "如需报销差旅费，请在系统里提交申请。"
        >>> [text[p.start : p.end] for fact in goal_facts(Split(text, ((0, 7), (8, 17)))) for p in fact.parts]
        ['报销差旅费', '在系统里提交申请']
        >>> text = "你可以用守望来监控服务器。"
        >>> [text[p.start : p.end] for fact in goal_facts(Split(text, ((0, 12),))) for p in fact.parts]
        ['守望', '监控服务器']
    """
    if split.listed or _STEP_AFTER.match(split.after):
        return
    found = _goal_first(split) or _means_first(split)
    if found is not None:
        yield found


def _goal_first(split: Split) -> Stated | None:
    """Read 要P，可以V, where V is all that follows, up to what explains it."""
    if len(split.clauses) < 2:
        return None
    (start, end), (begin, _) = split.clauses[:2]
    opening = _GOAL.match(split.text, start, end)
    if opening is None:
        return None
    noun_may_follow = opening.group().endswith(("需要", "想要"))  # 如果你需要帮助
    if not _is_task(split.text[opening.end() : end], opens_with_noun=not noun_may_follow):
        return None
    telling = _TELLS.match(split.text, begin)
    told = telling.end() if telling else begin
    stop = split.clauses[-1][1]
    more = _GOES_ON_BEYOND.search(split.text, told, stop)
    if more and _NEXT_STEP.search(split.text, more.end(), stop):
        return None
    stop = more.start() if more else stop
    if telling and telling["ought"] in _OUGHT and _FIRST_NEEDED.match(split.text, told):
        return None
    if not _is_told(split.text[told:stop], asked=bool(telling and telling["ought"] in _BEFORE_VERB)):
        return None
    return _stated((opening.end(), end), (told, stop), Role.COMPLEMENT)


def _means_first(split: Split) -> Stated | None:
    """Read 可以用X来P in a sentence of one clause."""
    start, end = split.clauses[0]
    match = _MEANS.match(split.text[start:end])
    if match is None or len(split.clauses) > 1 or split.text[end : end + 1] in {"：", ":"}:
        return None
    means, task = match["means"].strip(), match["task"].strip()
    if not _is_task(task) or _is_unclear(means) or tokens(means)[0].tag in {"r", "m"} or not content_stems(means):
        return None
    first = start + match.start("means") + len(match["means"]) - len(match["means"].lstrip())
    last = start + match.start("task") + len(match["task"]) - len(match["task"].lstrip())
    return _stated((last, last + len(task)), (first, first + len(means)), Role.OBJECT)


def _is_task(text: str, *, opens_with_noun: bool = False) -> bool:
    """Check whether a goal is a verb with its object, and is understood alone.

    jieba takes some verbs for nouns (声明), so after 想 and 要 the goal may begin with what looks like one.
    """
    bare = text.strip()
    verb = opens_with_verb(bare) or (opens_with_noun and tokens(bare)[0].tag in {"n", "ad", "d", "nz"})
    return verb and not _SENDS_AWAY.match(bare) and not _is_unclear(bare) and _says_what(bare)


def _says_what(goal: str) -> bool:
    """Check whether a goal says what it is about: two words that say something, one of them no verb."""
    named = any(each.tag[:1] in "nlj" or each.tag in {"eng", "vn", "s"} for each in tokens(goal))
    return named and len(content_stems(goal)) >= _LEAST_GOAL


def _is_told(text: str, *, asked: bool) -> bool:
    """Check whether what is told is an order that is complete and understood alone; ``asked``: 可以 is before it."""
    words = tokens(text)
    modified = len(words) > 1 and words[0].tag in {"d", "ad", "df"} and words[1].tag == "v"
    latin_verb = asked and bool(words) and words[0].tag == "eng"
    ordered = opens_with_verb(text) or _BY_MEANS.match(text) or modified or latin_verb
    fits = _SHORTEST_TOLD <= len(text) <= _LONGEST_TOLD and bool(ordered)
    if _ACTS.match(text) and not _SAYS_WHERE.search(text):
        return False
    return fits and not _SENDS_AWAY.match(text) and not _JUDGES.search(text) and not _is_unclear(text)


def _is_unclear(text: str) -> bool:
    """Check whether a text points to another one, brackets aside; 你的 is the reader's."""
    text = _IN_BRACKETS.sub("", text)
    return points_out(re.sub(_READER_WORD, "", text)) or bool(_POINTS_NEAR.search(text))


def _stated(goal: tuple[int, int], told: tuple[int, int], role: Role) -> Stated:
    parts = (Part(Role.PURPOSE, *goal), Part(role, *told, frozenset({Flag.YOU})))
    return Stated(tuple(sorted(parts, key=lambda part: part.start)), "可以", min(goal[0], told[0]))
