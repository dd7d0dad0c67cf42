"""Checks of a question by its words: does it contain its answer, copy its source, or ask what another one asks?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from kgsynth.base.records import Item
from kgsynth.base.thresholds import LIMITS
from kgsynth.evidence.derivation import same_answer
from kgsynth.language import language, nearest_language
from kgsynth.language.words import words

_CLAUSE_OPERATORS = frozenset({"cause", "purpose", "condition"})
_CLAUSE_KINDS = frozenset({"reason", "clause"})
_NAME_OR_NUMBER = re.compile(r"(?<!^)\b(?!I\b)[A-Z][\w’'-]*|\d+")  # not at the start of the sentence


def leaked_words(question: str, answer: str, code: str) -> tuple[float, list[str]]:
    """Return the share of an answer's content words that are in the question, and these words; numbers in any form.

    Words that question and answer may share do not count; the share is 1 for an answer without other words.

    Example:
        >>> leaked_words("Who are the 9 old people of Salina?", "nine old smiths", "en")
        (0.6666666666666666, ['9', 'old'])
    """
    reader = language(code)
    may_share = reader.may_share(question, answer)
    counted = {word for word in reader.content_stems(reader.digits(answer.lower())) if not may_share(word)}
    leaked = sorted(counted & set(reader.content_stems(reader.digits(question.lower()))))
    return (len(leaked) / len(counted) if counted else 1.0), leaked


def wording_problem(question: str, code: str, *, define: bool = False) -> str:
    """Return why a question cannot be understood by itself, "" if it can; one that asks to ``define`` may be short."""
    reader = language(code)
    if word := reader.outside_reference(question):
        return f"{word!r} refers to something outside the question"
    short = len(set(reader.content_stems(question))) < LIMITS.question_content_words and not define
    return "fewer than two content words" if short else ""


def repeats_clause(item: Item) -> bool:
    """Check whether a question must repeat a clause of its evidence to ask for another.

    So it is where questions keep the order of statements. Without a derivation, the kind of answer tells.
    """
    own = nearest_language(item.language)
    operator = str(item.derivation.get("operator"))
    return own.ASKS_IN_PLACE and (operator in _CLAUSE_OPERATORS or own.answer_kind(item.question) in _CLAUSE_KINDS)


def copied(question: str, answers: Sequence[str], sentence: str) -> float:
    """Return the share of a question's words that repeat a sentence in order, 0 if it repeats little of the sentence.

    Example:
        >>> copied("How many units are set aside from every batch on its way out?", ["three"],
        ...        "Three units are set aside from every batch on its way out.")
        0.8461538461538461
        >>> copied("Which team leads the march?", ["the Skuas"], "The Skuas lead the march.")
        0.0
    """
    asked, stated = words(question), words(sentence)
    blocks = SequenceMatcher(None, asked, stated, autojunk=False).get_matching_blocks()
    runs = [block for block in blocks if block.size >= LIMITS.repeated_run_words]
    same = [word for block in runs for word in asked[block.a : block.a + block.size]]
    answer = min((len(words(each)) for each in answers), default=0)
    length = sum(1.0 if word.isascii() or len(word) > 1 else 0.5 for word in same)  # two Chinese characters are a word
    most = len(same) >= LIMITS.copied_sentence_share * (len(stated) - answer)
    return len(same) / len(asked) if most and length >= LIMITS.copied_min_words else 0.0


def answers_agree(one: Item, other: Item) -> bool:
    """Check whether two items have an answer in common, or both are without an answer.

    Example:
        >>> one = Item("a", "Who?", ("The nine",), "simple", "", "en", ())
        >>> answers_agree(one, Item("b", "Who?", ("9", "ten"), "simple", "", "en", ()))
        True
    """
    if not (one.golden_answers and other.golden_answers):
        return not (one.golden_answers or other.golden_answers)
    return any(same_answer(a, b, one.language) for a in one.golden_answers for b in other.golden_answers)


def names_and_numbers(item: Item) -> frozenset[str]:
    """Return the names and numbers in a question, by which it differs from one about another thing.

    Example:
        >>> sorted(names_and_numbers(Item("a", "Who leads two depots in Oslo?", ("Ada",), "simple", "", "en", ())))
        ['2', 'Oslo']
    """
    return names_and_numbers_in(item.question, item.language)


def names_and_numbers_in(text: str, code: str) -> frozenset[str]:
    """Return the words with a capital inside a text, and its numbers as digits."""
    return frozenset(_NAME_OR_NUMBER.findall(nearest_language(code).digits(text)))
