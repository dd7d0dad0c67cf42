"""Clauses of an answer that deny what they name: "It is certainly not Paris" contains Paris and does not answer it.

Only a negated verb denies ("not", "isn't", "never"); "not only", "not before" and "no more than" do not. Left out: a
denial in other words ("Paris is wrong"), and one that a comma parts from what it denies.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from kgsynth.language.english.opposites import DENIAL

_NEGATED_VERB = re.compile(
    r"\b(?:not|never|neither|nor|cannot|no\ longer|[a-z]+n['’]t)\b"
    r"(?!\s+(?:than|only|just|merely|simply|until|before|more|less|fewer|later|earlier|longer|over|above|below|under|"
    r"exceed\w*)\b)",
    re.I,
)
_CLAUSE_ENDS = re.compile(
    r"(?<=[.!?;:,])\s+|\s+[-–—]\s+|[()\n—]|\s+(?=(?:but|and|while|whereas|although|though|because)\b)", re.I
)
_NEGATIVE_VERB = re.compile(
    r"\b(?:forb[ia]d\w*|prohibit\w*|ban(?:s|ned)?|exclud\w*|refus\w*|reject\w*|den(?:y|ies|ied)|prevent\w*|avoid\w*|"
    r"exempt\w*|unless|only|instead|rather)\b",
    re.I,
)


def affirmed(answer: str, context: Iterable[str]) -> str:
    """Return an answer without its clauses that deny something.

    It stays as it is if a text of ``context`` (the question, the golden answers, the evidence) denies something itself:
    an answer may then repeat that in other words.

    Example:
        >>> affirmed("It is not in Bergen, it is in Oslo.", ["The depot is in Oslo."])
        ' it is in Oslo.'
        >>> affirmed("Staff must not smoke in the lab.", ["Smoking is prohibited in the lab."])
        'Staff must not smoke in the lab.'
    """
    if any(DENIAL.search(text) or _NEGATIVE_VERB.search(text) for text in context):
        return answer
    starts = [0, *(match.end() for match in _CLAUSE_ENDS.finditer(answer))]
    clauses = [answer[start:end] for start, end in zip(starts, [*starts[1:], len(answer)], strict=True)]
    return "".join(" " if _NEGATED_VERB.search(clause) else clause for clause in clauses)
