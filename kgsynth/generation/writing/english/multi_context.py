"""Multi-context questions: an entity described by one fact and asked about in another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kgsynth.base.records import Entity, Fact, Scenario
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import Flag, Role
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.writing.english.drafts import (
    QuestionDraft,
    answers,
    asides,
    lookup_step,
    phrase_span,
    tail_span,
)
from kgsynth.generation.writing.english.grammar import (
    in_sentence,
    predicate,
    question,
)
from kgsynth.generation.writing.english.question_words import ask_for, noun_of
from kgsynth.language.english.text_forms import without_article

_BEFORE_WHICH = frozenset("at by for from in into on through to under with".split())
"""Prepositions that may precede "which"."""


def bridge(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question about an entity that other facts describe, so that it need not be named."""
    fact = scenario.facts[-1]
    asked = ask_for(knowledge, fact, scenario.asked)
    swap: dict[int, str] = {}
    for describing, after, (ident, there, here), cut in zip(
        scenario.facts, scenario.facts[1:], scenario.links, scenario.cuts, strict=False
    ):
        if here in asides(after) or there in asides(describing):
            return  # the question can be asked without this link
        described = describe(knowledge, describing, there, noun_of(knowledge, knowledge.entities[ident]), swap)
        phrase = after.phrases[here]
        if not described or (phrase.role == Role.SUBJECT and cut and phrase.has(Flag.INDEFINITE)):
            return
        swap = {here: in_sentence(phrase)[:cut] + described}
    if asked is None:
        return
    text = question(fact, scenario.asked, asked, swap=swap, without=asides(fact))
    if len(text.split()) <= LIMITS.bridge_words:
        steps = _steps(scenario, knowledge)
        steps[-1] |= lookup_step(fact, asked)
        yield QuestionDraft(text, answers(asked, fact.phrases[scenario.asked]), "bridge", tuple(steps))


def _steps(scenario: Scenario, knowledge: Knowledge) -> list[dict[str, Any]]:
    """Return a step for each fact of a bridge, with the spans that name the entities it shares with its neighbours."""
    first, ident = scenario.facts[0], scenario.links[0][0]
    entity = knowledge.entities[ident]
    linked = {"entity": entity.name, "forms": _forms(entity)}
    steps = [{"fact": first.id} | linked | {"bridge": phrase_span(knowledge, first, scenario.links[0][1])}]
    for number, fact in enumerate(scenario.facts[1:]):
        span = tail_span(knowledge, fact, scenario.links[number][2], scenario.cuts[number])
        step = {"fact": fact.id} | linked | {"bridge": span}
        for ident, place, _ in scenario.links[number + 1 : number + 2]:
            entity = knowledge.entities[ident]
            linked = {"entity": entity.name, "forms": _forms(entity)}
            step |= {"next_forms": linked["forms"], "next": phrase_span(knowledge, fact, place)}
        steps.append(step)
    return steps


def _forms(entity: Entity) -> list[str]:
    return sorted({entity.name, *entity.forms})


def describe(knowledge: Knowledge, fact: Fact, place: int, noun: str, swap: Mapping[int, str]) -> str:
    """Return a description of the phrase at ``place`` by the rest of its fact: "the laboratory that calibrates …".

    It is "" if the fact gives no description in good English. ``noun`` says what the thing is, "" if that is unknown;
    ``swap`` maps phrases of the fact to the words that replace them.
    """
    phrase = fact.phrases[place]
    subject_place = fact.place(Role.SUBJECT)
    subject = fact.phrases[subject_place]
    if phrase is subject and fact.verb.lemma == "be" and not fact.verb.auxiliaries:
        attribute_place = fact.place(Role.ATTRIBUTE)
        attribute = fact.phrases[attribute_place]
        alone = attribute_place >= 0 and sum(p.role != Role.MANNER for p in fact.phrases) == 2
        if alone and attribute.has(Flag.MODIFIED) and not attribute.has(Flag.EMPTY):
            text = in_sentence(attribute, swap.get(attribute_place))
            bare = without_article(text)
            long = bare != text and len(attribute.lemmas) >= LIMITS.description_words
            return f"the {bare}" if long or attribute.has(Flag.DEFINITE) else ""
    if not noun:
        return ""
    without = [place, *asides(fact)]
    if phrase is subject:
        return f"the {noun} {'who' if noun == 'person' else 'that'} {predicate(fact, without=without, swap=swap)}"
    if subject_place in swap:
        return ""  # "the mill that the firm that Ada leads runs" is too hard to read
    who = in_sentence(subject)
    rest = predicate(fact, without=without, swap=swap, singular=not subject.flags & {Flag.PLURAL, Flag.YOU})
    if phrase.role == Role.OBJECT:
        return f"the {noun} that {who} {rest}"
    if phrase.marker in _BEFORE_WHICH:
        return f"the {noun} {phrase.marker} {'whom' if noun == 'person' else 'which'} {who} {rest}"
    return ""
