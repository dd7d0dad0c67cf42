"""Multi-context questions: an entity described by one fact and asked about in another, or two facts in one question.

Left out: nested descriptions that would make a question too long to follow.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from kgsynth.base.records import Fact, Scenario
from kgsynth.base.vocabulary import Flag, Role
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.writing.english.drafts import (
    QuestionDraft,
    answers,
    asides,
    breaks_off,
    find,
    phrase_at,
    tail_at,
    tells_what,
)
from kgsynth.generation.writing.english.grammar import (
    AskedPhrase,
    as_question,
    in_sentence,
    plural,
    predicate,
    question,
)
from kgsynth.generation.writing.english.question_words import ask_for, noun_of, type_of
from kgsynth.language.english.lexicon import LIGHT_VERBS
from kgsynth.language.english.morphology import inflected
from kgsynth.language.english.text_forms import listed, without_article

_MAX_WORDS = 36  # words of a bridge question
_BEFORE_WHICH = frozenset("at by for from in into on through to under with".split())
"""Prepositions that may precede "which"."""


def bridge(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question about an entity that is described by other facts instead of being named."""
    fact = scenario.facts[-1]
    asked = ask_for(knowledge, fact, scenario.asked)
    swap: dict[int, str] = {}
    for describing, after, (ident, there, here), cut in zip(
        scenario.facts, scenario.facts[1:], scenario.links, scenario.cuts, strict=False
    ):
        if here in asides(after) or there in asides(describing):
            return  # the question would not need this bridge
        described = describe(knowledge, describing, there, noun_of(knowledge, knowledge.entities[ident]), swap)
        phrase = after.phrases[here]
        if not described or (phrase.role == Role.SUBJECT and cut and phrase.has(Flag.INDEFINITE)):
            return
        swap = {here: in_sentence(phrase)[:cut] + described}
    if asked is None:
        return
    text = question(fact, scenario.asked, asked, swap=swap, drop=asides(fact))
    if len(text.split()) <= _MAX_WORDS:
        steps = _steps(scenario, knowledge)
        steps[-1] |= find(fact, asked)
        yield QuestionDraft(text, answers(asked, fact.phrases[scenario.asked]), "bridge", tuple(steps))


def _steps(scenario: Scenario, knowledge: Knowledge) -> list[dict[str, Any]]:
    """Return a step for each fact of a bridge: where it names the entities that link it to its neighbours."""
    steps: list[dict[str, Any]] = []
    for number, fact in enumerate(scenario.facts):
        behind = scenario.links[number - 1] if number else None
        ahead = scenario.links[number] if number < len(scenario.links) else None
        step: dict[str, Any] = {"fact": fact.id}
        if behind is not None:
            entity = knowledge.entities[behind[0]]
            step |= {"entity": entity.name, "forms": sorted({entity.name, *entity.forms})}
            step["bridge"] = tail_at(knowledge, fact, behind[2], scenario.cuts[number - 1])
        if ahead is not None:
            entity = knowledge.entities[ahead[0]]
            forms, place = sorted({entity.name, *entity.forms}), phrase_at(knowledge, fact, ahead[1])
            if behind is None:
                step |= {"entity": entity.name, "forms": forms, "bridge": place}
            else:
                step |= {"next_forms": forms, "next": place}
        steps.append(step)
    return steps


def describe(knowledge: Knowledge, fact: Fact, place: int, noun: str, swap: Mapping[int, str]) -> str:
    """Return a description of the phrase at ``place`` by the rest of its fact: "the laboratory that calibrates …".

    It is "" when the fact gives no description in good English. ``noun`` says what the thing is, "" when that is not
    known; ``swap`` maps phrases of the fact to other words for them.
    """
    phrase = fact.phrases[place]
    subject_place = fact.place(Role.SUBJECT)
    subject = fact.phrases[subject_place]
    if phrase is subject and fact.verb.lemma == "be" and not fact.verb.auxiliaries:
        at, attribute = next(((n, p) for n, p in enumerate(fact.phrases) if p.role == Role.ATTRIBUTE), (-1, phrase))
        alone = at >= 0 and len([p for p in fact.phrases if p.role != Role.MANNER]) == 2
        if alone and attribute.has(Flag.MODIFIED) and not attribute.has(Flag.EMPTY):
            text = in_sentence(attribute, swap.get(at))
            bare = without_article(text)
            specific = attribute.has(Flag.DEFINITE) or (bare != text and len(attribute.lemmas) >= 3)
            return f"the {bare}" if specific else ""
    if not noun:
        return ""
    pronoun = "who" if noun == "person" else "that"
    drop = [place, *asides(fact)]
    if phrase is subject:
        return f"the {noun} {pronoun} {predicate(fact, without=drop, swap=swap)}"
    rest = predicate(fact, without=drop, swap=swap, third=not subject.has(Flag.PLURAL) and not subject.has(Flag.YOU))
    if subject_place in swap:
        return ""  # "the mill that the firm that Ada leads runs" is too hard to read
    who = in_sentence(subject)
    if phrase.role == Role.OBJECT:
        return f"the {noun} that {who} {rest}"
    if phrase.marker in _BEFORE_WHICH:
        return f"the {noun} {phrase.marker} {'whom' if noun == 'person' else 'which'} {who} {rest}"
    return ""


