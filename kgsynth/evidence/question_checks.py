"""What the words of a question give away: that it holds its answer, points outside itself, or copies its source."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

from kgsynth.language import language
from kgsynth.language.words import words


def given_away(question: str, answer: str, code: str) -> tuple[float, list[str]]:
    """Return the share of an answer's content words that stand in the question, and which; numbers count in any form.

    Words that a question is granted count for neither; an answer of no other word says nothing, and the share is 1.

    Example:
        >>> given_away("Who are the 9 old people of Salina?", "nine old smiths", "en")
        (0.6666666666666666, ['9', 'old'])
    """
    reader = language(code)
    free = reader.may_share(question, answer)
    telling = {word for word in reader.content_stems(reader.digits(answer.lower())) if not free(word)}
    held = sorted(telling & set(reader.content_stems(reader.digits(question.lower()))))
    return (len(held) / len(telling) if telling else 1.0), held


def fault_of(question: str, code: str, *, define: bool = False) -> str:
    """Return what a question leaves open by its words alone, "" for nothing; one may ``define`` a single word."""
    reader = language(code)
    if word := reader.outside_reference(question):
        return f"{word!r} points outside the question"
    return "fewer than two content words" if len(set(reader.content_stems(question))) < 2 and not define else ""


RUN = 3
"""Words in a row that make a repetition."""


LONG = 7
"""Words so repeated from which on a question may copy a sentence; a short one has no other words to choose from.

Two characters count as a word where each is a token by itself, as in Chinese.
"""


WHOLE = 0.8
"""The share of the sentence, but for the answer, that is then repeated."""


def copied(question: str, answers: Sequence[str], sentence: str) -> float:
    """Return the share of a question's words that repeat a sentence, 0 where it repeats little of it.

    Example:
        >>> copied("How many units are set aside from every batch on its way out?", ["three"],
        ...        "Three units are set aside from every batch on its way out.")
        0.8461538461538461
        >>> copied("Which team leads the march?", ["the Skuas"], "The Skuas lead the march.")
        0.0
    """
    asked, said = words(question), words(sentence)
    blocks = SequenceMatcher(None, asked, said, autojunk=False).get_matching_blocks()
    same = [word for block in blocks if block.size >= RUN for word in asked[block.a : block.a + block.size]]
    answer = min((len(words(each)) for each in answers), default=0)
    long = sum(1.0 if word.isascii() or len(word) > 1 else 0.5 for word in same) >= LONG
    return len(same) / len(asked) if long and len(same) >= WHOLE * (len(said) - answer) else 0.0
