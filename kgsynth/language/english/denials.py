"""Clauses that deny what they name: "It is certainly not Paris" contains Paris and does not answer it.

``affirmed`` reads an answer that a system gave, ``denies`` the sentence that is to prove a golden answer. In an answer
a negated verb denies ("not", "isn't", "never"; not "not only", "not before" and "no more than"), and so do phrases that
reject what they name ("it is false that", "Paris is wrong", "instead of Paris", "contrary to Paris") or take it back
(``retractions``). Left out: a denial in other words, and a negated verb that a comma parts from what it denies.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from kgsynth.language.english.lexicon import PATTERNS
from kgsynth.language.english.morphology import is_adverb, is_base_verb, is_only_verb
from kgsynth.language.english.retractions import without_retractions
from kgsynth.language.sentence_ends import parts_with

_IS_NOT = (
    r"\b(?:(?:is|was|are|were|it['’]s|that['’]s|they['’]re)\s+(?:\w+ly\s+)?not|(?:is|was|are|were)n['’]t)\s+"
    r"(?!(?:only|merely|simply)\b)(?:\w+ly\s+)?(?:(?:the|an?)\s+)?"
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
    if any(PATTERNS["rejection"].search(text) for text in source):
        return answer
    answer = PATTERNS["rejected"].sub(lambda match: " " if PATTERNS["rejection"].search(match[0]) else match[0], answer)
    answer = "".join(" " if PATTERNS["called_wrong"].search(clause) else clause for clause in answer_clauses(answer))
    if any(PATTERNS["denial"].search(text) for text in source):
        return answer
    names = "|".join(re.escape(text.strip()) for text in golden if text.strip())
    is_not = re.compile(rf"{_IS_NOT}(?:{names or '(?!)'})\b", re.I)
    answer = "".join(" " if is_not.search(clause) else clause for clause in answer_clauses(answer))
    if any(PATTERNS["negative_verb"].search(text) for text in source):
        return answer
    return "".join(" " if PATTERNS["negated_verb"].search(clause) else clause for clause in answer_clauses(answer))


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
        and bool(PATTERNS["negative_verb"].match(word)) == bool(PATTERNS["negative_verb"].match(other))
    )


def statements(answer: str) -> list[str]:
    """Return the clauses of an answer without those that guess.

    Example:
        >>> statements("I do not know, but the sign says Oslo. Perhaps it is Rome.")
        ['I do not know, ', 'but the sign says Oslo. ']
    """
    return [clause for clause in answer_clauses(answer) if not PATTERNS["guess_word"].search(clause)]


def answer_clauses(text: str) -> list[str]:
    """Return the clauses of a text, which together are the text."""
    starts = [0, *(match.end() for match in PATTERNS["clause_ends"].finditer(text))]
    return [text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]


def clauses_with(answers: Sequence[str], text: str) -> Iterator[str]:
    """Yield the parts of a text that hold an answer, each with the rest of the clauses that the answer touches."""
    return parts_with(answers, text, [match.start() for match in PATTERNS["clause_ends"].finditer(text)])


def denies(question: str, sentence: str, start: int, end: int) -> bool:
    """Check whether a sentence denies, around the answer at ``[start, end)``, what a question affirms.

    Example:
        >>> denies("Who leads the crew?", "Ada does not lead the crew.", 0, 3)
        True
        >>> denies("Who leads the crew?", "Ada leads the crew, but does not sail.", 0, 3)
        False
    """
    if PATTERNS["negative_question"].search(question):
        return False
    edges = list(PATTERNS["clause_edge"].finditer(sentence))
    first = max((edge.start() for edge in edges if edge.end() <= start), default=0)
    last = min((edge.start() for edge in edges if edge.start() >= end), default=len(sentence))
    clause = f"{sentence[first:start]} … {sentence[end:last]}"
    return bool(PATTERNS["denies"].search(PATTERNS["denies_nothing"].sub(" ", clause)))