def intersection(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question which thing has both of two properties."""
    one, two = scenario.facts
    ident, first, second = scenario.links[0]
    entity = knowledge.entities[ident]
    noun = noun_of(knowledge, entity)
    if not noun:
        return
    head = "who" if noun == "person" else f"which {noun}"
    text = as_question(
        f"{head} {predicate(one, without=[first, *asides(one)])} and {predicate(two, without=[second, *asides(two)])}"
    )
    steps = tuple({"fact": f.id, "entity": phrase_at(knowledge, f, n)} for f, n in ((one, first), (two, second)))
    forms = sorted({entity.name, *entity.forms})
    answers = tuple(dict.fromkeys((in_sentence(one.phrases[first]), *entity.forms)))
    yield QuestionDraft(text, answers, "intersection", steps, {"forms": forms})


def side_by_side(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question that asks the same of two things: "What do the Pike and the Tern measure, respectively?"."""
    names = [next(in_sentence(p) for p in each.phrases if p.role == Role.SUBJECT) for each in scenario.facts]
    if scenario.facts[1].phrases[scenario.asked].role == Role.PURPOSE:
        purposes = (fact.phrases[n] for fact, n in zip(scenario.facts, scenario.links[0][1:], strict=True))
        asked = (AskedPhrase("what", in_sentence(p), p.start, p.end) for p in purposes)
        yield from _both(scenario, f"What are {listed(names)} used for, respectively?", *asked)
        return
    one, two = _wanted(scenario, knowledge)
    if one is None or two is None or (one.led, one.stranded) != (two.led, two.stranded):
        return
    fact = scenario.facts[1]
    if fact.verb.lemma == "be":
        attributes = [p for each in scenario.facts for p in each.phrases if p.role == Role.ATTRIBUTE]
        if not all(tells_what(in_sentence(p)) for p in attributes):
            return
        word = "Who" if all(p.has(Flag.PERSON) for p in attributes) else "What"
        yield from _both(scenario, f"{word} are {listed(names)}, respectively?", one, two)
        return
    if one.words != two.words and {one.words, two.words} & {"who", "whom"}:
        return
    words = _in_plural(one.words) if one.words == two.words else "what"
    if (fact.verb.lemma in LIGHT_VERBS and words == "what" and len(fact.phrases) == 2) or (two.led and words == "what"):
        return
    subject = fact.place(Role.SUBJECT)
    text = question(
        replace(fact, verb=plural(fact.verb)),
        scenario.asked,
        replace(two, words=words, plural=True),
        swap={subject: listed(names)},
        drop=asides(fact),
    )
    yield from _both(scenario, f"{text.rstrip('?')}, respectively?", one, two)


def compound(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question that asks two things about one: "Who founded the Pike Institute, and where is it based?"."""
    ident, place, _ = scenario.links[0]
    named_at = [_place_of(knowledge, fact, ident) for fact in scenario.facts]
    one, two = _wanted(scenario, knowledge)
    if one is None or two is None or -1 in named_at:
        return
    for fact, asked in zip(scenario.facts, (one, two), strict=True):
        if fact.verb.lemma in LIGHT_VERBS | {"be"} and asked.words == "what":
            return
    entity = knowledge.entities[ident]
    again = "it" if entity.label == "CODE" or type_of(knowledge, entity) not in {"", "person"} else entity.name
    first, second = scenario.facts
    opening = question(first, place, one, drop=asides(first)).rstrip("?")
    rest = question(second, scenario.asked, two, swap={named_at[1]: again}, drop=asides(second))
    yield from _both(scenario, f"{opening}, and {rest[0].lower()}{rest[1:]}", one, two)


def _wanted(scenario: Scenario, knowledge: Knowledge) -> tuple[AskedPhrase | None, AskedPhrase | None]:
    """Return the words that ask for a phrase of each of two facts."""
    one, two = scenario.facts
    return ask_for(knowledge, one, scenario.links[0][1]), ask_for(knowledge, two, scenario.asked)


def _both(scenario: Scenario, text: str, *asked: AskedPhrase) -> Iterator[QuestionDraft]:
    """Yield the draft of a question that two facts answer, each a part of it, unless an answer is cut off."""
    if any(breaks_off(each.answer) for each in asked):
        return
    steps = tuple(find(fact, each) for fact, each in zip(scenario.facts, asked, strict=True))
    yield QuestionDraft(text, (listed([each.answer for each in asked]),), "all", steps)


def _place_of(knowledge: Knowledge, fact: Fact, ident: str) -> int:
    """Return the index of the phrase of a fact that names an entity, -1 for none."""
    entities = (knowledge.entities.entity_of(fact, phrase) for phrase in fact.phrases)
    return next((n for n, entity in enumerate(entities) if entity is not None and entity.id == ident), -1)


def _in_plural(words: str) -> str:
    """Return the words that ask for one thing as words that ask for two: "in which years" for "in which year"."""
    before, which, noun = words.rpartition("which ")
    return f"{before}{which}{inflected(noun, 'NNS')}" if which and " " not in noun else words
