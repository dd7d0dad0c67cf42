"""Multi-context questions: an entity described by one fact and asked about in another, or by two.

Left out: descriptions inside each other that would make a question longer than a person could follow.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from kgsynth.base.records import Fact, Scenario
from kgsynth.base.vocabulary import Flag, Role
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.writing.english.drafts import (
    Draft,
    answers,
    asides,
    breaks_off,
    find,
    phrase_at,
    tail_at,
    tells_what,
)
from kgsynth.generation.writing.english.grammar import Asked, finish, plural, question, said, shown
from kgsynth.generation.writing.english.question_words import ask_for, noun_of, type_of
from kgsynth.language.english.lexicon import LIGHT_VERBS
from kgsynth.language.english.morphology import inflected
from kgsynth.language.english.text_forms import listed, without_article

_LONGEST = 36  # words of a bridge question
_LED = frozenset("at by for from in into on through to under with".split())
"""Prepositions that may stand before "which"."""


def bridge(scenario: Scenario, knowledge: Knowledge) -> Iterator[Draft]:
    """Yield the question about an entity that other facts describe, one inside the other, instead of naming it."""
    fact = scenario.facts[-1]
    asked = ask_for(knowledge, fact, scenario.asked)
    swap: dict[int, str] = {}
    for describing, after, (ident, there, here), cut in zip(
        scenario.facts, scenario.facts[1:], scenario.links, scenario.cuts, strict=False
    ):
        if here in asides(after) or there in asides(describing):
            return  # the question would do without this bridge
        described = describe(knowledge, describing, there, noun_of(knowledge, knowledge.entities[ident]), swap)
        phrase = after.phrases[here]
        if not described or (phrase.role == Role.SUBJECT and cut and phrase.has(Flag.INDEFINITE)):
            return
        swap = {here: shown(phrase)[:cut] + described}
    if asked is None:
        return
    text = question(fact, scenario.asked, asked, swap=swap, drop=asides(fact))
    if len(text.split()) <= _LONGEST:
        steps = _steps(scenario, knowledge)
        steps[-1] |= find(fact, asked)
        yield Draft(text, answers(asked, fact.phrases[scenario.asked]), "bridge", tuple(steps))


def _steps(scenario: Scenario, knowledge: Knowledge) -> list[dict[str, Any]]:
    """Return a step for each fact of a bridge: where the entity stands that ties it to the one before and after."""
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

    "" when the fact gives none that reads as English; ``noun`` says what the thing is, "" when nobody knows. ``swap``
    gives other words for phrases of the fact.
    """
    phrase = fact.phrases[place]
    subject_place = fact.place(Role.SUBJECT)
    subject = fact.phrases[subject_place]
    if phrase is subject and fact.verb.lemma == "be" and not fact.verb.auxiliaries:
        at, attribute = next(((n, p) for n, p in enumerate(fact.phrases) if p.role == Role.ATTRIBUTE), (-1, phrase))
        alone = at >= 0 and len([p for p in fact.phrases if p.role != Role.MANNER]) == 2
        if alone and attribute.has(Flag.MODIFIED) and not attribute.has(Flag.EMPTY):
            text = shown(attribute, swap.get(at))
            bare = without_article(text)
            told = attribute.has(Flag.DEFINITE) or (bare != text and len(attribute.lemmas) >= 3)
            return f"the {bare}" if told else ""
    if not noun:
        return ""
    pronoun = "who" if noun == "person" else "that"
    drop = [place, *asides(fact)]
    if phrase is subject:
        return f"the {noun} {pronoun} {said(fact, without=drop, swap=swap)}"
    rest = said(fact, without=drop, swap=swap, third=not subject.has(Flag.PLURAL) and not subject.has(Flag.YOU))
    if subject_place in swap:
        return ""  # "the mill that the firm that Ada leads runs" is more than a reader can take
    who = shown(subject)
    if phrase.role == Role.OBJECT:
        return f"the {noun} that {who} {rest}"
    if phrase.marker in _LED:
        return f"the {noun} {phrase.marker} {'whom' if noun == 'person' else 'which'} {who} {rest}"
    return ""


