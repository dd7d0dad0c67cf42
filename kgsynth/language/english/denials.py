"""Clauses that deny what they name: "It is certainly not Paris" contains Paris and does not answer it.

``affirmed`` reads an answer that a system gave, ``denies`` the sentence that is to prove a golden answer. In an answer
a negated verb denies ("not", "isn't", "never"; not "not only", "not before" and "no more than"), and so do phrases that
reject what they name ("it is false that", "Paris is wrong", "instead of Paris", "contrary to Paris") or take it back
(``retractions``). Left out: a denial in other words, and a negated verb that a comma parts from what it denies.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from kgsynth.language.english.morphology import is_adverb, is_base_verb, is_only_verb
from kgsynth.language.english.opposites import DENIAL
from kgsynth.language.english.retractions import without_retractions
from kgsynth.language.sentence_ends import parts_with

_NEGATED_VERB = re.compile(
    r"\b(?:not|never|neither|nor|cannot|no\ longer|[a-z]+n['’]t)\b"
    r"(?!\s+(?:than|only|just|merely|simply|until|before|more|less|fewer|later|earlier|longer|over|above|below|under|"
    r"exceed\w*)\b)",
    re.I,
)
_CLAUSE_ENDS = re.compile(
    r"(?<=[.!?;:,])\s+|\s+[-–—]\s+|[()\n—]|\s+(?=(?:but|and|while|whereas|although|though|because)\b)", re.I
)
_REJECTION = re.compile(
    r"(?:\bnot|n['’]t)\s+(?:\w+ly\s+)?(?:true|correct|right|the\ case)\b|\b(?:wrong|false|untrue|incorrect|mistaken)\b"
    r"|\b(?:instead\ of|rather\ than|(?:any|every)(?:thing|one|body|where)\ (?:but|except))\b"
    r"|\b(?:wrongly|falsely|mistakenly|incorrectly|erroneously|contrary\ to|misconceptions?|nothing\ to\ do\ with)\b",
    re.I,
)
"""Words of the phrases that reject something."""
_REJECTED = re.compile(
    r"\bit(?:['’]s|\s+(?:is|was))?(?:n['’]t|\s+not)?\s+(?:\w+ly\s+)?(?:true|correct|right|the\ case|wrong|false|untrue|"
    r"incorrect)\s+(?:that|to\ say)\b(?:(?!\bbut\b)[^.!?;\n]|[.](?=\w))*"
    r"|\b(?:instead\ of|rather\ than|contrary\ to|(?:any|every)(?:thing|one|body|where)\ (?:but|except))\b[^.!?;:,\n]*"
    r"|\b(?:(?:wrongly|falsely|mistakenly|incorrectly|erroneously)\s+(?:believ|assum|think|thought|claim|sa(?:y|id)|"
    r"suppos|stat)\w*|misconceptions?\s+(?:is\s+)?that)\b(?:(?!\bbut\b)[^.!?;:,\n])*",
    re.I,
)
"""A phrase that rejects what follows it, with what follows; "it is true that" is told apart by ``_REJECTION``."""
_CALLED_WRONG = re.compile(
    r"\b(?:is|are|was|were|be)\s+(?:\w+ly\s+)?(?:wrong|false|untrue|incorrect|mistaken)\b|"
    r"(?:\bnot|n['’]t)\s+(?:\w+ly\s+)?(?:true|correct|right|the\ case)\b|\bnothing\ to\ do\ with\b",
    re.I,
)
_IS_NOT = (
    r"\b(?:(?:is|was|are|were|it['’]s|that['’]s|they['’]re)\s+(?:\w+ly\s+)?not|(?:is|was|are|were)n['’]t)\s+"
    r"(?!(?:only|merely|simply)\b)(?:\w+ly\s+)?(?:(?:the|an?)\s+)?"
)
_NEGATIVE_VERB = re.compile(
    r"\b(?:forb[ia]d\w*|prohibit\w*|ban(?:s|ned)?|exclud\w*|refus\w*|reject\w*|den(?:y|ies|ied)|prevent\w*|avoid\w*|"
    r"exempt\w*|unless|only|instead|rather)\b",
    re.I,
)

_GUESS_WORD = re.compile(
    r"\b(?:possibly|perhaps|maybe|presumably|probably|likely|might|may|could|guess\w*|assum\w*|general\s+knowledge)\b",
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


def affirmed(answer: str, asked: Sequence[str], golden: Sequence[str] = (), evidence: Iterable[str] = ()) -> str:
    """Return an answer without what it denies.

    It stays as it is if its source denies something too, since an answer may repeat that in other words: the question
    (``asked``), a golden answer, or a clause of the evidence that holds a golden answer. A phrase such as "it is not
    true that" is left out all the same, unless the source has one. "It is not X" is left out for a golden answer X
    unless the source has a word like "not"; that it has one like "prohibit" is not enough.

    Example:
        >>> affirmed("It is not in Bergen, it is in Oslo.", ["Where is the depot?"])
        ' it is in Oslo.'
        >>> affirmed("Staff must not smoke in the lab.", [], ["the lab"], ["Smoking is prohibited in the lab."])
        'Staff must not smoke in the lab.'
        >>> affirmed("It is false that the depot is in Oslo.", ["Where is the depot?"])
        ' .'
    """
    source = [*asked, *golden, *(clause for text in evidence for clause in clauses_with(golden, text))]
    answer = without_retractions(answer, asked, source)
    if any(_REJECTION.search(text) for text in source):
        return answer
    answer = _REJECTED.sub(lambda match: " " if _REJECTION.search(match[0]) else match[0], answer)
    answer = "".join(" " if _CALLED_WRONG.search(clause) else clause for clause in answer_clauses(answer))
    if any(DENIAL.search(text) for text in source):
        return answer
    names = "|".join(re.escape(text.strip()) for text in golden if text.strip())
    is_not = re.compile(rf"{_IS_NOT}(?:{names or '(?!)'})\b", re.I)
    answer = "".join(" " if is_not.search(clause) else clause for clause in answer_clauses(answer))
    if any(_NEGATIVE_VERB.search(text) for text in source):
        return answer
    return "".join(" " if _NEGATED_VERB.search(clause) else clause for clause in answer_clauses(answer))


def may_replace(word: str, other: str) -> bool:
    """Check whether a word may say the same as another: both are verbs or adverbs, and both or none like "prevent".

    Example:
        >>> may_replace("carried", "bear"), may_replace("prevents", "speeds"), may_replace("roof", "walls")
        (True, False, False)
    """
    free = is_only_verb(word) or is_adverb(word)
    return (
        free
        and any(test(other) for test in (is_base_verb, is_only_verb, is_adverb))
        and bool(_NEGATIVE_VERB.match(word)) == bool(_NEGATIVE_VERB.match(other))
    )


def statements(answer: str) -> list[str]:
    """Return the clauses of an answer without those that guess.

    Example:
        >>> statements("I do not know, but the sign says Oslo. Perhaps it is Rome.")
        ['I do not know, ', 'but the sign says Oslo. ']
    """
    return [clause for clause in answer_clauses(answer) if not _GUESS_WORD.search(clause)]


def answer_clauses(text: str) -> list[str]:
    """Return the clauses of a text, which together are the text."""
    starts = [0, *(match.end() for match in _CLAUSE_ENDS.finditer(text))]
    return [text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]


def clauses_with(answers: Sequence[str], text: str) -> Iterator[str]:
    """Yield the parts of a text that hold an answer, each with the rest of the clauses that the answer touches."""
    return parts_with(answers, text, [match.start() for match in _CLAUSE_ENDS.finditer(text)])


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
