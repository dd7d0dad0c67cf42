"""When something happened: X成立于2014年, X于/在2014年V…, and 2014年，X V….

Left out: dates inside a longer predicate, and sentences with two dates in one clause.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kgsynth.base.vocabulary import Flag, Role, VerbFlag
from kgsynth.language.chinese.segmentation import tokens
from kgsynth.language.chinese.stated import Part, Split, Stated
from kgsynth.language.chinese.subjects import points_out, subject_of

_WRITTEN_YEAR = r"(?:公元前?)?[\d〇零一二三四五六七八九]{3,4}年"
_DAY = (
    r"(?:[正腊]月|[\d一二三四五六七八九十]{1,3}月(?:[\d一二三四五六七八九十]{1,3}[日号]|[上中下]旬|初|底)?|"
    r"[春夏秋冬][天季]?|年?[初底末]|第?[一二三四1-4]季度|[上下]半年)?"
)
DATE = re.compile(rf"{_WRITTEN_YEAR}{_DAY}")
_AT_END = re.compile(rf"(?P<verb>[\u3400-\u9fff]{{1,4}})于(?P<date>{DATE.pattern})(?:（[^（）]*）)?$")
_DATE_INSIDE = re.compile(rf"(?:是)?(?P<at>于|在)?(?P<date>{DATE.pattern})(?P<rest>[^，,。]{{2,40}})$")
_DATE_FIRST = re.compile(rf"(?:[于在]|早在)?(?P<date>{DATE.pattern})$")
_PERIOD_END = re.compile(r"^(?:[至到起前后间的以]|之[前后间]|期间|年代|[-–—~～])")
_SECOND_EVENT = re.compile(
    r"时的|第[一二三四五六七八九十\d]+次|^地|为了|^认为|[也又再还则便遂]|并|随后|随即|仍|终于|趁机|其后|当时|第一次|首次|的是|后来|因此|而"
)
_LEADS_ON = re.compile(r"(?:[时后前]|期间|中|宣布|表示|认为|指出|称|说|提出|发现|决定|说道|写道|规定|以来)$")
"""How a predicate ends that leads to another clause."""
_POINTS_TO_NOW = re.compile(r"(?:目前|现在|现有|现存|如今)的")
_WHOLE_ALONE = re.compile(
    r"[去逝辞病离过]世|世|[出诞]生|[成建设创]立|[退服离复]役|[结离]婚|[登继即]位|登基|爆发|发生|结束|灭亡|沉没|坠毁|毕业|退休|死|卒|驾崩|[竣完动开]工|落成|通车|开[业幕放馆园站通播张]|[停复]刊|创刊|破产|解散"
)
"""Verbs that say by themselves what happened; after others (入住, 请辞) one asks where or what."""
_TIMES = ("时", "后", "前", "期间", "之间")
_VERBAL = "vpd"
_BARE_EVENT = 2


def time_facts(split: Split) -> Iterator[Stated]:
    """Yield the times that the clauses of a sentence give for what happened.

    Example:
        >>> text = "青禾成立于2014年。"
        >>> [text[p.start : p.end] for fact in time_facts(Split(text, ((0, 10),))) for p in fact.parts]
        ['青禾', '2014年']
    """
    if not split.clauses:
        return
    first = _of_clause(split, *split.clauses[0])
    if first is not None:
        yield first
    elif len(split.clauses) > 1:
        start, end = split.clauses[0]
        match = _DATE_FIRST.match(split.text[start:end])
        told = _told(split, *split.clauses[1]) if match else None
        if match is not None and told is not None:
            yield _stated((start + match.start("date"), start + match.end("date")), *told)


def _of_clause(split: Split, start: int, end: int) -> Stated | None:
    """Return the time that one clause gives with its own subject."""
    text = split.text[start:end]
    dates = list(DATE.finditer(text))
    subject = subject_of(text, split.known)
    if len(dates) != 1 or points_out(text):
        return None
    date = dates[0].span()
    last = _AT_END.match(text, subject.predicate) if subject else None
    if last is not None and subject is not None:
        if Flag.LOOSE in subject.flags:
            return None
        return _stated((start + date[0], start + date[1]), (start, start + subject.end), None, subject.flags)
    if not date[0]:
        rest = text[date[1] :]
        told_after = _told(split, start + date[1], end) if rest and not _PERIOD_END.match(rest) else None
        return _stated((start, start + date[1]), *told_after) if told_after else None
    return _within(split, start, end)


def _within(split: Split, start: int, end: int) -> Stated | None:
    """Read X于2014年V…: the date follows the subject, with or without 于 and 在."""
    text = split.text[start:end]
    match = next((m for m in [_DATE_INSIDE.search(text)] if m is not None), None)
    if match is None or _PERIOD_END.match(match["rest"]):
        return None
    head = text[: match.start()]
    subject = subject_of(f"{head}是", split.known)
    words = tokens(match["rest"])
    if subject is None or subject.end != len(head) or Flag.LOOSE in subject.flags:
        return None
    if words[0].tag[:1] not in _VERBAL or not _has_verb(match["rest"]):
        return None
    if not _is_one_event(match["rest"]):
        return None
    date = (start + match.start("date"), start + match.end("date"))
    rest = (start + match.start("rest"), end)
    return _stated(date, (start, start + len(head)), rest, subject.flags)


def _told(split: Split, start: int, end: int) -> tuple[tuple[int, int], tuple[int, int], frozenset[Flag]] | None:
    """Return the subject and predicate of a clause of which another part gives the time."""
    text = split.text[start:end]
    subject = subject_of(text, split.known)
    if subject is None or text[: subject.end].endswith(_TIMES):
        return None
    if Flag.LOOSE in subject.flags or points_out(text) or DATE.search(text) or _SECOND_EVENT.search(text):
        return None
    words = [each for each in tokens(text) if each.start >= subject.predicate]
    told = "".join(word.text for word in words)
    if not words or words[0].text in {"是", "为", "有", "时", "的"} or not _is_one_event(told):
        return None
    if words[0].tag[:1] not in _VERBAL or not _has_verb(told):
        return None
    return (start, start + subject.end), (start + subject.predicate, end), subject.flags


def _has_verb(told: str) -> bool:
    """Check whether a predicate has its verb, and is not only the preposition and noun before it."""
    words = tokens(told)
    return any(word.tag[:1] == "v" and word.tag != "vn" for word in words) or words[-1].tag == "t"  # jieba's 去世


def _is_one_event(told: str) -> bool:
    """Check whether a predicate tells of one event by itself, not of a second one or of a state."""
    if _SECOND_EVENT.search(told) or _LEADS_ON.search(told) or _POINTS_TO_NOW.search(told):
        return False
    return len(told) > 1 and (len(told.removesuffix("了")) > _BARE_EVENT or bool(_WHOLE_ALONE.search(told)))


def _stated(
    date: tuple[int, int], subject: tuple[int, int], rest: tuple[int, int] | None, flags: frozenset[Flag]
) -> Stated:
    parts = [Part(Role.SUBJECT, *subject, flags), Part(Role.TIME, *date, frozenset({Flag.NOMINAL}), label="DATE")]
    if rest is not None:
        parts.append(Part(Role.OTHER, *rest))
    parts.sort(key=lambda part: part.start)
    return Stated(tuple(parts), "", subject[1], flags=frozenset({VerbFlag.PAST}))
