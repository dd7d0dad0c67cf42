"""Coreference: a pronoun that opens a sentence is resolved to the subject of the sentence before.

Only the surest case is resolved: "it", "they", "he" or "she" as the first word, after a sentence of the same paragraph
whose subject opens it, agrees in number and kind, and has no rival. The fact then spans both sentences, so that its
evidence says who or what is meant. Facts with any other pronoun as subject are dropped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from kgsynth.base.records import Fact, Phrase, Sentence, content_id
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import FactKind, Flag, Role

_SINGULAR, _PLURAL, _PERSONAL = frozenset({"it"}), frozenset({"they"}), frozenset({"he", "she"})
_EXPLETIVE = frozenset("seem appear take turn happen rain snow mean help matter depend make follow".split())
"""Verbs whose "it" often refers to nothing."""


def resolve(facts: Iterable[Fact], sentence: Sentence, before: Sequence[Fact]) -> Iterator[Fact]:
    """Yield the facts of ``sentence`` whose subject is known, or can be resolved by the facts of the one ``before``.

    A pronoun that refers to a condition earlier in its own sentence is kept as it is.
    """
    for fact in facts:
        subject = fact.first(Role.SUBJECT)
        known = subject is None or not subject.has(Flag.PRONOUN) or subject.has(Flag.YOU)
        if subject is None or known or _refers_to_condition(fact, subject):
            yield fact
        elif subject.start == sentence.start:
            antecedent = _antecedent(fact, subject, before)
            if antecedent is not None:
                yield _resolved(fact, subject, *antecedent)


def _refers_to_condition(fact: Fact, subject: Phrase) -> bool:
    if subject.text.lower() not in _SINGULAR | _PLURAL | _PERSONAL:
        return False
    earlier = [p for p in fact.phrases if p.role == Role.CONDITION and p.start < subject.start]
    return any(not p.flags & {Flag.DEICTIC, Flag.DANGLING} for p in earlier)


def _antecedent(fact: Fact, pronoun: Phrase, before: Sequence[Fact]) -> tuple[Fact, Phrase] | None:
    """Return the fact before and its subject when the pronoun can refer to nothing else, else None."""
    if fact.verb.lemma in _EXPLETIVE or any(p.role == Role.CLAUSE or p.has(Flag.ADJECTIVE) for p in fact.phrases):
        return None
    for other in before[:1]:
        subject = other.first(Role.SUBJECT)
        if subject is None or other.kind not in {FactKind.CLAUSE, FactKind.COREFERENCE} or subject.start != other.start:
            return None
        near = other.text.count("\n") < LIMITS.pronoun_sentences
        if near and _agree(pronoun.text.lower(), subject) and not _has_rival(other, subject, pronoun):
            return other, subject
    return None


def _agree(pronoun: str, subject: Phrase) -> bool:
    if not subject.has(Flag.NOMINAL) or subject.flags & {
        Flag.DEICTIC,
        Flag.RELATIVE,
        Flag.DANGLING,
        Flag.POSSESSIVE,
        Flag.FIRST,
        Flag.EMPTY,
    }:
        return False
    person = subject.has(Flag.PERSON)
    if pronoun in _PERSONAL:
        return person and not subject.has(Flag.PLURAL)
    if pronoun in _PLURAL:
        return subject.has(Flag.PLURAL)
    return not person and not subject.has(Flag.PLURAL) and pronoun in _SINGULAR


def _has_rival(fact: Fact, subject: Phrase, pronoun: Phrase) -> bool:
    """Check whether the sentence before has another name that the pronoun could refer to; for "he", of a person."""
    word = pronoun.text.lower()
    others = (p for p in fact.phrases if p is not subject and p.role not in {Role.TIME, Role.PLACE, Role.MANNER})
    named = (p for p in others if p.has(Flag.NAMED) and p.has(Flag.NOMINAL) and p.has(Flag.PLURAL) == (word in _PLURAL))
    return any(word not in _PERSONAL or p.has(Flag.PERSON) for p in named)


def _resolved(fact: Fact, pronoun: Phrase, other: Fact, subject: Phrase) -> Fact:
    phrases = tuple(replace(subject, role=Role.SUBJECT) if p is pronoun else p for p in fact.phrases)
    text = f"{other.text}\n{fact.text}"
    ident = content_id("f", fact.id, other.start, subject.start)
    return replace(fact, id=ident, start=other.start, text=text, phrases=phrases, kind=FactKind.COREFERENCE)
