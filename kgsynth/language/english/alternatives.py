"""Is a golden answer one of several that an English answer offers? "Oslo or Bergen", "Oslo; Rome; Bonn", "yes and no".

In doubt nothing is an alternative: "Graz, Austria" names a place and its country, and "62 kg, as of 2024" adds a
detail. Left out: golden answers of more than a few words, and of several members.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from kgsynth.base.thresholds import LIMITS
from kgsynth.language.english.denials import clauses_with
from kgsynth.language.english.lexicon import PATTERNS
from kgsynth.language.english.stated_values import value_places
from kgsynth.language.english.text_forms import answer_form
from kgsynth.language.words import words

_CHOICE_WORD = re.compile(r"\bor\b", re.I)
_OR_VAGUE = r"(?:so|more|less|later|earlier|rather|better|above|below|over|under|fewer)\b"
_OR_LEAD = r"(?:the|an?|maybe|possibly|perhaps|in|at|on|by|it|is|was)"
_LISTED_LINES = re.compile(r"(?:^[ \t]*(?:[-*•+]|\d+[.)])[ \t]+\S.*(?:\n|$)){3,}", re.M)
_LINE_MARK = re.compile(r"^[ \t]*(?:[-*•+]|\d+[.)])[ \t]+", re.M)
_LIST_LEAD = re.compile(r"^(?:[^:,;/\n]*:\s+|(?:it|this|the\s+answer)\s+is\s+|either\s+|one\s+of\s+)", re.I)
_YES_AND_NO = re.compile(r"\s*(?:yes\s+and\s+no|no\s+and\s+yes|yes\s*/\s*no|both\s+yes\s+and\s+no)\b", re.I)
_JOINS = r"and|&|as\s+well\s+as|(?:together|along)\s+with|plus"
_VERDICTS = frozenset({"yes", "no"})


def hedged(answer: str, asked: Sequence[str], golden: Sequence[str], evidence: Sequence[str]) -> bool:
    """Check whether an answer offers a golden answer beside others; an "or" in a source excuses one in the answer.

    Only an "or" in the clause of the evidence that holds a golden answer excuses one; a list may name what is anywhere
    in the evidence.

    Example:
        >>> hedged("Oslo or Bergen", [], ["Oslo"], []), hedged("Oslo, or Christiania", [], ["Oslo"], [])
        (True, False)
        >>> hedged("Bergen or maybe Oslo", [], ["Oslo"], []), hedged("25 or so", [], ["25"], [])
        (True, False)
        >>> hedged("Rome; Oslo; Bonn", [], ["Oslo"], []), hedged("Graz, Styria", [], ["Graz"], [])
        (True, False)
    """
    source = [*asked, *golden, *(clause for text in evidence for clause in clauses_with(golden, text))]
    if _YES_AND_NO.match(answer) and any(answer_form(text) in _VERDICTS for text in golden):
        return not any(map(_YES_AND_NO.match, source))
    forms = {answer[a:b] for text in golden for a, b in value_places(answer, text, " ".join(asked))}
    names = "|".join(map(re.escape, sorted({text.strip() for text in (*golden, *forms)} - {""}, key=len, reverse=True)))
    if not names:
        return False
    before = rf"(?<!\w)(?:{names})\s+or\s+(?!{_OR_VAGUE})\w"
    after = rf"(?<![,;])\s+or\s+(?:{_OR_LEAD}\s+)*(?:{names})(?!\w)"
    if re.search(f"{before}|{after}", answer, re.I) and not any(map(_CHOICE_WORD.search, source)):
        return True
    joined = re.compile(
        rf"(?<!\w)(?:{names})\s+(?:{_JOINS})\s+(?:the\s+)?(?P<more>(?-i:[A-Z])\w+)|"
        rf"\b(?P<first>(?-i:[A-Z])\w+)\s+(?:{_JOINS})\s+(?:the\s+)?(?:{names})(?!\w)",
        re.I,
    )
    known = {word for text in (*source, *evidence) for word in words(text)}
    if any(not known.issuperset(words(match["more"] or match["first"])) for match in joined.finditer(answer)):
        return True
    short = [text for text in golden if len(text.split()) <= LIMITS.alternative_words and len(_members(text)) == 1]
    return bool(short) and _lists(answer, short, [*source, *evidence])


def cuts(text: str) -> list[tuple[int, int]]:
    """Return where the marks and words stand that part members or contrasted parts."""
    return [match.span() for match in PATTERNS["cut"].finditer(text)]


def is_detail(part: str) -> bool:
    """Check whether a part of an answer opens as a detail does, and names nothing."""
    return bool(PATTERNS["no_alternative"].match(part))


def _lists(answer: str, golden: Sequence[str], source: Sequence[str]) -> bool:
    """Check whether a golden answer is a member of a list of which most other members are in no source."""
    forms = set(map(answer_form, golden))
    known = {word for text in source for word in words(text)}
    for members, needed in _listings(answer):
        at = next((at for at, member in enumerate(members) if answer_form(member) in forms), None)
        if at is None or (needed < 0 and at == 0):
            continue
        others = [member for member in members if answer_form(member) not in forms]
        unknown = [each for each in others if _is_alternative(each) and not known.issuperset(words(each))]
        if len(unknown) >= abs(needed) and 2 * len(unknown) > len(others):
            return True
    return False


def _listings(answer: str) -> Iterator[tuple[list[str], int]]:
    """Yield each list in an answer with how many other members it needs; negative if the first may be explained.

    In a list with commas, the members after the first may explain it ("Graz, Styria, Austria").
    """
    for bullets in _LISTED_LINES.finditer(answer):
        yield [_plain(member) for member in _LINE_MARK.split(bullets[0]) if member.strip()], 2
    if "\n" in answer.strip():
        return
    bare = _plain(_LIST_LEAD.sub("", answer.strip(), count=1))
    yield [_plain(member) for member in re.split(r";|\||(?<!\d)/|/(?!\d)", bare) if member.strip()], 2
    yield _members(bare), -2
    yield [_plain(member) for member in re.split(r"\s+(?:and|&)\s+", _plain(answer))], 1


def _members(text: str) -> list[str]:
    """Return the members of a list with commas, "and" and "or"."""
    members = re.split(r"[,;](?!\d)\s*(?:(?:and|or)\s+)?|\s+(?:and|or|&)\s+", text, flags=re.I)
    return [_plain(member) for member in members if member.strip()]


def _plain(text: str) -> str:
    return text.strip(" \t\n*_`\"'“”.,;")


def _is_alternative(member: str) -> bool:
    """Check whether a part of an answer may stand in place of it: a few words that open no detail."""
    return (
        0 < len(member.split()) <= LIMITS.alternative_words
        and not is_detail(member)
        and not re.search(r"[:=]|\.\w{1,4}$", member)
    )
