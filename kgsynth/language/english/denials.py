"""Does a sentence deny what a question takes for true? By the words of denial in the clause of the answer.

Left out: denials by the verb alone ("refuses"), and clauses that no comma or conjunction sets apart. Of people's
questions (SQuAD 2.0, 2,910) 0.5 % have an answer in a clause that is taken for a denial.
"""

from __future__ import annotations

import re

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
