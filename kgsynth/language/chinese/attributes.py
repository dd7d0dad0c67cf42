"""What a sentence says of a thing: a definition (是指), who holds a role, when it happened."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kgsynth.base.vocabulary import Flag, Role, VerbFlag
from kgsynth.language.chinese.clauses import Part, Split, Stated, flags_of, points_out, subject_of
from kgsynth.language.chinese.lexicon import PATTERNS, WORDS
from kgsynth.language.chinese.names import is_person
from kgsynth.language.chinese.segmentation import frequency, tokens

# What a sentence defines: X是指…, X指的是…, 所谓X是…, X是一种…, and X是 with a noun that a clause before 的 describes.
#
# Left out: 是 before anything else, which may identify, stress or compare.

_SET_APART = re.compile(r"（[^（）]*）|\([^()]*\)|《[^》]*》|“[^”]*”")
_CLASS = re.compile(r"一(?:种|个|款|家|座|部|名|位|项|类|套|门|支|条|本|所|组|场|首|间|档|份|张|颗|片|块)")
_PRODUCT = re.compile(r"(?:[器备品件具仪]|(?<!司)机|系统|平台|装置|服务|语言)$")
"""How nouns for things end, never those for people: 甘霖, a controller, is not a person, though 甘 is a surname."""
_OF_AN_EXAMPLE = re.compile(r"(?:变量|参数)\s?[`A-Za-z_]|[`\d]+\s|[^是]*第[一二三四五六]个")
"""How a clause begins about what only an example has, or about a number or place."""
_POINTS_FURTHER = re.compile(r"以下|如下|下[面列]|上[面述]|^另")
_LAST_BRACKETS = re.compile(r"\s?(?:（[^（）]*）|\([^()]*\))$")
_CONTRASTS = re.compile(r"而(?!且)|但|不过|然而|因此|所以")
_LONGEST_DEFINING = 80
_PRAISE = re.compile(r"最|之一|第[一二三四五六七八九十\d]|唯一|首[个座位部家次]|更|很|非常|十分|著名|重要|优秀|好的")


def definition_facts(split: Split) -> Iterator[Stated]:
    """Yield the definition that the first clause of a sentence gives.

    Example:
        >>> text = "甘霖是根据读数开关阀门的控制器。"
        >>> [text[p.start : p.end] for fact in definition_facts(Split(text, ((0, 15),))) for p in fact.parts]
        ['甘霖', '根据读数开关阀门的控制器']
    """
    clause = split.clause(0) if split.clauses else ""
    found = _meant(split) or _classed(split, clause)
    if found is not None:
        yield found


def _meant(split: Split) -> Stated | None:
    """Return what 是指 says of a term; the definition runs on over commas to the end of the sentence."""
    begin, stop = split.clauses[0][0], split.clauses[-1][1]
    match = PATTERNS["is_meant"].match(split.text[begin:stop])
    if match is None:
        return None
    start, end = begin + match.start("term"), begin + match.end("term")
    term, said = split.text[start:end], split.text[begin + match.end() : stop]
    if points_out(term) or points_out(said) or not _is_term(term):
        return None
    flags = flags_of(term, split.known) - {Flag.LOOSE}
    parts = (Part(Role.SUBJECT, start, end, flags), _defining(begin + match.end(), stop))
    return Stated(parts, match["verb"], begin + match.start("verb"), flags=_STATES)


_STATES = frozenset({VerbFlag.COPULA, VerbFlag.PRESENT})


def _defining(start: int, end: int) -> Part:
    return Part(Role.ATTRIBUTE, start, end, frozenset({Flag.NOMINAL, Flag.MODIFIED}))


def _is_term(text: str) -> bool:
    """Check whether a text is a noun phrase without verb, which 指 can explain."""
    words = [each for each in tokens(text) if each.text.strip()]
    nominal = all(each.tag[:1] in "nvaljbsmqexgk" or each.text in "的“”「」《》（）()" for each in words)
    return bool(words) and nominal and "（" not in text[:1]


def _classed(split: Split, clause: str) -> Stated | None:
    """Return what 是 says a named thing is: 一种…, or a noun after a clause and 的, to the end of its clause."""
    subject = subject_of(clause, split.known)
    match = PATTERNS["is_a"].match(clause, subject.predicate) if subject else None
    if subject is None or match is None or points_out(clause) or Flag.LOOSE in subject.flags:
        return None
    if "的" in _SET_APART.sub("", clause[: subject.end]):
        return None  # 李明的理论是…, which says more of 李明 than of the word
    said = clause[match.end() :]
    if not _classifies(said) or _PRAISE.search(said) or _OF_AN_EXAMPLE.match(clause) or _POINTS_FURTHER.search(said):
        return None
    if not _CLASS.match(said) and not subject.flags & {Flag.NAMED, Flag.MODIFIED}:
        return None
    begin = split.clauses[0][0]
    bare = _LAST_BRACKETS.sub("", clause[: subject.end])
    if is_person(_SET_APART.sub("", clause[: subject.end])) and not _PRODUCT.search(said):
        return None  # 甘霖 is a controller, but other names of this form are those of people
    if any(bare.count(one) != bare.count(other) for one, other in ("“”", "()", "（）")):
        return None
    parts = (
        Part(Role.SUBJECT, begin, begin + len(bare), subject.flags),
        _defining(begin + match.end(), split.clauses[_last_of_definition(split)][1]),
    )
    return Stated(parts, "是", begin + match.start(), flags=_STATES)


def _last_of_definition(split: Split) -> int:
    """Return the last clause of the definition that begins in the first: that of the sentence, if it is not long."""
    contrast = (n - 1 for n in range(1, len(split.clauses)) if _CONTRASTS.match(split.clause(n)))
    last = next(contrast, len(split.clauses) - 1)
    return last if split.clauses[last][1] - split.clauses[0][0] <= _LONGEST_DEFINING else 0


def _classifies(said: str) -> bool:
    """Check whether the words after 是 say of what kind a thing is."""
    opening = _CLASS.match(said)
    words = [each for each in tokens(said.rstrip("”」")) if each.text.strip()]
    if (
        not words
        or words[-1].tag not in WORDS["class_tags"]
        or words[-1].text in WORDS["vague_class"]
        or said.endswith("的")
    ):
        return False
    if words[-1].text[-1:] in set("者人") and not opening:
        return False
    described = (
        any(each.tag[:1] in "vp" and each.tag != "vn" and frequency(each.text) for each in words)
        and words[0].tag[:1] in "vpdnr"
    )
    last = max((n for n, each in enumerate(words) if each.text == "的"), default=-1)
    after = words[last + 1 :]
    if opening is not None and last < 0:
        after = [each for each in words if each.start >= opening.end()]
        return len(after) > 2 and all(each.tag[:1] in "nvljbaxed" for each in after)
    nominal = all(each.tag[:1] in ("nvljbaxed" if opening else "nvljbaxe") for each in after)
    return last > 0 and nominal and (described or opening is not None) and 0 < len(after) <= 4


# Who holds a role: X任Y, X担任Y, Y由X担任, Y由X负责, Y负责人是X; a person by the form of the name.
#
# Left out: who held it after whom, and several people at once. X担任Y is read where a sentence begins with it: in a
# story, others held the role before and after.


def role_facts(split: Split) -> Iterator[Stated]:
    """Yield who holds a role or is in charge, by the clauses of a sentence.

    Example:
        >>> text = "财务总监由乔敏担任。"
        >>> [text[p.start : p.end] for fact in role_facts(Split(text, ((0, 9),))) for p in fact.parts]
        ['财务总监', '乔敏', '担任']
    """
    for start, end in split.clauses:
        text = split.text[start:end]
        if points_out(text):
            continue
        for form in (
            (PATTERNS["held_by"], PATTERNS["role_is"])
            if start > split.clauses[0][0]
            else (PATTERNS["holds_role"], PATTERNS["held_by"], PATTERNS["role_is"])
        ):
            match = form.match(text)
            if match is not None and _fits(match, split.known):
                yield _stated_role(match, start, split.known)
                break


def _fits(match: re.Match[str], known: frozenset[str]) -> bool:
    """Check whether the one who holds the role is a person, or a department that is in charge."""
    who = match["who"].strip()
    charge = match.groupdict().get("verb") in {"负责", "分管"}
    group = charge and re.search(r"(?:部|组|处|科|中心|团队|公司|委员会|局|院|室|会)$", who)
    return is_person(who) or bool(group)


def _bare(match: re.Match[str], group: str) -> tuple[int, int]:
    """Return the span of a group without the blanks at its ends."""
    text, start = match[group], match.start(group)
    return start + len(text) - len(text.lstrip()), start + len(text.rstrip())


def _stated_role(match: re.Match[str], start: int, known: frozenset[str]) -> Stated:
    """Return who and what, and the verb after both; the one who comes first is the subject."""
    what, who, end = _bare(match, "what"), _bare(match, "who"), match.end()
    label = "PERSON" if is_person(match["who"].strip()) else "ORG"
    flags = flags_of(match["what"], known) - {Flag.LOOSE}
    holder = frozenset({Flag.NOMINAL, Flag.NAMED, Flag.PERSON})
    first = who < what
    parts = [
        Part(Role.OBJECT if first else Role.SUBJECT, start + what[0], start + what[1], flags),
        Part(Role.SUBJECT if first else Role.AGENT, start + who[0], start + who[1], holder, label=label),
    ]
    if who[1] < end and not first:
        parts.append(Part(Role.COMPLEMENT, start + who[1], start + end))
    parts.sort(key=lambda part: part.start)
    return Stated(tuple(parts), "担任" if first else "由", start + parts[0].end)


# When something happened: X成立于2014年, and 2014年，X V….
#
# Left out: dates inside a longer predicate, and sentences with two dates in one clause.

_WRITTEN_YEAR = r"(?:公元前?)?[\d〇零一二三四五六七八九]{3,4}年"
_DAY = (
    r"(?:[正腊]月|[\d一二三四五六七八九十]{1,3}月(?:[\d一二三四五六七八九十]{1,3}[日号]|[上中下]旬|初|底)?|"
    r"[春夏秋冬][天季]?|年?[初底末]|第?[一二三四1-4]季度|[上下]半年)?"
)
DATE = re.compile(rf"{_WRITTEN_YEAR}{_DAY}")
_AT_END = re.compile(rf"(?P<verb>[\u3400-\u9fff]{{1,4}})于(?P<date>{DATE.pattern})(?:（[^（）]*）)?$")
_DATE_FIRST = re.compile(rf"(?:[于在]|早在)?(?P<date>{DATE.pattern})$")
_LEADS_ON = re.compile(r"(?:[时后前]|期间|中|宣布|表示|认为|指出|称|说|提出|发现|决定|说道|写道|规定|以来)$")
"""How a predicate ends that leads to another clause."""
_POINTS_TO_NOW = re.compile(r"(?:目前|现在|现有|现存|如今)的")
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
            yield _stated_time((start + match.start("date"), start + match.end("date")), *told)


def _of_clause(split: Split, start: int, end: int) -> Stated | None:
    """Return the time with which one clause ends, after 于: 成立于2014年."""
    text = split.text[start:end]
    subject = subject_of(text, split.known)
    last = _AT_END.match(text, subject.predicate) if subject else None
    if subject is None or last is None or points_out(text) or Flag.LOOSE in subject.flags:
        return None
    date = (start + last.start("date"), start + last.end("date"))
    return _stated_time(date, (start, start + subject.end), None, subject.flags)


def _told(split: Split, start: int, end: int) -> tuple[tuple[int, int], tuple[int, int], frozenset[Flag]] | None:
    """Return the subject and predicate of a clause of which another part gives the time."""
    text = split.text[start:end]
    subject = subject_of(text, split.known)
    if subject is None or text[: subject.end].endswith(_TIMES):
        return None
    if Flag.LOOSE in subject.flags or points_out(text) or DATE.search(text) or PATTERNS["second_event"].search(text):
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
    if PATTERNS["second_event"].search(told) or _LEADS_ON.search(told) or _POINTS_TO_NOW.search(told):
        return False
    return len(told) > 1 and (len(told.removesuffix("了")) > _BARE_EVENT or bool(PATTERNS["whole_alone"].search(told)))


def _stated_time(
    date: tuple[int, int], subject: tuple[int, int], rest: tuple[int, int] | None, flags: frozenset[Flag]
) -> Stated:
    parts = [Part(Role.SUBJECT, *subject, flags), Part(Role.TIME, *date, frozenset({Flag.NOMINAL}), label="DATE")]
    if rest is not None:
        parts.append(Part(Role.OTHER, *rest))
    parts.sort(key=lambda part: part.start)
    return Stated(tuple(parts), "", subject[1], flags=frozenset({VerbFlag.PAST}))
