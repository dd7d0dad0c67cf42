"""What every traversal asks of a phrase or a fact before it builds on it; flags only, no words of any language."""

from __future__ import annotations

from kgsynth.base.records import Fact, Phrase
from kgsynth.base.vocabulary import FactKind, Flag, Role
from kgsynth.language.words import length_in_words

LONGEST_ANSWER = 14  # words
ARGUMENTS = (
    Role.SUBJECT, Role.OBJECT, Role.ATTRIBUTE, Role.AGENT, Role.DATIVE, Role.TIME, Role.PLACE, Role.OTHER
)  # fmt: skip
LOOSE = (Role.MANNER, Role.OTHER, Role.TIME, Role.PLACE, Role.CAUSE, Role.PURPOSE)
"""Roles a question can do without when the phrase would not be understood."""
CLAUSAL = (Role.CONDITION, Role.CAUSE, Role.PURPOSE, Role.CLAUSE)
NOT_ASKED = (Role.MANNER, *CLAUSAL)
"""Roles a bridge never asks for."""


def stands_alone(phrase: Phrase) -> bool:
    """Say whether a phrase means the same outside its sentence: no pronoun, no "this", no "we"."""
    return not phrase.flags & {Flag.DEICTIC, Flag.RELATIVE, Flag.DANGLING, Flag.FIRST} and (
        phrase.has(Flag.YOU) or not phrase.has(Flag.PRONOUN)
    )


def bare(phrase: Phrase) -> str:
    """Return the text of a phrase without the preposition it opens with."""
    return phrase.text[len(phrase.marker) :].strip() if phrase.marker else phrase.text


def vague(phrase: Phrase) -> bool:
    """Say whether a phrase is a definite noun with nothing to tell which: "the function", "the two parts"."""
    if (
        phrase.flags & {Flag.ORDINAL, Flag.NUMBER}
        and phrase.has(Flag.DEFINITE)
        and not phrase.flags & {Flag.NAMED, Flag.COMPOUND}
    ):
        return True
    return phrase.has(Flag.DEFINITE) and not phrase.flags & {Flag.MODIFIED, Flag.NAMED, Flag.PROPER}


def usable(fact: Fact) -> bool:
    """Say whether a fact can carry a question: every phrase stands alone and the subject says who or what."""
    subject = fact.first(Role.SUBJECT)
    if subject is None or subject.flags & {Flag.EMPTY, Flag.POSSESSIVE, Flag.VERBAL}:
        return False
    if fact.verb.hypothetical:
        return False
    return all(
        stands_alone(phrase)
        or phrase.role == Role.MANNER
        or (
            phrase.role in LOOSE
            and (phrase.has(Flag.APART) or points_back(fact, phrase) or phrase.role in {Role.TIME, Role.PLACE})
        )
        for phrase in fact.phrases
    )


def points_back(fact: Fact, phrase: Phrase) -> bool:
    """Say whether all that is unclear in a phrase is a pronoun that a noun before it in its own clause explains."""
    if (
        phrase.flags & {Flag.DEICTIC, Flag.RELATIVE, Flag.FIRST}
        or not phrase.has(Flag.DANGLING)
        or phrase.has(Flag.PRONOUN)
    ):
        return False
    return any(p.start < phrase.start and p.has(Flag.NOMINAL) and not p.has(Flag.DANGLING) for p in fact.phrases)


def loose_ends(fact: Fact) -> set[int]:
    """Return the indexes of the phrases a question leaves out: explanations, and what does not stand alone."""
    return {
        n
        for n, phrase in enumerate(fact.phrases)
        if phrase.role in {Role.CAUSE, Role.PURPOSE}
        or (
            phrase.role in LOOSE
            and phrase.role != Role.MANNER
            and not stands_alone(phrase)
            and not points_back(fact, phrase)
        )
        or (phrase.role == Role.OTHER and phrase.has(Flag.VERBAL) and not phrase.marker)
    }


def repeated(fact: Fact, *without: int) -> list[tuple[int, Phrase]]:
    """Return the phrases a question says again, each with its index: no adverbs, no loose ends, none of ``without``."""
    out = loose_ends(fact).union(without)
    return [(n, p) for n, p in enumerate(fact.phrases) if n not in out and p.role != Role.MANNER]


def told_of(fact: Fact, phrase: Phrase) -> bool:
    """Say whether a phrase is what its fact is about, so that asking for it would turn the fact round.

    The subject of "X is nine euros", and a subject that stands in the sentence before, are told of, not told.
    """
    attribute = fact.first(Role.ATTRIBUTE)
    figure = attribute is not None and attribute.has(Flag.NUMBER) and not phrase.has(Flag.NAMED)
    return phrase.role == Role.SUBJECT and (figure or fact.kind == FactKind.COREFERENCE)


def is_answer(phrase: Phrase) -> bool:
    """Say whether a phrase can be a golden answer: it names something, briefly, without help from its sentence."""
    if (
        not stands_alone(phrase)
        or phrase.flags & {Flag.EMPTY, Flag.POSSESSIVE, Flag.ADJECTIVE, Flag.VERBAL, Flag.YOU, Flag.GERUND}
        or vague(phrase)
    ):
        return False
    if phrase.has(Flag.SOME) and phrase.role != Role.TIME:
        return False  # "some users" is no answer, "every Monday" is
    if phrase.role in {Role.TIME, Role.PLACE}:
        return True
    if (
        phrase.marker
        and " " not in bare(phrase)
        and not phrase.flags & {Flag.NAMED, Flag.CODE, Flag.PLURAL, Flag.NUMBER}
    ):
        return False  # "by default", "in practice"
    return phrase.has(Flag.NOMINAL) and length_in_words(phrase.text) <= LONGEST_ANSWER


def weight(phrase: Phrase) -> int:
    """Return how well a phrase anchors a question in the corpus: 2 for a name, 1 for a compound term, else 0."""
    if phrase.flags & {Flag.NAMED, Flag.CODE}:
        return 2
    return 1 if phrase.has(Flag.COMPOUND) or (phrase.has(Flag.MODIFIED) and len(phrase.lemmas) >= 2) else 0


def anchor(fact: Fact, *without: int) -> int:
    """Return the weight of the strongest phrases left when some are taken out, two counted at most."""
    return sum(sorted((weight(p) for _, p in repeated(fact, *without)), reverse=True)[:2])
