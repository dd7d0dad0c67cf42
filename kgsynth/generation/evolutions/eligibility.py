"""What every traversal asks of a phrase or a fact before it builds on it; flags only, no words of any language."""

from __future__ import annotations

from kgsynth.base.records import Fact, Phrase

LONGEST_ANSWER = 14  # words
ARGUMENTS = ("subject", "object", "attribute", "agent", "dative", "time", "place", "other")
LOOSE = ("manner", "other", "time", "place", "cause", "purpose")
"""Roles a question can do without when the phrase would not be understood."""
CLAUSAL = ("condition", "cause", "purpose", "clause")
NOT_ASKED = ("manner", *CLAUSAL)
"""Roles a bridge never asks for."""


def stands_alone(phrase: Phrase) -> bool:
    """Say whether a phrase means the same outside its sentence: no pronoun, no "this", no "we"."""
    return not phrase.flags & {"deictic", "relative", "dangling", "first"} and (
        phrase.has("you") or not phrase.has("pronoun")
    )


def bare(phrase: Phrase) -> str:
    """Return the text of a phrase without the preposition it opens with."""
    return phrase.text[len(phrase.marker) :].strip() if phrase.marker else phrase.text


def vague(phrase: Phrase) -> bool:
    """Say whether a phrase is a definite noun with nothing to tell which: "the function", "the two parts"."""
    if phrase.flags & {"ordinal", "number"} and phrase.has("definite") and not phrase.flags & {"named", "compound"}:
        return True
    return phrase.has("definite") and not phrase.flags & {"modified", "named", "proper"}


def usable(fact: Fact) -> bool:
    """Say whether a fact can carry a question: every phrase stands alone and the subject says who or what."""
    subject = fact.first("subject")
    if subject is None or subject.flags & {"empty", "possessive", "verbal"}:
        return False
    if fact.verb.hypothetical:
        return False
    return all(
        stands_alone(phrase)
        or phrase.role == "manner"
        or (
            phrase.role in LOOSE
            and (phrase.has("apart") or points_back(fact, phrase) or phrase.role in {"time", "place"})
        )
        for phrase in fact.phrases
    )


def points_back(fact: Fact, phrase: Phrase) -> bool:
    """Say whether all that is unclear in a phrase is a pronoun that a noun before it in its own clause explains."""
    if phrase.flags & {"deictic", "relative", "first"} or not phrase.has("dangling") or phrase.has("pronoun"):
        return False
    return any(p.start < phrase.start and p.has("nominal") and not p.has("dangling") for p in fact.phrases)


def loose_ends(fact: Fact) -> set[int]:
    """Return the indexes of the phrases a question leaves out: explanations, and what does not stand alone."""
    return {
        n
        for n, phrase in enumerate(fact.phrases)
        if phrase.role in {"cause", "purpose"}
        or (
            phrase.role in LOOSE
            and phrase.role != "manner"
            and not stands_alone(phrase)
            and not points_back(fact, phrase)
        )
        or (phrase.role == "other" and phrase.has("verbal") and not phrase.marker)
    }


def repeated(fact: Fact, *without: int) -> list[tuple[int, Phrase]]:
    """Return the phrases a question says again, each with its index: no adverbs, no loose ends, none of ``without``."""
    out = loose_ends(fact).union(without)
    return [(n, p) for n, p in enumerate(fact.phrases) if n not in out and p.role != "manner"]


def told_of(fact: Fact, phrase: Phrase) -> bool:
    """Say whether a phrase is what its fact is about, so that asking for it would turn the fact round.

    The subject of "X is nine euros", and a subject that stands in the sentence before, are told of, not told.
    """
    attribute = fact.first("attribute")
    figure = attribute is not None and attribute.has("number") and not phrase.has("named")
    return phrase.role == "subject" and (figure or fact.kind == "coreference")


def is_answer(phrase: Phrase) -> bool:
    """Say whether a phrase can be a golden answer: it names something, briefly, without help from its sentence."""
    if (
        not stands_alone(phrase)
        or phrase.flags & {"empty", "possessive", "adjective", "verbal", "you", "gerund"}
        or vague(phrase)
    ):
        return False
    if phrase.has("some") and phrase.role != "time":
        return False  # "some users" is no answer, "every Monday" is
    if phrase.role in {"time", "place"}:
        return True
    if phrase.marker and " " not in bare(phrase) and not phrase.flags & {"named", "code", "plural", "number"}:
        return False  # "by default", "in practice"
    return phrase.has("nominal") and len(phrase.text.split()) <= LONGEST_ANSWER


def weight(phrase: Phrase) -> int:
    """Return how well a phrase anchors a question in the corpus: 2 for a name, 1 for a compound term, else 0."""
    if phrase.flags & {"named", "code"}:
        return 2
    return 1 if phrase.has("compound") or (phrase.has("modified") and len(phrase.lemmas) >= 2) else 0


def anchor(fact: Fact, *without: int) -> int:
    """Return the weight of the strongest phrases left when some are taken out, two counted at most."""
    return sum(sorted((weight(p) for _, p in repeated(fact, *without)), reverse=True)[:2])
