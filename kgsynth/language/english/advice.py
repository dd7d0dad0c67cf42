"""Sentences that say what to do in a case: "If you lose your badge, call the guard.". Only their form is read."""

from __future__ import annotations

import re
from typing import NamedTuple

from kgsynth.language.english.heading_bodies import is_order
from kgsynth.language.english.lexicon import PATTERNS
from kgsynth.language.sentence_ends import sentence_spans

_OPENS_CASE = re.compile(r"^(?:If|When|Whenever|In case|Should) (?=\w)")
_CASE_LATER = re.compile(r",? (?=(?:if|when|whenever|in case) (?:you|your|an?|the|any|some\w+|[A-Z]|\w+s )\b)")
_POLITE = re.compile(r"(?i)^(?:then |please |just |simply )+")
_IN_A_LIST = re.compile(r"[^,]*, (?:and|or) [^,]+, |\S+(?: \S+)?, ")
"""How a rest goes on that is a member of a list: "build, test, or release code, check …"."""
_CUT_SHORT = re.compile(r"(?i)\b(?:in|on|at|to|the|our|your|via|from|with|by|of|for|as|an?)[ .]*$")
_MAX_CASE_WORDS, _MIN_CASE_WORDS = 26, 5
_MAX_DONE_WORDS, _MIN_DONE_WORDS = 45, 3


class Advice(NamedTuple):
    """Where in a sentence the case and what to do stand, and the words that ask for it."""

    opening: str
    case: tuple[int, int]
    done: tuple[int, int]


def advice(sentence: str) -> Advice | None:
    """Return what a sentence says to do in a case, None if it does not, or if the case is not clear by itself.

    Example:
        >>> advice("If you lose your depot badge, call the guard at once.")
        Advice(opening='What should you do', case=(0, 28), done=(30, 53))
        >>> advice("If this fails, call the guard at once.")
    """
    if sentence.rstrip().endswith((":", "：", "?")):
        return None
    return _case_first(sentence) or _case_last(sentence)


def advice_lead(sentence: str) -> str:
    """Return the question for a list that a case leads into, "" for none: "If you lose your badge, do this:".

    Example:
        >>> advice_lead("If you lose your depot badge, follow these steps:")
        'What should you do if you lose your depot badge?'
    """
    spans = list(sentence_spans(sentence))
    text = sentence[slice(*spans[-1])].rstrip(" :：") if spans else ""
    if not _OPENS_CASE.match(text):
        return ""
    comma = text.rfind(", ")
    rest, case = text[comma + 2 :], text[:comma]
    told = PATTERNS["advised"].match(rest) or is_order(_capital(_POLITE.sub("", rest)))
    return f"What should you do {case[0].lower()}{case[1:]}?" if comma > 0 and told and _is_clear(case) else ""


def is_further_advice(sentence: str) -> bool:
    """Check whether a sentence goes on with advice: it is an order that names no case of its own.

    Example:
        >>> is_further_advice("Do not enter alone."), is_further_advice("If it rains, stay.")
        (True, False)
    """
    if re.search(r"(?i)\b(?:if|when|unless)\b", sentence) or sentence.rstrip().endswith((":", "?")):
        return False
    plain = _POLITE.sub("", sentence)
    return (is_order(_capital(plain)) or bool(re.match(r"(?i)do not |don['’]t ", plain))) and not _is_pointer(plain)


def _case_first(sentence: str) -> Advice | None:
    if not _OPENS_CASE.match(sentence):
        return None
    for match in re.finditer(r",[\"”’]? ", sentence):
        if _IN_A_LIST.match(sentence, match.end()):
            continue
        found = _told(sentence, match.end(), len(sentence))
        case = sentence[: match.start()]
        if found and _is_clear(case) and found[0] != "What can you do":
            return Advice(found[0], (0, match.start()), (found[1], len(sentence)))
        if found and PATTERNS["advised"].match(sentence, match.end()):
            return None  # an order may be a noun instead: "If you lose pens, paper or lamps, …"
    return None


def _case_last(sentence: str) -> Advice | None:
    match = _CASE_LATER.search(sentence)
    if match is None or not is_order(sentence) or re.search(r"(?i)\b(?:if|when)\b", sentence[match.end() + 3 :]):
        return None
    before = sentence[: match.start()]
    asks = re.search(
        r"(?i)^(?:ask|check|see|decide|know|confirm|verify|determine|test|find|tell|say|wait|only)\b|\b(?:even|only|ask|"
        r"check|see|know|decide|sure|specify|whether)$",
        before,
    )
    end = len(sentence.rstrip(" .!"))
    case = sentence[match.end() : end]
    found = _told(sentence, 0, match.start())
    if found is None or found[0] == "What can you do" or not _is_clear(case):
        return None
    if asks or "," in case or PATTERNS["outside_case"].search(before):
        return None
    return Advice(found[0], (match.end(), end), (found[1], match.start()))


def _told(sentence: str, start: int, end: int) -> tuple[str, int] | None:
    """Return the words that ask for the advice in a part of a sentence, and where it begins; None for no advice."""
    text = sentence[start:end]
    opening = "What should you do"
    if match := PATTERNS["advised"].match(text):
        start += match.end() - len(match["also"] or "") - bool(match["also"])
        start += len(sentence[start:]) - len(sentence[start:].lstrip())
        need = match["need"] or match["will"]
        opening = f"What {match['modal'].lower()} you do" if match["modal"] else "What should you do"
        opening = "What do you need to do" if need else opening
    else:
        polite = _POLITE.match(text)
        start += polite.end() if polite else 0
        plain = sentence[start:end]
        if not (is_order(_capital(plain)) or re.match(r"(?i)do not |don['’]t |be \w", plain)):
            return None
    done = sentence[start:end]
    fits = _MIN_DONE_WORDS <= len(done.split()) <= _MAX_DONE_WORDS
    return (opening, start) if fits and not _is_pointer(done) else None


def _is_pointer(done: str) -> bool:
    patterns = (PATTERNS["points"], PATTERNS["points_on_page"], PATTERNS["here_in_advice"], _CUT_SHORT)
    return any(pattern.search(done) for pattern in patterns)


def _is_clear(case: str) -> bool:
    """Check whether a case is understood without the text before it, and is no mere wish of the reader."""
    fits = _MIN_CASE_WORDS <= len(case.split()) <= _MAX_CASE_WORDS
    another = re.search(r"[:;()\[\]]|, (?:you|we|they|it) |, [^,]*\b(?:will|can|should|may|must)\b", case)
    return fits and not (
        another
        or PATTERNS["outside_case"].search(case)
        or PATTERNS["wish"].match(case)
        or PATTERNS["without_case"].match(case)
    )


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
