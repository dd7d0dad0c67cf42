"""What something is for: 为了P before what is done, 以便/以免/以防 after it, and X用于/用来 V.

Left out: 为 alone, which has other meanings, and purposes inside a longer predicate.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kgsynth.base.vocabulary import FactKind, Flag, Role
from kgsynth.language.chinese.cause_form import explained_inside, is_clear
from kgsynth.language.chinese.segmentation import tokens
from kgsynth.language.chinese.stated import Part, Split, Stated
from kgsynth.language.chinese.subjects import points_out, subject_of

_FOR = re.compile(r"为了")
_SO_THAT = re.compile(r"(?:以便|以免|以防止?|以期|以确保|以避免)(?:于)?")
_USED_FOR = re.compile(r"(?:主要|通常|专门|可以?|会|被|常|是)*?(?:用于|用来|用以)")
_AIMS = re.compile(r"(?:主要|其)?目的(?:是|在于)|旨在")


def purpose_facts(split: Split) -> Iterator[Stated]:
    """Yield the purposes that a sentence gives.

    Example:
        >>> text = "为了节省电量，田讯3号只在白天上传数据。"
        >>> [text[p.start : p.end] for fact in purpose_facts(Split(text, ((0, 6), (7, 19)))) for p in fact.parts]
        ['为了节省电量', '田讯3号只在白天上传数据']
        >>> text = "禾图用来监控服务器。"
        >>> [text[p.start : p.end] for fact in purpose_facts(Split(text, ((0, 9),))) for p in fact.parts]
        ['禾图', '监控服务器']
    """
    found = explained_inside(split, _FOR, Role.PURPOSE) or _first(split) or _last(split) or _used(split)
    if found is not None:
        yield found


def _first(split: Split) -> Stated | None:
    """Read 为了P，B and X为了P，B, where the clause after the purpose says what is done."""
    if len(split.clauses) < 2:
        return None
    start, end = split.clauses[0]
    text = split.text[start:end]
    match = _FOR.match(text)
    if match is None or points_out(text[match.end() :]) or not is_clear(split, *split.clauses[1]):
        return None
    return _stated((start, end), split.clauses[1], match.group(), start)


def _last(split: Split) -> Stated | None:
    """Read B，以便P in a sentence whose last clause is the purpose."""
    last = len(split.clauses) - 1
    if last < 1:
        return None
    start, end = split.clauses[last]
    match = _SO_THAT.match(split.text[start:end]) or _AIMS.match(split.text[start:end])
    if match is None or points_out(split.text[start + match.end() : end]):
        return None
    whole = (split.clauses[0][0], split.clauses[last - 1][1])
    done = (
        next((place for place in (whole, split.clauses[last - 1]) if _is_done(split, place)), None)
        if last <= 2
        else None
    )
    if done is None:
        return None
    aims = _AIMS.match(split.text[start:end])
    return _stated((start + aims.end() if aims else start, end), done, match.group(), start)


def _is_done(split: Split, place: tuple[int, int]) -> bool:
    """Check whether a clause is clear by itself; what has a purpose may be described: 用于研究的读数必须…."""
    text = split.text[place[0] : place[1]]
    described = re.match(r"[^，,]{2,12}的[\u3400-\u9fff]{2,6}(?:必须|应当?|需要?|不得|不能|会|可以)", text)
    return is_clear(split, *place) or (bool(described) and not points_out(text))


def _used(split: Split) -> Stated | None:
    """Read X用于V…, one clause with a verb after 用于."""
    for number, (start, end) in enumerate(split.clauses[:1]):
        text = split.text[start:end]
        subject = subject_of(text, split.known)
        match = _USED_FOR.match(text, subject.predicate) if subject else None
        if subject is None or match is None or Flag.LOOSE in subject.flags or points_out(text):
            continue
        words = tokens(text[match.end() :])
        if (
            not words
            or words[0].tag[:1] not in "vp"
            or number + 1 < len(split.clauses)
            or ("的" in text[-8:] and match.group().startswith("是"))
        ):
            continue
        parts = (
            Part(Role.SUBJECT, start, start + subject.end, subject.flags),
            Part(Role.PURPOSE, start + match.end(), end, marker=match.group()),
        )
        return Stated(parts, match.group()[-2:], start + match.start())
    return None


def _stated(purpose: tuple[int, int], done: tuple[int, int], marker: str, verb_start: int) -> Stated:
    parts = (Part(Role.PURPOSE, *purpose, marker=marker), Part(Role.OUTCOME, *done, frozenset({Flag.NAMED})))
    return Stated(tuple(sorted(parts, key=lambda part: part.start)), marker, verb_start, FactKind.OUTCOME)
