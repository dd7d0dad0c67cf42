"""copied: the question is not the sentence of its evidence over again."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

from kgsynth.filters.bench import Bench, scored
from kgsynth.language.words import words
from kgsynth.records import Item, Rejection
from kgsynth.writing import Candidate

RUN = 3
"""Words in a row that make a repetition."""
LONG = 7
"""Words so repeated from which on a question may copy a sentence; a short one has no other words to choose from.

Two characters count as a word where each is a token by itself, as in Chinese.
"""
WHOLE = 0.8
"""The share of the sentence, but for the answer, that is then repeated."""


def judge(candidate: Candidate, bench: Bench) -> Rejection | Item:
    """Turn away a question most of whose words are those of a sentence it rests on, in the same order."""
    item, limit = candidate.item, bench.thresholds["copied"]
    share = max((copied(item.question, item.golden_answers, fact.text) for fact in candidate.scenario.facts), default=0)
    if share >= limit:
        return Rejection("copied", "the words of its evidence, in the same order", round(share, 4), limit)
    return scored(item, copied=share)


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
