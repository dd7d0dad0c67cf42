"""English grammar enough to turn a fact into a question: inversion, agreement, wh-words, order.

A fact's phrases are moved, replaced or left out as they stand; no word is invented but the auxiliaries. Left out:
choosing the question word (``asking``) and what is asked about (the writers).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from kgsynth.base.records import Fact, Phrase, Verb
from kgsynth.base.vocabulary import Flag, Role
from kgsynth.language.english.morphology import inflected, lemma_of

_KEPT = frozenset(
    "never only always rarely seldom hardly automatically manually not directly twice once together".split()
)
"""Adverbs that belong to the statement; others are left out when they stand before the verb."""
_LINKS = frozenset("too also instead either again still then therefore however later afterwards".split())
"""Adverbs that tie a sentence to the one before."""
_TREATED = frozenset({"treat", "behave", "act"})
"""Verbs that say nothing without their adverb."""
_SINGULAR = {"are": "is", "were": "was", "have": "has", "do": "does"}
_PLURAL = {singular: plural for plural, singular in _SINGULAR.items()}


_CLAUSES = frozenset({Role.CONDITION, Role.CAUSE, Role.PURPOSE, Role.CLAUSE, Role.COMPLEMENT, Role.OUTCOME})


@dataclass(frozen=True, slots=True)
class Asked:
    """A question word with what it asks for: ``words`` ("which command"), whether it is plural, and the answer's text.

    ``stranded`` is a preposition left at the end of the question, ``led`` one that goes before the question word.
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
    asked: Asked,
    *,
    swap: Mapping[int, str] | None = None,
    drop: Collection[int] = (),
    front: int | None = None,
) -> str:
    """Return the question that asks for phrase ``place`` of ``fact``.

    ``swap`` gives other words for phrases, ``drop`` the phrases left out, ``front`` one that opens the question.
    """
    swap = swap or {}
    subject = fact.place(Role.SUBJECT)
    rest = " ".join(_rest(fact, {place, subject, front, *drop}, swap))
    verb = _with_adverb(fact)
    opening = f"{shown(fact.phrases[front], swap.get(front))}, " if front is not None else ""
    head = f"{asked.led} {asked.words}".strip()
    if place == subject:
        body = f"{head} {declared(verb, third=not asked.plural)} {rest}"
    else:
        first, after = inverted(verb)
        body = f"{head} {first} {told(fact.phrases[subject], swap.get(subject))} {after} {rest} {asked.stranded}"
    return finish(opening + body)


def yes_no(fact: Fact, *, drop: Collection[int] = ()) -> str:
    """Return the inverted clause without a question word: "does the valve open at noon"."""
    subject = fact.place(Role.SUBJECT)
    first, after = inverted(_with_adverb(fact))
    rest = " ".join(_rest(fact, {subject, *drop}, {}))
    return " ".join(f"{first} {told(fact.phrases[subject])} {after} {rest}".split())


def said(
    fact: Fact, *, without: Collection[int] = (), swap: Mapping[int, str] | None = None, third: bool = True
) -> str:
    """Return the predicate with its phrases as a statement: "calibrates every sensor before shipment"."""
    rest = " ".join(_rest(fact, set(without), swap or {}))
    return " ".join(f"{declared(_with_adverb(fact), third=third)} {rest}".split())


def shown(phrase: Phrase, other: str | None = None) -> str:
    """Return the words of a phrase as they stand inside a sentence, or the words given in its stead."""
    if other is not None:
        return other
    return phrase.text[:1].lower() + phrase.text[1:] if phrase.has(Flag.LOWERABLE) else phrase.text


def told(phrase: Phrase, other: str | None = None) -> str:
    """Return the words of a phrase as a question repeats them: of a noun no more than stands before a comma."""
    text = shown(phrase, other)
    front, comma, rest = text.partition(", ")
    listed = phrase.has(Flag.COORDINATED) or bool(re.search(r"\b(?:and|or)\b", rest))
    whole = other is not None or not comma or listed or phrase.role in _CLAUSES
    return text if whole or phrase.head[:3] not in front.lower() else front


def finish(text: str) -> str:
    """Return ``text`` as a question: one blank between words, a capital, a question mark.

    Example:
        >>> finish("which valve  opens , and why ")
        'Which valve opens, and why?'
    """
    text = re.sub(r" \([^()]*\)", "", " ".join(text.split()))  # an aside in brackets is no part of a question
    text = re.sub(r"\s+([,.;:?!](?:\s|$))", r"\1", text).rstrip(".,;:!? ")
    return text[:1].upper() + text[1:] + "?"


