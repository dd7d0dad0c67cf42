"""Who holds a role: X任Y, X担任Y, Y由X担任, Y由X负责, Y负责人是X; a person by the form of the name.

Left out: who held it after whom, and several people at once. X担任Y is read where a sentence begins with it: in a
story, others held the role before and after.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kgsynth.base.vocabulary import Flag, Role
from kgsynth.language.chinese.names import is_person
from kgsynth.language.chinese.stated import Part, Split, Stated
from kgsynth.language.chinese.subjects import flags_of, points_out

_WHO = r"[\u3400-\u9fffA-Za-z·•・. ]{2,20}?"
_HOLDS_ROLE = re.compile(
    rf"(?P<who>{_WHO})(?:现|曾|又|兼)?(?:担任|出任|任(?![职命教期]))(?:了)?(?P<what>[^，,、和任的]{{2,20}})$"
)
_HELD_BY = re.compile(
    rf"(?P<what>[^，,]{{2,25}}?)(?:是|现|一?直|主要|均|都)*由(?P<who>{_WHO})(?P<verb>担任|出任|兼任|负责|主持|分管|执导|创办|创立|创建|设计|撰写|主演)(?P<rest>的)?$"
)
_ROLE_IS = re.compile(
    rf"(?P<what>[^，,是]{{0,20}}?(?:负责人|经理|主任|总监|组长|校长|院长|主席|总裁|董事长|队长|导演|作者|创始人|主管|部长|市长|接口人|联系人))(?:现在)?[是为](?P<who>{_WHO})$"
)


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
        for form in (_HELD_BY, _ROLE_IS) if start > split.clauses[0][0] else (_HOLDS_ROLE, _HELD_BY, _ROLE_IS):
            match = form.match(text)
            if match is not None and _fits(match, split.known):
                yield _stated(match, start, split.known)
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


def _stated(match: re.Match[str], start: int, known: frozenset[str]) -> Stated:
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
