"""Clauses that deny what they name: "It is certainly not Paris" contains Paris and does not answer it.

``affirmed`` reads an answer that a system gave, ``denies`` the sentence that is to prove a golden answer. In an answer
only a negated verb denies ("not", "isn't", "never"); "not only", "not before" and "no more than" do not. Left out: a
denial in other words ("Paris is wrong"), and one that a comma parts from what it denies. Of people's questions
(SQuAD 2.0, 2,910) 0.5 % have a golden answer in a clause that is taken for a denial.
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

_DENIES = re.compile(
    r"\b(?:not|never|neither|nor|cannot|nobody|none|no|without|hardly|unable|"
    r"(?:is|was|are|were|do|does|did|wo|ca|could|would|should|has|have|had|must|need|might)n[’']t)\b",
    re.I,
)
_DENIES_NOTHING = re.compile(
    r"\b(?:not (?:only|just|merely|simply|least|necessarily|all|every|more|less|fewer|later|until|far|unlike|to be)"
    r"|no (?:more|less|fewer|later|sooner|earlier|matter|doubt)|(?:if|or) not|not to mention)\b",
    re.I,
)
_NEGATIVE_QUESTION = re.compile(
    rf"{_DENIES.pattern}|\b(?:nothing|un\w+|in\w+able|except|exempt|(?:lack|fail|avoid|refus|prevent)\w*)\b", re.I
)
_CLAUSE_EDGE = re.compile(
    r"[.!?](?=\s)|[,;:()—–]|\s-\s|\b(?:but|and|or|because|which|who|whose|that|if|unless|although|though|while|when|"
    r"where|since|so|until|after|before|as|than|rather|instead|despite|even|except|whereas|however)\b",
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


def denies(question: str, sentence: str, start: int, end: int) -> bool:
    """Check whether a sentence denies, around the answer at ``[start, end)``, what a question affirms.

    Example:
        >>> denies("Who leads the crew?", "Ada does not lead the crew.", 0, 3)
        True
        >>> denies("Who leads the crew?", "Ada leads the crew, but does not sail.", 0, 3)
        False
    """
    if _NEGATIVE_QUESTION.search(question):
        return False
    edges = list(_CLAUSE_EDGE.finditer(sentence))
    first = max((edge.start() for edge in edges if edge.end() <= start), default=0)
    last = min((edge.start() for edge in edges if edge.start() >= end), default=len(sentence))
    clause = f"{sentence[first:start]} … {sentence[end:last]}"
    return bool(_DENIES.search(_DENIES_NOTHING.sub(" ", clause)))
