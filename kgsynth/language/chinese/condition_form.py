"""What happens under a condition: 如果/若/假如/一旦/只要/当…时 before the outcome, and 只有…才.

Left out: 除非, whose outcome has to be turned round, conditions about what the reader wants, and steps, whose task is
said elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kgsynth.base.vocabulary import FactKind, Flag, Role
from kgsynth.language.chinese.cause_form import is_clear
from kgsynth.language.chinese.stated import Part, Split, Stated
from kgsynth.language.chinese.subjects import flags_of, opening_time, points_out, subject_of
from kgsynth.language.chinese.text_forms import content_stems
from kgsynth.language.chinese.value_form import value_in

_IF_CASE = re.compile(r"(?:如果说?|假如|倘若|若是?(?=[^干])|一旦|只要|万一|要是)")
_WHEN_CASE = re.compile(r"(?:当|在)?(?P<case>.{4,40})(?:时|的时候|的情况下|的话)$")
_READER_WISHES = re.compile(
    r"[你您我].{0,6}(?:想|希望|需要|愿意|打算|喜欢|不想|感兴趣|熟悉|知道|了解|正在|觉得|认为|遇到|发现)|[你您]对.*(?:好奇|兴趣)"
)
_ADDS_TO_CONDITION = re.compile(r"也|仍然?|还是|又|再次|其[中他]|同样")
"""Words of a condition that add to one before it."""
_THEN = re.compile(r"(?:那么?|就|则|便)(?=[\u3400-\u9fff])")
_READER = re.compile(r"[你您](?:们)?的?\s?")
_READER_DOES = re.compile(r"[你您](?:们)?(?!的)")
_TAKEN_UP = re.compile(r"(?:它们?|他们|[你您](?:们)?)\s?(?=(?:就|也)?(?:会|将|必须|无法|不会|不能|不得))")
"""A pronoun that opens an outcome and stands for what its condition names, or for the reader."""
_ONLY = re.compile(r"只有(?P<who>[^，,]{2,20}?)才(?P<may>能够?|会|可以?|有|允许|需要?)(?P<what>[^，,]{3,40})$")
_NO_OUTCOME = re.compile(
    r"(?:请|可能|也许|或许|(?:[你您]们?)?(?:就|将|会|能够|可以|能)*(?:看[到见]|考虑)|称|叫|也|还|更|风险|最|参见|见|可参|例如|比如|这|那|说明|意味|表示|最好|建议|我们|不妨|看看|恭喜|别|不要担心)"
)
_PREDICATE_OPENS = re.compile(
    r"(?<![委员社机工协学商议大])(?:将会|都会|也会|就会|会|将|可以|必须|应该|应当|需要|不得|不能|无法|不会|能够|可(?!能))(?=[\u3400-\u9fff])"
)

_MAY = re.compile(r"可(?!能)|能够")


def condition_facts(split: Split) -> Iterator[Stated]:
    """Yield the condition of a sentence with what follows from it.

    Example:
        >>> text = "如果断网时间超过7天，云雀网关会先删除最早的数据。"
        >>> [text[p.start : p.end] for fact in condition_facts(Split(text, ((0, 10), (11, 24)))) for p in fact.parts]
        ['如果断网时间超过7天', '云雀网关会先删除最早的数据']
    """
    yield from _only(split)
    if len(split.clauses) < 2 or split.step:
        return
    start, end = split.clauses[0]
    text = split.text[start:end]
    match = _IF_CASE.match(text)
    case = _case(split, text, match)
    begin, stop = split.clauses[1]
    outcome = split.text[begin:stop]
    then = _THEN.match(outcome)
    begin += then.end() if then else 0
    taken_up = _TAKEN_UP.match(split.text, begin, stop)  # 如果客户端重试，它会收到错误
    begin = taken_up.end() if taken_up else begin
    outcome = split.text[begin:stop]
    if (
        not case
        or points_out(_READER.sub("", outcome))
        or _NO_OUTCOME.match(outcome)
        or _IF_CASE.match(outcome)
        or _goes_on(split)
    ):
        return
    condition = Part(Role.CONDITION, start, end, _marked(text), match.group() if match else "")
    value = value_in(split, begin, stop) or _bare_value(split, begin, stop)
    if value is not None:
        parts = [p._replace(flags=p.flags - {Flag.NOMINAL}) if p.role == Role.SUBJECT else p for p in value.parts]
        yield Stated((condition, *(p for p in parts if p.role != Role.TIME)), value.verb, value.verb_start)
        return
    acting = will(outcome)
    if match is None and acting >= 0 and _MAY.match(outcome, acting):
        return  # 当您输入文字时，程序可以…: one of many things that it can do
    rule = match is not None and match.group() != "只要" and not _READER_DOES.match(case)
    if (acting < 0 and (not rule or re.search(r"也|更", outcome))) or split.text[stop : stop + 1] in {"：", ":"}:
        return  # 时 alone opens a story as often as a rule
    if is_clear(split, begin, stop) or (match and acting == 0) or (match and subject_of(case, split.known)):
        yield Stated((condition, Part(Role.OUTCOME, begin, stop)), "", begin, FactKind.OUTCOME)


def will(outcome: str) -> int:
    """Return where the word stands that says what will, may or must happen, -1 for none: it opens the predicate.

    Example:
        >>> will("云雀网关会先删除数据"), will("委员会停止"), will("必须停止")
        (4, -1, 0)
    """
    match = _PREDICATE_OPENS.search(outcome)
    return match.start() if match else -1


def _case(split: Split, text: str, match: re.Match[str] | None) -> str:
    """Return what the condition says, "" if it is none or does not say by itself what it is about."""
    when = _WHEN_CASE.match(text) if match is None else None
    case = text[match.end() :] if match else when["case"] if when else ""
    told = _READER.sub("", case)
    if (
        not case
        or points_out(told)
        or _READER_WISHES.search(text)
        or _ADDS_TO_CONDITION.search(case)
        or opening_time(case)
    ):
        return ""
    subject = subject_of(told, split.known)
    named = subject is not None and Flag.LOOSE not in subject.flags
    if _READER_DOES.match(case):  # clear if it has an object
        named = len(content_stems(told)) > 1
    happens = match is not None and re.match(r"(?:发生|出现|超过|缺少|存在)", case)
    return case if named or happens else ""


def _goes_on(split: Split) -> bool:
    """Check whether the outcome goes on after its first clause with more that belongs to it, or with the contrary."""
    rest = [split.clause(number) for number in range(2, len(split.clauses))]
    return any(re.match(r"并|且|同时|然后|再|也|而|以及|或|从而|以|其中|即|又", each) for each in rest)


def _bare_value(split: Split, start: int, end: int) -> Stated | None:
    """Return the value that an outcome gives after 每次, 每台 and the like: 每次收费800元."""
    match = re.match(r"每[\u3400-\u9fff]{1,4}?(?=收费|收取|赔偿|补[贴助]|支付|返还)", split.text[start:end])
    if match is None:
        return None
    found = value_in(split, start + match.end(), end) or value_in(split, start, end)
    if found is not None:
        return found
    from kgsynth.language.chinese.value_form import amounts

    text = split.text[start:end]
    figures = amounts(text)
    if len(figures) != 1 or figures[0].end != len(text) or figures[0].start > match.end() + 3:
        return None
    figure = Part(
        Role.ATTRIBUTE, start + figures[0].start, start + figures[0].end, frozenset({Flag.NOMINAL, Flag.NUMBER})
    )
    return Stated((Part(Role.SUBJECT, start, start + match.end()), figure), "收费", start + match.end())


def _marked(text: str) -> frozenset[Flag]:
    return frozenset({Flag.NAMED})


def _only(split: Split) -> Iterator[Stated]:
    """Read 只有N才能V in a sentence of one clause: who or what may."""
    if len(split.clauses) != 1:
        return
    start, end = split.clauses[0]
    text = split.text[start:end]
    match = _ONLY.match(text)
    if match is None or points_out(match["who"]) or points_out(match["what"]):
        return
    who = (start + match.start("who"), start + match.end("who"))
    flags = flags_of(match["who"], split.known)
    condition = Part(Role.CONDITION, *who, flags, "只有")
    rest = Part(Role.SUBJECT, who[1], end)
    yield Stated((condition, rest), "才", who[1])
