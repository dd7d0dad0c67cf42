"""English grammar that turns a fact into a question: inversion, agreement and word order.

The phrases of a fact are moved, replaced or left out; only auxiliaries are added. ``question_words`` chooses the
question word, and the writers choose what is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, replace

from kgsynth.base.records import Fact, Phrase, Verb
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import Flag, Role
from kgsynth.language.english.lexicon import PATTERNS, WORDS
from kgsynth.language.english.morphology import inflected, lemma_of

_TO_SINGULAR = {"are": "is", "were": "was", "have": "has", "do": "does"}
_TO_PLURAL = {singular: plural for plural, singular in _TO_SINGULAR.items()}
_CLAUSE_ROLES = frozenset({Role.CONDITION, Role.CAUSE, Role.PURPOSE, Role.CLAUSE, Role.COMPLEMENT, Role.OUTCOME})


@dataclass(frozen=True, slots=True)
class AskedPhrase:
    """The words that ask for a phrase ("which command"), and the answer with its place in the document.

    ``plural`` says whether the words take a plural verb when they are its subject. ``fronted`` is a preposition before
    the question word ("in which year"), ``stranded`` one at the end of the question ("belong to?").
    """

    words: str
    answer: str
    start: int
    end: int
    plural: bool = False
    fronted: str = ""
    stranded: str = ""


def question(
    fact: Fact,
    place: int,
    asked: AskedPhrase,
    *,
    without: Collection[int] = (),
    front: int = -1,
) -> str:
    """Return the question that asks for phrase ``place`` of ``fact``.

    The phrases in ``without`` are left out; phrase ``front`` opens the question.
    """
    without = {place, front, *without}
    if place == fact.place(Role.SUBJECT):
        body = predicate(fact, without=without, singular=not asked.plural)
    else:
        body = f"{inverted_clause(fact, without=without)} {asked.stranded}"
    opening = f"{in_sentence(fact.phrases[front])}, " if front >= 0 else ""
    return as_question(f"{opening}{asked.fronted} {asked.words} {body}")


def inverted_clause(fact: Fact, *, without: Collection[int] = ()) -> str:
    """Return the clause in the word order of a question, without a question word: "does the valve open at noon"."""
    subject = fact.place(Role.SUBJECT)
    first, after = inverted(_with_adverb(fact))
    name = shortened(fact.phrases[subject])
    return " ".join(f"{first} {name} {after} {_after_verb(fact, without)}".split())


def predicate(fact: Fact, *, without: Collection[int] = (), singular: bool = True) -> str:
    """Return the verb and what follows it: "calibrates every sensor before shipment"."""
    verb = conjugated(_with_adverb(fact), singular=singular)
    return " ".join(f"{verb} {_after_verb(fact, without)}".split())


def in_sentence(phrase: Phrase) -> str:
    """Return the words of a phrase with the capital they have in a sentence."""
    lowered = phrase.has(Flag.LOWERABLE) and not (PATTERNS["capital_name"].fullmatch(phrase.text) and not phrase.marker)
    return phrase.text[:1].lower() + phrase.text[1:] if lowered else phrase.text


def shortened(phrase: Phrase) -> str:
    """Return the words of a phrase as a question repeats them: a noun phrase ends at its first comma."""
    text = in_sentence(phrase)
    front, comma, rest = text.partition(", ")
    listed = phrase.has(Flag.COORDINATED) or bool(re.search(r"\b(?:and|or)\b", rest))
    complete = not comma or listed or phrase.role in _CLAUSE_ROLES
    return text if complete or phrase.head[: LIMITS.head_letters] not in front.lower() else front


def as_question(text: str) -> str:
    """Return ``text`` as a question: a capital, a question mark, single spaces and nothing in brackets.

    Example:
        >>> as_question("which valve  opens , and why ")
        'Which valve opens, and why?'
    """
    text = re.sub(r" \([^()]*\)", "", " ".join(text.split()))
    text = re.sub(r"\s+([,.;:?!](?:\s|$))", r"\1", text).rstrip(".,;:!? ")
    return text[:1].upper() + text[1:] + "?"


def active(fact: Fact, agent: int) -> Fact | None:
    """Return a passive fact in the active voice, with its ``agent`` as phrase 0; None when that is not possible."""
    verb = fact.verb
    subject = fact.place(Role.SUBJECT)
    auxiliaries, last = list(verb.auxiliaries[:-1]), verb.auxiliaries[-1]
    tag = {"was": "VBD", "were": "VBD", "is": "VBZ", "are": "VBZ", "been": "VBN", "be": "VB"}.get(last, "")
    if not tag or bool(auxiliaries) != (last in {"been", "be"}) or (verb.negated and not auxiliaries):
        return None
    form = inflected(verb.lemma, tag)
    tag = verb.tag if auxiliaries else tag
    active_verb = replace(verb, form=form, tag=tag, auxiliaries=tuple(auxiliaries), passive=False)
    first = min(phrase.start for phrase in fact.phrases)  # the subject now opens the clause
    doer = replace(fact.phrases[agent], role=Role.SUBJECT, start=first)
    thing = replace(fact.phrases[subject], role=Role.OBJECT)
    rest = (p for n, p in enumerate(fact.phrases) if n not in {subject, agent})
    return replace(fact, verb=active_verb, phrases=(doer, thing, *rest))


def _after_verb(fact: Fact, without: Collection[int]) -> str:
    """Return the words after the verb: the phrases in their order, then those that preceded the subject."""
    subject = fact.first(Role.SUBJECT)
    after: list[str] = []
    before: list[str] = []
    for number, phrase in enumerate(fact.phrases):
        if number in without or phrase is subject or (phrase.role == Role.MANNER and not _is_kept(fact, phrase)):
            continue
        (before if subject and phrase.start < subject.start else after).append(shortened(phrase))
    return " ".join(after + before)


def _is_kept(fact: Fact, adverb: Phrase) -> bool:
    """Check whether an adverb after the verb belongs to the statement: by its word or place ("go live")."""
    word, gap = adverb.text.lower(), adverb.start - fact.verb.end
    if gap < 0:
        return False
    alone = fact.first(Role.OBJECT, Role.ATTRIBUTE) is None  # "works similarly to", but not "treats it specially"
    direct = gap <= 1 and word.isalpha() and (alone or not word.endswith("ly"))
    return fact.verb.lemma in WORDS["needs_adverb"] or word in WORDS["kept_adverbs"] or direct


def _with_adverb(fact: Fact) -> Verb:
    """Return the verb with the adverb before it that changes the statement, such as "never" in "is never opened"."""
    before = (p.text.lower() for p in fact.phrases if p.role == Role.MANNER and p.start < fact.verb.end)
    adverb = next((text for text in before if text in WORDS["kept_adverbs"]), "")
    return replace(fact.verb, adverb=adverb) if adverb else fact.verb


def conjugated(verb: Verb, *, singular: bool) -> str:
    """Return the verb group as it follows a subject in the third person.

    Example:
        >>> conjugated(Verb("open", "open", "VBP"), singular=True)
        'opens'
        >>> conjugated(Verb("hold", "holds", "VBZ"), singular=False)
        'hold'
        >>> conjugated(Verb("write", "written", "VBD", ("was",), passive=True, negated=True), singular=True)
        'was not written'
    """
    auxiliaries = list(verb.auxiliaries)
    form = verb.form
    if auxiliaries:
        auxiliaries[0] = (_TO_SINGULAR if singular else _TO_PLURAL).get(auxiliaries[0], auxiliaries[0])
    elif not singular and verb.tag in {"VBZ", "VBD"}:
        form = _TO_PLURAL.get(form, _base(verb) if verb.tag == "VBZ" else form)
    elif singular and verb.tag in {"VBP", "VBZ", "VBD"}:
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
    third = verb.form not in {verb.lemma, ""} and verb.form == inflected(verb.lemma, "VBZ")  # whatever its tag
    helper = "did" if verb.tag == "VBD" else "does" if third or verb.tag == "VBZ" else "do"
    return helper, _joined(negation, verb.adverb, _base(verb), verb.particle)


def _base(verb: Verb) -> str:
    """Return the lemma by the parser, or that of the dictionary if the form is not one of the former."""
    wrong = verb.tag == "VBZ" and inflected(verb.lemma, "VBZ") != verb.form
    return lemma_of(verb.form, "VERB") if wrong else verb.lemma


def _joined(*parts: str) -> str:
    return " ".join(part for part in parts if part)
