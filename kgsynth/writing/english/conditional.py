"""Conditional questions: what happens if, when something happens, and what holds under one heading only.

Left out: facts under two conditions at once; the second is said as it stands.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kgsynth.knowledge import Knowledge
from kgsynth.records import Fact, Phrase, Scenario
from kgsynth.writing.english.asking import ask_for
from kgsynth.writing.english.grammar import Asked, finish, question, shown, yes_no
from kgsynth.writing.english.shared import Draft, answers, asides, at, find, scoped


def explicit(scenario: Scenario, knowledge: Knowledge) -> Iterator[Draft]:
    """Yield the questions about a fact with a condition: what happens then, one phrase of it, or when it holds."""
    fact = scenario.facts[0]
    condition = next(n for n, p in enumerate(fact.phrases) if p.role == "condition")
    if fact.kind == "outcome":
        other = fact.phrases[scenario.asked]
        asked = Asked("what", shown(other), other.start, other.end)
        yield _consequence(fact, condition, asked, commanded=fact.verb.lemma == "do")
    elif scenario.asked == condition:
        yield from _whole(fact, condition, knowledge)
    else:
        wanted = ask_for(knowledge, fact, scenario.asked)
        if wanted is not None:
            front = None if fact.phrases[condition].has("dangling") else condition
            text = question(fact, scenario.asked, wanted, front=front, drop=asides(fact))
            step = _under(fact, condition, wanted)
            yield Draft(text, answers(wanted, fact.phrases[scenario.asked]), "condition", (step,))


def _whole(fact: Fact, condition: int, knowledge: Knowledge) -> Iterator[Draft]:
    """Yield what happens under the condition, and under what condition it happens."""
    phrase = fact.phrases[condition]
    outcome = _outcome(knowledge, fact, condition)
    if outcome is not None and not phrase.has("dangling"):
        commanded = next(p for p in fact.phrases if p.role == "subject").start == fact.verb.start
        yield _consequence(fact, condition, outcome, commanded=commanded)
    if not any(p.has("dangling") for n, p in enumerate(fact.phrases) if n != condition and p.role != "manner"):
        asked = Asked("when", shown(phrase), phrase.start, phrase.end)
        lead = "until when" if phrase.marker == "until" else "under what condition"
        text = finish(f"{lead} {yes_no(fact, drop=[condition, *asides(fact, keep=condition)])}")
        yield Draft(text, (asked.answer,), "lookup", (find(fact, asked),))


def _consequence(fact: Fact, condition: int, outcome: Asked, *, commanded: bool) -> Draft:
    """Return the question what happens, or what one should do, under the condition."""
    opening = "what should you do" if commanded else "what happens"
    text = finish(f"{opening} {shown(fact.phrases[condition])}")
    return Draft(text, (outcome.answer,), "condition", (_under(fact, condition, outcome),))


def _under(fact: Fact, condition: int, asked: Asked) -> dict[str, Any]:
    """Return the step that looks an answer up under a condition."""
    phrase = fact.phrases[condition]
    return {"condition": at(fact, phrase.start, phrase.end)} | find(fact, asked)


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
    """Yield the question for a value that differs elsewhere, with the heading or the words that say where."""
    fact = scenario.facts[0]
    asked = ask_for(knowledge, fact, scenario.asked)
    if asked is None:
        return
    text = question(fact, scenario.asked, asked, drop=asides(fact))
    if scenario.scope:
        place = knowledge.is_place(scenario.scope)
        text = scoped(scenario.scope, text, knowledge.proper_words, whole=True, place=place)
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
    """Return the place of the phrase of ``fact`` that says what ``phrase`` says elsewhere."""
    return next((n for n, p in enumerate(fact.phrases) if (p.role, p.marker) == (phrase.role, phrase.marker)), None)
