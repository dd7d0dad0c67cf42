"""Is a golden answer one of several that a Chinese answer offers? 北京或上海; 北京、上海、广州.

In doubt nothing is an alternative. Left out: golden answers of more than a few words, and of several members.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from kgsynth.base.thresholds import LIMITS
from kgsynth.language.chinese.characters import plain
from kgsynth.language.chinese.denials import clauses_with
from kgsynth.language.chinese.lexicon import PATTERNS, WORDS
from kgsynth.language.chinese.stated_values import value_places
from kgsynth.language.chinese.text_forms import answer_form
from kgsynth.language.lengths import length_in_words

_OR = r"(?:或者是?|或是|或|还是|抑或)"
_VAGUE_ENDING = r"(?:以上|以下|更|许|多|少|左右|其他|其它)"
_CHOICE = re.compile(r"或|还是")
_SPLIT = re.compile(r"[、;；|\n]|(?<!\d)/|/(?!\d)|[，,](?!\d)")
_AND = re.compile(r"[和与及跟]|以及")
_JOINS = r"以及|[和与及、]"
_LISTED_AFTER = re.compile(r"^(?:[^：:、，,\n]*[：:]|(?:答案|它|这)?(?:是|为|有|包括|在)|其中之一是?)")
_LIST_POINT = re.compile(r"^[ \t]*(?:[-*•+]|\d+[.)、])[ \t]*", re.M)
_YES_AND_NO = re.compile(r"\s*(?:是也不是|也是也不是|是和否|是与否|既是又不是|对也不对)")
_CUT = re.compile(r"(?<!\d)[,;]|[,;](?!\d)|[，；、]|以及|[和与及](?=\S)|而|但")


def hedged(answer: str, asked: Sequence[str], golden: Sequence[str], evidence: Sequence[str]) -> bool:
    """Check whether an answer offers a golden answer beside others; an 或 in a source excuses one in the answer.

    Example:
        >>> hedged("北京或上海", [], ["北京"], []), hedged("25个或更多", [], ["25个"], [])
        (True, False)
        >>> hedged("上海、北京、广州", [], ["北京"], []), hedged("北京和上海都是", [], ["北京"], [])
        (True, True)
    """
    source = [*map(plain, asked), *map(plain, golden)]
    source += [plain(part) for text in evidence for part in clauses_with(golden, text)]
    text = plain(answer)
    if _YES_AND_NO.match(text) and any(plain(each).strip() in WORDS["verdicts"] for each in golden):
        return not any(map(_YES_AND_NO.match, source))
    stated = {text[a:b] for each in golden for a, b in value_places(text, plain(each), " ".join(asked))}
    names = "|".join(map(re.escape, sorted({plain(each).strip() for each in golden} | stated, key=len, reverse=True)))
    if not names.strip("|"):
        return False
    choice = re.search(rf"(?:{names}){_OR}(?!{_VAGUE_ENDING})\S|\S{_OR}(?:在|是|于)?(?:{names})", text, re.I)
    if choice and not any(map(_CHOICE.search, source)):
        return True
    if _adds(text, names, "".join([*source, *map(plain, evidence)])):
        return True
    short = [each for each in golden if length_in_words(each) <= LIMITS.alternative_words and len(_members(each)) == 1]
    return bool(short) and _lists(text, short, [*source, *map(plain, evidence)])


def _adds(text: str, names: str, source: str) -> bool:
    """Check whether an answer joins a word that is in no source to a golden answer by a word for "and"."""
    joined = re.finditer(rf"(?:{names})(?:{_JOINS})(\w\w)|(\w\w)(?:{_JOINS})(?:{names})", text)
    return any((match[1] or match[2]) not in source for match in joined)


def cuts(text: str) -> list[tuple[int, int]]:
    """Return where the marks and words stand that part members or contrasted parts."""
    return [match.span() for match in _CUT.finditer(text)]


def is_detail(part: str) -> bool:
    """Check whether a part of an answer opens as a detail does, and names nothing."""
    return bool(PATTERNS["no_alternative"].match(part))


def _lists(answer: str, golden: Sequence[str], source: Sequence[str]) -> bool:
    """Check whether a golden answer is a member of a list of which most other members are in no source."""
    forms = set(map(answer_form, golden))
    members = [
        answer_form(each) for each in _members(_LISTED_AFTER.sub("", _LIST_POINT.sub("", answer).strip(), count=1))
    ]
    if not forms & set(members):
        return False
    others = [each for each in members if each not in forms]
    unknown = [
        each for each in others if _is_alternative(each) and not any(each in answer_form(text) for text in source)
    ]
    explained = members[0] in forms and "、" not in answer and "\n" not in answer  # 北京，中国
    return len(unknown) >= (1 if _AND.search(answer) else 2) and 2 * len(unknown) > len(others) and not explained


def _members(text: str) -> list[str]:
    """Return the members of a list with commas, 、 and 和."""
    parts = [part for each in _SPLIT.split(plain(text)) for part in _AND.split(each)]
    return [part.strip(" \n*_`\"'“”.,;。") for part in parts if part.strip(" \n*_`\"'“”.,;。")]


def _is_alternative(member: str) -> bool:
    """Check whether a part of an answer may stand in place of it: a few words that open no detail."""
    return 0 < length_in_words(member) <= LIMITS.alternative_words and not is_detail(member)
