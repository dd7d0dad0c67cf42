"""Find other sentences that answer a question: with the same answer, or with a conflicting one.

Every sentence with most of the known words of a fact, weighted by rarity, is examined. A sentence that shares neither
words nor predicate with the fact is not found.
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


class AskedFact(NamedTuple):
    """A fact that a question is about: the numbers of the phrases that the asker knows, and the phrase asked for.

    ``phrase`` is None if the asker knows only a condition ("What happens if …"); the rest is then the ``answer``.
    ``code`` is the language of the question.
    """

    fact: Fact
    known: tuple[int, ...]
    phrase: Phrase | None
    answer: str
    code: str


def other_sentences(
    asked: AskedFact, scope: set[str], statements: Statements, threshold: float
) -> Iterator[tuple[float, Sentence, list[Fact]]]:
    """Yield the other sentences in the ``scope`` of the question that may answer it.

    Each comes with its share of the known words, and with its facts that state the same as the fact asked about.
    """
    fact = asked.fact
    for share, sentence in statements.containing(statements.search_terms(fact, asked.known), threshold):
        own = sentence.doc == fact.doc and fact.start <= sentence.start < fact.end
        if own or not _in_scope(sentence, scope, statements, asked.code):
            continue
        others = _same_statement(statements.facts_ending_at(sentence.doc, sentence.end), asked)
        if others is not None:
            yield share, sentence, others


def scope_of(item: Item, fact: Fact, statements: Statements) -> set[str]:
    """Return the stems of the question's words that are in the headings over a fact and not in its sentence."""
    content = language(item.language).content_stems
    headings = {word for title in statements.section_of(fact).path for word in content(title)}
    return set(content(item.question)) & headings - set(content(fact.text))


def _in_scope(sentence: Sentence, scope: set[str], statements: Statements, code: str) -> bool:
    """Check whether a sentence and the headings over it have all words of a scope."""
    if not scope:
        return True
    titles = statements.documents[sentence.doc].sections[sentence.section].path
    return scope <= set(language(code).content_stems(" ".join((sentence.text, *titles))))


def states(sentence: Sentence, others: Collection[Fact], asked: AskedFact) -> bool:
    """Check whether a sentence has the answer and all numbers of the question, in any form.

    ``others`` are its facts that state the same as the fact asked about.
    """
    fact, phrase = asked.fact, asked.phrase
    figures = {x for n in asked.known for x in _with_digits(fact.phrases[n].lemmas, asked.code) if x[:1].isdigit()}
    if not figures <= set(_with_digits(sentence.lemmas, asked.code)):
        return False
    if phrase is None or not phrase.lemmas:
        return (asked.answer if phrase is None else phrase.text).casefold() in sentence.text.casefold()
    return _within(phrase.lemmas, sentence.lemmas, asked.code) or any(
        _same_value(each, phrase, asked.code) for other in others for each in _counterparts(other, phrase)
    )


def other_value(others: Collection[Fact], asked: AskedFact) -> str:
    """Return what the facts that state the same say instead of the answer, "" if they say nothing instead."""
    fact, phrase = asked.fact, asked.phrase
    known = {lemma for n in asked.known for lemma in fact.phrases[n].lemmas}
    for other in others:
        if phrase is None:
            return other.text
        for counterpart in _counterparts(other, phrase):
            if (
                other.verb.passive == fact.verb.passive
                and _differs(counterpart, phrase, asked.code)
                and not set(counterpart.lemmas) <= known
                and (phrase.role != Role.ATTRIBUTE or _exclude_each_other(counterpart, phrase, asked.code))
            ):
                return counterpart.text
    return ""


def _exclude_each_other(one: Phrase, other: Phrase, code: str) -> bool:
    """Check whether two attributes cannot both be true: a thing can be a pump and blue, but has only one length."""
    first, second = (language(code).quantity(phrase.text) for phrase in (one, other))
    measured = first is not None and second is not None and first.dimension == second.dimension
    return measured or one.head == other.head or (one.label != "" and one.label == other.label)


def _same_statement(others: Collection[Fact], asked: AskedFact) -> list[Fact] | None:
    """Return the facts that state the same as the fact asked about; None if those with its predicate all state others.

    They have its predicate and polarity, and no other words instead of a known phrase. If only a condition is known,
    they have the same condition.
    """
    fact = asked.fact
    if asked.phrase is None:
        condition = fact.phrases[asked.known[0]]
        return [o for o in others if any(set(p.lemmas) == set(condition.lemmas) for p in _counterparts(o, condition))]
    same_predicate = [other for other in others if other.verb.lemma == fact.verb.lemma]
    same = [o for o in same_predicate if o.verb.negated == fact.verb.negated and not _contradicts(o, asked)]
    return same if same or not same_predicate else None


def _contradicts(other: Fact, asked: AskedFact) -> bool:
    """Check whether a fact has other words instead of a known phrase.

    A condition, or a name without lemmas ("in May"), must not be missing either.
    """
    if other.verb.passive != asked.fact.verb.passive:
        return False
    for phrase in (asked.fact.phrases[n] for n in asked.known):
        counterparts = _counterparts(other, phrase)
        if counterparts and all(_differs(each, phrase, asked.code) for each in counterparts):
            return True
        required = phrase.role == Role.CONDITION or (phrase.has(Flag.NAMED) and not phrase.lemmas)
        if not counterparts and required and phrase.text.casefold() not in other.text.casefold():
            return True
    return False


def _counterparts(other: Fact, phrase: Phrase) -> list[Phrase]:
    return [each for each in other.phrases if (each.role, each.marker) == (phrase.role, phrase.marker)]


def _differs(one: Phrase, other: Phrase, code: str) -> bool:
    """Check whether neither of two phrases repeats the other; numbers and quantities are compared by value."""
    first, second = (set(_with_digits(phrase.lemmas, code)) for phrase in (one, other))
    return bool(first and second) and not (first <= second or second <= first) and not _same_value(one, other, code)


def _same_value(one: Phrase, other: Phrase, code: str) -> bool:
    first, second = (language(code).quantity(phrase.text) for phrase in (one, other))
    if first is None or second is None or (first.dimension, first.bound) != (second.dimension, second.bound):
        return False
    return math.isclose(first.value, second.value, rel_tol=1e-9)


def _within(answer: tuple[str, ...], lemmas: tuple[str, ...], code: str) -> bool:
    """Check whether a sentence has the lemmas of an answer side by side: "five years", not "five" and "years"."""
    wanted, found = _with_digits(answer, code), _with_digits(lemmas, code)
    return any(found[n : n + len(wanted)] == wanted for n in range(len(found) - len(wanted) + 1))


@lru_cache(maxsize=4096)
def _with_digits(lemmas: tuple[str, ...], code: str) -> tuple[str, ...]:
    """Return lemmas with numbers as digits: ("twenty", "five", "year") becomes ("25", "year")."""
    if not any(_may_be_number(lemma, code) for lemma in lemmas):
        return lemmas
    return tuple(language(code).digits(" ".join(lemmas)).split())


@lru_cache(maxsize=1 << 16)
def _may_be_number(lemma: str, code: str) -> bool:
    """Check whether a word may be part of a number; most sentences have none and need no conversion."""
    return lemma[:1].isdigit() or language(code).digits(lemma) != lemma
