"""English grammar to turn a fact into a question: inversion, agreement, question words, word order.

The phrases of a fact are moved, replaced or left out unchanged; only auxiliaries are added. Left out: the choice of the
question word (``question_words``) and of what is asked about (the writers).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from kgsynth.base.records import Fact, Phrase, Verb
from kgsynth.base.vocabulary import Flag, Role
from kgsynth.language.english.morphology import inflected, lemma_of

_KEPT_ADVERBS = frozenset(
    "never only always rarely seldom hardly automatically manually not directly twice once together".split()
)
"""Adverbs that belong to the statement; others are left out when they precede the verb."""
_LINKING_ADVERBS = frozenset("too also instead either again still then therefore however later afterwards".split())
"""Adverbs that connect a sentence with the one before."""
_NEEDS_ADVERB = frozenset({"treat", "behave", "act"})
"""Verbs that say nothing without their adverb."""
_TO_SINGULAR = {"are": "is", "were": "was", "have": "has", "do": "does"}
_TO_PLURAL = {singular: plural for plural, singular in _TO_SINGULAR.items()}


_CLAUSE_ROLES = frozenset({Role.CONDITION, Role.CAUSE, Role.PURPOSE, Role.CLAUSE, Role.COMPLEMENT, Role.OUTCOME})


@dataclass(frozen=True, slots=True)
class AskedPhrase:
    """The words that ask for a phrase ("which command"), and the answer with its place in the document.

    ``plural`` says whether the words are the plural subject of their verb; ``stranded`` is a preposition at the end of
    the question, ``led`` one before the question word.
    """

    words: str
    answer: str
    start: int
    end: int
    plural: bool = False
    led: str = ""
    stranded: str = ""


def question(
    fact: Fact,
    place: int,
    asked: AskedPhrase,
    *,
    swap: Mapping[int, str] | None = None,
    drop: Collection[int] = (),
    front: int | None = None,
) -> str:
    """Return the question that asks for phrase ``place`` of ``fact``.

    ``swap`` maps phrases to other words for them; ``drop`` are the phrases left out; ``front`` opens the question.
    """
    swap = swap or {}
    subject = fact.place(Role.SUBJECT)
    rest = " ".join(_rest(fact, {place, subject, front, *drop}, swap))
    verb = _with_adverb(fact)
    opening = f"{in_sentence(fact.phrases[front], swap.get(front))}, " if front is not None else ""
    head = f"{asked.led} {asked.words}".strip()
    if place == subject:
        body = f"{head} {declared(verb, third=not asked.plural)} {rest}"
    else:
        first, after = inverted(verb)
        body = f"{head} {first} {shortened(fact.phrases[subject], swap.get(subject))} {after} {rest} {asked.stranded}"
    return as_question(opening + body)


def inverted_clause(fact: Fact, *, drop: Collection[int] = ()) -> str:
    """Return the inverted clause without a question word: "does the valve open at noon"."""
    subject = fact.place(Role.SUBJECT)
    first, after = inverted(_with_adverb(fact))
    rest = " ".join(_rest(fact, {subject, *drop}, {}))
    return " ".join(f"{first} {shortened(fact.phrases[subject])} {after} {rest}".split())


def predicate(
    fact: Fact, *, without: Collection[int] = (), swap: Mapping[int, str] | None = None, third: bool = True
) -> str:
    """Return the predicate with its phrases: "calibrates every sensor before shipment"."""
    rest = " ".join(_rest(fact, set(without), swap or {}))
    return " ".join(f"{declared(_with_adverb(fact), third=third)} {rest}".split())


def in_sentence(phrase: Phrase, other: str | None = None) -> str:
    """Return the words of a phrase as they are written inside a sentence, or the ``other`` words given for it."""
    if other is not None:
        return other
    return phrase.text[:1].lower() + phrase.text[1:] if phrase.has(Flag.LOWERABLE) else phrase.text


def shortened(phrase: Phrase, other: str | None = None) -> str:
    """Return the words of a phrase as a question repeats them: of a noun phrase, only what precedes a comma."""
    text = in_sentence(phrase, other)
    front, comma, rest = text.partition(", ")
    listed = phrase.has(Flag.COORDINATED) or bool(re.search(r"\b(?:and|or)\b", rest))
    complete = other is not None or not comma or listed or phrase.role in _CLAUSE_ROLES
    return text if complete or phrase.head[:3] not in front.lower() else front


def as_question(text: str) -> str:
    """Return ``text`` as a question, with one blank between words, a capital and a question mark.

    Example:
        >>> as_question("which valve  opens , and why ")
        'Which valve opens, and why?'
    """
    text = re.sub(r" \([^()]*\)", "", " ".join(text.split()))  # a question leaves out asides in brackets
    text = re.sub(r"\s+([,.;:?!](?:\s|$))", r"\1", text).rstrip(".,;:!? ")
    return text[:1].upper() + text[1:] + "?"


def active(fact: Fact, agent: int) -> Fact | None:
    """Return a passive fact in the active voice, None when that is not possible; its ``agent`` becomes phrase 0."""
    verb = fact.verb
    subject = fact.place(Role.SUBJECT)
    if subject < 0 or not verb.passive or not verb.auxiliaries:
        return None
    auxiliaries, last = list(verb.auxiliaries[:-1]), verb.auxiliaries[-1]
    tag = {"was": "VBD", "were": "VBD", "is": "VBZ", "are": "VBZ", "been": "VBN", "be": "VB"}.get(last, "")
    if not tag or bool(auxiliaries) != (last in {"been", "be"}) or (verb.negated and not auxiliaries):
        return None
    done = replace(
        verb,
        form=inflected(verb.lemma, tag),
        tag=verb.tag if auxiliaries else tag,
        auxiliaries=tuple(auxiliaries),
        passive=False,
    )
    first = min(phrase.start for phrase in fact.phrases)  # the subject now opens the clause
    doer = replace(fact.phrases[agent], role=Role.SUBJECT, start=first)
    thing = replace(fact.phrases[subject], role=Role.OBJECT)
    rest = (p for n, p in enumerate(fact.phrases) if n not in {subject, agent})
    return replace(fact, verb=done, phrases=(doer, thing, *rest))


def _rest(fact: Fact, left_out: Collection[int | None], swap: Mapping[int, str]) -> list[str]:
    """Return the words after the verb: the phrases in their order, then those that preceded the subject."""
    subject = next((p for p in fact.phrases if p.role == Role.SUBJECT), None)
    after: list[str] = []
    before: list[str] = []
    for number, phrase in enumerate(fact.phrases):
        if number in left_out or phrase is subject or (phrase.role == Role.MANNER and not _after_verb(fact, phrase)):
            continue
        (before if subject and phrase.start < subject.start else after).append(shortened(phrase, swap.get(number)))
    return after + before


def _after_verb(fact: Fact, adverb: Phrase) -> bool:
    """Check whether an adverb belongs to the predicate: by its kind, or as it follows the verb at once ("go live")."""
    word, gap = adverb.text.lower(), adverb.start - fact.verb.end
    if word in _LINKING_ADVERBS or fact.verb.lemma in _NEEDS_ADVERB:
        return gap >= 0 and word not in _LINKING_ADVERBS
    alone = not any(
        p.role in {Role.OBJECT, Role.ATTRIBUTE} for p in fact.phrases
    )  # "works similarly to", "treats specially"
    return gap >= 0 and (word in _KEPT_ADVERBS or (gap <= 1 and word.isalpha() and (alone or not word.endswith("ly"))))


def _with_adverb(fact: Fact) -> Verb:
    """Return the verb with the adverb that belongs to the statement, such as "never" in "is never opened"."""
    before = (p.text.lower() for p in fact.phrases if p.role == Role.MANNER and p.start < fact.verb.end)
    adverb = next((text for text in before if text in _KEPT_ADVERBS), "")
    return replace(fact.verb, adverb=adverb) if adverb else fact.verb


def plural(verb: Verb) -> Verb:
    """Return the verb group as it is with a plural subject.

    Example:
        >>> inverted(plural(Verb("found", "founded", "VBD", ("was",), passive=True)))
        ('were', 'founded')
    """
    auxiliaries = tuple(_TO_PLURAL.get(word, word) for word in verb.auxiliaries[:1]) + verb.auxiliaries[1:]
    form = _TO_PLURAL.get(verb.form, _base(verb)) if verb.tag == "VBZ" and not auxiliaries else verb.form
    return replace(verb, auxiliaries=auxiliaries, form=form, tag="VBP" if verb.tag == "VBZ" else verb.tag)


def declared(verb: Verb, *, third: bool) -> str:
    """Return the verb group as it follows a subject, in the singular when ``third``.

    Example:
        >>> declared(Verb("open", "open", "VBP"), third=True)
        'opens'
        >>> declared(Verb("hold", "holds", "VBZ"), third=False)
        'hold'
        >>> declared(Verb("write", "written", "VBD", ("was",), passive=True, negated=True), third=True)
        'was not written'
    """
    auxiliaries = list(verb.auxiliaries)
    form = verb.form
    if auxiliaries and third:
        auxiliaries[0] = _TO_SINGULAR.get(auxiliaries[0], auxiliaries[0])
    elif auxiliaries:
        auxiliaries[0] = _TO_PLURAL.get(auxiliaries[0], auxiliaries[0])
    elif not third and verb.tag in {"VBZ", "VBD"}:
        form = _TO_PLURAL.get(form, _base(verb) if verb.tag == "VBZ" else form)
    elif third and verb.tag in {"VBP", "VBZ", "VBD"}:
        regular = verb.tag == "VBP" and verb.lemma != "be"
        form = _TO_SINGULAR.get(form, inflected(verb.lemma, "VBZ") if regular else form)
    if verb.negated and not auxiliaries:
        return _joined(form, "not", verb.adverb, verb.particle)
    if verb.negated:
        auxiliaries.insert(1, "not")
    if verb.lemma == "be" and not auxiliaries:
        return _joined(form, verb.adverb)
    return _joined(*auxiliaries, verb.adverb, form, verb.particle)


def inverted(verb: Verb) -> tuple[str, str]:
    """Return the parts of the verb group before and after the subject of a question.

    Example:
        >>> inverted(Verb("open", "opened", "VBD", particle="up"))
        ('did', 'open up')
        >>> inverted(Verb("found", "founded", "VBD", ("was",), passive=True))
        ('was', 'founded')
    """
    negation = "not" if verb.negated else ""
    if verb.auxiliaries:
        return verb.auxiliaries[0], _joined(negation, verb.adverb, *verb.auxiliaries[1:], verb.form, verb.particle)
    if verb.lemma == "be":
        return verb.form, _joined(negation, verb.adverb)
    third = verb.tag == "VBZ" or (verb.tag != "VBD" and verb.form not in {verb.lemma, ""} and _is_third_person(verb))
    helper = "did" if verb.tag == "VBD" else "does" if third else "do"
    return helper, _joined(negation, verb.adverb, _base(verb), verb.particle)


def _is_third_person(verb: Verb) -> bool:
    """Check whether a form is that of the third person, whatever tag the parser gives it."""
    return verb.form == inflected(verb.lemma, "VBZ")


def _base(verb: Verb) -> str:
    """Return the bare verb; where the parser's lemma does not give back the form, that of the dictionary."""
    wrong = verb.tag == "VBZ" and inflected(verb.lemma, "VBZ") != verb.form
    return lemma_of(verb.form, "VERB") if wrong else verb.lemma


def _joined(*parts: str) -> str:
    return " ".join(part for part in parts if part)
