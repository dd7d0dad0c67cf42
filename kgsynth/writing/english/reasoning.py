"""Reasoning questions: why, what for, and which of two.

Left out: comparisons of more than two, and those whose predicate makes no natural English with a comparative.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from kgsynth.knowledge import Knowledge
from kgsynth.quantities import parse
from kgsynth.records import Fact, Scenario
from kgsynth.writing.english.asking import ask_for, type_of
from kgsynth.writing.english.grammar import Asked, declared, finish, inverted, question, said, shown, yes_no
from kgsynth.writing.english.shared import Draft, answers, asides, at, find, in_scope, phrase_at, unmarked

_MORE = {
    "date": ("earlier", "min"),
    "duration": ("longer", "max"),
    "length": ("longer", "max"),
    "mass": ("heavier", "max"),
}
"""Kind of value -> the word that compares two, and whether the greater or the lesser is meant."""


def cause(scenario: Scenario, knowledge: Knowledge) -> Iterator[Draft]:
    """Yield the question why a fact holds."""
    yield from _explained(scenario, knowledge, finish(f"why {_why(scenario.facts[0], scenario.asked)}"))


def purpose(scenario: Scenario, knowledge: Knowledge) -> Iterator[Draft]:
    """Yield the question what something is used for, what one should do for a purpose, or why it is done."""
    fact = scenario.facts[0]
    phrase, subject = fact.phrases[scenario.asked], fact.first("subject")
    if subject is not None and fact.verb.lemma == "use" and fact.verb.passive and phrase.marker in {"to", "for"}:
        first, after = inverted(fact.verb)
        yield from _explained(scenario, knowledge, finish(f"what {first} {shown(subject)} {after} for"))
    elif subject is not None and subject.has("you"):
        yield from _means(fact, knowledge)
    else:
        yield from _explained(scenario, knowledge, finish(f"why {_why(fact, scenario.asked)}"))


def _explained(scenario: Scenario, knowledge: Knowledge, text: str) -> Iterator[Draft]:
    """Yield the question that the asked phrase, whole, answers; under a heading where it needs one."""
    fact = scenario.facts[0]
    phrase = fact.phrases[scenario.asked]
    asked = Asked("why", shown(phrase), phrase.start, phrase.end)
    text = in_scope(scenario, knowledge, text)
    if text:
        yield Draft(text, (asked.answer,), scenario.subtype, (find(fact, asked),))


def _why(fact: Fact, asked: int) -> str:
    """Return what comes after "why"; the words of an outcome that was never parsed stay as they are."""
    if fact.kind != "outcome":
        return yes_no(fact, drop=[asked, *asides(fact, keep=asked)])
    outcome = shown(fact.phrases[1 - asked])
    return f"should you {outcome}" if fact.verb.lemma == "do" else f"is it that {outcome}"


def _means(fact: Fact, knowledge: Knowledge) -> Iterator[Draft]:
    """Yield the question what one should use, or run, for the purpose told."""
    what = next((n for n, p in enumerate(fact.phrases) if p.role == "object"), None)
    asked = ask_for(knowledge, fact, what) if what is not None else None
    if asked is not None and what is not None:
        text = question(fact, what, Asked("what", asked.answer, asked.start, asked.end))
        yield Draft(text, answers(asked, fact.phrases[what]), "purpose", (find(fact, asked),))


def comparison(scenario: Scenario, knowledge: Knowledge) -> Iterator[Draft]:
    """Yield the question which of two things has more, is higher, lasted longer or came first."""
    lesser, greater = scenario.facts
    places = scenario.links[0][1:]
    value = parse(unmarked(lesser.phrases[places[0]])) or parse(lesser.phrases[places[0]].text)
    if value is None:
        return
    word, direction = _MORE.get(value.dimension, ("more", "max"))
    subjects = [next(p for p in fact.phrases if p.role == "subject") for fact in scenario.facts]
    names = [shown(subject) for subject in subjects]
    winner = 0 if direction == "min" else 1
    order = sorted((0, 1), key=lambda n: names[n])
    answers = [names[winner]]
    if lesser.verb.lemma == greater.verb.lemma and lesser.verb.passive == greater.verb.passive:
        predicate = _compared(lesser, places[0], value.dimension, word)
        if not predicate:
            return
        entity = knowledge.entity_of(lesser, subjects[0])
        noun = type_of(knowledge, entity) if entity else ""
        which = "who" if noun == "person" else f"which {noun}".strip()
        text = f"{which} {predicate}, {names[order[0]]} or {names[order[1]]}"
    else:
        told = [_event(fact, name, place) for fact, name, place in zip(scenario.facts, names, places, strict=True)]
        text = f"which happened first: {told[order[0]]}, or {told[order[1]]}"
        answers.append(told[winner])
    steps = tuple(
        {"fact": fact.id, "subject": at(fact, p.start, p.end), "value": _value_at(knowledge, fact, n)}
        for fact, p, n in zip(scenario.facts, subjects, places, strict=True)
    )
    yield Draft(finish(text), tuple(answers), "comparison", steps, {"direction": direction})


def _event(fact: Fact, name: str, place: int) -> str:
    plural = any(p.role == "subject" and p.has("plural") for p in fact.phrases)
    return f"{name} {said(fact, without=[place, *asides(fact)], third=not plural)}"


def _value_at(knowledge: Knowledge, fact: Fact, place: int) -> dict[str, Any]:
    phrase = fact.phrases[place]
    return phrase_at(knowledge, fact, place) if parse(unmarked(phrase)) else at(fact, phrase.start, phrase.end)


def _compared(fact: Fact, place: int, dimension: str, word: str) -> str:
    """Return the predicate with the value replaced by a comparative, "" when that would not be English."""
    phrase, verb = fact.phrases[place], fact.verb
    value = re.match(r"(?:\D*?)(?:[\d.,]+|\w+)(?: (?:hundred|thousand|million))? ([a-z][\w -]*)$", phrase.text)
    rest = said(fact, without=[place, *asides(fact)], third=True)
    if phrase.role == "time" or dimension == "date":
        return f"{rest} {word}" if dimension in {"date", "duration"} else ""
    if verb.lemma == "be":
        return f"{declared(verb, third=True)} {_MORE[dimension][0] if dimension in _MORE else 'higher'}"
    if dimension == "duration" and verb.lemma in {"last", "take", "run", "keep", "remain", "stay"}:
        return f"{rest} longer"
    if value and phrase.role == "object":
        return said(fact, without=asides(fact), swap={place: f"more {value.group(1)}"}, third=True)
    return ""
