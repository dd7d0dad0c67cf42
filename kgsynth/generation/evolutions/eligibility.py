"""Which phrases and facts a question can be built on, read from the flags of the parse alone, for every language."""

from __future__ import annotations

from collections.abc import Iterator

from kgsynth.base.records import Fact, Phrase
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import FactKind, Flag, Role
from kgsynth.language.lengths import length_in_words

ARGUMENTS = (
    Role.SUBJECT, Role.OBJECT, Role.ATTRIBUTE, Role.AGENT, Role.DATIVE, Role.TIME, Role.PLACE, Role.OTHER
)  # fmt: skip
DISPENSABLE = (Role.MANNER, Role.OTHER, Role.TIME, Role.PLACE, Role.CAUSE, Role.PURPOSE)
"""Roles of phrases that a question can leave out when they would not be understood."""
VALUE_ROLES = (Role.OBJECT, Role.ATTRIBUTE, Role.TIME, Role.OTHER, Role.COMPLEMENT)
CLAUSAL = (Role.CONDITION, Role.CAUSE, Role.PURPOSE, Role.CLAUSE)


def stands_alone(phrase: Phrase) -> bool:
    """Check whether a phrase means the same outside its sentence: no pronoun, no "this", no "we"."""
    return not phrase.flags & {Flag.DEICTIC, Flag.RELATIVE, Flag.DANGLING, Flag.FIRST} and (
        phrase.has(Flag.YOU) or not phrase.has(Flag.PRONOUN)
    )


def without_marker(phrase: Phrase) -> str:
    """Return the text of a phrase without the preposition it starts with."""
    return phrase.text[len(phrase.marker) :].strip() if phrase.marker else phrase.text


def vague(phrase: Phrase) -> bool:
    """Check whether a phrase is a definite noun that leaves open which one: "the function", "the two parts"."""
    dated = phrase.label in {"DATE", "ORDINAL", "TIME"} and any(map(str.isdigit, phrase.text))  # "the 12th"
    if not phrase.has(Flag.DEFINITE) or phrase.has(Flag.NAMED) or dated:
        return False
    counted = phrase.flags & {Flag.ORDINAL, Flag.NUMBER} and not phrase.has(Flag.COMPOUND)
    return bool(counted) or not phrase.flags & {Flag.MODIFIED, Flag.PROPER}


def has_clause(fact: Fact) -> bool:
    """Check whether a fact has a condition, a cause, a purpose or a subordinate clause."""
    return any(phrase.role in CLAUSAL for phrase in fact.phrases)


def usable(fact: Fact) -> bool:
    """Check whether a fact can carry a question: every phrase stands alone and the subject says who or what."""
    subject = fact.first(Role.SUBJECT)
    if subject is None or subject.flags & {Flag.EMPTY, Flag.POSSESSIVE, Flag.VERBAL} or fact.verb.hypothetical:
        return False
    return all(
        stands_alone(phrase)
        or phrase.role in {Role.MANNER, Role.TIME, Role.PLACE}
        or (phrase.role in DISPENSABLE and (phrase.has(Flag.APART) or points_back(fact, phrase)))
        for phrase in fact.phrases
    )


def points_back(fact: Fact, phrase: Phrase) -> bool:
    """Check whether the only unclear word of a phrase is a pronoun that an earlier noun of its clause explains."""
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
            phrase.role in DISPENSABLE
            and phrase.role != Role.MANNER
            and not stands_alone(phrase)
            and not points_back(fact, phrase)
        )
        or (phrase.role == Role.OTHER and phrase.has(Flag.VERBAL) and not phrase.marker)
    }


def repeated(fact: Fact, *without: int) -> list[tuple[int, Phrase]]:
    """Return the phrases that a question repeats, and their indexes: no adverbs, no loose ends, none of ``without``."""
    out = loose_ends(fact).union(without)
    return [(n, p) for n, p in enumerate(fact.phrases) if n not in out and p.role != Role.MANNER]


def is_topic(fact: Fact, phrase: Phrase) -> bool:
    """Check whether a phrase is what its fact is about, so that nobody would ask for it.

    It is the subject of "X is nine euros", or a subject that was taken from the sentence before.
    """
    attribute = fact.first(Role.ATTRIBUTE)
    figure = attribute is not None and attribute.has(Flag.NUMBER) and not phrase.has(Flag.NAMED)
    return phrase.role == Role.SUBJECT and (figure or fact.kind == FactKind.COREFERENCE)


def is_answer(phrase: Phrase) -> bool:
    """Check whether a phrase can be a golden answer: it names something, briefly, without help from its sentence."""
    if (
        not stands_alone(phrase)
        or phrase.flags & {Flag.EMPTY, Flag.POSSESSIVE, Flag.ADJECTIVE, Flag.VERBAL, Flag.YOU, Flag.GERUND}
        or vague(phrase)
    ):
        return False
    if phrase.has(Flag.SOME) and phrase.role != Role.TIME:
        return False  # "some users" does not answer a question, "every Monday" does
    if phrase.role in {Role.TIME, Role.PLACE}:
        return True
    if (
        phrase.marker
        and " " not in without_marker(phrase)
        and not phrase.flags & {Flag.NAMED, Flag.CODE, Flag.PLURAL, Flag.NUMBER}
    ):
        return False  # "by default", "in practice"
    return phrase.has(Flag.NOMINAL) and length_in_words(phrase.text) <= LIMITS.answer_max_words


def is_value(phrase: Phrase) -> bool:
    """Check whether a phrase is a time or has a number."""
    return phrase.role == Role.TIME or phrase.has(Flag.NUMBER)


def askable(fact: Fact) -> Iterator[int]:
    """Yield the indexes of the phrases of a fact that a question can ask for."""
    for place, phrase in enumerate(fact.phrases):
        if phrase.role in ARGUMENTS and not is_topic(fact, phrase) and is_answer(phrase):
            yield place


def anchor_weight(phrase: Phrase) -> int:
    """Return how well a phrase ties a question to the corpus: most for a name, less for a compound term, or 0."""
    if phrase.flags & {Flag.NAMED, Flag.CODE}:
        return LIMITS.name_anchor
    term = phrase.has(Flag.COMPOUND) or (phrase.has(Flag.MODIFIED) and len(phrase.lemmas) >= LIMITS.term_min_lemmas)
    return LIMITS.term_anchor if term else 0


def anchor(fact: Fact, *without: int) -> int:
    """Return the summed weight of the strongest phrases of a question about a fact, without some phrases."""
    weights = sorted((anchor_weight(p) for _, p in repeated(fact, *without)), reverse=True)
    return sum(weights[: LIMITS.anchor_phrases])
