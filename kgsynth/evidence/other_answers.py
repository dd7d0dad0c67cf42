"""Find other sentences and places of the layout that answer a question: with the same answer, or another."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from kgsynth.base.records import Document, Fact, Item, Phrase, Sentence, StructureFact
from kgsynth.base.records.once import once
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import Flag, Role, StructureKind
from kgsynth.documents.structure import structure
from kgsynth.evidence.derivation import same_answer, structure_fact
from kgsynth.evidence.derivation_steps import DerivationError
from kgsynth.evidence.list_answers import opening, said, said_in_short, short_members
from kgsynth.evidence.statements import Statements
from kgsynth.language import language, nearest_language
from kgsynth.language.text_words import points_on
from kgsynth.language.words import folded, words

# Find other sentences that answer a question: with the same answer, or with a conflicting one.
#
# Every sentence with most of the known words of a fact, weighted by rarity, is examined. A sentence that shares
# neither words nor predicate with the fact is not found.


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


# Find other places of the layout that answer a question: a cell, a list, a definition or a trait of the same name.
#
# The fact that gives the answer is found in the evidence. Another one answers the question too if it has the same
# name, such as row and column of a cell, and what stands above it has the words by which the question says where to
# look.

Name = tuple[StructureKind, str, frozenset[str]]

_WAYS_TO_READ: tuple[Callable[[StructureFact], str], ...] = (said, opening, said_in_short)
_LIST_FACTS = (StructureKind.MEMBER, StructureKind.PROCEDURE)
_NAMED_KINDS = frozenset({StructureKind.CELL, StructureKind.DEFAULT, StructureKind.DEFINITION, *_LIST_FACTS})
_AROUND_NAME = " :：*`"


def named_facts(document: Document) -> tuple[tuple[Name, StructureFact], ...]:
    """Return what a document says in cells, lists, definitions and traits of parameters, each with its name.

    Row and column of a cell may be exchanged, so its name has no order.

    Example:
        >>> from kgsynth.documents.assembly import assemble
        >>> from kgsynth.documents.readers.markdown import read
        >>> table = "| | Price |\\n|---|---|\\n| Team | $5 |\\n"
        >>> ((_, _, heads), cell), = named_facts(assemble(read(table), id="a.md", format="md", sha256=""))
        >>> sorted(heads), said(cell)
        (['price', 'team'], '$5')
    """
    return _named(document)


@once
def _named(document: Document) -> tuple[tuple[Name, StructureFact], ...]:
    return tuple((_name(fact), fact) for fact in structure(document) if fact.kind in _NAMED_KINDS)


def _name(fact: StructureFact) -> Name:
    heads = fact.heads if fact.kind == StructureKind.CELL else ()
    trait = fact.name if fact.kind == StructureKind.DEFAULT else ""
    return fact.kind, trait, frozenset(folded(part.text.strip(_AROUND_NAME)) for part in (fact.subject, *heads))


def other_fact(
    item: Item, others: Mapping[Name, Iterable[StructureFact]], documents: Mapping[str, Document]
) -> tuple[StructureFact, str] | None:
    """Return the first of the other facts that answers an item differently and its answer, None if there is none."""
    found = _answering_fact(item, documents)
    if found is None:
        return None
    name, told, read = found
    scope = _scope(item, told, documents[told.doc])
    stems = nearest_language(item.language).content_stems
    for other in others.get(name, ()):
        if other.id == told.id or not _layout_differs(other, told, read, item):
            continue
        if scope <= set(stems(_above(other, documents[other.doc]))):
            return other, read(other)
    return None


def _answering_fact(
    item: Item, documents: Mapping[str, Document]
) -> tuple[Name, StructureFact, Callable[[StructureFact], str]] | None:
    """Return the one fact that gives the answer, with its name and how it is read, None if there is none or several.

    It is the one that the derivation names, otherwise the one in the evidence whose subject is in the question.
    """
    try:
        proved = structure_fact(item.derivation, documents).id
    except DerivationError:
        proved = ""
    stems = nearest_language(item.language).content_stems
    asked = set(stems(item.question))
    found: dict[Name, tuple[Name, StructureFact, Callable[[StructureFact], str]]] = {}
    for doc in dict.fromkeys(span.doc for group in item.evidence for span in group[:1]):
        for name, fact in named_facts(documents[doc]):
            if proved != fact.id and (proved or not (_is_in(fact, item) and set(stems(fact.subject.text)) <= asked)):
                continue
            for read in _WAYS_TO_READ:
                if any(same_answer(read(fact), golden, item.language) for golden in item.golden_answers):
                    found.setdefault(name, (name, fact, read))
    return next(iter(found.values())) if len(found) == 1 else None


def _is_in(fact: StructureFact, item: Item) -> bool:
    """Check whether what a fact says is in the evidence of an item."""
    spans = [span for group in item.evidence for span in group if span.doc == fact.doc]
    return all(any(part.start < span.end and span.start < part.end for span in spans) for part in fact.values)


def _scope(item: Item, told: StructureFact, page: Document) -> set[str]:
    """Return the stems of the question that are in what stands above a fact, without the noun after its name.

    "The timeout parameter" is the same as "the timeout setting" of another page.
    """
    stems = nearest_language(item.language).content_stems
    name = re.escape(told.subject.text.strip(_AROUND_NAME))
    kind = re.search(rf"{name}\W{{0,3}}(\w+)", item.question, re.IGNORECASE)
    return set(stems(item.question)) & set(stems(_above(told, page))) - set(stems(kind[1]) if kind else ())


def _above(fact: StructureFact, page: Document) -> str:
    """Return the name of a fact, the title and headings above it, and the block directly above its table or list."""
    start = page.containers[fact.group].start if fact.group >= 0 else fact.subject.start
    lead = [block.text for block in page.blocks if block.end <= start and block.section == fact.section][-1:]
    name = (part.text for part in (fact.subject, *fact.heads, *filter(None, [fact.corner])))
    return " ".join((*name, page.title, *page.sections[fact.section].path, *lead))


def _layout_differs(
    other: StructureFact, told: StructureFact, read: Callable[[StructureFact], str], item: Item
) -> bool:
    """Check whether two facts say different things, and not the same in other words or less of it."""
    own = nearest_language(item.language)
    if told.kind in _LIST_FACTS:
        here, there = ([own.answer_form(member) for member in short_members(fact)] for fact in (told, other))
        return here != there if told.kind == StructureKind.PROCEDURE else set(here) != set(there)
    one, two = (set(words(own.answer_form(read(fact)))) for fact in (told, other))
    if one <= two or two <= one or points_on(said(other)) or own.same_value(read(other), read(told), item.question):
        return False
    return told.kind != StructureKind.DEFINITION or not _is_reworded(read(told), read(other))


def _is_reworded(here: str, there: str) -> bool:
    """Check whether two descriptions share half of the words of the shorter one, and all figures."""
    one, two = set(words(here)), set(words(there))
    shared = len(one & two) >= LIMITS.supported_word_share * min(len(one), len(two))
    return shared and not any(word[0].isdigit() for word in one ^ two)
