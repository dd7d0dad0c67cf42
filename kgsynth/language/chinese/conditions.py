"""What happens under a condition (如果, 只要), and how much or how many: X为/达/至少 and a number."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from kgsynth.base.vocabulary import FactKind, Flag, Role
from kgsynth.language.chinese.clauses import Part, Split, Stated, opening_time, points_out, subject_of
from kgsynth.language.chinese.lexicon import PATTERNS
from kgsynth.language.chinese.reasons import is_clear
from kgsynth.language.chinese.segmentation import tokens
from kgsynth.language.chinese.text_forms import content_stems

# What happens under a condition: 如果/若/假如/一旦/只要/当…时 before the outcome.
#
# Left out: 除非, whose outcome has to be turned round, conditions about what the reader wants, and steps, whose task is
# said elsewhere.

_IF_CASE = re.compile(r"(?:如果说?|假如|倘若|若是?(?=[^干])|一旦|只要|万一|要是)")
_WHEN_CASE = re.compile(r"(?:当|在)?(?P<case>.{4,40})(?:时|的时候|的情况下|的话)$")
_ADDS_TO_CONDITION = re.compile(r"也|仍然?|还是|又|再次|其[中他]|同样")
"""Words of a condition that add to one before it."""
_THEN = re.compile(r"(?:那么?|就|则|便)(?=[\u3400-\u9fff])")
_READER = re.compile(r"[你您](?:们)?的?\s?")
_READER_DOES = re.compile(r"[你您](?:们)?(?!的)")
_TAKEN_UP = re.compile(r"(?:它们?|他们|[你您](?:们)?)\s?(?=(?:就|也)?(?:会|将|必须|无法|不会|不能|不得))")
"""A pronoun that opens an outcome and stands for what its condition names, or for the reader."""
_MAY = re.compile(r"可(?!能)|能够")


def condition_facts(split: Split) -> Iterator[Stated]:
    """Yield the condition of a sentence with what follows from it.

    Example:
        >>> text = "如果断网时间超过7天，云雀网关会先删除最早的数据。"
        >>> [text[p.start : p.end] for fact in condition_facts(Split(text, ((0, 10), (11, 24)))) for p in fact.parts]
        ['如果断网时间超过7天', '云雀网关会先删除最早的数据']
    """
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
    if not case or points_out(_READER.sub("", outcome)) or PATTERNS["no_outcome"].match(outcome) or _goes_on(split):
        return
    condition = Part(Role.CONDITION, start, end, frozenset({Flag.NAMED}), match.group() if match else "")
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
    match = PATTERNS["predicate_opens"].search(outcome)
    return match.start() if match else -1


def _case(split: Split, text: str, match: re.Match[str] | None) -> str:
    """Return what the condition says, "" if it is none or does not say by itself what it is about."""
    when = _WHEN_CASE.match(text) if match is None else None
    case = text[match.end() :] if match else when["case"] if when else ""
    told = _READER.sub("", case)
    if not case or points_out(told) or PATTERNS["reader_wishes"].search(text) or _ADDS_TO_CONDITION.search(case):
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


# How much or how many: X为/达/共/最多/至少 + a number with its measure word, to the end of the clause but for a noun.
#
# Left out: 一 with a measure word ("一个系统"), ordinals, several figures in one clause, and figures inside a modifier.

_TAIL = re.compile(r"的?[\u3400-\u9fffA-Za-z ]{0,8}(?:（[^（）]*）)?")
_BEFORE_ORDINAL = re.compile(r"(?:第|[年月日号\d.]|每)$")


class Amount(NamedTuple):
    """A figure with its measure word in a text, and where the number inside it ends."""

    start: int
    end: int
    unit: str


def amounts(text: str) -> list[Amount]:
    """Return the figures of a text that count or measure something; no dates, ordinals or 一 with a measure word.

    Example:
        >>> text = "2018年共有约3万名员工，占百分之五，是一个第3台"
        >>> [text[a.start : a.end] for a in amounts(text)]
        ['约3万名', '百分之五']
    """
    found = []
    for match in PATTERNS["quantity"].finditer(text):
        number, unit = match["number"] or "", match["unit"] or ""
        dated = unit in {"年", "日"} and re.fullmatch(r"[\d〇零一二三四五六七八九]{4}", number)
        if dated or number == "一" or _BEFORE_ORDINAL.search(text[: match.start()]):
            continue
        found.append(Amount(match.start(), match.end(), unit))
    return found


def value_facts(split: Split) -> Iterator[Stated]:
    """Yield the quantities that the clauses of a sentence give for their own subjects.

    Example:
        >>> text = "一台网关最多可以接入64台传感器。"
        >>> [text[p.start : p.end] for fact in value_facts(Split(text, ((0, 16),))) for p in fact.parts]
        ['一台网关', '64台', '传感器']
    """
    for number, (start, end) in enumerate(split.clauses):
        time = split.clauses[number - 1] if number and _is_time(split.clause(number - 1)) else None
        found = value_in(split, start, end)
        if found is not None:
            if number and not time and not _is_specific(found.parts[0].flags):
                continue  # 有效期 after the first clause is that of its subject
            parts = found.parts if time is None else (Part(Role.TIME, *time), *found.parts)
            yield found._replace(parts=parts)


def _is_specific(flags: frozenset[Flag]) -> bool:
    return bool(flags & {Flag.NAMED, Flag.MODIFIED})


def _is_time(text: str) -> bool:
    return len(text) > 1 and opening_time(text) == len(text)


def value_in(split: Split, start: int, end: int) -> Stated | None:
    """Return the quantity that one clause gives, None for none."""
    text = split.text[start:end]
    opened = opening_time(text)
    subject = subject_of(text[opened:], split.known)
    figures = [each for each in amounts(text) if subject and each.start >= opened + subject.end]
    if subject is None or len(figures) != 1 or points_out(text) or Flag.LOOSE in subject.flags:
        return None
    figure, reached = figures[0], opened + subject.end
    middle, tail = text[opened + subject.predicate : figure.start].rstrip(), text[figure.end :]
    if not (PATTERNS["states_figure"].fullmatch(middle) or PATTERNS["limited"].fullmatch(middle)) or not _is_noun(tail):
        return None
    parts = [
        Part(Role.SUBJECT, start + opened, start + reached, subject.flags),
        Part(Role.ATTRIBUTE, start + figure.start, start + figure.end, frozenset({Flag.NOMINAL, Flag.NUMBER})),
    ]
    if opened:
        parts.insert(0, Part(Role.TIME, start, start + opened))
    if tail:
        parts.append(Part(Role.OTHER, start + figure.end, end))
    return Stated(tuple(parts), middle, start + reached)


def _is_noun(tail: str) -> bool:
    """Check whether what follows a figure in its clause is nothing but the noun that is counted."""
    words = [each for each in tokens(tail) if each.text.strip()]
    return (
        tail != "的"
        and bool(_TAIL.fullmatch(tail))
        and all(
            (
                each.tag[:1] in "nvljbaxgk"
                and each.text not in {"以上", "以下"}
                and (each.tag[:1] != "v" or each.tag == "vn")
            )
            or each.tag in {"eng", "s", "i", "uj"}
            for each in words
        )
    )
