"""Why something is so: 因为/由于 before or after the effect, 因此/所以 after the cause, 之所以…是因为, 原因是.

The cause is one clause, and so is the effect unless it needs the clause before it for its subject.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kgsynth.base.vocabulary import FactKind, Flag, Role
from kgsynth.language.chinese.segmentation import tokens
from kgsynth.language.chinese.stated import Part, Split, Stated
from kgsynth.language.chinese.subjects import flags_of, opening_time, points_out, subject_of

_BECAUSE = re.compile(r"(?:正是|[这那]是|主要是|就是|是)?(?:因为|由于)")
_BECAUSE_LAST = re.compile(r"(?:主要|正)?(?:是)?因为|(?:主要|这)?是由于")
_THEREFORE = re.compile(r"(?:因此|所以|因而)")
_SO_IT_IS = re.compile(r"之?所以(?P<effect>.+)")
_NAMED_REASON = re.compile(r"^(?P<effect>.{3,40}?)的(?:主要|根本|直接)?原因(?:是|为|在于)(?:因为|由于)?")
_REFERS_BACK = re.compile(r"[它他她其]")
_BECAUSE_INSIDE = re.compile(r"(?:也|则|都|均)?(?:因为|由于|因)(?!此|而|为)")
_RESULT_LINK = re.compile(r"(?:因此|所以|因而|而|故|便|就|才)?")
_BARE_VERB = 3
_MORE_THAN_WHAT = ("很多", "得多")
"""How an effect ends that compares with something it does not name: 会快很多."""
_SUBJECTLESS = frozenset("会 能 能够 可以 被 受 受到 把 必须 需要 不会 不能 无法 很快 只能 才 便".split())
"""Words that open a predicate, whatever jieba takes them for."""
_LATER_MODAL = re.compile(r"会|将|可以|必须|需要")
"""A word before which a subject stands, if it does not open the clause: 原始路由器会继续."""
_SHARES = re.compile(r"\s*(?:等|[也都均])")
"""How what is said of a subject begins if it holds of others too."""
_CONCEDES = re.compile(r"(?:虽然|尽管|即使|但|不过|然而|而且|并且|从而|如果|若|当|为了)")
_ADDING = re.compile(r"[也亦又还]|仍|同样|再次")
"""Words after a subject that add to what was said before."""
_ONLY_PART = re.compile(r"(?:不是|并非|不仅|不只|可能|也许|或许|一方面|部分)(?:是)?(?:因为|由于)|不(?:仅|但|只)")


def cause_facts(split: Split) -> Iterator[Stated]:
    """Yield the cause that a sentence gives for what it says.

    Example:
        >>> text = "由于长江涨水，肥东仓库被淹。"
        >>> [text[p.start : p.end] for fact in cause_facts(Split(text, ((0, 6), (7, 13)))) for p in fact.parts]
        ['长江涨水', '肥东仓库被淹']
    """
    if _ONLY_PART.search(split.text):
        return
    found = (
        _named_reason(split)
        or explained_inside(split, _BECAUSE_INSIDE, Role.CAUSE)
        or _cause_first(split)
        or _cause_last(split)
        or _effect_last(split)
    )
    if found is not None:
        yield found


def _cause_first(split: Split) -> Stated | None:
    """Read 由于A，B and X由于A，B; a time may open the sentence."""
    for number, (start, end) in enumerate(split.clauses[:2]):
        text = split.text[start:end]
        match = _BECAUSE.match(text)
        if match is None or number + 1 >= len(split.clauses) or text.endswith(("的", "时")):
            continue
        if number and opening_time(split.clause(0)) != len(split.clause(0)):
            return None
        effect = _effect(split, number + 1)
        if effect is not None and not _goes_on(split, number + 2) and _shared(split, start + match.end(), end, effect):
            return _stated((start + match.end(), end), effect, match.group(), start)
    return None


def _shared(split: Split, start: int, end: int, effect: tuple[int, int]) -> bool:
    """Check whether the cause names its subject, or leaves out that of the effect, which says which one it is."""
    if subject_of(split.text[start:end], split.known) is not None:
        return not points_out(split.text[start:end])
    text = split.text[slice(*effect)]
    own = subject_of(text[opening_time(text) :], split.known)
    return own is not None and bool(own.flags & {Flag.NAMED, Flag.MODIFIED}) and not points_out(split.text[start:end])


def _goes_on(split: Split, number: int) -> bool:
    """Check whether the clause at a place only adds to the cause, as a second 由于 does."""
    return number < len(split.clauses) and bool(_BECAUSE.match(split.clause(number)))


def _effect(split: Split, number: int) -> tuple[int, int] | None:
    """Return the place of an effect that is clear by itself, without the link it opens with."""
    start, end = split.clauses[number]
    start += len(split.text[start:end]) - len(re.sub(r"^(?:因此|所以|因而|故)", "", split.text[start:end]))
    return (start, end) if is_clear(split, start, end) else None


def is_clear(split: Split, start: int, end: int) -> bool:
    """Check whether a clause says by itself what happens to what, so that one can ask why."""
    text = split.text[start:end]
    bare = text[opening_time(text) :]
    subject = subject_of(bare, split.known)
    return (
        subject is not None
        and Flag.LOOSE not in subject.flags
        and not points_out(text)
        and not points_out(bare)
        and not _CONCEDES.match(bare)
        and not text.endswith(("由来", "原因", "理由", "目的", *_MORE_THAN_WHAT))
        and not _ADDING.match(bare[subject.end :].lstrip())
    )


def _cause_last(split: Split) -> Stated | None:
    """Read B，因为A, where B is all before it, at most two clauses, and A the last clause."""
    last = len(split.clauses) - 1
    if last < 1:
        return None
    start, end = split.clauses[last]
    match = _BECAUSE_LAST.match(split.text[start:end])
    if match is None:
        return None
    if points_out(split.text[start + match.end() : end]) and not _REFERS_BACK.match(split.text, start + match.end()):
        return None
    effect = split.clauses[last - 1]
    if last == 2 and (_CONCEDES.match(split.clause(0)) or not _has_predicate(split, 0) or not is_clear(split, *effect)):
        effect = (split.clauses[0][0], split.clauses[1][1])
    so = _SO_IT_IS.search(split.text, *effect)
    if so is not None:
        return None
    if _CONCEDES.match(split.text, effect[0]):
        return (
            _stated((start + match.end(), end), effect, match.group(), start)
            if is_clear(split, *split.clauses[1])
            else None
        )
    if last == 2 and effect[0] == split.clauses[0][0] and not _has_predicate(split, 0):
        clear = is_clear(split, *split.clauses[1])
        return _stated((start + match.end(), end), effect, match.group(), start) if clear else None
    if not is_clear(split, *effect):
        return None
    return _stated((start + match.end(), end), effect, match.group(), start)


def _has_predicate(split: Split, number: int) -> bool:
    """Check whether a clause says something of a subject; a time or place does not."""
    return subject_of(split.clause(number), split.known) is not None


def _effect_last(split: Split) -> Stated | None:
    """Read A，因此B in a sentence of these two clauses."""
    if len(split.clauses) != 2:
        return None
    start, end = split.clauses[1]
    match = _THEREFORE.match(split.text[start:end])
    if match is None or not is_clear(split, *split.clauses[0]):
        return None
    effect = (start + match.end(), end)
    if opens_with_predicate(split.text[slice(*effect)]):
        whole, stop = split.clauses[0]
        subject = whole + _subject_end(split, whole, stop)
        if _SHARES.match(split.text, subject):
            return None
        said = subject + len(split.text[subject:stop]) - len(split.text[subject:stop].lstrip())
        parts = (
            Part(Role.SUBJECT, whole, subject, flags_of(split.text[whole:subject], split.known)),
            Part(Role.CAUSE, said, stop),
            Part(Role.OUTCOME, *effect),
        )
        return Stated(parts, match.group(), start, FactKind.OUTCOME)
    if not is_clear(split, *effect):
        return None
    return _stated(split.clauses[0], effect, match.group(), start)


def _subject_end(split: Split, start: int, end: int) -> int:
    subject = subject_of(split.text[start:end], split.known)
    return subject.end if subject else 0


def opens_with_predicate(text: str) -> bool:
    """Check whether a clause has no subject of its own, so that it has that of the clause before.

    Example:
        >>> opens_with_predicate("受到喜爱"), opens_with_predicate("水泵停止")
        (True, False)
    """
    words = tokens(text)
    opens = bool(words) and (words[0].tag == "v" or words[0].text in _SUBJECTLESS)
    alone = subject_of(text) is None and not _LATER_MODAL.search(text, 2)
    return opens and alone and not points_out(text) and len(text) > _BARE_VERB and not text.endswith(_MORE_THAN_WHAT)


def explained_inside(split: Split, marker: re.Pattern[str], role: Role) -> Stated | None:
    """Read X由于A，B and X为了P，B: the explanation stands between the subject and its predicate."""
    if len(split.clauses) != 2:
        return None
    (start, end), (begin, stop) = split.clauses
    text = split.text[start:end]
    subject = subject_of(text, split.known)
    match = marker.match(text, subject.predicate) if subject else None
    if subject is None or match is None or Flag.LOOSE in subject.flags or points_out(text):
        return None
    begin += len(_RESULT_LINK.match(split.text, begin, stop).group())  # type: ignore[union-attr]
    if not opens_with_predicate(split.text[begin:stop]) or _ADDING.match(split.text, begin):
        return None
    parts = (
        Part(Role.SUBJECT, start, start + subject.end, subject.flags),
        Part(role, start + (match.end() if role == Role.CAUSE else match.start()), end, marker=match.group()),
        Part(Role.OUTCOME, begin, stop),
    )
    return Stated(parts, match.group(), start + match.start(), FactKind.OUTCOME)


def _named_reason(split: Split) -> Stated | None:
    """Read B的原因是A in a sentence of one clause."""
    if len(split.clauses) != 1:
        return None
    start, end = split.clauses[0]
    match = _NAMED_REASON.match(split.text[start:end])
    if match is None or not is_clear(split, start, start + match.end("effect")):
        return None
    return _stated((start + match.end(), end), (start, start + match.end("effect")), match.group(), start)


def _stated(cause: tuple[int, int], effect: tuple[int, int], marker: str, verb_start: int) -> Stated:
    parts = (Part(Role.CAUSE, *cause, marker=marker), Part(Role.OUTCOME, *effect, frozenset({Flag.NAMED})))
    return Stated(tuple(sorted(parts, key=lambda part: part.start)), marker, verb_start, FactKind.OUTCOME)
