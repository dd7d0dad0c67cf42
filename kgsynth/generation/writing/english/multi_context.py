"""Multi-context questions: an entity described by one fact and asked about in another, or two facts in one question."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from kgsynth.base.records import Entity, Fact, Scenario
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import Flag, Role
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.writing.english.drafts import (
    QuestionDraft,
    answers,
    asides,
    is_cut_off,
    lookup_step,
    phrase_span,
    says_what_it_is,
    tail_span,
)
from kgsynth.generation.writing.english.grammar import (
    AskedPhrase,
    as_question,
    in_sentence,
    pluralised,
    predicate,
    question,
)
from kgsynth.generation.writing.english.question_words import ask_for, noun_of, type_of
from kgsynth.language.english.lexicon import LIGHT_VERBS
from kgsynth.language.english.morphology import inflected
from kgsynth.language.english.text_forms import listed, without_article

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


def intersection(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question which thing has two properties."""
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
    steps = tuple({"fact": f.id, "entity": phrase_span(knowledge, f, n)} for f, n in ((one, first), (two, second)))
    names = tuple(dict.fromkeys((in_sentence(one.phrases[first]), *entity.forms)))
    yield QuestionDraft(text, names, "intersection", steps, {"forms": _forms(entity)})


def side_by_side(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question that asks the same of two things: "What do the Pike and the Tern measure, respectively?"."""
    fact, subject = scenario.facts[1], scenario.facts[1].place(Role.SUBJECT)
    names = listed([in_sentence(each.phrases[each.place(Role.SUBJECT)]) for each in scenario.facts])
    if fact.phrases[scenario.asked].role == Role.PURPOSE:
        purposes = (each.phrases[n] for each, n in zip(scenario.facts, scenario.links[0][1:], strict=True))
        asked = (AskedPhrase("what", in_sentence(p), p.start, p.end) for p in purposes)
        yield from _both(scenario, f"What are {names} used for, respectively?", *asked)
        return
    one, two = _asked_phrases(scenario, knowledge)
    if one is None or two is None or (one.fronted, one.stranded) != (two.fronted, two.stranded):
        return
    if fact.verb.lemma == "be":
        attributes = [p for each in scenario.facts for p in each.phrases if p.role == Role.ATTRIBUTE]
        word = "Who" if all(p.has(Flag.PERSON) for p in attributes) else "What"
        if all(says_what_it_is(in_sentence(p)) for p in attributes):
            yield from _both(scenario, f"{word} are {names}, respectively?", one, two)
        return
    if one.words != two.words and {one.words, two.words} & {"who", "whom"}:
        return
    words = _in_plural(one.words) if one.words == two.words else "what"
    if words == "what" and (two.fronted or (fact.verb.lemma in LIGHT_VERBS and len(fact.phrases) == 2)):
        return
    both = replace(fact, verb=pluralised(fact.verb))
    wanted = replace(two, words=words, plural=True)
    text = question(both, scenario.asked, wanted, swap={subject: names}, without=asides(fact))
    yield from _both(scenario, f"{text.rstrip('?')}, respectively?", one, two)


def compound(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question for two facts about one thing: "Who founded the Pike Institute, and where is it based?"."""
    ident, place, _ = scenario.links[0]
    named_at = [_place_of(knowledge, fact, ident) for fact in scenario.facts]
    one, two = _asked_phrases(scenario, knowledge)
    if one is None or two is None or -1 in named_at:
        return
    first, second = scenario.facts
    if any(
        f.verb.lemma in LIGHT_VERBS | {"be"} and asked.words == "what" for f, asked in ((first, one), (second, two))
    ):
        return
    entity = knowledge.entities[ident]
    again = "it" if entity.label == "CODE" or type_of(knowledge, entity) not in {"", "person"} else entity.name
    opening = question(first, place, one, without=asides(first)).rstrip("?")
    rest = question(second, scenario.asked, two, swap={named_at[1]: again}, without=asides(second))
    yield from _both(scenario, f"{opening}, and {rest[0].lower()}{rest[1:]}", one, two)


def _asked_phrases(scenario: Scenario, knowledge: Knowledge) -> tuple[AskedPhrase | None, AskedPhrase | None]:
    """Return for each of two facts the words that ask for one of its phrases."""
    one, two = scenario.facts
    return ask_for(knowledge, one, scenario.links[0][1]), ask_for(knowledge, two, scenario.asked)


def _both(scenario: Scenario, text: str, *asked: AskedPhrase) -> Iterator[QuestionDraft]:
    """Yield the draft of a question that two facts answer together, unless an answer is cut off."""
    if any(is_cut_off(each.answer) for each in asked):
        return
    steps = tuple(lookup_step(fact, each) for fact, each in zip(scenario.facts, asked, strict=True))
    yield QuestionDraft(text, (listed([each.answer for each in asked]),), "all", steps)


def _place_of(knowledge: Knowledge, fact: Fact, ident: str) -> int:
    """Return the index of the phrase of a fact that names an entity, -1 if there is none."""
    entities = (knowledge.entities.entity_of(fact, phrase) for phrase in fact.phrases)
    return next((n for n, entity in enumerate(entities) if entity is not None and entity.id == ident), -1)


def _in_plural(words: str) -> str:
    """Return the words for one thing in the plural: "in which years" for "in which year"."""
    before, which, noun = words.rpartition("which ")
    return f"{before}{which}{inflected(noun, 'NNS')}" if which and " " not in noun else words