def intersection(scenario: Scenario, knowledge: Knowledge) -> Iterator[Draft]:
    """Yield the question which one thing has both of two properties."""
    one, two = scenario.facts
    ident, first, second = scenario.links[0]
    entity = knowledge.entities[ident]
    noun = noun_of(knowledge, entity)
    if not noun:
        return
    head = "who" if noun == "person" else f"which {noun}"
    text = finish(f"{head} {said(one, without=[first, *asides(one)])} and {said(two, without=[second, *asides(two)])}")
    steps = tuple({"fact": f.id, "entity": phrase_at(knowledge, f, n)} for f, n in ((one, first), (two, second)))
    forms = sorted({entity.name, *entity.forms})
    answers = tuple(dict.fromkeys((shown(one.phrases[first]), *entity.forms)))
    yield Draft(text, answers, "intersection", steps, {"forms": forms})


def side_by_side(scenario: Scenario, knowledge: Knowledge) -> Iterator[Draft]:
    """Yield the question that asks the same of two things: "What do the Pike and the Tern measure, respectively?"."""
    names = [next(shown(p) for p in each.phrases if p.role == Role.SUBJECT) for each in scenario.facts]
    if scenario.facts[1].phrases[scenario.asked].role == Role.PURPOSE:
        whole = (fact.phrases[n] for fact, n in zip(scenario.facts, scenario.links[0][1:], strict=True))
        asked = (Asked("what", shown(p), p.start, p.end) for p in whole)
        yield from _both(scenario, f"What are {listed(names)} used for, respectively?", *asked)
        return
    one, two = _wanted(scenario, knowledge)
    if one is None or two is None or (one.led, one.stranded) != (two.led, two.stranded):
        return
    fact = scenario.facts[1]
    if fact.verb.lemma == "be":
        told = [p for each in scenario.facts for p in each.phrases if p.role == Role.ATTRIBUTE]
        if not all(tells_what(shown(p)) for p in told):
            return
        word = "Who" if all(p.has(Flag.PERSON) for p in told) else "What"
        yield from _both(scenario, f"{word} are {listed(names)}, respectively?", one, two)
        return
    if one.words != two.words and {one.words, two.words} & {"who", "whom"}:
        return
    words = _several(one.words) if one.words == two.words else "what"
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


def compound(scenario: Scenario, knowledge: Knowledge) -> Iterator[Draft]:
    """Yield the question that asks two things about one: "Who founded the Pike Institute, and where is it based?"."""
    ident, place, _ = scenario.links[0]
    said_of = [_place_of(knowledge, fact, ident) for fact in scenario.facts]
    one, two = _wanted(scenario, knowledge)
    if one is None or two is None or -1 in said_of:
        return
    for fact, asked in zip(scenario.facts, (one, two), strict=True):
        if fact.verb.lemma in LIGHT_VERBS | {"be"} and asked.words == "what":
            return
    entity = knowledge.entities[ident]
    again = "it" if entity.label == "CODE" or type_of(knowledge, entity) not in {"", "person"} else entity.name
    first, second = scenario.facts
    opening = question(first, place, one, drop=asides(first)).rstrip("?")
    rest = question(second, scenario.asked, two, swap={said_of[1]: again}, drop=asides(second))
    yield from _both(scenario, f"{opening}, and {rest[0].lower()}{rest[1:]}", one, two)


def _wanted(scenario: Scenario, knowledge: Knowledge) -> tuple[Asked | None, Asked | None]:
    """Return the words that ask for one phrase of each of two facts."""
    one, two = scenario.facts
    return ask_for(knowledge, one, scenario.links[0][1]), ask_for(knowledge, two, scenario.asked)


def _both(scenario: Scenario, text: str, *asked: Asked) -> Iterator[Draft]:
    """Yield the draft of a question that two facts answer, each one part of it, whole."""
    if any(breaks_off(each.answer) for each in asked):
        return
    steps = tuple(find(fact, each) for fact, each in zip(scenario.facts, asked, strict=True))
    yield Draft(text, (listed([each.answer for each in asked]),), "all", steps)


def _place_of(knowledge: Knowledge, fact: Fact, ident: str) -> int:
    """Return which phrase of a fact names an entity, -1 for none."""
    entities = (knowledge.entities.entity_of(fact, phrase) for phrase in fact.phrases)
    return next((n for n, entity in enumerate(entities) if entity is not None and entity.id == ident), -1)


def _several(words: str) -> str:
    """Return the words that ask for one thing as those that ask for two: "in which year" is "in which years"."""
    before, which, noun = words.rpartition("which ")
    return f"{before}{which}{inflected(noun, 'NNS')}" if which and " " not in noun else words
