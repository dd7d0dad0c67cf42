"""Other places in the corpus that answer a question: the same fact stated again, or another value in its place.

Every sentence that holds most of the words known of a fact, weighted by rarity, is a candidate. Left out: values put
so differently that the sentences share neither words nor predicate.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import NamedTuple

from kgsynth.base.records import Fact, Item, Phrase, Sentence
from kgsynth.base.vocabulary import Flag, Role
from kgsynth.evidence.statements import Statements
from kgsynth.language import language


class Sought(NamedTuple):
    """What the asker knows of a fact and what not: the phrases known, and the one looked for.

    ``phrase`` is None when all but a condition is looked for ("What happens if …"); ``answer`` is its text then.
    ``code`` is the language of the question.
    """

    fact: Fact
    known: tuple[int, ...]
    phrase: Phrase | None
    answer: str
    code: str


def elsewhere(
    sought: Sought, scope: set[str], statements: Statements, limit: float
) -> Iterator[tuple[float, Sentence, list[Fact]]]:
    """Yield the other sentences that may say what is sought, in the ``scope`` of the question.

    Each comes with the share of the words it holds, and with its facts that make the same statement.
    """
    for share, sentence in statements.containing(statements.search_terms(sought.fact, sought.known), limit):
        if _inside(sentence, sought.fact) or not in_scope(sentence, scope, statements, sought.code):
            continue
        others = _same_statement(statements.facts_ending_at(sentence.doc, sentence.end), sought)
        if others is not None:
            yield share, sentence, others


def _inside(sentence: Sentence, fact: Fact) -> bool:
    """Say whether a sentence is the fact's own, or the one before that the fact leans on."""
    return sentence.doc == fact.doc and fact.start <= sentence.start < fact.end


def scope_of(item: Item, fact: Fact, statements: Statements) -> set[str]:
    """Return the stems of the question's words that stand in the headings over a fact and not in its sentence."""
    content = language(item.language).content_stems
    headings = {word for title in statements.section_of(fact).path for word in content(title)}
    return set(content(item.question)) & headings - set(content(fact.text))


def in_scope(sentence: Sentence, scope: set[str], statements: Statements, code: str) -> bool:
    """Say whether a sentence, or the headings over it, hold the words that scope a question."""
    if not scope:
        return True
    titles = statements.documents[sentence.doc].sections[sentence.section].path
    return scope <= set(language(code).content_stems(" ".join((sentence.text, *titles))))


def states(sentence: Sentence, others: Collection[Fact], sought: Sought) -> bool:
    """Say whether a sentence gives the answer and every figure of the question; numbers count however written.

    ``others`` are its facts that make the same statement as the one asked about.
    """
    fact, phrase = sought.fact, sought.phrase
    figures = {x for n in sought.known for x in _figured(fact.phrases[n].lemmas, sought.code) if x[:1].isdigit()}
    if not figures <= set(_figured(sentence.lemmas, sought.code)):
        return False
    if phrase is None or not phrase.lemmas:
        return (sought.answer if phrase is None else phrase.text).casefold() in sentence.text.casefold()
    return _within(phrase.lemmas, sentence.lemmas, sought.code) or any(
        _same_value(twin, phrase, sought.code) for other in others for twin in _twins(other, phrase)
    )


def other_value(others: Collection[Fact], sought: Sought) -> str:
    """Return what facts of the same statement say in the place of the answer, "" when they say nothing there."""
    fact, phrase = sought.fact, sought.phrase
    known = {lemma for n in sought.known for lemma in fact.phrases[n].lemmas}
    for other in others:
        if phrase is None:
            return other.text
        for twin in _twins(other, phrase):
            if (
                other.verb.passive == fact.verb.passive
                and _differs(twin, phrase, sought.code)
                and not set(twin.lemmas) <= known
                and (phrase.role != Role.ATTRIBUTE or _of_one_kind(twin, phrase, sought.code))
            ):
                return twin.text
    return ""


def _of_one_kind(one: Phrase, other: Phrase, code: str) -> bool:
    """Say whether two attributes exclude each other: a thing is an officer and two doors away, but of one length."""
    first, second = (language(code).quantity(phrase.text) for phrase in (one, other))
    measured = first is not None and second is not None and first.dimension == second.dimension
    return measured or one.head == other.head or (one.label != "" and one.label == other.label)


def _same_statement(others: Collection[Fact], sought: Sought) -> list[Fact] | None:
    """Return the facts of a sentence that say the same of the same; None when all of its predicate say something else.

    The same is: predicate, polarity, and no known phrase with other words in its place. What follows from a
    condition has no predicate in common; there it is the condition that must be the same.
    """
    fact = sought.fact
    if sought.phrase is None:
        asked = fact.phrases[sought.known[0]]
        return [o for o in others if any(set(twin.lemmas) == set(asked.lemmas) for twin in _twins(o, asked))]
    alike = [other for other in others if other.verb.lemma == fact.verb.lemma]
    same = [o for o in alike if o.verb.negated == fact.verb.negated and not _at_odds(o, sought)]
    return same if same or not alike else None


def _at_odds(other: Fact, sought: Sought) -> bool:
    """Say whether a known phrase has counterparts in another fact, all of which say something else.

    A condition, or a name that no lemma stands for ("in May"), must not be missing either.
    """
    if other.verb.passive != sought.fact.verb.passive:
        return False
    for phrase in (sought.fact.phrases[n] for n in sought.known):
        twins = _twins(other, phrase)
        if twins and all(_differs(twin, phrase, sought.code) for twin in twins):
            return True
        unsaid = phrase.role == Role.CONDITION or (phrase.has(Flag.NAMED) and not phrase.lemmas)
        if not twins and unsaid and phrase.text.casefold() not in other.text.casefold():
            return True
    return False


def _twins(other: Fact, phrase: Phrase) -> list[Phrase]:
    return [twin for twin in other.phrases if (twin.role, twin.marker) == (phrase.role, phrase.marker)]


def _differs(one: Phrase, other: Phrase, code: str) -> bool:
    """Say whether neither of two phrases repeats the other; figures and measures count by value."""
    first, second = (set(_figured(phrase.lemmas, code)) for phrase in (one, other))
    return bool(first and second) and not (first <= second or second <= first) and not _same_value(one, other, code)


def _same_value(one: Phrase, other: Phrase, code: str) -> bool:
    first, second = (language(code).quantity(phrase.text) for phrase in (one, other))
    if first is None or second is None or (first.dimension, first.bound) != (second.dimension, second.bound):
        return False
    return math.isclose(first.value, second.value, rel_tol=1e-9)


def _within(answer: tuple[str, ...], lemmas: tuple[str, ...], code: str) -> bool:
    """Say whether the answer's lemmas stand in a sentence side by side, so that "five years" is not pieced together."""
    wanted, held = _figured(answer, code), _figured(lemmas, code)
    return any(held[n : n + len(wanted)] == wanted for n in range(len(held) - len(wanted) + 1))


@lru_cache(maxsize=4096)
def _figured(lemmas: tuple[str, ...], code: str) -> tuple[str, ...]:
    """Return lemmas with their numbers as digits: ("twenty", "five", "year") is ("25", "year")."""
    if not any(_is_number(lemma, code) for lemma in lemmas):
        return lemmas
    return tuple(language(code).digits(" ".join(lemmas)).split())


@lru_cache(maxsize=1 << 16)
def _is_number(lemma: str, code: str) -> bool:
    """Say whether a word may be part of a number; most sentences hold none and need not be read for one."""
    return lemma[:1].isdigit() or language(code).digits(lemma) != lemma
