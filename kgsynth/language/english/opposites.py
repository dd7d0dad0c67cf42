"""Words in which a question and a statement contradict each other: a denial, an opposite, an extreme.

Left out: what is denied, and opposites that depend on the subject (paper and plastic money).
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache

from kgsynth.base.thresholds import LIMITS
from kgsynth.language.english.lexicon import PATTERNS, WORDS
from kgsynth.language.english.morphology import stem
from kgsynth.language.words import words

_EXTREME = re.compile(r"\b(?:only|first|last|always|all|every|most|least|\w{3,}est)\b", re.I)
_PREFIXES = ("un", "in", "im", "ir", "dis", "non", "anti")


def contradictions(question: str, statement: str) -> frozenset[str]:
    """Return how a statement contradicts a question: "denial", "opposite", "extreme".

    Denial: the question denies and the statement does not. Opposite: the statement has the opposite of a word of the
    question, and not the word. Extreme: the question singles out (the first, the only, always) and the statement does
    not.

    Example:
        >>> sorted(contradictions("Who did not accept the treaty?", "Ada rejected the treaty."))
        ['denial', 'opposite']
        >>> contradictions("Who accepted the treaty?", "Ada accepted the treaty.")
        frozenset()
    """
    stated = set(words(statement))
    stated_stems = {stem(word) for word in stated}
    missing = {stem(word) for word in words(question)} - stated_stems
    extremes = {match.group().lower() for match in _EXTREME.finditer(question)}
    found = {
        "denial": bool(PATTERNS["denial"].search(question)) and not PATTERNS["denial"].search(statement),
        "opposite": any(opposites(each) & stated_stems for each in missing),
        "extreme": bool(extremes - stated),
    }
    return frozenset(name for name, holds in found.items() if holds)


def opposites(word: str) -> frozenset[str]:
    """Return the stems that mean the opposite of a stem, by the list and the negative prefixes.

    Example:
        >>> "tight" in opposites("loose"), "usual" in opposites("unusual")
        (True, True)
    """
    length = len(word.removesuffix("e"))
    affirmed = {word.removeprefix(prefix) for prefix in _PREFIXES if length >= len(prefix) + LIMITS.negatable_letters}
    negated = {prefix + word for prefix in _PREFIXES if length >= LIMITS.negatable_letters}
    return frozenset(affirmed | negated | _listed_opposites().get(word, set())) - {word}


@cache
def _listed_opposites() -> dict[str, set[str]]:
    table: dict[str, set[str]] = defaultdict(set)
    for pair in WORDS["opposites"]:
        one, other = map(stem, pair.split())
        table[one].add(other)
        table[other].add(one)
    return dict(table)
