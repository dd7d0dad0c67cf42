"""Questions without an answer: a factoid asked about another thing, or a topic that the documents do not mention.

The derivation lists the names of the thing and the forms of the words of the question. The filters and the audit search
the documents for them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from kgsynth.base.records import Entity, Scenario
from kgsynth.base.thresholds import LIMITS
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions.unanswerable import kind_of
from kgsynth.generation.writing.draft import QuestionDraft
from kgsynth.generation.writing.english.drafts import marker_width, phrase_span, span_in, tail_span
from kgsynth.generation.writing.english.grammar import as_question, in_sentence
from kgsynth.generation.writing.english.prose import factoid
from kgsynth.generation.writing.english.question_words import type_of
from kgsynth.golden.subtypes import traits_of
from kgsynth.language.english.lexicon import WORDS
from kgsynth.language.english.morphology import inflected, lemma_of, stem
from kgsynth.language.english.question_checks import content_stems
from kgsynth.language.english.text_forms import without_article
from kgsynth.language.words import words

# Topics for out-of-scope questions, by kind of thing, each with words; every answer needs one of them.
#
# A document that names a thing and has none of these words cannot answer the question.


class Topic(NamedTuple):
    """A question with "{}" for the name of a thing, and words separated by blanks; every answer has one of them."""

    question: str
    answer_words: str


TOPICS: dict[str, tuple[Topic, ...]] = {
    "person": (
        Topic("Where was {} born?", "born birth* native hometown grew raised"),
        Topic("Whom did {} marry?", "marri* marry* wife husband spouse wedding widow* wed"),
        Topic("Which university did {} go to?", "universit* college* graduat* degree* studied alma"),
        Topic("Who were the parents of {}?", "parent* father* mother* son sons daughter* child*"),
    ),
    "organization": (
        Topic("What is the phone number of {}?", "phone* telephone* call* dial*"),
        Topic("What is the annual budget of {}?", "budget* cost* spend* spent spending fund*"),
        Topic("Who designed the logo of {}?", "logo* emblem* badge*"),
    ),
    "place": (
        Topic("What is the dialling code of {}?", "dial* phone* telephone*"),
        Topic("How much rain falls in {} in a year?", "rain* precipitation"),
        Topic("Which airlines fly to {}?", "airline* airport* fly flies flight*"),
        Topic("What is the minimum wage in {}?", "wage* salar*"),
    ),
    "program": (
        Topic("Who wrote {}?", "author* wrote written write writes writer* contribut*"),
        Topic("In which version was {} deprecated?", "deprecat* obsolete* superseded removed"),
        Topic("Which security flaw was found in {}?", "security vulnerab* exploit* flaw* bug bugs cve*"),
    ),
}
"""Kind of thing -> its topics."""

_ASKS_VAGUELY = re.compile(r"What |Which \w+ing |(?:\w+ )?which place ", re.I)
"""A question that does not say what kind of thing it asks for, which asks for nothing about another thing."""
_SEARCHED_FORMS = ("VB", "VBZ", "VBD", "VBN", "VBG", "NNS")
_NOT_SEARCHED = (
    WORDS["light_verbs"] | WORDS["empty_heads"] | frozenset("year place organization event law percentage long".split())
)

_SYNONYMS = [
    tuple(pair.split("="))
    for pair in (
        "accomplish=achieve; acquire=obtain; additional=extra; advantage=benefit; aid=help; aim=goal; "
        "almost=nearly; alter=change; alteration=change; amend=change; annual=yearly; annually=every year; "
        "ascend=climb; assist=help; assistance=help; attain=reach; attempt=try; author=writer; begin=start; "
        "beginning=start; benefit=advantage; boundary=border; buy=purchase; catastrophe=disaster; cease=stop; "
        "cemetery=graveyard; choose=pick; collect=gather; commence=begin; company=firm; compel=force; "
        "compose=write; conceal=hide; construct=build; danger=risk; debate=discussion; demolish=tear down; "
        "demonstrate=show; depart=leave; depict=show; disclose=reveal; discover=find; display=show; diverse=varied; "
        "dwelling=home; earnings=income; emerge=appear; employee=worker; enhance=improve; enormous=huge; "
        "ensure=guarantee; entire=whole; erect=build; establish=set up; exceed=surpass; exhibit=show; "
        "famous=well-known; forbid=prohibit; forest=woodland; found=establish; freedom=liberty; frequent=common; "
        "frequently=often; gather=collect; govern=rule; gradually=step by step; guard=protect; guideline=rule; "
        "halt=stop; harm=damage; harm=hurt; hazard=danger; hinder=impede; holiday=vacation; huge=enormous; "
        "illustrate=show; impede=hinder; income=earnings; indicate=show; influence=affect; inhabit=live in; "
        "inhabitant=resident; initial=first; initially=at first; inspect=check; inspect=examine; investigate=look "
        "into; journey=trip; launch=start; liberty=freedom; manufacture=make; medieval=of the Middle Ages; "
        "migrate=move; mistake=error; modify=change; monitor=watch; movie=film; nation=country; nearly=almost; "
        "numerous=many; obstacle=barrier; obtain=get; occur=happen; often=frequently; ongoing=continuing; "
        "outcome=result; oversee=supervise; overthrow=topple; permit=allow; persuade=convince; physician=doctor; "
        "portray=depict; postpone=put off; predominantly=mostly; prevent=stop; primarily=mainly; principal=main; "
        "prohibit=forbid; propose=put forward; purchase=buy; quickly=fast; rapid=fast; rapidly=quickly; "
        "reduce=lower; regulation=rule; relocate=move; renowned=famous; repair=fix; reside=live; residence=home; "
        "resident=inhabitant; resign=step down; restrict=limit; retain=keep; reveal=disclose; revolt=uprising; "
        "safeguard=protect; salary=pay; scholar=academic; scientist=researcher; seek=look for; select=choose; "
        "shortage=lack; shut=close; subsequent=later; substantial=considerable; sufficient=enough; "
        "supervise=oversee; supply=provide; symbolise=represent; symbolise=stand for; symbolize=represent; "
        "symbolize=stand for; teacher=instructor; terminate=end; tiny=very small; transport=carry; uprising=revolt; "
        "usually=normally; utilise=use; utilize=use; vanish=disappear; vast=huge; verify=check; vital=crucial; "
        "wages=pay; wealth=riches; wealthy=rich; whole=entire; yearly=annual"
    ).split("; ")
]
"""Pairs of lemmas that mean the same in some sentences; either may be said for the other."""


def swapped(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question for one phrase of a fact in which one thing or the verb was replaced."""
    fact, entity = scenario.facts[0], knowledge.entities[scenario.links[0][0]]
    if fact.verb.auxiliaries and fact.verb.form.endswith("ing"):
        return  # "was using" is about one moment
    predicate = [] if fact.verb.lemma in _NOT_SEARCHED else forms_of(fact.verb.lemma)
    for draft in factoid(scenario, knowledge):
        other_words = _forms_of_words(draft.question, entity, fact.verb.lemma)
        if (predicate or other_words) and not _ASKS_VAGUELY.match(draft.question):
            extra = {"names": names_of(entity), "predicate": predicate, "words": other_words}
            yield QuestionDraft(draft.question, (), "absent", _steps(scenario, knowledge), extra)


