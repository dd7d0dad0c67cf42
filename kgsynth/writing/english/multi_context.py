"""Multi-context questions: an entity described by one fact and asked about in another, or by two.

Left out: paths of more than one bridge; two descriptions inside each other are no sentence a person would say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kgsynth.knowledge import Knowledge
from kgsynth.records import Fact, Scenario
from kgsynth.writing.english.asking import ask_for, type_of
from kgsynth.writing.english.grammar import finish, question, said, shown
from kgsynth.writing.english.shared import Draft, answers, asides, find, phrase_at, tail_at

_LED = frozenset("at by for from in into on through to under with".split())
"""Prepositions that may stand before "which"."""


def bridge(scenario: Scenario, knowledge: Knowledge) -> Iterator[Draft]:
    """Yield the question about an entity that is described by another fact instead of being named."""
    describing, fact = scenario.facts
    ident, there, here = scenario.links[0]
    entity = knowledge.entities[ident]
    described = describe(knowledge, describing, there, type_of(knowledge, entity))
    asked = ask_for(knowledge, fact, scenario.asked)
    phrase = fact.phrases[here]
    if here in asides(fact) or there in asides(describing):
        return  # the question would do without its bridge
    if not described or asked is None or (phrase.role == "subject" and scenario.cuts[0] and phrase.has("indefinite")):
        return
    swap = {here: shown(phrase)[: scenario.cuts[0]] + described}
    text = question(fact, scenario.asked, asked, swap=swap, drop=asides(fact))
    forms = sorted({entity.name, *entity.forms})
    steps = (
        {
            "fact": describing.id,
            "entity": entity.name,
            "forms": forms,
            "bridge": phrase_at(knowledge, describing, there),
        },
        {
            "fact": fact.id,
            "entity": entity.name,
            "forms": forms,
            "bridge": tail_at(knowledge, fact, here, scenario.cuts[0]),
        }
        | find(fact, asked),
    )
    yield Draft(text, answers(asked, fact.phrases[scenario.asked]), "bridge", steps)


def describe(knowledge: Knowledge, fact: Fact, place: int, noun: str) -> str:
    """Return a description of the phrase at ``place`` by the rest of its fact: "the laboratory that calibrates …".

    "" when the fact gives none that reads as English; ``noun`` says what the thing is, "" when nobody knows.
    """
    phrase = fact.phrases[place]
    subject = next(p for p in fact.phrases if p.role == "subject")
    if phrase is subject and fact.verb.lemma == "be" and not fact.verb.auxiliaries:
        attribute = next((p for p in fact.phrases if p.role == "attribute"), None)
        alone = attribute is not None and len([p for p in fact.phrases if p.role != "manner"]) == 2
        if attribute is not None and alone and attribute.has("modified") and not attribute.has("empty"):
            bare = re.sub(r"^(?:the|an?) ", "", shown(attribute))
            told = attribute.has("definite") or (bare != shown(attribute) and len(attribute.lemmas) >= 3)
            return f"the {bare}" if told else ""
    if not noun:
        return ""
    pronoun = "who" if noun == "person" else "that"
    drop = [place, *asides(fact)]
    if phrase is subject:
        return f"the {noun} {pronoun} {said(fact, without=drop)}"
    rest = said(fact, without=drop, third=not subject.has("plural") and not subject.has("you"))
    if phrase.role == "object":
        return f"the {noun} that {shown(subject)} {rest}"
    if phrase.marker in _LED:
        return f"the {noun} {phrase.marker} {'whom' if noun == 'person' else 'which'} {shown(subject)} {rest}"
    return ""


def intersection(scenario: Scenario, knowledge: Knowledge) -> Iterator[Draft]:
    """Yield the question which one thing has both of two properties."""
    one, two = scenario.facts
    ident, first, second = scenario.links[0]
    entity = knowledge.entities[ident]
    noun = type_of(knowledge, entity)
    if not noun:
        return
    head = "who" if noun == "person" else f"which {noun}"
    text = finish(f"{head} {said(one, without=[first, *asides(one)])} and {said(two, without=[second, *asides(two)])}")
    steps = tuple({"fact": f.id, "entity": phrase_at(knowledge, f, n)} for f, n in ((one, first), (two, second)))
    forms = sorted({entity.name, *entity.forms})
    answers = tuple(dict.fromkeys((shown(one.phrases[first]), *entity.forms)))
    yield Draft(text, answers, "intersection", steps, {"forms": forms})
