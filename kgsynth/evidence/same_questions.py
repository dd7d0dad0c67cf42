"""Compare two questions by their answers, and by the names and numbers in them."""

from __future__ import annotations

import re

from kgsynth.base.records import Item
from kgsynth.evidence.derivation import same_answer
from kgsynth.language import nearest_language

_NAME_OR_NUMBER = re.compile(r"(?<!^)\b[A-Z][\w’'-]*|\d+")  # not at the start of the sentence


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
    return frozenset(_NAME_OR_NUMBER.findall(nearest_language(item.language).digits(item.question)))
