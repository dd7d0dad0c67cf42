"""Why something is so (因为, 由于, 因此), what it is for (为了, 以便), and how a goal is reached (要P，可以V)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kgsynth.base.vocabulary import FactKind, Flag, Role
from kgsynth.language.chinese.clauses import Part, Split, Stated, opening_time, points_out, subject_of
from kgsynth.language.chinese.headings import opens_with_verb
from kgsynth.language.chinese.lexicon import PATTERNS
from kgsynth.language.chinese.segmentation import tokens
from kgsynth.language.chinese.text_forms import content_stems

# Why something is so: 因为/由于 before or after the effect, 因此/所以 after the cause.
#
# The cause is one clause, and so is the effect unless it needs the clause before it for its subject.

_BECAUSE = re.compile(r"(?:正是|[这那]是|主要是|就是|是)?(?:因为|由于)")
_BECAUSE_LAST = re.compile(r"(?:主要|正)?(?:是)?因为|(?:主要|这)?是由于")
_THEREFORE = re.compile(r"(?:因此|所以|因而)")
_REFERS_BACK = re.compile(r"[它他她其]")
_MORE_THAN_WHAT = ("很多", "得多")
"""How an effect ends that compares with something it does not name: 会快很多."""
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
    found = _cause_first(split) or _cause_last(split) or _effect_last(split)
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
            return _stated_cause((start + match.end(), end), effect, match.group(), start)
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
    opens = split.clauses[1] if last == 2 and effect[0] == split.clauses[0][0] else effect
    if _CONCEDES.match(split.text, effect[0]) or not is_clear(split, *opens):
        return None
    return _stated_cause((start + match.end(), end), effect, match.group(), start)


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
    if not is_clear(split, *effect):
        return None
    return _stated_cause(split.clauses[0], effect, match.group(), start)


def _stated_cause(cause: tuple[int, int], effect: tuple[int, int], marker: str, verb_start: int) -> Stated:
    parts = (Part(Role.CAUSE, *cause, marker=marker), Part(Role.OUTCOME, *effect, frozenset({Flag.NAMED})))
    return Stated(tuple(sorted(parts, key=lambda part: part.start)), marker, verb_start, FactKind.OUTCOME)


# What something is for: 为了P before what is done, 以便/以免/以防 after it.
#
# Left out: 为 alone, which has other meanings, and purposes inside a longer predicate.

_FOR = re.compile(r"为了")
_SO_THAT = re.compile(r"(?:以便|以免|以防止?|以期|以确保|以避免)(?:于)?")


def purpose_facts(split: Split) -> Iterator[Stated]:
    """Yield the purposes that a sentence gives.

    Example:
        >>> text = "为了节省电量，田讯3号只在白天上传数据。"
        >>> [text[p.start : p.end] for fact in purpose_facts(Split(text, ((0, 6), (7, 19)))) for p in fact.parts]
        ['为了节省电量', '田讯3号只在白天上传数据']
    """
    found = _first(split) or _last(split)
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
    return _stated_purpose((start, end), split.clauses[1], match.group(), start)


def _last(split: Split) -> Stated | None:
    """Read B，以便P in a sentence whose last clause is the purpose."""
    last = len(split.clauses) - 1
    if last < 1:
        return None
    start, end = split.clauses[last]
    match = _SO_THAT.match(split.text[start:end])
    if match is None or points_out(split.text[start + match.end() : end]):
        return None
    whole = (split.clauses[0][0], split.clauses[last - 1][1])
    done = next((place for place in (whole, split.clauses[last - 1]) if is_clear(split, *place)), None)
    if done is None or last > 2:
        return None
    return _stated_purpose((start, end), done, match.group(), start)


def _stated_purpose(purpose: tuple[int, int], done: tuple[int, int], marker: str, verb_start: int) -> Stated:
    parts = (Part(Role.PURPOSE, *purpose, marker=marker), Part(Role.OUTCOME, *done, frozenset({Flag.NAMED})))
    return Stated(tuple(sorted(parts, key=lambda part: part.start)), marker, verb_start, FactKind.OUTCOME)


# How a goal is reached: 要/如需/如果想P，可以V tells the reader what to do.
#
# Left out: items of lists, whose first steps are not in them, steps that go on in the next sentence, goals that lead
# to another page, and those that are denied.

_READER_WORD = r"(?:[你您](?:们)?)"
_GOAL = re.compile(
    rf"(?:(?:若|如)?要(?![么求点是紧不])|如(?:需|想|欲)要?|(?:如果|若|假如|倘若){_READER_WORD}?(?:确实|还|只)?"
    r"(?:想要?|需要|希望|要(?!求)))"
)
_TELLS = re.compile(
    rf"(?:那么?|则|就)?{_READER_WORD}?(?:也|还|都|就|则)?"
    r"(?P<ought>只需要?|可以|可|请|应该|应当|应|建议|需要|需|必须|务必)?(?:直接)?"
)
_GOES_ON_BEYOND = re.compile(r"[，,](?:否则|不然|但|不过|因为|例如|比如|如(?!果)|这|它|从而|以便|以免|参见)")
_NEXT_STEP = re.compile(r"[，,](?:然后|再|并|最后|接着|同时)")
_STEP_AFTER = re.compile(r"\s*(?:[此这]时|然后|接着|随后|接下来|最后|再|完成后|[^，,。]{0,8}后，)")
"""How the next sentence begins if it is the next step."""
_BY_MEANS = re.compile(r"通过|借助|利用|不要|不用|改用")
_JUDGES = re.compile(r"往往|更[^，,改新换多高大]{1,3}$|(?:很|非常|会)有(?:用|帮助)|即可以|就可以了$")
_IN_BRACKETS = re.compile(r"（[^（）]*）")
_LONGEST_TOLD, _SHORTEST_TOLD, _LEAST_GOAL = 90, 4, 2


def goal_facts(split: Split) -> Iterator[Stated]:
    """Yield how the goal of a sentence is reached.

    Example:
        >>> text = "如需报销差旅费，请在系统里提交申请。"
        >>> [text[p.start : p.end] for fact in goal_facts(Split(text, ((0, 7), (8, 17)))) for p in fact.parts]
        ['报销差旅费', '在系统里提交申请']
    """
    if split.listed or _STEP_AFTER.match(split.after):
        return
    found = _goal_first(split)
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
    if not _is_told(split.text[told:stop]):
        return None
    parts = (Part(Role.PURPOSE, opening.end(), end), Part(Role.COMPLEMENT, told, stop, frozenset({Flag.YOU})))
    return Stated(parts, "可以", opening.end())


def _is_task(text: str, *, opens_with_noun: bool = False) -> bool:
    """Check whether a goal is a verb with its object, and is understood alone.

    jieba takes some verbs for nouns (声明), so after 想 and 要 the goal may begin with what looks like one.
    """
    bare = text.strip()
    verb = opens_with_verb(bare) or (opens_with_noun and tokens(bare)[0].tag in {"n", "ad", "d", "nz"})
    return verb and not PATTERNS["sends_away"].match(bare) and not _is_unclear(bare) and _says_what(bare)


def _says_what(goal: str) -> bool:
    """Check whether a goal says what it is about: two words that say something, one of them no verb."""
    named = any(each.tag[:1] in "nlj" or each.tag in {"eng", "vn", "s"} for each in tokens(goal))
    return named and len(content_stems(goal)) >= _LEAST_GOAL


def _is_told(text: str) -> bool:
    """Check whether what is told is an order that is complete and understood alone."""
    words = tokens(text)
    modified = len(words) > 1 and words[0].tag in {"d", "ad", "df"} and words[1].tag == "v"
    ordered = opens_with_verb(text) or _BY_MEANS.match(text) or modified
    fits = _SHORTEST_TOLD <= len(text) <= _LONGEST_TOLD and bool(ordered)
    return fits and not PATTERNS["sends_away"].match(text) and not _JUDGES.search(text) and not _is_unclear(text)


def _is_unclear(text: str) -> bool:
    """Check whether a text points to another one, brackets aside; 你的 is the reader's."""
    text = _IN_BRACKETS.sub("", text)
    return points_out(re.sub(_READER_WORD, "", text)) or bool(PATTERNS["points_near"].search(text))
