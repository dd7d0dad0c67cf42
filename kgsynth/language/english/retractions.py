"""Phrases by which an English answer takes back what it names: doubt, exception, "formerly", "but this is wrong".

Each kind is excused by a source that speaks in the same way: "every day except Sunday" is no denial of "Sunday" where
the evidence has an exception too. What was so before is no denial where the question is about the past.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from kgsynth.language.english.lexicon import PATTERNS

_TO_SENTENCE_END = r"(?:[^.!?;\n]|[.](?=\w))*"
_TO_CLAUSE_END = r"(?:(?!\bbut\b)(?:[^.!?;:,()\n]|[.,](?=\d)))*"
_WRONG = r"(?:wrong|false|untrue|incorrect|out\s+of\s+date|outdated|obsolete|superseded)"
_ERROR = r"(?:misconception|myth|fallacy|rumou?r|lie|hoax|misunderstanding|typo)"


class _Retraction(NamedTuple):
    """What is taken back by a phrase, with the words of a source that excuse it."""

    rejected: re.Pattern[str]
    excuse: re.Pattern[str]


def _retraction(rejected: str, excuse: str) -> _Retraction:
    return _Retraction(re.compile(rejected, re.I), re.compile(excuse, re.I))


_NEGATIVE = r"\b(?:not|no|never|without|n['’]t|exclud\w*|exempt\w*|forb[ia]d\w*|prohibit\w*|ban\w*)\b"
_RETRACTIONS = (
    _retraction(
        rf"(?<!\bno )(?<!\bwithout )(?<!\blittle )\bdoubt(?:s|ed|ful)?\s+(?:that|whether|if|it)\b{_TO_SENTENCE_END}"
        rf"|\b(?:unlikely|improbable)\s+(?:that|to|whether|if)\b{_TO_SENTENCE_END}"
        rf"|\b(?:hardly|scarcely)\b(?!\s+any\s+doubt){_TO_CLAUSE_END}",
        r"\b(?:doubt\w*|unlikely|improbable|hardly|scarcely|rarely|seldom)\b",
    ),
    _retraction(rf"\b(?:not|false|wrong|untrue|incorrect)\s*:{_TO_SENTENCE_END}", rf"\b{_WRONG}\b"),
    _retraction(
        r"\b(?:except(?:\s+for)?|other\s+than|apart\s+from|all\s+but|"
        rf"the\s+(?:opposite|contrary|reverse|inverse)\s+of)\b{_TO_CLAUSE_END}",
        rf"\b(?:except\w*|other\s+than|apart\s+from|all\s+but|opposite|contrary|reverse|inverse)\b|{_NEGATIVE}",
    ),
    _retraction(
        rf"(?:[^.!?;:,\n]|[.,](?=\d))*(?:\b(?:is|are|was|were)\s+(?:\w+\s+){{0,3}}?(?:{_ERROR}|out\s+of\s+date|outdated|"
        rf"obsolete|superseded)s?\b(?!\s+(?:by|that|to)\b)|\bfails?\s+to\s+be\s+(?:true|correct|right)\b)",
        rf"\b{_ERROR}s?\b|\b{_WRONG}\b",
    ),
    _retraction(
        r"(?:[^.!?;,\n]|[.,](?=\d))*[,;]?\s*(?:\b(?:but|however|though|although|yet|and)\s+)?\b(?:this|that|it|which|who|s?he|they)"
        rf"\s+(?:no\s+longer\s+(?:is|are|was|were|does|do|has)\b|(?:\w+\s+)?(?:is|are|was|has\s+been|has)\s+(?:\w+ly\s+|now\s+|since\s+)?(?:{_WRONG}|changed|replaced|not\s+(?:true|"
        r"correct|right)|no\s+longer\s+\w+))(?=\s*(?:$|[.!?;:,)\n]))",
        rf"\b{_WRONG}\b",
    ),
    _retraction(
        r"\b(?:chang|rais|lower|reduc|increas|decreas|extend|shorten|cut|mov|went|switch|updat)\w*\s+(?:\w+\s+){0,3}?"
        r"from\b(?:(?!\bto\b)[^.!?;,\n]|[.,](?=\d))*|(?:[^.!?;\n]|[.](?=\d))*?(?=\b(?:replaced|superseded)\s+by\b)",
        r"\b(?:from|replaced|superseded|before|old|former\w*|previous\w*)\b",
    ),
)
"""What an answer rejects or takes back in the same clause, or in the one before ("62 kg, but this is wrong")."""

_FORMER = re.compile(
    r"\b(?:used\s+to|formerly|previously|originally|initially|until\s+recently|in\s+the\s+past|(?:was|were)\s+once|in\s+the"
    rf"\s+(?:old|previous|earlier)\s+(?:version|edition|manual|document)s?)\b{_TO_CLAUSE_END}",
    re.I,
)
_FORMER_CLAUSE = re.compile(
    r"(?:[^.!?;:,()\n]|[.,](?=\d)|,\s+(?=(?:according|as|by|in|per|under)\b))*(?:\b(?:old|former|previous|earlier)\b"
    r"|\b(?:previously|formerly|originally|until\s+(?:recently|last\s+\w+|[12]\d{3}))(?=\s*[,;.)])"
    r"|\b(?:was|were)\b(?=[^.!?;:,()\n]*\b(?:until|till)\b)"
    r"|\b(?:was|were)\b(?=[^.!?;:,()\n]*[,;.]\s*(?:but\s+|and\s+)?(?:it\s+|they\s+|this\s+)?(?:is\s+|are\s+)?(?:now|currently)\b))"
    rf"{_TO_CLAUSE_END}",
    re.I,
)
"""A clause that is about the past as a whole: "400 days was the old rule"."""
_ASKED_OF_THE_PAST = re.compile(r"\b(?:was|were|did|had|first|once|in\s+[12]\d{3})\b", re.I)
_WHEN = re.compile(r"\s*(?:when|(?:on|in)\s+(?:what|which)\s+(?:day|date|month|year))\b", re.I)
"""The date of an event is not of the past, although the event is."""


def without_retractions(answer: str, asked: Sequence[str], source: Sequence[str]) -> str:
    """Return an answer without what it doubts, excepts, takes back or calls a thing of the past.

    ``source`` is what excuses a phrase: the question, the golden answers and the clauses of the evidence with them.

    Example:
        >>> without_retractions("It is hardly Oslo, I doubt that it is Rome.", ["Where is it?"], ["Where is it?"])
        'It is  , I  .'
        >>> without_retractions("It used to be Oslo, but now it is Rome.", ["Where is it?"], ["Where is it?"])
        'It  , but now it is Rome.'
    """
    for number, (rejected, excuse) in enumerate(_RETRACTIONS):
        verdict = number == _VERDICT and any(map(PATTERNS["yes_no_question"].match, asked))  # "False: the pump is red"
        if not verdict and not any(map(excuse.search, source)):
            answer = rejected.sub(" ", answer)
    past = any(_ASKED_OF_THE_PAST.search(question) and not _WHEN.match(question) for question in asked)
    if past or any(map(PATTERNS["about_the_past"].search, source)):
        return answer
    for former in (_FORMER, _FORMER_CLAUSE):
        answer = former.sub(" ", answer)
    return answer


_VERDICT = 1
"""The kind that opens with a verdict, which answers a question of yes or no."""
