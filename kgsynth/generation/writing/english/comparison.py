"""Questions that compare two values: which is more, which came first, and by how much.

A predicate that has no natural English with a comparative gives no question.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import Any

from kgsynth.base.quantity import Quantity
from kgsynth.base.records import Fact, Phrase, Scenario
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import Flag, Role
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.evidence.quantities import difference
from kgsynth.generation.writing.english.drafts import QuestionDraft, asides, phrase_span, span_in, unmarked
from kgsynth.generation.writing.english.grammar import (
    as_question,
    conjugated,
    in_sentence,
    inverted_clause,
    predicate,
    shortened,
)
from kgsynth.language.english.morphology import inflected
from kgsynth.language.english.quantities import quantity

_COMPARATIVES = {
    "date": ("earlier", "min"),
    "duration": ("longer", "max"),
    "length": ("longer", "max"),
    "mass": ("heavier", "max"),
}
"""Dimension -> its comparative, and whether that means the greater ("max") or the lesser ("min") value."""
_COUNTED_THINGS = re.compile(r"(?:\D*?)(?:[\d.,]+|\w+)(?: (?:hundred|thousand|million))? ([a-z][\w -]*)$")
"""A number, and in group 1 what it counts."""
_DURATION_VERBS = frozenset({"last", "take", "run", "keep", "remain", "stay"})
_RELATIVE_ORDER = re.compile(r"\b(?:later|earlier|then|also|again|subsequently|afterwards)\b", re.I)
_AMOUNT_VERBS = frozenset("weigh cost hold use measure earn consume store take draw carry".split())


def comparison(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question which of two things has more, is higher, lasted longer or came first."""
    lesser, greater = scenario.facts
    low, high = scenario.links[0][1:]
    value = _value(lesser, low)
    if value is None:
        return
    word, direction = _COMPARATIVES.get(value.dimension, ("more", "max"))
    subjects = [_subject(fact) for fact in scenario.facts]
    names = [in_sentence(subject) for subject in subjects]
    winner = 0 if direction == "min" else 1
    answers = [names[winner]]
    steps = _operands(scenario, knowledge)
    if _shared_content(lesser, low) == _shared_content(greater, high):
        several = all(subject.has(Flag.PLURAL) for subject in subjects)
        compared = _compared(greater, high, value.dimension, word, singular=not several)
        if not compared:
            return
        text = f"{_which(knowledge, scenario.facts)} {compared}, {' or '.join(sorted(names))}"
    else:
        events = [_event(lesser, low), _event(greater, high)]
        one, other = _clause(knowledge, lesser, low), _clause(knowledge, greater, high)
        if one is None or other is None:
            return
        steps[0]["subject"], steps[1]["subject"] = one[0], other[0]
        first, second = (event for _, event in sorted(zip(names, events, strict=True), key=itemgetter(0)))
        text = f"which happened first: {first}, or {second}"
        answers = [(one, other)[winner][1], events[winner], names[winner]]
    answers = list(dict.fromkeys(answers))
    yield QuestionDraft(as_question(text), tuple(answers), "comparison", steps, {"direction": direction})


def _subject(fact: Fact) -> Phrase:
    return fact.phrases[fact.place(Role.SUBJECT)]


def _which(knowledge: Knowledge, facts: Sequence[Fact]) -> str:
    """Return "who" for people, "which depot" for two depots, otherwise "which"."""
    subjects = [_subject(fact) for fact in facts]
    entities = [knowledge.entities.entity_of(fact, subject) for fact, subject in zip(facts, subjects, strict=True)]
    people = (
        subject.has(Flag.PERSON) or (entity is not None and knowledge.entities.is_person(entity))
        for subject, entity in zip(subjects, entities, strict=True)
    )
    if all(people):
        return "who"
    nouns = {knowledge.entities.type_noun(entity) if entity else "" for entity in entities}
    return f"which {nouns.pop()}".strip() if len(nouns) == 1 else "which"


def _shared_content(fact: Fact, place: int) -> tuple[object, ...]:
    """Return what a fact says besides its subject and the value at ``place``; it is equal for comparable facts."""
    rest = (p.lemmas for n, p in enumerate(fact.phrases) if n != place and p.role not in {Role.SUBJECT, Role.MANNER})
    return fact.verb.lemma, fact.verb.passive, sorted(rest)


def _clause(knowledge: Knowledge, fact: Fact, place: int) -> tuple[dict[str, Any], str] | None:
    """Return span and text of an event without its date at ``place``, None if it is interrupted or says more."""
    left_out = {place, *asides(fact)}
    kept = [p for n, p in enumerate(fact.phrases) if n not in left_out]
    start = min(fact.verb.start, *(p.start for p in kept))
    end = max(fact.verb.end, *(p.end for p in kept))
    text = knowledge.documents[fact.doc].plain(start, end)
    interrupted = any(start < fact.phrases[n].end and fact.phrases[n].start < end for n in left_out)
    longer = len(text.split()) > len(_event(fact, place).split()) + LIMITS.event_extra_words
    says_more = interrupted or longer or _RELATIVE_ORDER.search(text)
    return None if says_more else (span_in(fact, start, end), text)


