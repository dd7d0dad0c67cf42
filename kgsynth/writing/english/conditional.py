"""Conditional questions: what happens if, when something happens, and what holds under one heading only."""

from __future__ import annotations

from collections.abc import Iterator

from kgsynth.knowledge import Knowledge
from kgsynth.records import Fact, Phrase, Scenario
from kgsynth.writing.english.asking import ask_for
from kgsynth.writing.english.grammar import Asked, finish, question, shown, yes_no
from kgsynth.writing.english.shared import (
    Draft,
    answers,
    asides,
    at,
    find,
    scoped,
)


def explicit(scenario: Scenario, knowledge: Knowledge) -> Iterator[Draft]:
    fact = scenario.facts[0]
    condition = next(n for n, p in enumerate(fact.phrases) if p.role == "condition")
    phrase = fact.phrases[condition]
    if fact.kind == "outcome":
        other = fact.phrases[scenario.asked]
        text = f"what should you do {shown(phrase)}" if fact.verb.lemma == "do" else f"what happens {shown(phrase)}"
        asked = Asked("what", shown(other), other.start, other.end)
        step = {"condition": at(fact, phrase.start, phrase.end)} | find(fact, asked)
        yield Draft(finish(text), (asked.answer,), "condition", (step,))
        return
    if scenario.asked != condition:
        asked = ask_for(knowledge, fact, scenario.asked)
        if asked is None:
            return
        front = condition if not phrase.has("dangling") else None
        text = question(fact, scenario.asked, asked, front=front, drop=asides(fact))
        step = {"condition": at(fact, phrase.start, phrase.end)} | find(fact, asked)
        yield Draft(text, answers(asked, fact.phrases[scenario.asked]), "condition", (step,))
        return
    outcome = _outcome(knowledge, fact, condition)
    if outcome is not None and not phrase.has("dangling"):
        step = {"condition": at(fact, phrase.start, phrase.end)} | find(fact, outcome)
        commanded = next(p for p in fact.phrases if p.role == "subject").start == fact.verb.start
        opening = "what should you do" if commanded else "what happens"
        yield Draft(finish(f"{opening} {shown(phrase)}"), (outcome.answer,), "condition", (step,))
    if not any(p.has("dangling") for n, p in enumerate(fact.phrases) if n != condition and p.role != "manner"):
        asked = Asked("when", shown(phrase), phrase.start, phrase.end)
        lead = "until when" if phrase.marker == "until" else "under what condition"
        text = finish(f"{lead} {yes_no(fact, drop=[condition, *asides(fact, keep=condition)])}")
        yield Draft(text, (asked.answer,), "lookup", (find(fact, asked),))


def _outcome(knowledge: Knowledge, fact: Fact, condition: int) -> Asked | None:
    """Return the main clause as an answer, when it is one stretch of the sentence."""
    phrase = fact.phrases[condition]
    others = [p for n, p in enumerate(fact.phrases) if n != condition]
    start, end = min(p.start for p in others), max(fact.verb.end, *(p.end for p in others))
    if start < phrase.end and phrase.start < end:
        return None
    text = knowledge.documents[fact.doc].plain(start, end).rstrip(".")
    first = next(p for p in others if p.start == start)
    if not any(p.role == "subject" and p.start == start for p in others) or len(text.split()) > 30:
        return None
    return Asked("what", text[:1].lower() + text[1:] if first.has("lowerable") else text, start, end)


def scoped_value(scenario: Scenario, knowledge: Knowledge) -> Iterator[Draft]:
    fact = scenario.facts[0]
    asked = ask_for(knowledge, fact, scenario.asked)
    if asked is None:
        return
    text = question(fact, scenario.asked, asked, drop=asides(fact))
    if scenario.scope:
        text = scoped(
            scenario.scope, text, knowledge.proper_words, whole=True, place=knowledge.is_place(scenario.scope)
        )
        if not text:
            return
    rivals = []
    for rival in scenario.rivals:
        twin = _twin(rival, fact.phrases[scenario.asked])
        wanted = ask_for(knowledge, rival, twin) if twin is not None else None
        if wanted is not None:
            rivals.append({"fact": rival.id, "find": at(rival, wanted.start, wanted.end)})
    steps = ({"scope": scenario.scope} | find(fact, asked),)
    yield Draft(text, answers(asked, fact.phrases[scenario.asked]), "scoped", steps, {"rivals": rivals[:5]})


def _twin(fact: Fact, phrase: Phrase) -> int | None:
    alike = [n for n, p in enumerate(fact.phrases) if p.role == phrase.role and p.marker == phrase.marker]
    return alike[0] if alike else None