def out_of_scope(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield questions about topics for things of this kind, different topics for different things."""
    ident, place, _ = scenario.links[0]
    fact, entity = scenario.facts[0], knowledge.entities[ident]
    name = in_sentence(fact.phrases[place])[marker_width(fact.phrases[place]) :]
    step = {"fact": fact.id, "about": phrase_span(knowledge, fact, place)}
    topics = topics_of(knowledge, entity)
    turn = sum(map(ord, entity.name)) % max(1, len(topics))
    for topic in (topics[turn:] + topics[:turn])[: LIMITS.topics_per_entity]:
        extra = {"names": names_of(entity), "predicate": topic.answer_words.split(), "words": [], "whole": True}
        yield QuestionDraft(as_question(topic.question.format(name)), (), "absent", (step,), extra)


def topics_of(knowledge: Knowledge, entity: Entity) -> tuple[Topic, ...]:
    """Return the topics for the kind of an entity; there are none for a place known only by the parser's label."""
    kind, noun = kind_of(knowledge, entity), type_of(knowledge, entity)
    if kind in TOPICS or noun == "place":
        return TOPICS.get(kind, ())
    return TOPICS.get("program" if noun in WORDS["programs"] else noun, ())


def names_of(entity: Entity) -> list[str]:
    """Return the names of an entity, a person's surname, and a name without its noun: "GET" of "GET command"."""
    forms = {without_article(form) for form in entity.forms}
    split = [form.rpartition(" ") for form in forms if " " in form]
    surnames = {last for _, _, last in split if entity.label == "PERSON" and len(last) >= LIMITS.surname_letters}
    return sorted(forms | surnames | {front for front, _, last in split if last.islower()})


def _steps(scenario: Scenario, knowledge: Knowledge) -> tuple[dict[str, Any], ...]:
    """Return a step for what was replaced, and one for what replaced it."""
    source, host = scenario.rivals
    _, place, host_place = scenario.links[0]
    if traits_of(scenario.subtype).swaps_verb:
        old, new = (span_in(fact, fact.verb.start, fact.verb.end) for fact in (host, source))
        return {"fact": host.id, "swapped": old}, {"fact": source.id, "by": new}
    return (
        {"fact": source.id, "swapped": tail_span(knowledge, source, place, scenario.cuts[0])},
        {"fact": host.id, "to": tail_span(knowledge, host, host_place, scenario.cuts[1])},
    )


def _forms_of_words(question: str, entity: Entity, verb: str) -> list[list[str]]:
    """Return the forms of each specific word of a question, without the words of the name and the verb."""
    named = {stem(word) for form in entity.forms for word in words(form)}
    specific = [word for word in words(question) if content_stems(word) and stem(word) not in named]
    return [forms_of(word) for word in dict.fromkeys(specific) if not _lemmas(word) & {verb, *_NOT_SEARCHED}]


def _lemmas(word: str) -> set[str]:
    return {lemma_of(word, "VERB"), lemma_of(word, "NOUN"), word}


@cache
def forms_of(word: str) -> list[str]:
    """Return the forms of a word and its synonyms; an asterisk stands for any ending.

    Example:
        >>> forms_of("built"), forms_of("leads")
        (['build*', 'built*', 'construct*', 'erect*'], ['lead*', 'led'])
    """
    if not word.isalpha():
        return [word]
    lemmas = _lemmas(word)
    for _ in range(2):  # a synonym of a synonym too
        lemmas |= {other for pair in _SYNONYMS if lemmas & {*pair} for other in pair}
    forms = {form for lemma in lemmas for form in _inflections(lemma)}
    prefixes: tuple[str, ...] = ()
    for prefix in sorted(_prefix(lemma) for lemma in lemmas if " " not in lemma):
        if len(prefix) >= LIMITS.search_letters and not prefix.startswith(prefixes):
            prefixes += (prefix,)
    return sorted({f"{prefix}*" for prefix in prefixes} | {form for form in forms if not form.startswith(prefixes)})


def _prefix(lemma: str) -> str:
    """Return the letters that the regular forms of a lemma share: "calibrat" for "calibrate", "polici" for "policy"."""
    consonant_y = lemma[-1] == "y" and lemma[-2:-1] not in "aeiou"
    return f"{lemma[:-1]}i" if consonant_y else lemma.removesuffix("e")


def _inflections(lemma: str) -> set[str]:
    """Return the forms of a lemma; the first of several words is inflected: "set up", "sets up"."""
    first, blank, rest = lemma.partition(" ")
    return {lemma, *(f"{inflected(first, tag)}{blank}{rest}" for tag in _SEARCHED_FORMS)}