def _operands(scenario: Scenario, knowledge: Knowledge) -> tuple[dict[str, Any], ...]:
    """Return a step for each fact: its subject and its value."""
    steps = []
    for fact, place in zip(scenario.facts, scenario.links[0][1:], strict=True):
        subject, phrase = _subject(fact), fact.phrases[place]
        alone = quantity(unmarked(phrase)) is not None
        value = phrase_span(knowledge, fact, place) if alone else span_in(fact, phrase.start, phrase.end)
        steps.append({"fact": fact.id, "subject": span_in(fact, subject.start, subject.end), "value": value})
    return tuple(steps)


def _event(fact: Fact, place: int) -> str:
    """Return what happened in the words of a question, without the date at ``place``."""
    subject = _subject(fact)
    singular = not subject.has(Flag.PLURAL)
    return f"{shortened(subject)} {predicate(fact, without=[place, *asides(fact)], singular=singular)}"


def _compared(fact: Fact, place: int, dimension: str, word: str, *, singular: bool) -> str:
    """Return the predicate with a comparative instead of the value, "" if that would not be English."""
    phrase, verb = fact.phrases[place], fact.verb
    value = _COUNTED_THINGS.match(phrase.text)
    rest = predicate(fact, without=[place, *asides(fact)], singular=singular)
    if phrase.role == Role.TIME or dimension == "date":
        return f"{rest} {word}" if dimension in {"date", "duration"} else ""
    if verb.lemma == "be":
        return f"{conjugated(verb, singular=singular)} {_adjective(dimension)}"
    if dimension == "duration" and verb.lemma in _DURATION_VERBS:
        return f"{rest} longer"
    if value and phrase.role == Role.OBJECT:
        counted = "money" if dimension.startswith("money") else value.group(1)
        return predicate(fact, without=asides(fact), swap={place: f"more {counted}"}, singular=singular)
    return ""


def _adjective(dimension: str) -> str:
    """Return the comparative for what something is, by the dimension of its value."""
    return _COMPARATIVES.get(dimension, ("higher",))[0]


def arithmetic(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question by how much two values differ, or how long after one event another one happened."""
    lesser, greater = scenario.facts
    low, high = scenario.links[0][1:]
    less, more = _value(lesser, low), _value(greater, high)
    answer = difference(less, more, "en") if less and more else None
    if answer is None or less is None:
        return
    dated = less.dimension == "date"
    text = _how_long(scenario, less.unit) if dated else _how_much(lesser, greater, high, less)
    if text:
        number = re.sub(r"[^\d.,].*$", "", answer)
        answers = tuple(dict.fromkeys(filter(None, (answer, number))))
        yield QuestionDraft(as_question(text), answers, "difference", _operands(scenario, knowledge))


def _value(fact: Fact, place: int) -> Quantity | None:
    return quantity(unmarked(fact.phrases[place])) or quantity(fact.phrases[place].text)


def _how_long(scenario: Scenario, unit: str) -> str:
    """Return "how many years after one event did the other happen", "" if they are not both past."""
    (earlier, later), (low, high) = scenario.facts, scenario.links[0][1:]
    if {earlier.verb.tag, later.verb.tag} != {"VBD"}:
        return ""
    clause = inverted_clause(later, without=[high, *asides(later)])
    return f"how many {inflected(unit, 'NNS')} after {_event(earlier, low)} {clause}"


def _how_much(lesser: Fact, greater: Fact, high: int, value: Quantity) -> str:
    """Return "how many more readings does the one store than the other", "" if English has no such words."""
    phrase, verb = greater.phrases[high], greater.verb
    other = in_sentence(_subject(lesser))
    body = inverted_clause(greater, without=[high, *asides(greater)])
    counted = _COUNTED_THINGS.match(phrase.text)
    if value.dimension.startswith("count:") and phrase.role == Role.OBJECT and counted and verb.lemma != "be":
        return f"how many more {counted.group(1)} {body} than {other}"
    if value.dimension.startswith("count:"):
        return ""
    if verb.lemma == "be" and phrase.role == Role.ATTRIBUTE:
        return f"how much {_adjective(value.dimension)} {body} than {other}"
    if value.dimension == "duration" and verb.lemma in _DURATION_VERBS:
        return f"how much longer {body} than {other}"
    return f"how much more {body} than {other}" if phrase.role == Role.OBJECT and verb.lemma in _AMOUNT_VERBS else ""