def active(fact: Fact, agent: int) -> Fact | None:
    """Return a passive fact turned round, its agent (phrase ``agent``) now the subject; None when it cannot be.

    The new subject is phrase 0.
    """
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
    first = min(phrase.start for phrase in fact.phrases)  # it now opens the clause
    doer = replace(fact.phrases[agent], role=Role.SUBJECT, start=first)
    thing = replace(fact.phrases[subject], role=Role.OBJECT)
    rest = (p for n, p in enumerate(fact.phrases) if n not in {subject, agent})
    return replace(fact, verb=done, phrases=(doer, thing, *rest))


def _rest(fact: Fact, left_out: Collection[int | None], swap: Mapping[int, str]) -> list[str]:
    """Return the words after the verb: arguments in their order, then what stood before the subject."""
    subject = next((p for p in fact.phrases if p.role == Role.SUBJECT), None)
    after: list[str] = []
    before: list[str] = []
    for number, phrase in enumerate(fact.phrases):
        if number in left_out or phrase is subject or (phrase.role == Role.MANNER and not _after_verb(fact, phrase)):
            continue
        (before if subject and phrase.start < subject.start else after).append(told(phrase, swap.get(number)))
    return after + before


def _after_verb(fact: Fact, adverb: Phrase) -> bool:
    """Say whether an adverb belongs to the predicate: one of a kind that does, or close behind the verb ("go live")."""
    word, gap = adverb.text.lower(), adverb.start - fact.verb.end
    if word in _LINKS or fact.verb.lemma in _TREATED:
        return gap >= 0 and word not in _LINKS
    alone = not any(
        p.role in {Role.OBJECT, Role.ATTRIBUTE} for p in fact.phrases
    )  # "works similarly to", "treats specially"
    return gap >= 0 and (word in _KEPT or (gap <= 1 and word.isalpha() and (alone or not word.endswith("ly"))))


def _with_adverb(fact: Fact) -> Verb:
    """Return the verb with the adverb before it that belongs to the statement: "is never opened"."""
    adverb = next(
        (p.text for p in fact.phrases if p.role == Role.MANNER and p.text.lower() in _KEPT and p.start < fact.verb.end),
        "",
    )
    return replace(fact.verb, adverb=adverb.lower()) if adverb else fact.verb


def plural(verb: Verb) -> Verb:
    """Return the verb group as it stands with a plural subject.

    Example:
        >>> inverted(plural(Verb("found", "founded", "VBD", ("was",), passive=True)))
        ('were', 'founded')
    """
    auxiliaries = tuple(_PLURAL.get(word, word) for word in verb.auxiliaries[:1]) + verb.auxiliaries[1:]
    form = _PLURAL.get(verb.form, _base(verb)) if verb.tag == "VBZ" and not auxiliaries else verb.form
    return replace(verb, auxiliaries=auxiliaries, form=form, tag="VBP" if verb.tag == "VBZ" else verb.tag)


def declared(verb: Verb, *, third: bool) -> str:
    """Return the verb group after a subject, singular when ``third``.

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
        auxiliaries[0] = _SINGULAR.get(auxiliaries[0], auxiliaries[0])
    elif auxiliaries:
        auxiliaries[0] = _PLURAL.get(auxiliaries[0], auxiliaries[0])
    elif not third and verb.tag in {"VBZ", "VBD"}:
        form = _PLURAL.get(form, _base(verb) if verb.tag == "VBZ" else form)
    elif third and verb.tag in {"VBP", "VBZ", "VBD"}:
        form = _SINGULAR.get(form, inflected(verb.lemma, "VBZ") if verb.tag == "VBP" and verb.lemma != "be" else form)
    if verb.negated and not auxiliaries:
        return _joined(form, "not", verb.adverb, verb.particle)
    if verb.negated:
        auxiliaries.insert(1, "not")
    if verb.lemma == "be" and not auxiliaries:
        return _joined(form, verb.adverb)
    return _joined(*auxiliaries, verb.adverb, form, verb.particle)


def inverted(verb: Verb) -> tuple[str, str]:
    """Return what stands before the subject of a question and what stands after it.

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
    third = verb.tag == "VBZ" or (verb.tag != "VBD" and verb.form not in {verb.lemma, ""} and _third(verb))
    helper = "did" if verb.tag == "VBD" else "does" if third else "do"
    return helper, _joined(negation, verb.adverb, _base(verb), verb.particle)


def _third(verb: Verb) -> bool:
    """Say whether a form is that of the third person, whatever the parser took it for."""
    return verb.form == inflected(verb.lemma, "VBZ")


def _base(verb: Verb) -> str:
    """Return the bare verb; where the parser's lemma does not give back the form, that of the dictionary."""
    wrong = verb.tag == "VBZ" and inflected(verb.lemma, "VBZ") != verb.form
    return lemma_of(verb.form, "VERB") if wrong else verb.lemma


def _joined(*parts: str) -> str:
    return " ".join(part for part in parts if part)
